// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric HDF5 datasets as arrays.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/hdf5_handle.hpp"

#include <memory>
#include <string>

namespace echolux {

class Hdf5File;

/// True where the type is a number, a boolean, or a compound of two equal numbers (a complex
/// value).
bool isNumericHdf5(hid_t type);

/// The type of such elements in memory. `type` is in the byte order of this machine.
Hdf5Handle hdf5TypeOf(const ElementType& type);

/// `dataset` is open and is at `where` in `file`. Throws where it holds no numbers, or claims more
/// than it can hold.
std::unique_ptr<ArraySource> openHdf5Array(std::shared_ptr<const Hdf5File> file, std::string where,
                                           Hdf5Handle dataset);

} // namespace echolux
