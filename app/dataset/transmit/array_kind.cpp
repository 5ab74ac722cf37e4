// SPDX-License-Identifier: GPL-3.0-or-later
// Distinguishes linear, phased, curved, matrix and row-column arrays.
#include "app/dataset/transmit/array_kind.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace echolux {

namespace {

constexpr double kSamePlaceM = 1e-7;

/// Number of different values of one coordinate.
std::size_t placesAlong(const std::vector<Point>& elements, double Point::*part) {
    std::vector<double> values;
    for (const Point& element : elements) values.push_back(element.*part);
    std::ranges::sort(values);
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (i == 0 || values[i] - values[i - 1] > kSamePlaceM) ++count;
    return count;
}

/// Radius of the circle in the x-z plane through the first, the middle and the last element;
/// nothing where another element lies off it.
std::optional<double> radiusOf(const std::vector<Point>& elements) {
    constexpr double kOffCircle = 0.01; // of the radius
    const Point& a = elements.front();
    const Point& b = elements[elements.size() / 2];
    const Point& c = elements.back();
    const double bx = b.x - a.x;
    const double bz = b.z - a.z;
    const double cx = c.x - a.x;
    const double cz = c.z - a.z;
    const double twice = 2.0 * (bx * cz - bz * cx);
    if (twice == 0.0) return std::nullopt;
    const double ux = (cz * (bx * bx + bz * bz) - bz * (cx * cx + cz * cz)) / twice;
    const double uz = (bx * (cx * cx + cz * cz) - cx * (bx * bx + bz * bz)) / twice;
    const double radius = std::hypot(ux, uz);
    const bool all = std::ranges::all_of(elements, [&](const Point& e) {
        return std::abs(std::hypot(e.x - a.x - ux, e.z - a.z - uz) - radius) <= kOffCircle * radius;
    });
    if (!all) return std::nullopt;
    return radius;
}

ArrayKind rowColumn(const Probe& probe) {
    ArrayKind kind{.shape = ArrayShape::RowColumn, .elements = probe.elements.size()};
    kind.columns =
        static_cast<std::size_t>(std::ranges::count(probe.longAxes, LongAxis::Elevation));
    kind.rows = static_cast<std::size_t>(std::ranges::count(probe.longAxes, LongAxis::Lateral));
    return kind;
}

bool steersFar(const Probe& probe, double soundSpeedMps) {
    constexpr double kMostWavelengths = 0.6;
    const double wavelength =
        probe.centreFrequencyHz > 0.0 ? soundSpeedMps / probe.centreFrequencyHz : 0.0;
    const double pitch = medianPitch(probe.elements);
    return pitch > 0.0 && pitch <= kMostWavelengths * wavelength;
}

} // namespace

std::string_view nameOf(ArrayShape shape) {
    switch (shape) {
    case ArrayShape::Linear: return "linear";
    case ArrayShape::Phased: return "phased";
    case ArrayShape::Curved: return "curved";
    case ArrayShape::Matrix: return "matrix";
    case ArrayShape::RowColumn: return "row-column";
    case ArrayShape::Other: break;
    }
    return "other";
}

ArrayKind arrayKindOf(const Probe& probe, double soundSpeedMps) {
    const bool lines =
        std::ranges::any_of(probe.longAxes, [](LongAxis axis) { return axis != LongAxis::None; });
    if (lines) return rowColumn(probe);
    const auto& elements = probe.elements;
    ArrayKind kind{.elements = elements.size()};
    if (elements.empty()) return kind;
    const std::size_t depths = placesAlong(elements, &Point::z);
    if (placesAlong(elements, &Point::y) == 1) {
        if (depths == 1)
            kind.shape = steersFar(probe, soundSpeedMps) ? ArrayShape::Phased : ArrayShape::Linear;
        else if (const auto radius = radiusOf(elements)) {
            kind.shape = ArrayShape::Curved;
            kind.radiusM = *radius;
        }
        return kind;
    }
    kind.columns = placesAlong(elements, &Point::x);
    kind.rows = placesAlong(elements, &Point::y);
    const std::size_t places = kind.columns * kind.rows;
    if (depths == 1 && kind.columns > 1 && 2 * elements.size() >= places)
        kind.shape = ArrayShape::Matrix;
    return kind;
}

std::vector<LongAxis> crossedLines(const Probe& probe) {
    std::vector<LongAxis> axes;
    double reach = 0.0; // half of the longer row
    for (const Point& e : probe.elements) {
        const bool alongX = std::abs(e.y) < kSamePlaceM;
        const bool alongY = std::abs(e.x) < kSamePlaceM;
        if ((!alongX && !alongY) || std::abs(e.z) >= kSamePlaceM) return {};
        // Where both rows have an element at the crossing, each stands beside others of its row.
        if (alongX && alongY && !axes.empty())
            axes.push_back(axes.back());
        else
            axes.push_back(alongX ? LongAxis::Elevation : LongAxis::Lateral);
        reach = std::max({reach, std::abs(e.x), std::abs(e.y)});
    }
    const bool cross = std::ranges::count(axes, LongAxis::Elevation) > 1 &&
                       std::ranges::count(axes, LongAxis::Lateral) > 1;
    return cross && probe.elementHeightM >= reach ? axes : std::vector<LongAxis>();
}

std::string describe(const ArrayKind& kind) {
    const auto count = fmt::format("{} element{}", kind.elements, kind.elements == 1 ? "" : "s");
    switch (kind.shape) {
    case ArrayShape::Linear:
    case ArrayShape::Phased: return fmt::format("{} array, {}", nameOf(kind.shape), count);
    case ArrayShape::Curved:
        return fmt::format("curved array, {}, radius {:.4g} mm", count, kind.radiusM * 1e3);
    case ArrayShape::Matrix:
        if (kind.elements == kind.columns * kind.rows)
            return fmt::format("matrix array, {} x {} elements", kind.columns, kind.rows);
        return fmt::format("matrix array, {} in {} x {} places", count, kind.columns, kind.rows);
    case ArrayShape::RowColumn:
        return fmt::format("row-column array, {} + {} lines", kind.columns, kind.rows);
    case ArrayShape::Other: break;
    }
    return fmt::format("array of {}", count);
}

} // namespace echolux
