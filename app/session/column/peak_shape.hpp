// SPDX-License-Identifier: GPL-3.0-or-later
// The highest peak of an A-scan in decibels: where it lies and how wide it is.
#pragma once

#include <optional>
#include <span>

namespace echolux {

/// Where a peak's sides cross a level.
struct PeakWidth {
    double from = 0.0;
    double to = 0.0;
    double size() const { return to - from; }
};

/// In samples of the A-scan, fractional. Levels are of amplitude: 20 log10 |a|, so that the full
/// width at half maximum is taken at -20 log10 2 = -6.02 dB.
struct PeakShape {
    double position = 0.0;         ///< vertex of the parabola through the three highest samples
    double db = 0.0;               ///< its height
    std::optional<PeakWidth> fwhm; ///< width at -6.02 dB; empty where a side does not fall so low
    std::optional<PeakWidth> width20; ///< width at -20 dB
};

/// The peak at the highest sample that is higher than both its neighbours. So the slope of the zero
/// delay at the end of the A-scan is not taken for a peak. Each side is followed to its first
/// crossing of a level; between samples dB are interpolated linearly. Empty where there is no such
/// sample.
std::optional<PeakShape> highestPeak(std::span<const float> db);

} // namespace echolux
