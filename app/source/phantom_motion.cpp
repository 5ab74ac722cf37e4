// SPDX-License-Identifier: GPL-3.0-or-later
// Where the moving parts of a phantom are at a time.
#include "app/source/phantom.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

double distanceFrom(const Circle& circle, const Scatterer& s) {
    return std::hypot(s.x - circle.x, s.z - circle.z);
}

Scatterer turned(const Scatterer& s, const Circle& about, double angle, double stretch) {
    const double cosine = stretch * std::cos(angle);
    const double sine = stretch * std::sin(angle);
    const double x = s.x - about.x;
    const double z = s.z - about.z;
    return {about.x + cosine * x - sine * z, about.z + sine * x + cosine * z, s.amplitude, s.y};
}

/// 1 up to the wall and 0 from `reach` on, with half a cosine between.
double followsWall(double relativeRadius, double reach) {
    const double u = std::clamp((relativeRadius - 1.0) / (reach - 1.0), 0.0, 1.0);
    return 0.5 * (1.0 + std::cos(std::numbers::pi * u));
}

void addVessel(const PulsatingVessel& vessel, double phase, std::vector<Scatterer>& out) {
    const Circle& lumen = vessel.lumen;
    const double stretch = 1.0 + vessel.swing * std::sin(phase);
    const double restSquared = lumen.radius * lumen.radius;
    const double swollen = (stretch * stretch - 1.0) * restSquared;
    for (const Scatterer& s : vessel.tissue) {
        const double r = distanceFrom(lumen, s);
        const double moved =
            std::sqrt(r * r + followsWall(r / lumen.radius, vessel.reach) * swollen);
        out.push_back(turned(s, lumen, 0.0, moved / r));
    }
    for (const Scatterer& s : vessel.blood) out.push_back(turned(s, lumen, phase, stretch));
}

void addTissue(const CompressedTissue& tissue, double phase, std::vector<Scatterer>& out) {
    const double strain = tissue.strainAt(phase);
    for (const Scatterer& s : tissue.scatterers)
        out.push_back({s.x, s.z - strain * tissue.softDepth(s.x, s.z, s.y), s.amplitude, s.y});
}

} // namespace

double CompressedTissue::strainAt(double phase) const {
    return 0.5 * peakStrain * (1.0 - std::cos(phase));
}

double CompressedTissue::softDepth(double atX, double atZ, double atY) const {
    const double aside = std::hypot(atX - inclusion.x, atY);
    if (aside >= inclusion.radius) return atZ;
    const double half = std::sqrt(inclusion.radius * inclusion.radius - aside * aside);
    const double within = std::clamp(atZ - (inclusion.z - half), 0.0, 2.0 * half);
    return atZ - (1.0 - relativeStrain) * within;
}

void Phantom::movingAt(double timeS, std::vector<Scatterer>& out) const {
    out.clear();
    if (!moves()) return;
    const double phase = 2.0 * std::numbers::pi * (timeS / periodS - std::floor(timeS / periodS));
    for (const RotatingDisk& disk : disks)
        for (const Scatterer& s : disk.scatterers)
            out.push_back(turned(s, disk.outline, phase, 1.0));
    for (const PulsatingVessel& vessel : vessels) addVessel(vessel, phase, out);
    for (const FlowingTube& tube : tubes) tube.addAt(timeS, out);
    for (const CompressedTissue& tissue : tissues) addTissue(tissue, phase, out);
}

} // namespace echolux
