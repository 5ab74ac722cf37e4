// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of the CUBDL challenge: RF of plane waves and focused beams. Each institution that
// contributed files uses its own datasets, clock and signs.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeCubdl(const Hdf5File& tree);

/// The file's name tells the institution, otherwise its datasets do. Throws Error where neither
/// tells it, where the institution's datasets are missing or contradict each other, and for files
/// that CUBDL's evaluation code does not read.
std::unique_ptr<Recording> openCubdl(const std::shared_ptr<Hdf5File>& tree);

} // namespace echolux
