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

/// A value at or beyond `value` counts as clipped where at least `run` such values follow each
/// other.
struct ClipLevel {
    float value = std::numeric_limits<float>::infinity();
    std::int64_t run = 1;
};

/// In codes minus codeOffset.
struct ClipLevels {
    ClipLevel lowest{-std::numeric_limits<float>::infinity()};
    ClipLevel highest;
};

/// The converter's range where the recording tells it, and the range of the sample type for
/// Packed12. Otherwise the range of the sample type (floating point has none) and, for real
/// samples, the extremes of the frame. Of a frame with more than 2^20 samples, only `line` and
/// lines spread evenly over the frame are searched for extremes. An unclipped wave with N samples
/// per period and amplitude A rounds to its extreme code at most (N / pi) sqrt(2 / A) + 1 times in
/// a row. So longer runs, of at least three samples, count as clipped.
ClipLevels clipLevels(const FrameSpec& raw, const std::byte* frame, std::int64_t line = 0);

/// Indices of clipped samples. A complex sample is clipped where its real or its imaginary part is.
std::vector<std::size_t> clippedSamples(std::span<const Complex> line, bool complex,
                                        const ClipLevels& levels);

} // namespace echolux
