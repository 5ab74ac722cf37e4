// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/view/side_letters.hpp"

#include "gpu/core/posed.hpp"
#include "render/view/screen_axis.hpp"

namespace echolux {

SideLetters sideLettersOf(const FrameSpec& image) {
    if (image.pose == nullptr || image.sector != nullptr || image.axes.size() != 2) return {};
    const Picture picture = pictureOf(image);
    const AxisName across = picture.across.axis;
    const AxisName down = picture.down.axis;
    return {sideOf(image, across, true), sideOf(image, across, false), sideOf(image, down, true),
            sideOf(image, down, false)};
}

bool takeSides(FrameSpec& shown, const FrameSpec& next) {
    if (shown.pose == next.pose) return false;
    const SideLetters former = sideLettersOf(shown);
    shown.pose = next.pose;
    return sideLettersOf(shown) != former;
}

} // namespace echolux
