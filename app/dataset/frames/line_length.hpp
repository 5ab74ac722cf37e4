// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the length of a line in data without a description: the distance after which values
// resemble earlier ones.
#pragma once

#include <cstdint>
#include <vector>

namespace echolux {

/// The divisors of `number` from `least` to `most`.
std::vector<std::int64_t> divisorsOf(std::int64_t number, std::int64_t least, std::int64_t most);

/// The envelope of echoes without its slow change along a line. So it resembles itself only at the
/// distance of a whole line.
std::vector<double> textureOf(const std::vector<double>& values);

/// True where values look like interleaved I and Q of baseband signals. These change slowly but
/// alternate, so the sequence has low frequencies and frequencies near half the sampling frequency,
/// and none between.
bool lookLikePairs(const std::vector<double>& values);

struct LineLength {
    std::int64_t length = 0; ///< 0: none was found
    double likeness = 0.0;   ///< similarity of neighbouring lines
};
/// The shortest of the rising `lengths` at which the texture repeats nearly as well as at the best
/// length. At 1, 2 and 4 times `step` values beside it the texture repeats no better.
LineLength lineLengthOf(const std::vector<double>& texture,
                        const std::vector<std::int64_t>& lengths, std::int64_t step = 1);

} // namespace echolux
