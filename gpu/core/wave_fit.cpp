// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/wave_fit.hpp"

#include "gpu/core/firing.hpp"

namespace echolux::wave_fit {
namespace {

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

} // namespace

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
    for (const Firing& f : firings) {
        aperture.firings.push_back(
            {{part(f.element.x - mean.element.x), part(f.element.y - mean.element.y),
              part(f.element.z - mean.element.z)},
             (f.path - mean.path) / aperture.length});
    }
    return aperture;
}

Point refinedCentre(const Aperture& aperture, const Sphere& start) {
    const double sign = start.diverges ? 1.0 : -1.0;
    const Point& from = start.centre;
    const auto s =
        refined(std::span<const Firing>(aperture.firings), std::array{from.x, from.y, from.z},
                [sign](const Point& e, const std::array<double, 3>& at) {
                    const Point way{at[0] - e.x, at[1] - e.y, at[2] - e.z};
                    const double path = std::max(norm(way), 1e-12);
                    return Modelled<3>{sign * way.x / path, sign * way.y / path,
                                       sign * way.z / path, sign * path};
                });
    return {s[0], s[1], s[2]};
}

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

} // namespace echolux::wave_fit
