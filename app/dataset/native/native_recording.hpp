// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the native recording: one HDF5 file of compressed frames that describes itself.
#pragma once

#include "app/dataset/recording/recording.hpp"

#include <filesystem>
#include <memory>

namespace echolux {

/// Whether the content is a native recording of any version, even one that was cut off.
bool isNative(const std::filesystem::path& path);

/// Opens it, up to its last whole frame where it was never closed or was cut off (with a warning).
/// Throws Error with one sentence where the file is of a newer version, damaged or contradictory.
std::unique_ptr<Recording> openNative(const std::filesystem::path& path);

} // namespace echolux
