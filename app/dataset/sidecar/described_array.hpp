// SPDX-License-Identifier: GPL-3.0-or-later
// What descriptions of channel data and of images share on their way from and to a sidecar.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/import_array.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <memory>

namespace echolux {

/// How the array is stored, as the sidecar and the file say it; false where they say more than an
/// ImportArray or contradict each other.
bool takeArray(ImportArray& import, const Sidecar& sidecar,
               const std::shared_ptr<const InputFile>& file);

/// A number that stands in the sidecar itself, or `otherwise`. Sets `plain` to false where it
/// stands elsewhere or is a list.
double plainNumber(const NumberSource& source, double otherwise, bool& plain);

/// `open`, or the container of the file; null for headerless data. Throws Error where the file
/// holds no arrays.
std::shared_ptr<ArrayContainer> containerFor(const ImportArray& import,
                                             const std::shared_ptr<const InputFile>& file,
                                             std::shared_ptr<ArrayContainer> open);

} // namespace echolux
