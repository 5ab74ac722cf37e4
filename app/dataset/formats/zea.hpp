// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of zea (OpenH-RF): channel data with its scan, or images made from it, in one or more
// tracks.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeZea(const Hdf5File& tree);

std::unique_ptr<Recording> openZea(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
