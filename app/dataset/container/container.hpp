// SPDX-License-Identifier: GPL-3.0-or-later
// Opens any file that holds arrays of numbers and says so itself.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <memory>

namespace echolux {

/// .npy, .npz, HDF5, MAT-files and text of numbers, told by content; null for headerless binary.
std::shared_ptr<ArrayContainer> openContainer(const std::shared_ptr<const InputFile>& file);

} // namespace echolux
