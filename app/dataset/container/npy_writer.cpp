// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy format 1.0 (NEP 1): magic, header padded to 64 bytes, data.
#include "app/dataset/container/npy_writer.hpp"

#include "app/dataset/recording/whole_file.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {
namespace {

std::string header(const FrameSpec& spec) {
    if (spec.dtype != DType::F32 && spec.dtype != DType::ComplexF32) {
        throw Error(fmt::format(
            "Frames of {} cannot be written as .npy; choose a stage whose output is f32 or "
            "complex_f32.",
            nameOf(spec.dtype)));
    }
    std::vector<std::int64_t> shape;
    for (const Axis& axis : spec.axes) shape.push_back(axis.size);
    return npyHeader(spec.dtype == DType::F32 ? "<f4" : "<c8", shape);
}

std::string axesJson(const FrameSpec& spec) {
    nlohmann::ordered_json root;
    root["dtype"] = nameOf(spec.dtype);
    for (const Axis& axis : spec.axes) {
        root["axes"].push_back({{"name", nameOf(axis.name)},
                                {"size", axis.size},
                                {"origin", axis.origin},
                                {"spacing", axis.spacing},
                                {"unit", axis.unit}});
    }
    if (spec.valueRange) {
        root["value_range"] = {{"min", spec.valueRange->min},
                               {"max", spec.valueRange->max},
                               {"unit", spec.valueRange->unit},
                               {"reference", spec.valueRange->reference}};
    }
    return root.dump(2) + '\n';
}

} // namespace

std::string npyHeader(std::string_view descr, std::span<const std::int64_t> shape) {
    std::string extents;
    for (const std::int64_t extent : shape) extents += fmt::format("{}, ", extent);
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, extents);
    constexpr std::size_t kPrefix = 10;
    constexpr std::size_t kAlignment = 64;
    while ((kPrefix + text.size() + 1) % kAlignment != 0) text += ' ';
    text += '\n';
    const auto length = static_cast<std::uint16_t>(text.size());
    std::string prefix("\x93NUMPY\x01\x00", 8);
    prefix += static_cast<char>(length & 0xFFU);
    prefix += static_cast<char>(length >> 8U);
    return prefix + text;
}

void writeNpy(const std::filesystem::path& path, const FrameSpec& spec,
              std::span<const std::byte> data) {
    writeWhole(path, header(spec), {reinterpret_cast<const char*>(data.data()), data.size()});
    std::filesystem::path beside = path;
    writeWhole(beside.replace_extension(".json"), axesJson(spec));
}

} // namespace echolux
