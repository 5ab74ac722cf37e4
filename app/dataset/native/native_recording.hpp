// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the native recording: one HDF5 file of compressed frames that describes itself.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <memory>

namespace echolux {

/// True where the content is a native recording of any version, even a truncated one.
bool isNative(const std::filesystem::path& path);

/// Opens a native recording. Where it was never closed or is truncated, it ends with its last
/// complete frame, and a warning says so. Throws Error with one sentence where the file has a newer
/// version, is damaged or contradictory.
std::unique_ptr<Recording> openNative(const std::filesystem::path& path);

} // namespace echolux
