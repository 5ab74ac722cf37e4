// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles, and round numbers near them.
#include "render/view/auto_range.hpp"

#include "gpu/core/decibels.hpp"
#include "render/view/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace echolux {

std::optional<std::pair<double, double>> autoRange(std::vector<float> values, Content content) {
    constexpr double kLeastRangeDb = 40.0;
    constexpr double kMostProjectedDb = 25.0;
    const bool decibels = content != Content::Amplitudes;
    std::erase_if(values, [decibels](float value) {
        return !std::isfinite(value) || (decibels && value <= kNothingDb);
    });
    if (values.empty()) return std::nullopt;
    const auto quantile = [&values](double part) {
        const auto at = values.begin() +
                        static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return static_cast<double>(*at);
    };
    double min = quantile(0.01);
    double max = quantile(0.999);
    if (content == Content::Decibels)
        min = std::max(min, std::min(quantile(0.25), max - kLeastRangeDb));
    if (content == Content::ProjectedDecibels) min = std::max(min, max - kMostProjectedDb);
    const double step = makeTicks(0.0, max - min, (max - min) / 100.0).step;
    if (step > 0.0) {
        min = std::floor(min / step) * step;
        max = std::ceil(max / step) * step;
    } else { // one value everywhere
        const double margin = std::max(0.5, 1e-3 * std::abs(max));
        min -= margin;
        max += margin;
    }
    return std::pair{min, max};
}

} // namespace echolux
