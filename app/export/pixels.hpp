// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in the order, the place and the sample type that files want.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Rows of `extents` (last contiguous), elements of `bytes`, with axis order[i] of the old in place
/// i.
std::vector<std::byte> permuted(std::span<const std::byte> data,
                                const std::vector<std::int64_t>& extents,
                                const std::vector<std::size_t>& order, std::size_t bytes);

/// One axis of an image as a file of lengths says it: millimetres, else indices or degrees.
struct ImageAxis {
    AxisName name = AxisName::Lateral;
    std::int64_t size = 1;
    double spacing = 1.0;
    double origin = 0.0;
    std::string unit; ///< "mm", "deg", or empty for indices
};

/// A frame with a depth and a lateral axis, and an elevation or none (then one plane thick).
struct ImageGrid {
    ImageAxis lateral;
    ImageAxis depth;
    ImageAxis elevation;
    bool isComplex = false;

    explicit ImageGrid(const FrameSpec& image);
    std::int64_t pixels() const { return lateral.size * depth.size * elevation.size; }
};

/// The samples of such a frame as [elevation][depth][lateral].
std::vector<std::byte> rowsOf(const FrameSpec& image, std::span<const std::byte> data);
/// As [elevation][lateral][depth].
std::vector<std::byte> columnsOf(const FrameSpec& image, std::span<const std::byte> data);

/// Physical values of samples of any type, complex ones as pairs.
std::vector<float> valuesOf(const FrameSpec& frame, std::span<const std::byte> data);

/// f32 or complex_f32, or the recorded type where that says the value by itself.
DType plainType(const FrameSpec& frame);
/// The samples in that type.
std::vector<std::byte> plainSamples(const FrameSpec& frame, std::span<const std::byte> data);

} // namespace echolux
