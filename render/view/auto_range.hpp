// SPDX-License-Identifier: GPL-3.0-or-later
// The display range that shows what an image holds.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {

enum class Content { Amplitudes, Decibels, ProjectedDecibels };

/// Quantiles of an image's values: so large a part of them lies below.
constexpr double kBlackPart = 0.01;
constexpr double kNoisePart = 0.25;
constexpr double kWhitePart = 0.999;
struct Levels {
    double black = 0.0;
    double noise = 0.0;
    double white = 0.0;
    std::int64_t count = 0; ///< of the values; 0: the others mean nothing
};

/// No value at or below it counts: of levels in dB kNothingDb.
float lowestOf(Content content);

/// Black and white of such an image, rounded outwards to a hundredth of their range or so; nothing
/// where it holds no number. The brightest thousandth is white. The darkest hundredth is black; of
/// levels in dB as much as a quarter, for noise fills most of an image and its levels scatter far
/// downwards, but no level less than 40 dB below white. Levels projected out of a volume, maxima or
/// means of many, lie close together, beside lines that meet nothing but noise: what is 25 dB below
/// white is black. Levels of nothing (kNothingDb) count as no numbers.
std::optional<std::pair<double, double>> autoRange(const Levels& levels, Content content);
std::optional<std::pair<double, double>> autoRange(std::vector<float> values, Content content);

} // namespace echolux
