// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles, and round numbers near them.
#include "render/view/auto_range.hpp"

#include "gpu/core/decibels.hpp"
#include "render/view/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace echolux {

float lowestOf(Content content) {
    return content == Content::Amplitudes ? std::numeric_limits<float>::lowest() : kNothingDb;
}

std::optional<std::pair<double, double>> autoRange(const Levels& levels, Content content) {
    constexpr double kLeastRangeDb = 40.0;
    constexpr double kMostProjectedDb = 25.0;
    if (levels.count <= 0) return std::nullopt;
    double min = levels.black;
    double max = levels.white;
    if (content == Content::Decibels)
        min = std::max(min, std::min(levels.noise, max - kLeastRangeDb));
    if (content == Content::ProjectedDecibels) min = std::max(min, max - kMostProjectedDb);
    const double step = makeTicks(0.0, max - min, (max - min) / 100.0).step;
    if (step > 0.0) {
        min = std::floor(min / step) * step;
        max = std::ceil(max / step) * step;
    } else { // all values are the same
        const double margin = std::max(0.5, 1e-3 * std::abs(max));
        min -= margin;
        max += margin;
    }
    return std::pair{min, max};
}

std::optional<std::pair<double, double>> autoRange(std::vector<float> values, Content content) {
    const float lowest = lowestOf(content);
    std::erase_if(values,
                  [lowest](float value) { return !std::isfinite(value) || value <= lowest; });
    if (values.empty()) return std::nullopt;
    const auto quantile = [&values](double part) {
        const auto at = values.begin() +
                        static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return static_cast<double>(*at);
    };
    return autoRange(Levels{quantile(kBlackPart), quantile(kNoisePart), quantile(kWhitePart),
                            std::ssize(values)},
                     content);
}

} // namespace echolux
