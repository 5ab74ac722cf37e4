// SPDX-License-Identifier: GPL-3.0-or-later
// Least-squares fits of plane and spherical waves to firing delays.
#include "app/dataset/transmit/transmit_fit.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace echolux {

namespace {

struct Firing {
    Point element;
    double path; ///< speed of sound times delay [m]
};

/// Solves A x = b by Gauss elimination with pivoting; nothing where A is singular to `tolerance`.
template <std::size_t N> std::optional<std::array<double, N>>
solve(std::array<std::array<double, N + 1>, N> rows, double tolerance) {
    for (std::size_t i = 0; i < N; ++i) {
        const auto pivot = std::max_element(
            rows.begin() + static_cast<long>(i), rows.end(),
            [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
        std::swap(rows[i], *pivot);
        if (std::abs(rows[i][i]) <= tolerance) return std::nullopt;
        for (std::size_t r = 0; r < N; ++r) {
            if (r == i) continue;
            const double factor = rows[r][i] / rows[i][i];
            for (std::size_t c = i; c <= N; ++c) rows[r][c] -= factor * rows[i][c];
        }
    }
    std::array<double, N> result{};
    for (std::size_t i = 0; i < N; ++i) result[i] = rows[i][N] / rows[i][i];
    return result;
}

/// Least squares over rows of N coefficients and a right-hand side.
template <std::size_t N, class Row>
std::optional<std::array<double, N>> leastSquares(std::span<const Firing> firings, Row row) {
    std::array<std::array<double, N + 1>, N> normal{};
    for (const Firing& firing : firings) {
        const std::array<double, N + 1> r = row(firing);
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j <= N; ++j) normal[i][j] += r[i] * r[j];
    }
    constexpr double kSingular = 1e-13;
    return solve<N>(normal, kSingular);
}

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

Firing centreOf(std::span<const Firing> firings) {
    Firing mean{};
    for (const Firing& f : firings) {
        mean.element.x += f.element.x;
        mean.element.y += f.element.y;
        mean.element.z += f.element.z;
        mean.path += f.path;
    }
    const auto count = static_cast<double>(firings.size());
    return {{mean.element.x / count, mean.element.y / count, mean.element.z / count},
            mean.path / count};
}

/// Depth D^2 / (4 lambda) from which the wave of an aperture D spreads from its centre. [m]
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

/// path = x sin a + z (cos a) + constant; on a linear array z is 0.
Transmit planeThrough(std::span<const Firing> firings) {
    Transmit transmit;
    const auto line = leastSquares<2>(firings, [](const Firing& f) {
        return std::array{f.element.x, 1.0, f.path};
    });
    if (line) transmit.angleRad = std::asin(std::clamp((*line)[0], -1.0, 1.0));
    return transmit;
}

/// With p the path, k a constant and s the centre: (p + k)^2 = |e - s|^2, which is linear in
/// k, s.x and the rest: p^2 - x^2 = -2 k p - 2 s.x x + q, q = s.x^2 + s.z^2 - k^2. Positive k: the
/// delays grow away from s (diverging); negative: towards s (focused).
std::optional<Transmit> sphereThrough(std::span<const Firing> firings) {
    // Lengths from the middle of the aperture and in units of it, so that the test for singularity
    // has no scale.
    const double middle = centreOf(firings).element.x;
    double scale = 0.0;
    for (const Firing& f : firings) scale = std::max(scale, std::abs(f.element.x - middle));
    if (scale <= 0.0) return std::nullopt;
    const auto solution = leastSquares<3>(firings, [scale, middle](const Firing& f) {
        const double p = f.path / scale;
        const double x = (f.element.x - middle) / scale;
        return std::array{-2.0 * p, -2.0 * x, 1.0, p * p - x * x};
    });
    if (!solution) return std::nullopt;
    const auto [k, sx, q] = *solution;
    const double depthSquared = q + k * k - sx * sx;
    if (depthSquared <= 0.0 || k == 0.0) return std::nullopt;
    const double depth = std::sqrt(depthSquared) * scale;
    return waveFrom(k > 0.0 ? Wave::Diverging : Wave::Focused,
                    {middle + sx * scale, 0.0, k > 0.0 ? -depth : depth});
}

/// All elements of a curved array fire at once: the wave comes from the centre of curvature.
std::optional<Transmit> curvedFront(std::span<const Firing> firings) {
    const auto circle = leastSquares<3>(firings, [](const Firing& f) {
        return std::array{2.0 * f.element.x, 2.0 * f.element.z, 1.0,
                          f.element.x * f.element.x + f.element.z * f.element.z};
    });
    if (!circle) return std::nullopt;
    return waveFrom(Wave::Diverging, {(*circle)[0], 0.0, (*circle)[1]});
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
    const FittedWave plane = rated(planeThrough(firings), firings, soundSpeedMps);
    if (plane.spreadS <= 0.1 * allowed) {
        const bool spreads = firings.size() < elements.size() &&
                             nearFieldOf(firings, soundSpeedMps * periodS) < depthM;
        return spreads ? singleElement(centreOf(firings), soundSpeedMps) : plane;
    }
    std::optional<FittedWave> best;
    if (plane.spreadS <= allowed) best = plane;
    for (const auto& candidate : {sphereThrough(firings), curvedFront(firings)}) {
        if (!candidate) continue;
        const FittedWave sphere = rated(*candidate, firings, soundSpeedMps);
        if (sphere.spreadS <= allowed && (!best || sphere.spreadS < best->spreadS)) best = sphere;
    }
    return best;
}

} // namespace echolux
