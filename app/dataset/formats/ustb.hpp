// SPDX-License-Identifier: GPL-3.0-or-later
// USTB's ultrasound file format: channel data and beamformed data as trees of MATLAB objects.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// True where the file holds objects of USTB, or has the version attribute of such files.
bool looksLikeUstb(const Hdf5File& tree);

/// The tracks of a file are its channel data first, then its beamformed data.
std::unique_ptr<Recording> openUstb(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
