// SPDX-License-Identifier: GPL-3.0-or-later
// How sharp a region of an image is, by several metrics.
#pragma once

#include "gpu/core/error.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Powers |X|^2 of a region, [line][depth], and their weights.
struct RegionPower {
    std::int64_t depths = 0;
    std::span<const float> power;
    std::span<const float> share; ///< weight of each depth, or of each power, 0 to 1
};

/// P is a power times its share, p = P / sum P, N the sum of all shares. r is a power divided by
/// its local mean (see localMeans). <> is a mean weighted with the shares.
enum class SharpnessMetric {
    Contrast, ///< <r^2> / <r>^2: near 2 for speckle alone, greater where points and edges stand out
    Entropy,  ///< sum of p ln p: minus the entropy
    Third,    ///< N^(1/2) sum of p^(3/2)
    Fourth,   ///< N sum of p^2
};
/// All metrics with their names. The first one is the default.
const std::vector<std::pair<std::string, SharpnessMetric>>& sharpnessMetrics();
SharpnessMetric sharpnessMetric(const std::string& name); ///< throws Error for an unknown one

/// The error for a region where no sample is visible; one sentence.
Error darkRegion();

/// Local means [line][depth]: a box mean over 39 half depth bins of the same line, applied twice,
/// plus 3 % of the mean power.
std::vector<float> localMeans(const RegionPower& region);

/// Throws Error, one sentence, where the image is all zero (darkRegion) or not finite.
double sharpness(const RegionPower& region, SharpnessMetric metric);

} // namespace echolux
