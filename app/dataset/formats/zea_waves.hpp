// SPDX-License-Identifier: GPL-3.0-or-later
// Which waves the transmits of a zea scan send out, and when: its delays are the truth.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Tables of a scan, one entry or row for each transmit.
struct ZeaShots {
    std::size_t count = 0;
    std::vector<double> initialTimesS; ///< from the first firing until sample 0
    std::vector<double> delaysS;       ///< [transmit][element]; empty: not in the file
    std::vector<double> weights;       ///< [transmit][element]; empty: all 1
    std::vector<double> focusM;        ///< > 0 in front, < 0 behind, 0 or infinite: plane
    std::vector<double> polarRad;
    std::vector<double> azimuthRad;
    std::vector<Point> origins;
    double soundSpeedMps = 0.0;
    double periodS = 0.0;     ///< of the transmitted pulse
    double halfLengthS = 0.0; ///< from sample 0 to the middle of the recording
};

struct ZeaWaves {
    std::vector<Transmit> transmits; ///< iqPhaseZeroS at the first sample
    std::vector<std::string> warnings;
};
/// Throws where no element fires, or elements fire with opposite signs.
ZeaWaves zeaWaves(const std::filesystem::path& path, const ZeaShots& shots,
                  std::span<const Point> elements);

} // namespace echolux
