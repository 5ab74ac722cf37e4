// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/pictures/grey_array.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <utility>

namespace echolux {

GreyArray::GreyArray(const std::filesystem::path& path, std::unique_ptr<ArraySource> colours)
    : m_path(path), m_colours(std::move(colours)) {
    m_layout = m_colours->layout();
    const std::int64_t perPixel = m_layout.shape.back();
    if (m_layout.type.components != 1 || m_layout.columnMajor || perPixel < 1 || perPixel > 4)
        throw fileError(path, fmt::format("its pixels have {} values each, which are neither grey "
                                          "nor colours; export one of them",
                                          perPixel));
    m_perPixel = static_cast<std::size_t>(perPixel);
    m_layout.shape.pop_back();
}

void GreyArray::read(std::span<std::byte> out) {
    makeRoom(out.size());
    m_colours->read(m_block);
    makeGrey(out);
}

void GreyArray::readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) {
    makeRoom(out.size());
    m_colours->readSlice(axis, index, m_block);
    makeGrey(out);
}

void GreyArray::makeRoom(std::size_t greyBytes) {
    checkLoadSize(m_path, "its colours", greyBytes * m_perPixel);
    m_block.resize(greyBytes * m_perPixel);
}

void GreyArray::makeGrey(std::span<std::byte> out) const {
    visitComponent(m_layout.type, [&](auto zero) {
        using Value = decltype(zero);
        const std::size_t count = out.size() / sizeof(Value);
        const auto* in = reinterpret_cast<const Value*>(m_block.data());
        auto* grey = reinterpret_cast<Value*>(out.data());
        for (std::size_t i = 0; i < count; ++i, in += m_perPixel) {
            if constexpr (std::is_arithmetic_v<Value>) {
                if (m_perPixel < 3) {
                    grey[i] = in[0];
                    continue;
                }
                const double value = 0.299 * static_cast<double>(in[0]) +
                                     0.587 * static_cast<double>(in[1]) +
                                     0.114 * static_cast<double>(in[2]);
                grey[i] =
                    static_cast<Value>(std::is_integral_v<Value> ? std::floor(value + 0.5) : value);
            } else {
                grey[i] = in[0]; // three bytes each
            }
        }
    });
}

} // namespace echolux
