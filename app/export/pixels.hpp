// SPDX-License-Identifier: GPL-3.0-or-later
// Brings frames into the order of axes and the sample type that files need.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace echolux {

/// Permutes the axes of an array: axis i of the result is axis order[i] of `data`. `extents` are
/// those of `data`, the last one contiguous; an element has `bytes` bytes.
std::vector<std::byte> permuted(std::span<const std::byte> data,
                                const std::vector<std::int64_t>& extents,
                                const std::vector<std::size_t>& order, std::size_t bytes);

/// One axis of an image in the units of files: millimetres, else degrees or plain indices.
struct ImageAxis {
    AxisName name = AxisName::Lateral;
    std::int64_t size = 1;
    double spacing = 1.0;
    double origin = 0.0;
    std::string unit; ///< "mm", "deg", or empty for indices
};

/// A frame with a depth and a lateral axis. Without an elevation axis its elevation has size 1.
struct ImageGrid {
    ImageAxis lateral;
    ImageAxis depth;
    ImageAxis elevation;
    bool isComplex = false;

    explicit ImageGrid(const FrameSpec& image);
    std::int64_t pixels() const { return lateral.size * depth.size * elevation.size; }
};

/// The samples of an image as [elevation][depth][lateral].
std::vector<std::byte> rowsOf(const FrameSpec& image, std::span<const std::byte> data);
/// The samples of an image as [elevation][lateral][depth].
std::vector<std::byte> columnsOf(const FrameSpec& image, std::span<const std::byte> data);

/// Physical values of samples of any type; complex samples as pairs.
std::vector<float> valuesOf(const FrameSpec& frame, std::span<const std::byte> data);

/// The recorded type where its numbers are the values, else f32 or complex_f32.
DType plainType(const FrameSpec& frame);
/// The samples in the type plainType().
std::vector<std::byte> plainSamples(const FrameSpec& frame, std::span<const std::byte> data);

} // namespace echolux
