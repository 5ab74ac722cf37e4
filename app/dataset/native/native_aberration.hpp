// SPDX-License-Identifier: GPL-3.0-or-later
// The aberrating screen inside the native recording: writing and reading.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/aberration_truth.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace echolux::native {

/// Throws std::runtime_error where HDF5 fails.
void writeAberration(hid_t file, const AberrationTruth& truth);

/// Of a probe of `elements`; null where the file says nothing. Throws Error for what does not fit.
std::shared_ptr<const AberrationTruth> readAberration(hid_t file, std::size_t elements,
                                                      const std::filesystem::path& path);

} // namespace echolux::native
