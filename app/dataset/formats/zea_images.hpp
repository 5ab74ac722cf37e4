// SPDX-License-Identifier: GPL-3.0-or-later
// Images in zea files: beamformed data, envelopes, pictures in dB or grey values, and maps.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/formats/zea_tree.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Opens the images of `track`. `info` holds path, format and notes of the file.
std::unique_ptr<Recording> openZeaImages(const std::shared_ptr<Hdf5File>& tree,
                                         const ZeaTrack& track, RecordingInfo info);

} // namespace echolux
