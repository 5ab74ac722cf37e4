// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_reach.hpp"

#include "gpu/beamform/beamform_shadow.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace echolux::das {
namespace {

constexpr double kWidestSpread = 0.26; ///< rad, 15 degrees; limit of the spread of small apertures
constexpr double kSteepestRay = 0.8;   ///< rad; limit of all rays

/// Angle to the depth axis at which a wave leaves its aperture at `edge`. rad
double angleAt(const Transmit& t, const Point& edge, const Point& steered, double Point::*axis) {
    switch (t.wave) {
    case Wave::Plane: return std::atan2(steered.*axis, steered.z);
    case Wave::Diverging: return std::atan2(edge.*axis - t.source.*axis, edge.z - t.source.z);
    case Wave::Focused: return std::atan2(t.source.*axis - edge.*axis, t.source.z - edge.z);
    case Wave::Element:
    case Wave::None: return 0.0;
    }
    return 0.0;
}

} // namespace

/// The main lobe of an aperture of the width w spreads beyond the rays from its edges, by the angle
/// with sin(spread) = lambda / w.
Reach reachOf(const Acquisition& acquisition, double Point::*axis, double depth, double lambda) {
    const auto& elements = acquisition.probe.elements;
    const auto [first, last] = std::ranges::minmax_element(elements, {}, axis);
    Reach reach{*first.*axis, *last.*axis};
    for (std::size_t i = 0; i < acquisition.transmits.size(); ++i) {
        const Transmit& t = acquisition.transmits[i];
        if (t.wave == Wave::None) continue;
        std::vector<Point> firing;
        if (t.wave == Wave::Element) {
            firing.push_back(t.source);
        } else {
            for (const std::size_t e : firingElements(acquisition, i))
                firing.push_back(elements[e]);
        }
        const auto [low, high] = std::ranges::minmax_element(firing, {}, axis);
        const double width = *high.*axis - *low.*axis + acquisition.probe.pitchM;
        const double spread = std::min(std::asin(lambda / std::max(lambda, width)), kWidestSpread);
        const Point steered = direction(t, acquisition.steering);
        for (const Point& edge : {*low, *high}) {
            const double angle = angleAt(t, edge, steered, axis);
            const auto placeOf = [&](double ray) {
                return edge.*axis + depth * std::tan(std::clamp(ray, -kSteepestRay, kSteepestRay));
            };
            reach.min = std::min(reach.min, placeOf(angle - spread));
            reach.max = std::max(reach.max, placeOf(angle + spread));
        }
    }
    return reach;
}

} // namespace echolux::das
