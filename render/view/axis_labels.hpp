// SPDX-License-Identifier: GPL-3.0-or-later
// Where the words beside a turned volume go, so that none lies over another. Plain arithmetic.
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
    Vec2 size = {};        ///< along and across the text
    double angleRad = 0.0; ///< clockwise on screen, never upside down
    bool isTitle = false;

    std::array<Vec2, 4> corners() const;
};

bool overlap(const AxisLabel& a, const AxisLabel& b);

/// Width and height of a text in pixels.
using TextSize = std::function<Vec2(const std::string&)>;

/// Numbers at the ticks and a title for each axis, all of them within `room`, beside one another,
/// beside the box and beside `taken`. Where there is no place for all, those of longer edges stay;
/// a title moves along its edge and away from it before it is left out.
std::vector<AxisLabel> layOutLabels(const VolumeProjection& projection, const Rect& room,
                                    std::span<const Rect> taken, const TextSize& sizeOf);

} // namespace echolux
