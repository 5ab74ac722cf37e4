// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a display range that shows the content of an image.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {

enum class Content { Amplitudes, Decibels, ProjectedDecibels };

/// Quantiles of an image's values: the fraction of values that lies below.
constexpr double kBlackPart = 0.01;
constexpr double kNoisePart = 0.25;
constexpr double kWhitePart = 0.999;
struct Levels {
    double black = 0.0;
    double noise = 0.0;
    double white = 0.0;
    std::int64_t count = 0; ///< number of values; 0: the other members have no meaning
};

/// Values at or below it do not count. For levels in dB it is kNothingDb.
float lowestOf(Content content);

/// Black and white for an image with these quantiles, rounded outwards to about a hundredth of
/// their range. Empty where the image holds no number. The brightest thousandth of the values is
/// white. The darkest hundredth is black. For levels in dB the darkest quarter is black, because
/// noise fills most of an image and its levels scatter far downwards; but black is at least 40 dB
/// below white. Levels projected out of a volume are maxima or means of many levels and lie close
/// together, beside lines of sight with nothing but noise: black is at most 25 dB below white.
/// kNothingDb does not count as a number.
std::optional<std::pair<double, double>> autoRange(const Levels& levels, Content content);
std::optional<std::pair<double, double>> autoRange(std::vector<float> values, Content content);

} // namespace echolux
