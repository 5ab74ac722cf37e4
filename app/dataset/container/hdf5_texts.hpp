// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in HDF5 files, of fixed or variable length.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// All texts of a dataset whose data are in the file itself, in the order of its indices. Empty
/// where it holds none, more than 4096, longer ones than 1 MiB, or damaged ones.
std::vector<std::string> textsOfDataset(hid_t dataset);
/// The same of an attribute.
std::vector<std::string> textsOfAttribute(hid_t attribute);

/// Texts that lie one after the other in `width` bytes each, without the zeros that fill these.
std::vector<std::string> textsIn(const std::string& cells, std::size_t width);

} // namespace echolux
