// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/aligned_channels.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

std::optional<Point> alignedOn(const Acquisition& acquisition) {
    constexpr double kSameM = 1e-6;
    constexpr double kFarthestM = 2.5; // beyond it a sphere differs from a flat array by rounding
    const auto& elements = acquisition.probe.elements;
    if (acquisition.transmits.size() != 1 || elements.size() < 2) return std::nullopt;
    const Transmit& wave = acquisition.transmits.front();
    if (wave.wave != Wave::Plane || wave.angleRad != 0.0 || wave.elevationRad != 0.0)
        return std::nullopt;
    const Point& outer = *std::ranges::max_element(
        elements, {}, [](const Point& p) { return std::hypot(p.x, p.y); });
    if (!(outer.z > 0.0)) return std::nullopt;
    // The sphere through the origin, with its centre on the axis.
    const double radius =
        0.5 * (outer.x * outer.x + outer.y * outer.y + outer.z * outer.z) / outer.z;
    const bool isSphere = std::ranges::all_of(elements, [&](const Point& p) {
        return std::abs(std::hypot(p.x, p.y, p.z - radius) - radius) < kSameM;
    });
    if (!isSphere || radius > kFarthestM) return std::nullopt;
    return Point{0.0, 0.0, radius};
}

} // namespace echolux
