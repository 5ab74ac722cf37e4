// SPDX-License-Identifier: GPL-3.0-or-later
// The display range that shows what an image holds.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace echolux {

enum class Content { Amplitudes, Decibels, ProjectedDecibels };

/// Black and white for `values`, rounded outwards to a hundredth of their range or so; nothing
/// where none of them is a number. The brightest thousandth is white. The darkest hundredth is
/// black; of levels in dB as much as a quarter, for noise fills most of an image and its levels
/// scatter far downwards, but no level less than 40 dB below white. Levels projected out of a
/// volume, maxima or means of many, lie close together, beside lines that meet nothing but noise:
/// what is 25 dB below white is black. Levels of nothing (kNothingDb) count as no numbers.
std::optional<std::pair<double, double>> autoRange(std::vector<float> values, Content content);

} // namespace echolux
