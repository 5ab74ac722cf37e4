// SPDX-License-Identifier: GPL-3.0-or-later
// A calibration from recordings of a mirror.
#pragma once

#include "app/calibration/mirror.hpp"
#include "app/dataset/calibration/calibration.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace echolux {

struct MirrorMeasurement {
    MirrorEstimate estimate;
    std::vector<double> fringeBins; ///< FringePhase::bin of each recording
    Calibration calibration;        ///< the estimate, with what the recording says of its light
};

/// Frame `frame` of one or two recordings; of two, the sample lies on the first one's side. A
/// recorded background is taken off; the mean of the lines is not, for it is the mirror's fringe.
/// Throws Error where a file is no recording of spectra or shows no fringe.
MirrorMeasurement measureMirrors(std::span<const std::filesystem::path> files,
                                 const MirrorOptions& options = {}, std::int64_t frame = 0);

} // namespace echolux
