// SPDX-License-Identifier: GPL-3.0-or-later
// Places the labels beside a rotated volume so that none covers another. Plain arithmetic.
#pragma once

#include "render/view/orbit.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

struct AxisLabel {
    std::string text;
    Vec2 centre = {};      ///< pixels
    Vec2 size = {};        ///< length along and across the text
    double angleRad = 0.0; ///< clockwise on screen, never upside down
    bool isTitle = false;

    std::array<Vec2, 4> corners() const;
};

bool overlap(const AxisLabel& a, const AxisLabel& b);

/// Width and height of a text in pixels.
using TextSize = std::function<Vec2(const std::string&)>;

/// Numbers at the ticks and a title for each axis. All lie within `room` and overlap neither each
/// other nor the box nor `taken`. Where there is not enough room, labels of longer edges are kept.
/// A title is moved along its edge and away from it before it is left out.
std::vector<AxisLabel> layOutLabels(const VolumeProjection& projection, const Rect& room,
                                    std::span<const Rect> taken, const TextSize& sizeOf);

} // namespace echolux
