// SPDX-License-Identifier: GPL-3.0-or-later
// Restricts what an HDF5 file can make HDF5 do: it can only read that file.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"

#include <optional>
#include <string>

namespace echolux {

/// Call it before opening a file of other programs; it acts once per process. Then HDF5 loads no
/// plug-ins, follows no link to another file, and knows the program's own decoders.
void guardHdf5();

/// Why the link `name` in `at`, which exists, cannot be followed: it leads to another file, to
/// nothing, or in a circle. A text that begins with "is ..."; empty where it leads to an object of
/// this file.
std::optional<std::string> linkObstacle(hid_t at, const std::string& name);

/// Why an open dataset cannot be read: its numbers are in other files. A text that begins with "has
/// ...".
std::optional<std::string> dataObstacle(hid_t dataset);

} // namespace echolux
