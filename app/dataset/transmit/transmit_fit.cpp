// SPDX-License-Identifier: GPL-3.0-or-later
// Least-squares fits of plane and spherical waves to firing delays.
#include "app/dataset/transmit/transmit_fit.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"
#include "gpu/core/wave_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace echolux {

namespace {

using wave_fit::Firing;
using wave_fit::leastSquares;
using wave_fit::Sphere;

FittedWave rated(const Transmit& transmit, std::span<const Firing> firings, double soundSpeedMps) {
    FittedWave fitted{.transmit = transmit};
    std::vector<double> leads;
    for (const Firing& firing : firings)
        leads.push_back(firing.path / soundSpeedMps -
                        idealDelay(transmit, firing.element, soundSpeedMps));
    fitted.leadS = median(leads);
    for (const double lead : leads)
        fitted.spreadS = std::max(fitted.spreadS, std::abs(lead - fitted.leadS));
    return fitted;
}

/// Depth D^2 / (4 lambda) beyond which the wave of an aperture D spreads from its centre. [m]
double nearFieldOf(std::span<const Firing> firings, double wavelengthM) {
    double aperture = 0.0;
    for (const Firing& f : firings)
        aperture = std::max(aperture, distance(firings.front().element, f.element));
    return aperture * aperture / (4.0 * wavelengthM);
}

Transmit waveFrom(Wave wave, const Point& source) {
    Transmit transmit;
    transmit.wave = wave;
    transmit.source = source;
    return transmit;
}

FittedWave singleElement(const Firing& firing, double soundSpeedMps) {
    return {.transmit = waveFrom(Wave::Element, firing.element),
            .leadS = firing.path / soundSpeedMps};
}

/// With p the path, k a constant and s the centre: (p + k)^2 = |e - s|^2. This is linear in k, s
/// and q: p^2 - |e|^2 = -2 k p - 2 s.e + q, q = |s|^2 - k^2. Positive k: the delays grow away from
/// s (diverging). Negative k: they grow towards s (focused). `flat`: all elements count as equally
/// deep, and q gives the depth of s.
std::optional<Sphere> sphereThrough(const wave_fit::Aperture& aperture, bool flat) {
    std::vector<std::array<double, 6>> rows;
    for (const auto& [e, p] : aperture.firings) {
        const double z = flat ? 0.0 : e.z;
        rows.push_back({-2.0 * p, -2.0 * e.x, -2.0 * e.y, -2.0 * z, 1.0,
                        p * p - e.x * e.x - e.y * e.y - z * z});
    }
    const auto solution = leastSquares<5>(rows);
    if (!solution) return std::nullopt;
    const auto [k, x, y, z, q] = *solution;
    if (k == 0.0) return std::nullopt;
    if (!flat) return Sphere{{x, y, z}, k > 0.0};
    const double depthSquared = q + k * k - x * x - y * y;
    if (depthSquared <= 0.0) return std::nullopt;
    const double depth = std::sqrt(depthSquared);
    return Sphere{{x, y, k > 0.0 ? -depth : depth}, k > 0.0};
}

/// All elements of a curved array fire at once, so the wave comes from the centre of curvature.
std::optional<Sphere> curvedFront(const wave_fit::Aperture& aperture) {
    std::vector<std::array<double, 5>> rows;
    for (const auto& [e, p] : aperture.firings)
        rows.push_back({2.0 * e.x, 2.0 * e.y, 2.0 * e.z, 1.0, e.x * e.x + e.y * e.y + e.z * e.z});
    const auto sphere = leastSquares<4>(rows);
    if (!sphere) return std::nullopt;
    return Sphere{{(*sphere)[0], (*sphere)[1], (*sphere)[2]}, true};
}

/// Spherical waves that may have been sent: from behind the aperture, or to a point in front.
std::vector<Transmit> sphericalWaves(std::span<const Firing> firings, double wavelengthM) {
    const wave_fit::Aperture aperture = wave_fit::apertureOf(firings);
    std::vector<std::optional<Sphere>> starts{sphereThrough(aperture, true)};
    constexpr double kFlat = 1e-3; // wavelengths
    if (aperture.bendM > kFlat * wavelengthM) {
        starts.push_back(sphereThrough(aperture, false));
        starts.push_back(curvedFront(aperture));
    }
    std::vector<Transmit> waves;
    for (const auto& start : starts) {
        if (!start) continue;
        const Point s = wave_fit::refinedCentre(aperture, *start);
        const bool behind = s.z < 0.0;
        if (behind == start->diverges)
            waves.push_back(waveFrom(behind ? Wave::Diverging : Wave::Focused, aperture.place(s)));
    }
    return waves;
}

} // namespace

std::optional<FittedWave> fitWave(std::span<const Point> elements, std::span<const double> delaysS,
                                  double soundSpeedMps, double periodS, double depthM) {
    std::vector<Firing> firings;
    for (std::size_t k = 0; k < elements.size(); ++k)
        if (!std::isnan(delaysS[k])) firings.push_back({elements[k], delaysS[k] * soundSpeedMps});
    if (firings.empty()) return std::nullopt;
    if (firings.size() == 1) return singleElement(firings.front(), soundSpeedMps);
    const double allowed = 0.25 * periodS;
    const FittedWave plane = rated(wave_fit::planeThrough(firings), firings, soundSpeedMps);
    if (plane.spreadS <= 0.1 * allowed) {
        const bool spreads = firings.size() < elements.size() &&
                             nearFieldOf(firings, soundSpeedMps * periodS) < depthM;
        return spreads ? singleElement(wave_fit::centreOf(firings), soundSpeedMps) : plane;
    }
    std::optional<FittedWave> best;
    if (plane.spreadS <= allowed) best = plane;
    for (const Transmit& wave : sphericalWaves(firings, soundSpeedMps * periodS)) {
        const FittedWave sphere = rated(wave, firings, soundSpeedMps);
        if (sphere.spreadS <= allowed && (!best || sphere.spreadS < best->spreadS)) best = sphere;
    }
    return best;
}

} // namespace echolux
