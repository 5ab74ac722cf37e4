// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy format 1.0 (NEP 1): magic, header padded to 64 bytes, data.
#include "app/dataset/npy_writer.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <fstream>
#include <string>

namespace echolux {
namespace {

std::string header(const FrameSpec& spec) {
    if (spec.dtype != DType::F32 && spec.dtype != DType::ComplexF32) {
        throw Error(fmt::format(
            "Frames of {} cannot be written as .npy; choose a stage whose output is f32 or "
            "complex_f32.",
            nameOf(spec.dtype)));
    }
    std::string shape;
    for (const Axis& axis : spec.axes) shape += fmt::format("{}, ", axis.size);
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   spec.dtype == DType::F32 ? "<f4" : "<c8", shape);
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

/// Writes beside the target and renames, so that a full disk leaves nothing half-written.
void writeWhole(const std::filesystem::path& path, std::string_view head,
                std::span<const std::byte> body) {
    const std::filesystem::path partial = path.string() + ".partial";
    std::ofstream file(partial, std::ios::binary);
    file.write(head.data(), static_cast<std::streamsize>(head.size()));
    file.write(reinterpret_cast<const char*>(body.data()),
               static_cast<std::streamsize>(body.size()));
    file.close();
    std::error_code code;
    if (file) std::filesystem::rename(partial, path, code);
    if (!file || code) {
        std::filesystem::remove(partial, code);
        throw Error(fmt::format(
            "{} cannot be written; check the folder, its permissions and the free space.",
            path.string()));
    }
}

} // namespace

void writeNpy(const std::filesystem::path& path, const FrameSpec& spec,
              std::span<const std::byte> data) {
    writeWhole(path, header(spec), data);
    std::filesystem::path beside = path;
    writeWhole(beside.replace_extension(".json"), axesJson(spec), {});
}

} // namespace echolux
