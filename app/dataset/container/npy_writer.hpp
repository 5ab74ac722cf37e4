// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a frame as NumPy .npy, with a JSON file of its axes beside it.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace echolux {

/// The header of a .npy file in C order with little-endian elements. `descr` is in NumPy's
/// notation.
std::string npyHeader(std::string_view descr, std::span<const std::int64_t> shape);

/// dtype, axes (name, size, origin, spacing, unit) and value range. For axes with uneven steps
/// `places` lists all coordinates and replaces origin and spacing. For images in beam space `lines`
/// holds x_m and z_m at range 0 and angle_rad of each line.
nlohmann::ordered_json axesAsJson(const FrameSpec& spec);

/// Writes `path`, and axesAsJson() to the same name with .json. For f32 and complex_f32 only.
/// Throws Error where a file cannot be written; then no partial file is left.
void writeNpy(const std::filesystem::path& path, const FrameSpec& spec,
              std::span<const std::byte> data);

} // namespace echolux
