// SPDX-License-Identifier: GPL-3.0-or-later
// Permutes axes, computes positions and converts types.
#include "app/export/pixels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <numeric>

namespace echolux {
namespace {

ImageAxis axisOf(const FrameSpec& image, AxisName name) {
    const Axis* axis = image.find(name);
    if (axis == nullptr) return {name, 1, 1.0, 0.0, "mm"};
    const double scale = axis->unit == "m"     ? 1e3
                         : axis->unit == "rad" ? 180.0 / std::numbers::pi
                                               : 1.0;
    return {name, axis->size, axis->spacing * scale, axis->origin * scale,
            axis->unit == "m"     ? "mm"
            : axis->unit == "rad" ? "deg"
                                  : ""};
}

std::vector<std::byte> ordered(const FrameSpec& image, std::span<const std::byte> data,
                               const std::vector<AxisName>& names) {
    std::vector<std::int64_t> extents;
    for (const Axis& axis : image.axes) extents.push_back(axis.size);
    std::vector<std::size_t> order;
    for (const AxisName name : names)
        if (const Axis* axis = image.find(name))
            order.push_back(static_cast<std::size_t>(axis - image.axes.data()));
    return permuted(data, extents, order, bytesOf(image.dtype, 1));
}

template <class T>
void convert(std::span<const std::byte> data, const FrameSpec& frame, std::vector<float>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        T code;
        std::memcpy(&code, data.data() + i * sizeof(T), sizeof(T));
        values[i] =
            static_cast<float>((static_cast<double>(code) - frame.codeOffset) * frame.codeScale);
    }
}

/// Two samples in three bytes. The low nibble of byte 1 belongs to sample 0.
void unpack12(std::span<const std::byte> data, const FrameSpec& frame, std::vector<float>& values) {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(data[i]); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t byte = i / 2 * 3;
        const unsigned code = i % 2 == 0 ? at(byte) | (at(byte + 1) & 0x0fU) << 8U
                                         : at(byte + 1) >> 4U | at(byte + 2) << 4U;
        values[i] = static_cast<float>((code - frame.codeOffset) * frame.codeScale);
    }
}

} // namespace

std::vector<std::byte> permuted(std::span<const std::byte> data,
                                const std::vector<std::int64_t>& extents,
                                const std::vector<std::size_t>& order, std::size_t bytes) {
    const std::size_t rank = extents.size();
    std::vector<std::size_t> strides(rank, bytes);
    for (std::size_t i = rank; i-- > 1;)
        strides[i - 1] = strides[i] * static_cast<std::size_t>(extents[i]);
    std::vector<std::byte> out(data.size());
    std::vector<std::int64_t> index(rank, 0);
    std::byte* to = out.data();
    std::size_t from = 0;
    for (const std::byte* end = out.data() + out.size(); to != end; to += bytes) {
        std::memcpy(to, data.data() + from, bytes);
        for (std::size_t i = rank; i-- > 0;) {
            const std::size_t axis = order[i];
            from += strides[axis];
            if (++index[i] < extents[axis]) break;
            from -= strides[axis] * static_cast<std::size_t>(extents[axis]);
            index[i] = 0;
        }
    }
    return out;
}

ImageGrid::ImageGrid(const FrameSpec& image)
    : lateral(axisOf(image, AxisName::Lateral)), depth(axisOf(image, AxisName::Depth)),
      elevation(axisOf(image, AxisName::Elevation)), isComplex(echolux::isComplex(image.dtype)) {}

std::vector<std::byte> rowsOf(const FrameSpec& image, std::span<const std::byte> data) {
    return ordered(image, data, {AxisName::Elevation, AxisName::Depth, AxisName::Lateral});
}

std::vector<std::byte> columnsOf(const FrameSpec& image, std::span<const std::byte> data) {
    return ordered(image, data, {AxisName::Elevation, AxisName::Lateral, AxisName::Depth});
}

std::vector<float> valuesOf(const FrameSpec& frame, std::span<const std::byte> data) {
    const auto count = static_cast<std::size_t>(frame.count());
    std::vector<float> values(isComplex(frame.dtype) ? 2 * count : count);
    switch (frame.dtype) {
    case DType::U8: convert<std::uint8_t>(data, frame, values); break;
    case DType::I16:
    case DType::ComplexI16: convert<std::int16_t>(data, frame, values); break;
    case DType::U16: convert<std::uint16_t>(data, frame, values); break;
    case DType::Packed12: unpack12(data, frame, values); break;
    case DType::F32:
    case DType::ComplexF32: convert<float>(data, frame, values); break;
    }
    return values;
}

DType plainType(const FrameSpec& frame) {
    if (isComplex(frame.dtype)) return DType::ComplexF32;
    const bool same = frame.codeOffset == 0.0 && frame.codeScale == 1.0;
    return same && frame.dtype != DType::Packed12 ? frame.dtype : DType::F32;
}

std::vector<std::byte> plainSamples(const FrameSpec& frame, std::span<const std::byte> data) {
    if (plainType(frame) == frame.dtype && !(isComplex(frame.dtype) && frame.codeScale != 1.0))
        return {data.begin(), data.end()};
    const std::vector<float> values = valuesOf(frame, data);
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

} // namespace echolux
