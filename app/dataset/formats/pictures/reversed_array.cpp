// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/reversed_array.hpp"

#include <algorithm>
#include <utility>

namespace echolux {

namespace {

void reverseAlong(std::size_t axis, const std::vector<std::int64_t>& shape,
                  std::size_t elementBytes, std::span<std::byte> bytes) {
    std::size_t step = elementBytes;
    for (std::size_t i = axis + 1; i < shape.size(); ++i)
        step *= static_cast<std::size_t>(shape[i]);
    const std::size_t whole = step * static_cast<std::size_t>(shape[axis]);
    for (std::size_t begin = 0; begin + whole <= bytes.size(); begin += whole) {
        std::size_t low = begin;
        std::size_t high = begin + whole - step;
        for (; low < high; low += step, high -= step)
            std::swap_ranges(bytes.data() + low, bytes.data() + low + step, bytes.data() + high);
    }
}

} // namespace

ReversedArray::ReversedArray(std::unique_ptr<ArraySource> stored, std::vector<std::size_t> axes)
    : m_stored(std::move(stored)), m_axes(std::move(axes)) {
    m_layout = m_stored->layout();
}

void ReversedArray::read(std::span<std::byte> out) {
    m_stored->read(out);
    for (const std::size_t axis : m_axes)
        reverseAlong(axis, m_layout.shape, m_layout.type.size(), out);
}

void ReversedArray::readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) {
    const bool turned = std::ranges::find(m_axes, axis) != m_axes.end();
    m_stored->readSlice(axis, turned ? m_layout.shape[axis] - 1 - index : index, out);
    std::vector<std::int64_t> shape = m_layout.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    for (const std::size_t each : m_axes)
        if (each != axis)
            reverseAlong(each - (each > axis ? 1 : 0), shape, m_layout.type.size(), out);
}

} // namespace echolux
