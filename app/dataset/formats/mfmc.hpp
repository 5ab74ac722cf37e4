// SPDX-License-Identifier: GPL-3.0-or-later
// MFMC 2.0 of Bristol (multi-frame matrix capture): traces of pairs of elements in HDF5.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeMfmc(const Hdf5File& tree);

/// Each sequence is a track. Throws Error where its laws fire or receive with several elements, or
/// with delays.
std::unique_ptr<Recording> openMfmc(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
