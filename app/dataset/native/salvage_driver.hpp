// SPDX-License-Identifier: GPL-3.0-or-later
// Opens HDF5 files that were never closed or are truncated, to read the remaining data.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <filesystem>

namespace echolux {

/// Opens `path` for reading even if its end is missing or its writer never closed it. Bytes beyond
/// the end read as zeros. So the caller must rely only on data with a checksum: HDF5's metadata of
/// format 1.10, and deflated chunks. Empty where HDF5 still finds no file.
Hdf5Handle openSalvaged(const std::filesystem::path& path);

} // namespace echolux
