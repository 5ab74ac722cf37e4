// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data of the CUBDL challenge, RF of plane waves and focused beams. The institutions that
// gave them keep different datasets, clocks and signs in them.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

bool looksLikeCubdl(const Hdf5File& tree);

/// By the institution that its name tells, else its datasets. Throws Error where neither tells it,
/// where the institution's own datasets are missing or contradict each other, and for files that
/// CUBDL itself does not read.
std::unique_ptr<Recording> openCubdl(const std::shared_ptr<Hdf5File>& tree);

} // namespace echolux
