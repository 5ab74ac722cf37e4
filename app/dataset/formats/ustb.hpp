// SPDX-License-Identifier: GPL-3.0-or-later
// USTB's ultrasound file format: channel data and beamformed data as trees of MATLAB objects.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Objects of USTB, or the version of such a file without any.
bool looksLikeUstb(const Hdf5File& tree);

/// Channel data and beamformed data of a file are its tracks, channel data first.
std::unique_ptr<Recording> openUstb(std::shared_ptr<Hdf5File> tree, const OpenOptions& options);

} // namespace echolux
