// SPDX-License-Identifier: GPL-3.0-or-later
// What programs that write recordings know of each other.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <filesystem>

namespace echolux::native {

/// Until the file is closed or this process ends, isBeingWritten() is true of it. File systems
/// without locks are accepted.
void markBeingWritten(hid_t file);
/// Some program, perhaps this one, writes the file.
bool isBeingWritten(const std::filesystem::path& path);
/// No name leads to the open file any more: it goes with its closing.
bool isDeleted(hid_t file);

} // namespace echolux::native
