// SPDX-License-Identifier: GPL-3.0-or-later
// After how many values a line begins anew: where values that nobody described are like those
// before.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

/// Numbers from `least` to `most` that divide `number`.
std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t least, std::int64_t most);

/// The course of echoes without what changes slowly along a line, so that it is like itself only
/// where a line begins anew.
std::vector<double> textureOf(const std::vector<double>& values);

/// I and Q of baseband signals change slowly, but by turns: their row has low frequencies and
/// those next to half the sampling frequency, and none between.
bool lookLikePairs(const std::vector<double>& values);

struct LineLength {
    std::int64_t length = 0; ///< 0: none is found
    double likeness = 0.0;   ///< of one to the next
};
/// The shortest of `lengths`, which rise, at which the texture comes back nearly as well as at any,
/// and better than at lengths a few steps of `step` values away.
LineLength lineLengthOf(const std::vector<double>& texture,
                        const std::vector<std::int64_t>& lengths, std::int64_t step = 1);

} // namespace echolux
