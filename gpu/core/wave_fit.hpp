// SPDX-License-Identifier: GPL-3.0-or-later
// Least-squares fits of plane and spherical waves to the times at which elements fire.
#pragma once

#include "gpu/core/acquisition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace echolux::wave_fit {

struct Firing {
    Point element;
    double path = 0.0; ///< speed of sound times delay [m]
};

/// The mean of the places and of the paths.
Firing centreOf(std::span<const Firing> firings);

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
    /// The inverse of place().
    Point scaled(const Point& p) const {
        return {(p.x - middle.x) / length, (p.y - middle.y) / length, (p.z - middle.z) / length};
    }
};

Aperture apertureOf(std::span<const Firing> firings);

struct Sphere {
    Point centre; ///< in the aperture's units
    bool diverges = true;
};

/// The centre that fits best, in the aperture's units; path = +-|e - centre|. The iteration begins
/// at `start`.
Point refinedCentre(const Aperture& aperture, const Sphere& start);

/// Fits a plane wave: path = e.u + constant, with e the position of an element and u the unit
/// vector along which the wave travels; Steering::Tilts.
Transmit planeThrough(std::span<const Firing> firings);

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

} // namespace echolux::wave_fit
