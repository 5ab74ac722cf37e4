// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kUneven = 0.02; ///< part of a step by which an angle may miss even steps

/// How far a place lies to the right of line i, in m. The line is extended in both directions.
double besideLine(const Sector& sector, std::size_t i, const Point& place) {
    const Point start = sector.startOf(i);
    const double angle = sector.anglesRad[i];
    return (place.x - start.x) * std::cos(angle) - (place.z - start.z) * std::sin(angle);
}

/// True where one line lies right of the other between both ranges. The lines may meet at one of
/// them.
bool isRightOf(const Sector& sector, std::size_t left, std::size_t right, double nearestM,
               double farthestM) {
    constexpr double kRounding = 1e-9; // m
    const auto apart = [&](double rangeM) {
        return std::min(besideLine(sector, left, sector.at(right, rangeM)),
                        -besideLine(sector, right, sector.at(left, rangeM)));
    };
    const double near = apart(nearestM);
    const double far = apart(farthestM);
    return near >= -kRounding && far >= -kRounding && std::max(near, far) > kRounding;
}

bool isEven(const std::vector<double>& places) {
    const double step = (places.back() - places.front()) / static_cast<double>(places.size() - 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double even = places.front() + static_cast<double>(i) * step;
        if (!(std::abs(places[i] - even) <= kUneven * step)) return false;
    }
    return true;
}

constexpr double kTurn = 2.0 * std::numbers::pi;

/// Whether the lines go round a full circle: from the last one to the first one it is no farther
/// than between others.
bool closeCircle(const std::vector<double>& angles) {
    constexpr double kRounding = 1e-9; // rad
    if (angles.size() < 3) return false;
    const double span = angles.back() - angles.front();
    const double step = span / static_cast<double>(angles.size() - 1);
    return kTurn - span > kRounding && kTurn - span <= 1.5 * step;
}

bool isInside(const std::vector<Point>& outline, double x, double z) {
    bool inside = false;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const Point& a = outline[i];
        const Point& b = outline[(i + 1) % outline.size()];
        if ((a.z > z) == (b.z > z)) continue;
        if (x < a.x + (b.x - a.x) * (z - a.z) / (b.z - a.z)) inside = !inside;
    }
    return inside;
}

} // namespace

Point Sector::startOf(std::size_t line) const {
    if (!starts.empty()) return starts[line];
    const double angle = anglesRad[line];
    return {apexXM + radiusM * std::sin(angle), 0.0, apexZM + radiusM * std::cos(angle)};
}

Point Sector::at(std::size_t line, double rangeM) const {
    const Point start = startOf(line);
    const double angle = anglesRad[line];
    return {start.x + rangeM * std::sin(angle), start.y, start.z + rangeM * std::cos(angle)};
}

bool linesKeepOrder(const Sector& sector, double nearestM, double farthestM) {
    // Compares neighbours; of very many lines it compares only some.
    constexpr std::size_t kMostCompared = 256;
    const std::size_t step = (sector.lines() + kMostCompared - 1) / kMostCompared;
    const auto keep = [&](std::size_t left, std::size_t right) {
        return isRightOf(sector, left, right, nearestM, farthestM);
    };
    for (std::size_t i = 1; i < sector.lines(); ++i)
        if (!keep(i - 1, i)) return false;
    for (std::size_t i = 0; i < sector.lines(); i += step)
        for (std::size_t j = i + 1; j < sector.lines(); j += step)
            if (!keep(i, j)) return false;
    return true;
}

Axis lateralAxisOf(const Sector& sector) {
    const auto count = static_cast<std::int64_t>(sector.lines());
    const std::vector<double>& angles = sector.anglesRad;
    if (!sector.hasOneApex() || (count > 1 && !isEven(angles)))
        return {AxisName::Lateral, count, 1.0, 0.0, ""};
    const double gaps = std::max(1.0, static_cast<double>(count) - 1.0);
    return {AxisName::Lateral, count, count > 1 ? (angles.back() - angles.front()) / gaps : 1.0,
            angles.empty() ? 0.0 : angles.front(), "rad"};
}

void placeLines(FrameSpec& image) {
    for (Axis& axis : image.axes) {
        if (axis.name != AxisName::Lateral) continue;
        const std::int64_t size = axis.size;
        axis = lateralAxisOf(*image.sector);
        axis.size = size;
    }
}

AxisPlaces placesOf(const FrameSpec& frame, const Axis& axis) {
    const Sector* sector = axis.name == AxisName::Lateral ? frame.sector.get() : nullptr;
    if (sector != nullptr && sector->hasOneApex()) return {sector->anglesRad, "rad"};
    AxisPlaces places{{}, sector != nullptr ? "m" : axis.unit};
    for (std::int64_t i = 0; i < axis.size; ++i) {
        places.values.push_back(sector != nullptr
                                    ? sector->starts[static_cast<std::size_t>(i)].x
                                    : axis.origin + static_cast<double>(i) * axis.spacing);
    }
    return places;
}

bool SectorBounds::contains(double xM, double zM) const {
    if (!outline.empty()) return isInside(outline, xM, zM);
    const double x = xM - apexXM;
    const double z = zM - apexZM;
    const auto holds = [&](double distance, double angle) {
        constexpr double kRounding = 1e-12; // rad
        const double turns = std::floor((angle - firstRad + kRounding) / kTurn);
        return distance >= nearestM && distance <= farthestM && angle - turns * kTurn <= lastRad;
    };
    const double distance = std::hypot(x, z);
    return holds(distance, std::atan2(x, z)) || holds(-distance, std::atan2(-x, -z));
}

SectorBounds boundsOf(const Sector& sector, double nearestM, double farthestM) {
    if (sector.hasOneApex()) {
        return {sector.apexXM,
                sector.apexZM,
                sector.radiusM + nearestM,
                sector.radiusM + farthestM,
                sector.anglesRad.front(),
                closeCircle(sector.anglesRad) ? sector.anglesRad.front() + kTurn
                                              : sector.anglesRad.back()};
    }
    SectorBounds bounds;
    for (std::size_t i = 0; i < sector.lines(); ++i)
        bounds.outline.push_back(sector.at(i, nearestM));
    for (std::size_t i = sector.lines(); i-- > 0;)
        bounds.outline.push_back(sector.at(i, farthestM));
    return bounds;
}

} // namespace echolux
