// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads where the frames of a native recording lie in a patient or a room.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "gpu/core/pose.hpp"

#include <filesystem>

namespace echolux::native {

/// Throws std::runtime_error where HDF5 fails.
void writePose(hid_t file, const Pose& pose);
/// Throws Error where a fact is missing or no number.
Pose readPose(const Hdf5Handle& at, const std::filesystem::path& path);

} // namespace echolux::native
