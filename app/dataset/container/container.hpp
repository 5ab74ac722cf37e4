// SPDX-License-Identifier: GPL-3.0-or-later
// Opens any file of arrays whose format its content tells.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <memory>

namespace echolux {

/// Opens .npy, .npz, HDF5, MAT-files and text of numbers; the content decides which. Null for
/// headerless binary.
std::shared_ptr<ArrayContainer> openContainer(const std::shared_ptr<const InputFile>& file);

/// The same in this process, whatever the file does to it; see app/dataset/guarded.
std::shared_ptr<ArrayContainer> openContainerHere(const std::shared_ptr<const InputFile>& file);

} // namespace echolux
