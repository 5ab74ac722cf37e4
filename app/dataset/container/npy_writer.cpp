// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy format 1.0 (NEP 1): magic, header padded to 64 bytes, data.
#include "app/dataset/container/npy_writer.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/sector.hpp"
#include "gpu/core/whole_file.hpp"

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

nlohmann::ordered_json linesAsJson(const Sector& sector) {
    nlohmann::ordered_json lines{{"x_m", nlohmann::ordered_json::array()},
                                 {"z_m", nlohmann::ordered_json::array()},
                                 {"angle_rad", sector.anglesRad}};
    for (std::size_t i = 0; i < sector.lines(); ++i) {
        const Point start = sector.startOf(i);
        lines["x_m"].push_back(start.x);
        lines["z_m"].push_back(start.z);
    }
    return lines;
}

nlohmann::ordered_json axisAsJson(const FrameSpec& spec, const Axis& axis) {
    nlohmann::ordered_json entry{{"name", nameOf(axis.name)}, {"size", axis.size}};
    if (AxisPlaces places = placesOf(spec, axis); places.unit != axis.unit) {
        entry["places"] = std::move(places.values);
        entry["unit"] = places.unit;
        return entry;
    }
    entry["origin"] = axis.origin;
    entry["spacing"] = axis.spacing;
    entry["unit"] = axis.unit;
    return entry;
}

} // namespace

nlohmann::ordered_json axesAsJson(const FrameSpec& spec) {
    nlohmann::ordered_json root;
    root["dtype"] = nameOf(spec.dtype);
    for (const Axis& axis : spec.axes) root["axes"].push_back(axisAsJson(spec, axis));
    if (spec.sector) root["lines"] = linesAsJson(*spec.sector);
    if (spec.valueRange) {
        root["value_range"] = {{"min", spec.valueRange->min},
                               {"max", spec.valueRange->max},
                               {"unit", spec.valueRange->unit},
                               {"reference", spec.valueRange->reference}};
    }
    return root;
}

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
    writeWhole(beside.replace_extension(".json"), axesAsJson(spec).dump(2) + '\n');
}

} // namespace echolux
