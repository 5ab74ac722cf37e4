// SPDX-License-Identifier: GPL-3.0-or-later
// What an HDF5 file may make HDF5 do: nothing but read that file.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <optional>
#include <string>

namespace echolux {

/// Once per process, before a file of others is opened: no plug-ins are loaded, no link leads to
/// another file, and the program's own decoders are there.
void guardHdf5();

/// What keeps the link `name` below `at`, which exists, from being followed: it leads to another
/// file, nowhere, or in a circle. As "is ..."; nothing where it leads to an object of this file.
std::optional<std::string> linkObstacle(hid_t at, const std::string& name);

/// What keeps an open dataset from being read: its numbers lie in other files. As "has ...".
std::optional<std::string> dataObstacle(hid_t dataset);

} // namespace echolux
