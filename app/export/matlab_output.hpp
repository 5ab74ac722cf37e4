// SPDX-License-Identifier: GPL-3.0-or-later
// Files of MATLAB 7.3: HDF5 behind a block of 512 bytes, extents reversed, each variable with its
// class. Throws std::runtime_error where HDF5 fails.
#pragma once

#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/output_files.hpp"

#include <string>

namespace echolux {

namespace matlab {
Hdf5Handle createFile(const OutputFiles& files);
/// A list is a column.
void put(hid_t file, const NumberFact& array);
void put(hid_t file, const TextFact& text);
/// Closes it and writes the block.
void finish(Hdf5Handle& file, const OutputFiles& files, const std::string& program);
} // namespace matlab

} // namespace echolux
