// SPDX-License-Identifier: GPL-3.0-or-later
// Opens HDF5 files that were never closed or that were cut off, so that what is left can be read.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <filesystem>

namespace echolux {

/// Opens `path` for reading though its end is missing or its writer never closed it. Bytes beyond
/// the end read as zeros, so the caller must rely only on what carries a checksum: HDF5's own
/// metadata of format 1.10, deflated chunks. Empty where HDF5 finds no file even so.
Hdf5Handle openSalvaged(const std::filesystem::path& path);

} // namespace echolux
