// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/image_difference.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::lab {
namespace {

double decibels(double value, double reference) {
    if (!(value > 0.0) || !(reference > 0.0)) return ImageDifference::kFloorDb;
    return std::max(20.0 * std::log10(value / reference), ImageDifference::kFloorDb);
}

} // namespace

ImageDifference imageDifference(std::span<const float> image, std::span<const float> best) {
    double off = 0.0;
    double signal = 0.0;
    double highest = 0.0;
    std::vector<double> apart(best.size(), 0.0);
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (!std::isfinite(image[i]) || !std::isfinite(best[i])) continue;
        const double value = best[i];
        apart[i] = std::abs(static_cast<double>(image[i]) - value);
        off += apart[i] * apart[i];
        signal += value * value;
        highest = std::max(highest, value);
    }
    ImageDifference difference{.rmsDb = decibels(std::sqrt(off), std::sqrt(signal))};
    for (const double value : apart)
        difference.levelsDb.push_back(static_cast<float>(decibels(value, highest)));
    return difference;
}

} // namespace echolux::lab
