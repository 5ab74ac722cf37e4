// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads what the images of a native recording are: their form, shown range and lines.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "gpu/core/frame_spec.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace echolux::native {

/// True where the frames are images, neither channel data nor spectra.
bool isImage(const FrameSpec& frame);

/// Why these images are impossible: a text that begins with "its ...". Empty where they are
/// consistent.
std::optional<std::string> contradictionInImage(const FrameSpec& frame);

/// Throws std::runtime_error where HDF5 fails.
void writeImage(hid_t file, const FrameSpec& frame);
/// Completes `frame` from the group `at`. Its axes are known already. Throws Error where a fact is
/// missing, and where the axes are not those of an image in space.
void readImage(const Hdf5Handle& at, FrameSpec& frame, const std::filesystem::path& path);

} // namespace echolux::native
