// SPDX-License-Identifier: GPL-3.0-or-later
// Waves of the transmits of a zea scan and their times. Where delays and stated waves differ, the
// delays count.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Arrays of a scan with one entry or row per transmit.
struct ZeaShots {
    std::size_t count = 0;
    std::vector<double> initialTimesS; ///< from the first firing to sample 0
    std::vector<double> delaysS;       ///< [transmit][element]; empty: the file has none
    std::vector<double> weights;       ///< [transmit][element]; empty: all 1
    /// > 0 in front of the array, < 0 behind it, 0 or infinite: plane wave.
    std::vector<double> focusM;
    std::vector<double> polarRad;
    std::vector<double> azimuthRad;
    std::vector<Point> origins;
    double soundSpeedMps = 0.0;
    double periodS = 0.0;     ///< period of the transmitted pulse
    double halfLengthS = 0.0; ///< from sample 0 to the middle of the recording
};

struct ZeaWaves {
    std::vector<Transmit> transmits; ///< their iqPhaseZeroS is the time of the first sample
    std::vector<std::string> warnings;
};
/// Throws where no element fires, or where elements fire with opposite signs.
ZeaWaves zeaWaves(const std::filesystem::path& path, const ZeaShots& shots,
                  std::span<const Point> elements);

} // namespace echolux
