// SPDX-License-Identifier: GPL-3.0-or-later
// Motion and description of what flows through a tube.
#include "app/source/phantom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

double FlowingTube::speedAt(double across) const {
    const double part = across / radius;
    if (plug) return std::abs(part) < 1.0 ? peakMps : 0.0;
    return peakMps * std::max(0.0, 1.0 - part * part);
}

bool FlowingTube::contains(double atX, double atZ) const {
    const double across = -std::sin(angleRad) * (atX - x) + std::cos(angleRad) * (atZ - z);
    return std::abs(across) < radius;
}

void FlowingTube::addAt(double timeS, std::vector<Scatterer>& out) const {
    const double phase = 2.0 * std::numbers::pi * timeS / periodS;
    // the integral of 1 + pulse sin(phase): blood has gone so far, relative to its mean speed
    const double seconds =
        timeS + pulse * periodS / (2.0 * std::numbers::pi) * (1.0 - std::cos(phase));
    const double cosine = std::cos(angleRad);
    const double sine = std::sin(angleRad);
    for (const Scatterer& s : blood) {
        double along = s.x + speedAt(s.z) * seconds + 0.5 * length;
        along -= length * std::floor(along / length) + 0.5 * length;
        out.push_back(
            {x + cosine * along - sine * s.z, z + sine * along + cosine * s.z, s.amplitude, s.y});
    }
}

std::string FlowingTube::describe() const {
    return fmt::format("through ({:g}, {:g}) mm, radius {:g} mm, {:g} deg below +x, {:g} m/s on "
                       "the axis, {}, +- {:g} % in {:g} s",
                       x * 1e3, z * 1e3, radius * 1e3, angleRad * 180.0 / std::numbers::pi, peakMps,
                       plug ? "the same everywhere" : "parabolic", 100.0 * pulse, periodS);
}

std::string FlowingTube::describeBlood() const {
    std::string text = fmt::format(
        ", length {:.6g} mm; (along, across) in mm from its middle at the time 0:", length * 1e3);
    for (const Scatterer& s : blood) text += fmt::format(" ({:.6g}, {:.6g})", s.x * 1e3, s.z * 1e3);
    return text;
}

} // namespace echolux
