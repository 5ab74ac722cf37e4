// SPDX-License-Identifier: GPL-3.0-or-later
// What a zea file says of probe, transmits and reception of one track of channel data.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/formats/zea_tree.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Channel data of `track`; `info` has the path, the format and notes of the file.
std::unique_ptr<Recording> openZeaChannels(const std::shared_ptr<Hdf5File>& tree,
                                           const ZeaTrack& track, const ZeaTracks& all,
                                           RecordingInfo info);

/// Frequency of the pulse and of the mixer of IQ samples, where the track's scan says so; 0
/// otherwise. A warning where transmits have different ones.
struct ZeaFrequencies {
    double centreHz = 0.0;
    double demodulationHz = 0.0;
};
ZeaFrequencies zeaFrequencies(const ZeaFields& scan, RecordingInfo& info);

} // namespace echolux
