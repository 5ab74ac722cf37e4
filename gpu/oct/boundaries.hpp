// SPDX-License-Identifier: GPL-3.0-or-later
// Boundaries of tissue, one depth per line of a B-scan, and pictures of them. Include it only from
// .cu files, which also compile as plain C++.
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/exec/for_each.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::oct {

/// Metres in the unit of a depth axis. Where the axis has no metres, a micrometre counts as one
/// bin.
inline double perMetre(const Axis& depth) { return depth.unit == "m" ? 1.0 : 1e6; }

/// The specification of depths along the lines of `image`: the same axes without depth.
inline FrameSpec depthsAlong(const FrameSpec& image) {
    FrameSpec list = image;
    const Axis depth = list.axes.back();
    list.axes.pop_back();
    const double last = depth.origin + static_cast<double>(depth.size - 1) * depth.spacing;
    list.valueRange = {depth.origin, last, depth.unit, ""};
    list.suggestedLevels.reset();
    return list;
}

/// The specification of the picture of boundaries in `image`.
inline FrameSpec boundariesOver(const FrameSpec& image) {
    FrameSpec picture = image;
    picture.valueRange = {-1.0, 1.0, "", ""};
    picture.suggestedLevels.reset();
    return picture;
}

/// Depths of lines, moved. NOTE: sums come before products, so both backends round alike.
struct Boundary {
    static constexpr int kNowhere = 1 << 30;

    const float* depth; ///< in the unit of the depth axis
    float shift;
    float perUnit; ///< pixels

    static Boundary of(const float* depth, const Axis& axis, double offsetM = 0.0) {
        return {depth, static_cast<float>(offsetM * perMetre(axis) - axis.origin),
                static_cast<float>(1.0 / axis.spacing)};
    }

    /// The nearest pixel, which may lie beside the image; kNowhere where the depth is not a number.
    ECHOLUX_HD int at(std::int64_t line) const {
        constexpr float kFarthest = 1e8F;
        const float place = (depth[line] + shift) * perUnit;
        if (!(place == place)) return kNowhere;
        return static_cast<int>(rintf(fminf(fmaxf(place, -kFarthest), kFarthest)));
    }
};

/// Pixels of a line, from `first` to `last`.
struct PixelSpan {
    std::int64_t first = 0;
    std::int64_t last = -1;

    ECHOLUX_HD bool holds(std::int64_t z) const { return z >= first && z <= last; }
};

/// Draws two boundaries: 1 where the first one is, -1 where the second one is alone, else 0. Each
/// line also has the pixels to half way to the neighbouring lines, so that a boundary has no gaps,
/// and `half` pixels more above and below. A functor of forEachByLanes(), an item is a line.
struct DrawBoundaries {
    Boundary first;
    Boundary second;
    float* out;         ///< [line][depth]
    std::int64_t lines; ///< of a B-scan
    std::int64_t depths;
    std::int64_t half;

    template <class Lanes> ECHOLUX_HD void operator()(std::int64_t line, const Lanes& lanes) const {
        const PixelSpan ofFirst = spanOf(first, line);
        const PixelSpan ofSecond = spanOf(second, line);
        float* row = out + line * depths;
        for (std::int64_t z = lanes.own; z < depths; z += Lanes::step)
            row[z] = ofFirst.holds(z) ? 1.0F : ofSecond.holds(z) ? -1.0F : 0.0F;
    }

private:
    ECHOLUX_HD PixelSpan spanOf(const Boundary& of, std::int64_t line) const {
        const int own = of.at(line);
        if (own == Boundary::kNowhere) return {};
        PixelSpan span{own, own};
        if (line % lines > 0) reach(span, own, of.at(line - 1));
        if (line % lines < lines - 1) reach(span, own, of.at(line + 1));
        return {span.first - half, span.last + half};
    }
    /// Of the pixels between two neighbours the shallower one has half, rounded up, and the deeper
    /// one the rest.
    ECHOLUX_HD static void reach(PixelSpan& span, std::int64_t own, std::int64_t other) {
        if (other == Boundary::kNowhere) return;
        const std::int64_t deepest = own + (other - own) / 2;
        const std::int64_t shallowest = own - (own - other - 1) / 2;
        if (deepest > span.last) span.last = deepest;
        if (other < own && shallowest < span.first) span.first = shallowest;
    }
};

} // namespace echolux::oct
