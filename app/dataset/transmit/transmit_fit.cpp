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

/// Least squares over rows of N coefficients and a right-hand side. An unknown whose coefficients
/// are all 0 is 0. `damping` shortens the result, as in the method of Levenberg and Marquardt.
template <std::size_t N> std::optional<std::array<double, N>>
leastSquares(std::span<const std::array<double, N + 1>> rows, double damping = 0.0) {
    std::array<std::array<double, N + 1>, N> normal{};
    for (const std::array<double, N + 1>& row : rows)
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j <= N; ++j) normal[i][j] += row[i] * row[j];
    for (std::size_t i = 0; i < N; ++i)
        normal[i][i] = normal[i][i] == 0.0 ? 1.0 : normal[i][i] * (1.0 + damping);
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

/// The firings relative to the aperture's middle, in units of its length. So tests for singularity
/// do not depend on the scale.
struct Aperture {
    Point middle;
    double length = 0.0;              ///< m
    std::vector<Firing> firings = {}; ///< paths have the mean 0
    double bendM = 0.0;               ///< depth of its deepest element below its nearest one

    Point place(const Point& p) const {
        return {middle.x + length * p.x, middle.y + length * p.y, middle.z + length * p.z};
    }
};

Aperture apertureOf(std::span<const Firing> firings) {
    const Firing mean = centreOf(firings);
    Aperture aperture{.middle = mean.element};
    for (const Firing& f : firings)
        aperture.length = std::max(aperture.length, distance(f.element, mean.element));
    if (!(aperture.length > 0.0)) return aperture;
    const auto [near, deep] =
        std::ranges::minmax(firings, {}, [](const Firing& f) { return f.element.z; });
    aperture.bendM = deep.element.z - near.element.z;
    // A coordinate that all elements share, except for rounding, is exactly 0.
    constexpr double kRounding = 1e-9;
    const auto part = [&](double value) {
        const double scaled = value / aperture.length;
        return std::abs(scaled) < kRounding ? 0.0 : scaled;
    };
    for (const Firing& f : firings)
        aperture.firings.push_back(
            {{part(f.element.x - mean.element.x), part(f.element.y - mean.element.y),
              part(f.element.z - mean.element.z)},
             (f.path - mean.path) / aperture.length});
    return aperture;
}

/// The derivatives of a path with respect to the model's N parameters, then the path itself.
template <std::size_t N> using Modelled = std::array<double, N + 1>;

/// Rows of the least-squares problem at the parameters `numbers`: derivatives and deviations, both
/// minus their means, because the time of the first firing is unknown.
template <std::size_t N, class Model> std::vector<Modelled<N>>
deviations(std::span<const Firing> firings, const std::array<double, N>& numbers, Model model) {
    std::vector<Modelled<N>> rows;
    Modelled<N> mean{};
    for (const Firing& f : firings) {
        Modelled<N> row = model(f.element, numbers);
        row[N] = f.path - row[N];
        for (std::size_t i = 0; i <= N; ++i)
            mean[i] += row[i] / static_cast<double>(firings.size());
        rows.push_back(row);
    }
    for (Modelled<N>& row : rows)
        for (std::size_t i = 0; i <= N; ++i) row[i] -= mean[i];
    return rows;
}

/// The parameters of `model` that fit the firings best in the sense of least squares. The iteration
/// starts with `numbers`.
template <std::size_t N, class Model> std::array<double, N>
refined(std::span<const Firing> firings, std::array<double, N> numbers, Model model) {
    const auto squares = [](const std::vector<Modelled<N>>& rows) {
        double sum = 0.0;
        for (const Modelled<N>& row : rows) sum += row[N] * row[N];
        return sum;
    };
    constexpr int kMostSteps = 40;
    constexpr double kMostDamping = 1e6;
    constexpr double kSettled = 1e-12; // of the squares
    std::vector<Modelled<N>> rows = deviations(firings, numbers, model);
    double damping = 0.0;
    for (int step = 0; step < kMostSteps && damping < kMostDamping; ++step) {
        const auto change = leastSquares<N>(rows, damping);
        std::array<double, N> next = numbers;
        for (std::size_t i = 0; change && i < N; ++i) next[i] += (*change)[i];
        std::vector<Modelled<N>> tried = deviations(firings, next, model);
        const double before = squares(rows);
        const double after = squares(tried);
        if (!change || !(after < before)) {
            damping = std::max(1e-3, 10.0 * damping);
            continue;
        }
        damping *= 0.1;
        numbers = next;
        rows = std::move(tried);
        if (before - after <= kSettled * before) break;
    }
    return numbers;
}

/// Fits a plane wave: path = e.u + constant, with e the position of an element and u the unit
/// vector along which the wave travels.
Transmit planeThrough(std::span<const Firing> firings) {
    const Aperture aperture = apertureOf(firings);
    const auto deep = [](const std::array<double, 2>& u) {
        constexpr double kLeast = 1e-3;
        return std::sqrt(std::max(kLeast * kLeast, 1.0 - u[0] * u[0] - u[1] * u[1]));
    };
    const auto u = refined(std::span<const Firing>(aperture.firings), std::array{0.0, 0.0},
                           [&](const Point& e, const std::array<double, 2>& way) {
                               const double z = deep(way);
                               return Modelled<2>{e.x - e.z * way[0] / z, e.y - e.z * way[1] / z,
                                                  e.x * way[0] + e.y * way[1] + e.z * z};
                           });
    Transmit transmit;
    transmit.elevationRad = std::asin(std::clamp(u[1], -1.0, 1.0));
    transmit.angleRad = std::atan2(u[0], deep(u));
    return transmit;
}

struct Sphere {
    Point centre; ///< in the aperture's units
    bool diverges = true;
};

/// With p the path, k a constant and s the centre: (p + k)^2 = |e - s|^2. This is linear in k, s
/// and q: p^2 - |e|^2 = -2 k p - 2 s.e + q, q = |s|^2 - k^2. Positive k: the delays grow away from
/// s (diverging). Negative k: they grow towards s (focused). `flat`: all elements count as equally
/// deep, and q gives the depth of s.
std::optional<Sphere> sphereThrough(const Aperture& aperture, bool flat) {
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
std::optional<Sphere> curvedFront(const Aperture& aperture) {
    std::vector<std::array<double, 5>> rows;
    for (const auto& [e, p] : aperture.firings)
        rows.push_back({2.0 * e.x, 2.0 * e.y, 2.0 * e.z, 1.0, e.x * e.x + e.y * e.y + e.z * e.z});
    const auto sphere = leastSquares<4>(rows);
    if (!sphere) return std::nullopt;
    return Sphere{{(*sphere)[0], (*sphere)[1], (*sphere)[2]}, true};
}

/// Spherical waves that may have been sent: from behind the aperture, or to a point in front.
std::vector<Transmit> sphericalWaves(std::span<const Firing> firings, double wavelengthM) {
    const Aperture aperture = apertureOf(firings);
    std::vector<std::optional<Sphere>> starts{sphereThrough(aperture, true)};
    constexpr double kFlat = 1e-3; // wavelengths
    if (aperture.bendM > kFlat * wavelengthM) {
        starts.push_back(sphereThrough(aperture, false));
        starts.push_back(curvedFront(aperture));
    }
    std::vector<Transmit> waves;
    for (const auto& start : starts) {
        if (!start) continue;
        const double sign = start->diverges ? 1.0 : -1.0;
        const Point& from = start->centre;
        const auto s =
            refined(std::span<const Firing>(aperture.firings), std::array{from.x, from.y, from.z},
                    [sign](const Point& e, const std::array<double, 3>& at) {
                        const Point way{at[0] - e.x, at[1] - e.y, at[2] - e.z};
                        const double path = std::max(norm(way), 1e-12);
                        return Modelled<3>{sign * way.x / path, sign * way.y / path,
                                           sign * way.z / path, sign * path};
                    });
        const bool behind = s[2] < 0.0;
        if (behind == start->diverges)
            waves.push_back(waveFrom(behind ? Wave::Diverging : Wave::Focused,
                                     aperture.place({s[0], s[1], s[2]})));
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
    const FittedWave plane = rated(planeThrough(firings), firings, soundSpeedMps);
    if (plane.spreadS <= 0.1 * allowed) {
        const bool spreads = firings.size() < elements.size() &&
                             nearFieldOf(firings, soundSpeedMps * periodS) < depthM;
        return spreads ? singleElement(centreOf(firings), soundSpeedMps) : plane;
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
