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
    Calibration calibration;        ///< the estimate with the facts of the recording about its
                                    ///< light
};

/// Measures frame `frame` of one or two recordings. Of two, the first one has the mirror on the
/// side of zero delay where the sample will lie. A recorded background is subtracted. The mean of
/// the lines is not subtracted, because it is the mirror's fringe. Throws Error where a file is no
/// recording of spectra or shows no fringe.
MirrorMeasurement measureMirrors(std::span<const std::filesystem::path> files,
                                 const MirrorOptions& options = {}, std::int64_t frame = 0);

} // namespace echolux
