// SPDX-License-Identifier: GPL-3.0-or-later
// The sides of a patient at the edges of an image.
#pragma once

#include "gpu/core/frame_spec.hpp"

#include <string>

namespace echolux {

/// "L", "R", "A", "P", "S", "I", or several of them, see sideOf(). Empty where they are unknown.
struct SideLetters {
    std::string left;
    std::string right;
    std::string top;
    std::string bottom;

    bool empty() const { return left.empty() && right.empty() && top.empty() && bottom.empty(); }
    bool operator==(const SideLetters&) const = default;
};

/// Of an image as pictureOf() draws it. Without letters in beam space.
SideLetters sideLettersOf(const FrameSpec& image);

/// Gives the shown image the pose of `next`. True where its letters change by it.
bool takeSides(FrameSpec& shown, const FrameSpec& next);

} // namespace echolux
