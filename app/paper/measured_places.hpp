// SPDX-License-Identifier: GPL-3.0-or-later
// Places of measurements and places on screen: a sonogram's velocities grow downwards there.
#pragma once

#include "app/measure/measurement.hpp"
#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

namespace echolux {

class MeasuredPlaces {
public:
    MeasuredPlaces() = default; ///< the same units
    explicit MeasuredPlaces(const FrameSpec& image);

    Vec2 inView(const measure::Place& place) const {
        return {place.lateral / m_across, place.depth / m_down};
    }
    measure::Place measured(const Vec2& place) const {
        return {place.x * m_across, place.y * m_down};
    }

private:
    double m_across = 1.0; ///< measured units per view unit
    double m_down = 1.0;
};

} // namespace echolux
