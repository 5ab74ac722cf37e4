// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples of a raw line the converter has clipped.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace echolux {

/// Values at or beyond `value` count as clipped where at least `run` of them follow each other.
struct ClipLevel {
    float value = std::numeric_limits<float>::infinity();
    std::int64_t run = 1;
};

/// In codes less their zero (codeOffset).
struct ClipLevels {
    ClipLevel lowest{-std::numeric_limits<float>::infinity()};
    ClipLevel highest;
};

/// The converter's range where the recording knows it, and the sample type's for Packed12.
/// Otherwise the sample type's (floating point has none) and the extremes of the frame (of one with
/// more than 2^20 samples: of lines spread evenly over it, and of `line`), real samples only: an
/// unclipped wave of N samples per period and amplitude A rounds to its extreme code at most (N /
/// pi) sqrt(2 / A) + 1 times in a row, so longer runs, of three at least, are clipped.
ClipLevels clipLevels(const FrameSpec& raw, const std::byte* frame, std::int64_t line = 0);

/// Indices of clipped samples; in either part where samples are `complex`.
std::vector<std::size_t> clippedSamples(std::span<const Complex> line, bool complex,
                                        const ClipLevels& levels);

} // namespace echolux
