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
    /// Pictures take at most so long, by drawing fewer pixels where the graphics card is slow.
    enum class Detail {
        Moving, ///< while it is turned or frames come
        Still   ///< once nothing has moved for a while
    };
    Mode mode = Mode::Maximum;
    Detail detail = Detail::Still;
    Orbit orbit;
    Vec3 slicesAt{0.5, 0.5, 0.5}; ///< fractions of lateral, depth, elevation
    /// Of maximum and composite, 0 to 1: so much darker is what lies at the box's farthest corner
    /// than at its nearest.
    double depthCue = 0.0;
    /// Of the composite, 0 to 1: what full brightness hides over kOpacityLength of the box's
    /// diagonal; less bright voxels hide in proportion to their brightness within the limits.
    double opacity = 0.8;
    static constexpr double kOpacityLength = 0.01;
    DisplaySettings display;
};

} // namespace echolux
