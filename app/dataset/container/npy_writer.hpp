// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a frame as NumPy .npy with a JSON of its axes beside it.
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

/// What stands before the little-endian elements of a .npy in C order; `descr` in NumPy's notation.
std::string npyHeader(std::string_view descr, std::span<const std::int64_t> shape);

/// dtype, axes (name, size, origin, spacing, unit) and value range. Axes in uneven steps give
/// `places`, one by one, in place of origin and spacing; an image in beam space gives `lines`: x_m,
/// z_m at range 0 and angle_rad of each.
nlohmann::ordered_json axesAsJson(const FrameSpec& spec);

/// `path` and the same name with .json: axesAsJson(). f32 or complex_f32 only. Throws Error where
/// it cannot be written; nothing half-written is left.
void writeNpy(const std::filesystem::path& path, const FrameSpec& spec,
              std::span<const std::byte> data);

} // namespace echolux
