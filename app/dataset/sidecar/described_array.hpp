// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between a sidecar and the parts that descriptions of channel data and of images
// share.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/import_array.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <memory>

namespace echolux {

/// Fills `import` with how the array is stored, according to the sidecar and the file. Returns
/// false where they say more than an ImportArray can hold, or contradict each other.
bool takeArray(ImportArray& import, const Sidecar& sidecar,
               const std::shared_ptr<const InputFile>& file);

/// `open` where given, else the container of the file; null for headerless data. Throws Error where
/// the file has no arrays.
std::shared_ptr<ArrayContainer> containerFor(const ImportArray& import,
                                             const std::shared_ptr<const InputFile>& file,
                                             std::shared_ptr<ArrayContainer> open);

} // namespace echolux
