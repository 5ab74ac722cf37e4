// SPDX-License-Identifier: GPL-3.0-or-later
// Peak and crossings between samples.
#include "app/session/column/peak_shape.hpp"

#include <cmath>
#include <cstddef>

namespace echolux {
namespace {

/// The position, from sample `peak` in steps of `step` (+-1), where the values fall to `level`.
std::optional<double> crossing(std::span<const float> db, std::size_t peak, int step,
                               double level) {
    const auto last = static_cast<std::ptrdiff_t>(db.size()) - 1;
    auto at = static_cast<std::ptrdiff_t>(peak);
    for (; at + step >= 0 && at + step <= last; at += step) {
        const double here = db[static_cast<std::size_t>(at)];
        const double next = db[static_cast<std::size_t>(at + step)];
        if (std::isnan(next)) return std::nullopt;
        if (next > level) continue;
        return static_cast<double>(at) + step * (here - level) / (here - next);
    }
    return std::nullopt;
}

std::optional<PeakWidth> widthAt(std::span<const float> db, std::size_t peak, double level) {
    const auto left = crossing(db, peak, -1, level);
    const auto right = crossing(db, peak, 1, level);
    return left && right ? std::optional(PeakWidth{*left, *right}) : std::nullopt;
}

} // namespace

std::optional<PeakShape> highestPeak(std::span<const float> db) {
    std::optional<std::size_t> peak;
    for (std::size_t i = 1; i + 1 < db.size(); ++i) {
        const bool isPeak = db[i] > db[i - 1] && db[i] >= db[i + 1];
        if (isPeak && (!peak || db[i] > db[*peak])) peak = i;
    }
    if (!peak) return std::nullopt;
    const double before = db[*peak - 1];
    const double top = db[*peak];
    const double after = db[*peak + 1];
    const double curvature = before - 2.0 * top + after; // < 0, since before < top
    PeakShape shape;
    const double offset = 0.5 * (before - after) / curvature;
    shape.position = static_cast<double>(*peak) + offset;
    shape.db = top - 0.25 * (before - after) * offset;
    shape.fwhm = widthAt(db, *peak, shape.db - 20.0 * std::log10(2.0));
    shape.width20 = widthAt(db, *peak, shape.db - 20.0);
    return shape;
}

} // namespace echolux
