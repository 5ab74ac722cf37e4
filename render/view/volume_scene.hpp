// SPDX-License-Identifier: GPL-3.0-or-later
// What a view of a volume shows, and how.
#pragma once

#include "render/view/display_settings.hpp"
#include "render/view/orbit.hpp"

namespace echolux {

struct VolumeScene {
    enum class Mode {
        Maximum,   ///< the highest value along each line of sight
        Composite, ///< emission and absorption, from front to back
        Slices
    };
    static constexpr int kModes = 3;
    /// How much time a picture may take. Where the graphics card is slow, fewer pixels are drawn.
    enum class Detail {
        Moving, ///< while the volume is being rotated or frames come
        Still   ///< once nothing has moved for a while
    };
    Mode mode = Mode::Maximum;
    Detail detail = Detail::Still;
    Orbit orbit;
    Vec3 slicesAt{0.5, 0.5, 0.5}; ///< fractions of lateral, depth, elevation
    /// For maximum and composite, 0 to 1: how much darker the farthest corner of the box is than
    /// the nearest.
    double depthCue = 0.0;
    /// For the composite, 0 to 1: the fraction of light that voxels of full brightness hide over a
    /// length of kOpacityLength of the box's diagonal. Darker voxels hide in proportion to their
    /// brightness within the display limits.
    double opacity = 0.8;
    static constexpr double kOpacityLength = 0.01;
    DisplaySettings display;
};

} // namespace echolux
