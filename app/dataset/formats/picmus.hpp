// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of the PICMUS challenge: plane waves, RF or IQ.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikePicmus(const Hdf5File& tree);

/// Each group below US that holds channel data is a track. Phantoms, pixel grids and images have
/// the same layout; a file of these alone is refused, and the error says what it holds.
std::unique_ptr<Recording> openPicmus(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
