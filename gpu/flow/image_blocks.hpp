// SPDX-License-Identifier: GPL-3.0-or-later
// Images that are cut into blocks, and weights that join overlapping blocks without seams.
#pragma once

#include "gpu/core/portable.hpp"

#include <algorithm>
#include <cstdint>

namespace echolux::flow {

/// Blocks along one axis. The axis is cut into `parts` of nearly equal length. Block b begins with
/// part b and is `span` parts long, so that neighbours share span - 1 parts.
struct BlockAxis {
    std::int64_t size = 1; ///< pixels
    std::int64_t parts = 1;
    std::int64_t span = 1; ///< 1, or 2: half a block overlaps

    /// Blocks of at most `most` pixels; blocks that overlap have two or more. 0, or more than the
    /// axis has: one block.
    static BlockAxis of(std::int64_t size, std::int64_t most, bool overlap) {
        const std::int64_t span = overlap ? 2 : 1;
        const bool isWhole = most <= 0 || most >= size;
        return {size, isWhole ? span : std::min(size, (span * size + most - 1) / most), span};
    }

    ECHOLUX_HD std::int64_t blocks() const { return parts - span + 1; }
    ECHOLUX_HD std::int64_t cut(std::int64_t part) const { return part * size / parts; }
    ECHOLUX_HD std::int64_t begin(std::int64_t block) const { return cut(block); }
    ECHOLUX_HD std::int64_t end(std::int64_t block) const { return cut(block + span); }
    ECHOLUX_HD std::int64_t partOf(std::int64_t pixel) const {
        return ((pixel + 1) * parts - 1) / size;
    }
    /// The blocks that hold a part: first and last.
    ECHOLUX_HD std::int64_t firstWith(std::int64_t part) const {
        return part < span ? 0 : part - span + 1;
    }
    ECHOLUX_HD std::int64_t lastWith(std::int64_t part) const {
        return part < blocks() ? part : blocks() - 1;
    }
    /// How much a block that holds the pixel counts there. From part to part the weight passes from
    /// one block to the next by 3 t^2 - 2 t^3. Weights of a pixel sum to 1.
    ECHOLUX_HD float weight(std::int64_t block, std::int64_t part, std::int64_t pixel) const {
        if (firstWith(part) == lastWith(part)) return 1.0F;
        const std::int64_t begins = cut(part);
        const float t = (static_cast<float>(pixel - begins) + 0.5F) /
                        static_cast<float>(cut(part + 1) - begins);
        const float later = t * t * (3.0F - 2.0F * t);
        return block == part ? later : 1.0F - later;
    }
    /// Blocks that hold a pixel, on average.
    double perPixel() const {
        std::int64_t pixels = 0;
        for (std::int64_t b = 0; b < blocks(); ++b) pixels += end(b) - begin(b);
        return static_cast<double>(pixels) / static_cast<double>(size);
    }
    std::int64_t largest() const {
        std::int64_t most = 0;
        for (std::int64_t b = 0; b < blocks(); ++b) most = std::max(most, end(b) - begin(b));
        return most;
    }
    std::int64_t smallest() const {
        std::int64_t least = size;
        for (std::int64_t b = 0; b < blocks(); ++b) least = std::min(least, end(b) - begin(b));
        return least;
    }
};

/// Places of the pixels of one block within a frame.
struct BlockPixels {
    std::int64_t first;
    std::int64_t stride; ///< from row to row
    std::uint32_t width;
    std::int64_t count;

    ECHOLUX_HD std::int64_t at(std::int64_t pixel) const {
        const auto n = static_cast<std::uint32_t>(pixel); // whole division of 64 bits is slow
        const std::uint32_t row = n / width;
        return first + row * stride + (n - row * width);
    }
};

/// Blocks of images [slice][depth][lateral]. A block lies within one slice. Numbers: slice, then
/// depth, then lateral.
struct ImageBlocks {
    std::int64_t slices = 1;
    BlockAxis depth;
    BlockAxis lateral;

    ECHOLUX_HD std::int64_t perSlice() const { return depth.blocks() * lateral.blocks(); }
    ECHOLUX_HD std::int64_t count() const { return slices * perSlice(); }
    double perPixel() const { return depth.perPixel() * lateral.perPixel(); }
    std::int64_t mostPixels() const { return depth.largest() * lateral.largest(); }
    std::int64_t fewestPixels() const { return depth.smallest() * lateral.smallest(); }

    ECHOLUX_HD std::int64_t number(std::int64_t slice, std::int64_t row,
                                   std::int64_t column) const {
        return (slice * depth.blocks() + row) * lateral.blocks() + column;
    }
    ECHOLUX_HD BlockPixels of(std::int64_t number) const {
        const std::int64_t column = number % lateral.blocks();
        const std::int64_t rows = number / lateral.blocks();
        const std::int64_t row = rows % depth.blocks();
        const std::int64_t slice = rows / depth.blocks();
        const std::int64_t width = lateral.end(column) - lateral.begin(column);
        return {(slice * depth.size + depth.begin(row)) * lateral.size + lateral.begin(column),
                lateral.size, static_cast<std::uint32_t>(width),
                width * (depth.end(row) - depth.begin(row))};
    }
};

} // namespace echolux::flow
