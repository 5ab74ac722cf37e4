// SPDX-License-Identifier: GPL-3.0-or-later
// What a view of a volume shows, and how.
#pragma once

#include "render/view/display_settings.hpp"
#include "render/view/orbit.hpp"

namespace echolux {

struct VolumeScene {
    enum class Mode { Projection, Slices };
    /// Pictures take at most so long, by drawing fewer pixels where the graphics card is slow.
    enum class Detail {
        Moving, ///< while it is turned or frames come
        Still   ///< once nothing has moved for a while
    };
    Mode mode = Mode::Projection;
    Detail detail = Detail::Still;
    Orbit orbit;
    Vec3 slicesAt{0.5, 0.5, 0.5}; ///< fractions of lateral, depth, elevation
    DisplaySettings display;
};

} // namespace echolux
