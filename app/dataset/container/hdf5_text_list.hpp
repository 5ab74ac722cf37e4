// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of texts in HDF5 files, of fixed or variable length.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <hdf5.h>

#include <string>
#include <vector>

namespace echolux {

/// All texts of a dataset of `file`, whose bytes are `bytes`, in the order of its indices. Empty
/// where it holds none, more than 4096, or damaged ones, and where they are stored in an unusual
/// way, see Hdf5Texts. The dataset's data are in the file itself.
std::vector<std::string> textsOf(hid_t file, const InputFile& bytes, hid_t dataset);

} // namespace echolux
