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

} // namespace

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
