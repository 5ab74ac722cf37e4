// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/aberration/element_grid.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace echolux::aberration {
namespace {

/// The different values of one coordinate of the elements. Values closer than a tenth of the
/// probe's pitch count as one.
std::vector<double> steps(const Probe& probe, double Point::*coordinate) {
    std::vector<double> all;
    for (const Point& p : probe.elements) all.push_back(p.*coordinate);
    std::ranges::sort(all);
    const double same = probe.pitchM > 0.0 ? 0.1 * probe.pitchM : 1e-6;
    std::vector<double> found;
    for (const double value : all)
        if (found.empty() || value - found.back() > same) found.push_back(value);
    return found;
}

std::int32_t nearest(const std::vector<double>& steps, double value) {
    const auto next = std::ranges::lower_bound(steps, value);
    if (next == steps.begin()) return 0;
    const auto before = next - 1;
    const bool takeNext = next != steps.end() && *next - value < value - *before;
    return static_cast<std::int32_t>((takeNext ? next : before) - steps.begin());
}

bool isLine(const Probe& probe) {
    const auto [front, back] = std::ranges::minmax(probe.elements, {}, &Point::y);
    const auto [left, right] = std::ranges::minmax(probe.elements, {}, &Point::x);
    return back.y - front.y <= 1e-9 || right.x - left.x <= 1e-9;
}

using Row = std::array<double, 4>;

/// Solves three equations. A row holds three coefficients and the right side. An unknown without
/// any equation is 0.
std::array<double, 3> solved(std::array<Row, 3> m) {
    for (std::size_t i = 0; i < 3; ++i) {
        std::size_t pivot = i;
        for (std::size_t j = i + 1; j < 3; ++j)
            if (std::fabs(m[j][i]) > std::fabs(m[pivot][i])) pivot = j;
        std::swap(m[i], m[pivot]);
        if (std::fabs(m[i][i]) < 1e-12) {
            m[i] = {};
            m[i][i] = 1.0;
        }
        for (std::size_t j = 0; j < 3; ++j) {
            if (j == i) continue;
            const double factor = m[j][i] / m[i][i];
            for (std::size_t k = i; k < 4; ++k) m[j][k] -= factor * m[i][k];
        }
    }
    return {m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]};
}

} // namespace

ElementGrid elementGrid(const Probe& probe) {
    ElementGrid grid;
    if (probe.elements.empty()) return grid;
    const auto elements = static_cast<std::int32_t>(probe.elements.size());
    if (isLine(probe)) {
        grid.columns = elements;
        grid.placeOf.resize(probe.elements.size());
        std::iota(grid.placeOf.begin(), grid.placeOf.end(), 0);
        return grid;
    }
    const std::vector<double> columns = steps(probe, &Point::x);
    const std::vector<double> rows = steps(probe, &Point::y);
    grid.columns = static_cast<std::int32_t>(columns.size());
    grid.rows = static_cast<std::int32_t>(rows.size());
    // A matrix with gaps has up to twice as many places as elements. More than four times as many
    // mean that the elements have no order.
    if (static_cast<std::int64_t>(grid.columns) * grid.rows > 4 * std::int64_t{elements}) {
        throw Error("An estimate of aberration compares neighbouring elements, but the elements of "
                    "this probe stand on no grid; it takes linear, curved, phased and matrix "
                    "arrays.");
    }
    std::vector<bool> taken(static_cast<std::size_t>(grid.places()), false);
    for (const Point& p : probe.elements) {
        const std::int32_t place = nearest(rows, p.y) * grid.columns + nearest(columns, p.x);
        if (taken[static_cast<std::size_t>(place)]) {
            throw Error(
                "An estimate of aberration compares neighbouring elements, but two elements "
                "of this probe stand at one place.");
        }
        taken[static_cast<std::size_t>(place)] = true;
        grid.placeOf.push_back(place);
    }
    return grid;
}

ElementGrid denseGrid(std::int32_t rows, std::int32_t columns) {
    ElementGrid grid{rows, columns};
    grid.placeOf.resize(static_cast<std::size_t>(grid.places()));
    std::iota(grid.placeOf.begin(), grid.placeOf.end(), 0);
    return grid;
}

std::vector<double> withoutPistonAndTilt(const ElementGrid& grid, std::span<const double> values,
                                         std::span<const double> weights) {
    const auto place = [&](std::size_t e) {
        const std::int32_t at = grid.placeOf[e];
        return std::array{1.0, at % grid.columns - 0.5 * (grid.columns - 1),
                          at / grid.columns - 0.5 * (grid.rows - 1)};
    };
    std::array<Row, 3> sums{};
    for (std::size_t e = 0; e < values.size(); ++e) {
        const double weight = weights.empty() ? 1.0 : weights[e];
        const std::array<double, 3> at = place(e);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) sums[i][j] += weight * at[i] * at[j];
            sums[i][3] += weight * at[i] * values[e];
        }
    }
    const std::array<double, 3> plane = solved(sums);
    std::vector<double> rest(values.begin(), values.end());
    for (std::size_t e = 0; e < rest.size(); ++e) {
        const std::array<double, 3> at = place(e);
        rest[e] -= plane[0] + plane[1] * at[1] + plane[2] * at[2];
    }
    return rest;
}

double rootMeanSquare(std::span<const double> values) {
    if (values.empty()) return 0.0;
    double sum = 0.0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

} // namespace echolux::aberration
