// SPDX-License-Identifier: GPL-3.0-or-later
// Probe, transmits and reception of one track of channel data, as a zea file states them.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/formats/zea_tree.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>

namespace echolux {

/// Opens the channel data of `track`. `info` holds path, format and notes of the file.
std::unique_ptr<Recording> openZeaChannels(const std::shared_ptr<Hdf5File>& tree,
                                           const ZeaTrack& track, const ZeaTracks& all,
                                           RecordingInfo info);

/// Frequencies of the pulse and of the mixer of IQ samples. 0 where the track's scan does not state
/// them. Adds a warning where transmits have different ones.
struct ZeaFrequencies {
    double centreHz = 0.0;
    double demodulationHz = 0.0;

    /// Middle of the band that is imaged. NOTE: zea mixes RF down at demodulationHz, which for
    /// harmonic imaging is a multiple of the pulse's frequency.
    double bandHz(bool iq) const;
};
ZeaFrequencies zeaFrequencies(const ZeaFields& scan, RecordingInfo& info);

} // namespace echolux
