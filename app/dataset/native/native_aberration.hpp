// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads the aberrating screen of a native recording.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/aberration_truth.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace echolux::native {

/// Throws std::runtime_error where HDF5 fails.
void writeAberration(hid_t file, const AberrationTruth& truth);

/// Reads the screen for a probe of `elements` elements. Null where the file has none. Throws Error
/// where it does not fit.
std::shared_ptr<const AberrationTruth> readAberration(hid_t file, std::size_t elements,
                                                      const std::filesystem::path& path);

} // namespace echolux::native
