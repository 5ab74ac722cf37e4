// SPDX-License-Identifier: GPL-3.0-or-later
// Writes files of MATLAB 7.3: HDF5 after a block of 512 bytes, with reversed extents and a class
// attribute per variable. Throws std::runtime_error where HDF5 fails.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/output_files.hpp"

#include <string>

namespace echolux {

namespace matlab {
Hdf5Handle createFile(const OutputFiles& files);
/// Writes a variable. A list becomes a column.
void put(hid_t file, const NumberFact& array);
void put(hid_t file, const TextFact& text);
/// Closes the file and writes its block of 512 bytes.
void finish(Hdf5Handle& file, const OutputFiles& files, const std::string& program);
} // namespace matlab

} // namespace echolux
