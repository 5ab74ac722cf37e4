// SPDX-License-Identifier: GPL-3.0-or-later
// How much an image differs from a better one.
#pragma once

#include <span>
#include <vector>

namespace echolux::lab {

struct ImageDifference {
    static constexpr double kFloorDb = -160.0;

    /// 20 log10 of RMS(image - best) / RMS(best), not below kFloorDb.
    double rmsDb = kFloorDb;
    /// Per pixel: 20 log10 of |image - best| / max(best), not below kFloorDb.
    std::vector<float> levelsDb = {};
};

/// Of amplitudes. Both images have the same pixels, at least one. Pixels that are not finite in
/// either image do not count and stand at kFloorDb.
ImageDifference imageDifference(std::span<const float> image, std::span<const float> best);

} // namespace echolux::lab
