// SPDX-License-Identifier: GPL-3.0-or-later
// Places and faces of the elements of simulated arrays.
#include "app/source/array_design.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

Probe probeOf(std::string name, const ElementDesign& design) {
    Probe probe;
    probe.name = std::move(name);
    probe.pitchM = design.pitchM;
    probe.elementWidthM = design.widthM;
    probe.elementHeightM = design.heightM;
    probe.elevationFocusM = design.elevationFocusM;
    return probe;
}

/// Positions of rows round 0, with the gaps between their blocks.
std::vector<double> rowPlaces(const MatrixDesign& matrix) {
    std::vector<double> places;
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const std::int64_t gaps = matrix.rowsPerBlock > 0 ? row / matrix.rowsPerBlock : 0;
        places.push_back(static_cast<double>(row) * matrix.pitchYM +
                         static_cast<double>(gaps) * matrix.gapM);
    }
    const double middle = 0.5 * (places.front() + places.back());
    for (double& place : places) place -= middle;
    return places;
}

} // namespace

Probe linearProbe(std::int64_t elements, const ElementDesign& design) {
    Probe probe = probeOf(fmt::format("simulated linear array, {} elements", elements), design);
    probe.elements = linearArray(static_cast<std::size_t>(elements), design.pitchM);
    return probe;
}

Probe curvedProbe(std::int64_t elements, double radiusM, const ElementDesign& design) {
    const double half = 0.5 * design.pitchM / radiusM;
    const double edge = (static_cast<double>(elements) - 1.0) * std::asin(half);
    if (!(half < 1.0) || !(edge <= std::numbers::pi / 2.0))
        throw Error(fmt::format("{} elements {:g} mm apart reach round more than half of a circle "
                                "of {:g} mm radius: choose a larger --radius, or fewer --elements.",
                                elements, design.pitchM * 1e3, radiusM * 1e3));
    Probe probe = probeOf(fmt::format("simulated curved array, {} elements", elements), design);
    probe.elements = convexArrayByEdges(static_cast<std::size_t>(elements), design.pitchM, radiusM);
    for (const Point& e : probe.elements)
        probe.normals.push_back(
            {e.x / radiusM, 0.0, std::sqrt(1.0 - e.x * e.x / (radiusM * radiusM))});
    return probe;
}

Probe concaveProbe(std::int64_t elements, double radiusM, const ElementDesign& design) {
    Probe probe = curvedProbe(elements, radiusM, design);
    probe.name = fmt::format("simulated concave array, {} elements", elements);
    for (Point& e : probe.elements) e.z = 0.0 - e.z;
    for (Point& normal : probe.normals) normal.x = 0.0 - normal.x;
    return probe;
}

Probe matrixProbe(const MatrixDesign& matrix, const ElementDesign& design) {
    Probe probe = probeOf(
        fmt::format("simulated matrix array, {} x {} elements", matrix.columns, matrix.rows),
        design);
    const std::vector<Point> columns =
        linearArray(static_cast<std::size_t>(matrix.columns), design.pitchM);
    for (const double y : rowPlaces(matrix))
        for (const Point& column : columns) probe.elements.push_back({column.x, y, 0.0});
    return probe;
}

Probe rowColumnProbe(std::int64_t lines, const ElementDesign& design) {
    Probe probe =
        probeOf(fmt::format("simulated row-column array, {} + {} lines", lines, lines), design);
    const std::vector<Point> places = linearArray(static_cast<std::size_t>(lines), design.pitchM);
    probe.elements = places;
    for (const Point& place : places) probe.elements.push_back({0.0, place.x, 0.0});
    probe.longAxes.assign(places.size(), LongAxis::Elevation);
    probe.longAxes.insert(probe.longAxes.end(), places.size(), LongAxis::Lateral);
    return probe;
}

} // namespace echolux
