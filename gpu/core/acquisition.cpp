// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/acquisition.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

bool isCurved(const std::vector<Point>& elements) {
    return std::ranges::any_of(elements, [&](const Point& p) { return p.z != elements.front().z; });
}

/// The unit vector perpendicular to a tangent (x, z), towards +z.
Point across(double x, double z) {
    const double length = std::hypot(x, z);
    if (!(length > 0.0)) return {0.0, 0.0, 1.0};
    const double sign = x >= 0.0 ? 1.0 : -1.0;
    return {-sign * z / length, 0.0, sign * x / length};
}

/// The unit vector perpendicular to the parabola through three neighbours, at `a`.
Point acrossAtEnd(const Point& a, const Point& b, const Point& c) {
    return across(4.0 * b.x - 3.0 * a.x - c.x, 4.0 * b.z - 3.0 * a.z - c.z);
}

Point from(const Point& a, const Point& b) { return {b.x - a.x, b.y - a.y, b.z - a.z}; }

/// How many of the first elements have the first one's coordinate.
std::int64_t alike(const std::vector<Point>& elements, double Point::*coordinate, double same) {
    const auto differs = [&](const Point& p) {
        return !(std::fabs(p.*coordinate - elements.front().*coordinate) <= same);
    };
    return std::ranges::find_if(elements, differs) - elements.begin();
}

/// Whether each line of so many elements is the first one, moved.
bool isMadeOfLines(const std::vector<Point>& elements, std::size_t perLine, double same) {
    if (elements.size() % perLine != 0) return false;
    for (std::size_t i = perLine; i < elements.size(); ++i) {
        const Point moved = from(elements.front(), elements[i - i % perLine]);
        const Point off = from(moved, from(elements[i % perLine], elements[i]));
        if (!(std::hypot(off.x, off.y, off.z) <= same)) return false;
    }
    return true;
}

} // namespace

std::int64_t elementsPerLine(const Probe& probe) {
    const auto& elements = probe.elements;
    if (elements.empty()) return 0;
    const auto isLong = [](LongAxis axis) { return axis != LongAxis::None; };
    if (std::ranges::any_of(probe.longAxes, isLong)) return std::ssize(elements);
    const double same = probe.pitchM > 0.0 ? 0.1 * probe.pitchM : 1e-6;
    const std::int64_t perLine =
        std::max(alike(elements, &Point::x, same), alike(elements, &Point::y, same));
    if (perLine < 2 && elements.size() > 1) return 0;
    return isMadeOfLines(elements, static_cast<std::size_t>(perLine), same) ? perLine : 0;
}

std::vector<Point> faceNormals(const Probe& probe) {
    const auto& elements = probe.elements;
    if (probe.normals.size() == elements.size()) return probe.normals;
    std::vector<Point> normals(elements.size(), Point{0.0, 0.0, 1.0});
    const bool inOnePlane =
        std::ranges::all_of(elements, [&](const Point& p) { return p.y == elements.front().y; });
    if (elements.size() < 3 || !inOnePlane || !isCurved(elements)) return normals;
    const std::size_t last = elements.size() - 1;
    for (std::size_t i = 1; i < last; ++i) {
        const Point& before = elements[i - 1];
        const Point& after = elements[i + 1];
        normals[i] = across(after.x - before.x, after.z - before.z);
    }
    normals[0] = acrossAtEnd(elements[0], elements[1], elements[2]);
    normals[last] = acrossAtEnd(elements[last], elements[last - 1], elements[last - 2]);
    return normals;
}

Point direction(const Transmit& transmit, Steering steering) {
    const double a = transmit.angleRad;
    const double g = transmit.elevationRad;
    if (steering == Steering::Tilts) {
        return {std::sin(a) * std::cos(g), std::sin(g), std::cos(a) * std::cos(g)};
    }
    const double x = std::tan(a);
    const double y = std::tan(g);
    const double length = std::hypot(x, y, 1.0);
    return {x / length, y / length, 1.0 / length};
}

} // namespace echolux
