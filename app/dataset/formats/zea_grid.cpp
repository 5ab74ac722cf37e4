// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises rectangles and sectors, and compares every pixel with them.
#include "app/dataset/formats/zea_grid.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace echolux {

namespace {

constexpr double kOff = 0.05; ///< part of a step by which a place may miss the grid

class Places {
public:
    Places(const ZeaPixels& grid, std::span<const double> places)
        : m_grid(grid), m_places(places) {}
    const ZeaPixels& grid() const { return m_grid; }
    Point at(std::size_t depth, std::size_t lateral, std::size_t plane = 0) const {
        const std::size_t i = 3 * ((depth * m_grid.laterals + lateral) * m_grid.planes + plane);
        return {m_places[i], m_places[i + 1], m_places[i + 2]};
    }
    bool finite() const {
        return std::ranges::all_of(m_places, [](double p) { return std::isfinite(p); });
    }

private:
    ZeaPixels m_grid;
    std::span<const double> m_places;
};

struct Steps {
    double first = 0.0;
    double step = 0.0;
    double at(std::size_t index) const { return first + step * static_cast<double>(index); }
};

Steps stepsBetween(double first, double last, std::size_t count) {
    return {first, count > 1 ? (last - first) / static_cast<double>(count - 1) : 0.0};
}

void writeAxis(FrameSpec& image, AxisName name, const Steps& steps, const char* unit) {
    for (Axis& axis : image.axes) {
        if (axis.name != name) continue;
        axis.origin = steps.first;
        if (steps.step > 0.0) axis.spacing = steps.step;
        axis.unit = std::string(unit);
    }
}

template <class Expected> bool allAt(const Places& places, double tolerance, Expected expected) {
    const ZeaPixels& grid = places.grid();
    for (std::size_t d = 0; d < grid.depths; ++d)
        for (std::size_t l = 0; l < grid.laterals; ++l)
            for (std::size_t p = 0; p < grid.planes; ++p) {
                const Point is = places.at(d, l, p);
                const Point wanted = expected(d, l, p);
                const double off = std::hypot(is.x - wanted.x, is.y - wanted.y, is.z - wanted.z);
                if (!(off <= tolerance)) return false;
            }
    return true;
}

bool isRectangle(const Places& places, FrameSpec& image) {
    const ZeaPixels& grid = places.grid();
    const Point first = places.at(0, 0, 0);
    const Point last = places.at(grid.depths - 1, grid.laterals - 1, grid.planes - 1);
    const Steps depth = stepsBetween(first.z, last.z, grid.depths);
    const Steps lateral = stepsBetween(first.x, last.x, grid.laterals);
    const Steps plane = stepsBetween(first.y, last.y, grid.planes);
    const bool rises = (grid.depths == 1 || depth.step > 0.0) &&
                       (grid.laterals == 1 || lateral.step > 0.0) &&
                       (grid.planes == 1 || plane.step > 0.0);
    if (!rises) return false;
    double least = HUGE_VAL;
    for (const Steps& steps : {depth, lateral, plane})
        if (steps.step > 0.0) least = std::min(least, steps.step);
    const auto expected = [&](std::size_t d, std::size_t l, std::size_t p) {
        return Point{lateral.at(l), plane.at(p), depth.at(d)};
    };
    if (!allAt(places, kOff * least, expected)) return false;
    writeAxis(image, AxisName::Depth, depth, "m");
    writeAxis(image, AxisName::Lateral, lateral, "m");
    writeAxis(image, AxisName::Elevation, plane, "m");
    return true;
}

std::vector<double> anglesOf(const Places& places) {
    std::vector<double> angles;
    for (std::size_t l = 0; l < places.grid().laterals; ++l) {
        const Point near = places.at(0, l);
        const Point far = places.at(places.grid().depths - 1, l);
        angles.push_back(std::atan2(far.x - near.x, far.z - near.z));
    }
    return angles;
}

void setSector(FrameSpec& image, std::shared_ptr<const Sector> sector, const Steps& range) {
    image.sector = std::move(sector);
    writeAxis(image, AxisName::Depth, range, "m");
    placeLines(image);
}

/// Distance from the apex to range 0, where the middle of the fan leaves the plane z = 0: that of a
/// flat array, and of a curved array's middle. It is `nearest`, that of the first pixels, where
/// these lie before the plane.
double radiusOfRange0(double apexZM, double nearest, double length, std::size_t depths) {
    const double close = kOff * length / static_cast<double>(depths - 1);
    const double radius = -apexZM > close ? -apexZM : 0.0;
    return radius > nearest - close ? nearest : radius;
}

/// True where the pixels, at least 2 x 2 of them, are on lines that fan out from one point in a
/// plane of constant y. Then it also sets the sector of `image`.
bool isSector(const Places& places, FrameSpec& image) {
    const ZeaPixels& grid = places.grid();
    auto sector = std::make_shared<Sector>();
    sector->anglesRad = anglesOf(places);
    const double a = sector->anglesRad.front();
    const double b = sector->anglesRad.back();
    if (!(b > a)) return false;
    // The point where the outer lines meet: p + s (sin a, cos a) = q + t (sin b, cos b).
    const Point p = places.at(0, 0);
    const Point q = places.at(0, grid.laterals - 1);
    const double s = ((q.x - p.x) * std::cos(b) - (q.z - p.z) * std::sin(b)) / -std::sin(b - a);
    sector->apexXM = p.x + s * std::sin(a);
    sector->apexZM = p.z + s * std::cos(a);
    const Point end = places.at(grid.depths - 1, 0);
    const double length = std::hypot(end.x - p.x, end.z - p.z);
    // NOTE: a range that rounding made negative becomes 0.
    const double nearest = std::max(0.0, -s);
    sector->radiusM = radiusOfRange0(sector->apexZM, nearest, length, grid.depths);
    const Steps range =
        stepsBetween(nearest - sector->radiusM, nearest - sector->radiusM + length, grid.depths);
    const auto expected = [&](std::size_t d, std::size_t l, std::size_t) {
        const double r = sector->radiusM + range.at(d);
        const double angle = sector->anglesRad[l];
        return Point{sector->apexXM + r * std::sin(angle), p.y,
                     sector->apexZM + r * std::cos(angle)};
    };
    if (!allAt(places, kOff * range.step, expected)) return false;
    setSector(image, std::move(sector), range);
    return true;
}

/// Range of the first pixels of parallel lines, counted from the plane z = 0; 0 where it differs
/// from line to line.
double rangeFromPlane(const Places& places, const Sector& lines, double length) {
    const ZeaPixels& grid = places.grid();
    const double close = kOff * length / static_cast<double>(grid.depths - 1);
    const auto rangeOf = [&](std::size_t l) {
        return places.at(0, l).z / std::cos(lines.anglesRad[l]);
    };
    const double range = rangeOf(0);
    for (std::size_t l = 0; l < grid.laterals; ++l)
        if (!(std::abs(rangeOf(l) - range) <= close) ||
            std::abs(lines.anglesRad[l] - lines.anglesRad[0]) * length > close)
            return 0.0;
    return range > close ? range : 0.0;
}

/// True where the pixels, at least 2 x 2 of them, are on lines of one length in a plane of constant
/// y. Each line has a start and an angle of its own, and no lines cross. Then it also sets the
/// sector of `image`.
bool isFromOwnStarts(const Places& places, FrameSpec& image) {
    const ZeaPixels& grid = places.grid();
    auto sector = std::make_shared<Sector>();
    sector->anglesRad = anglesOf(places);
    const Point start = places.at(0, 0);
    const Point end = places.at(grid.depths - 1, 0);
    const double length = std::hypot(end.x - start.x, end.z - start.z);
    const double nearest = rangeFromPlane(places, *sector, length);
    for (std::size_t l = 0; l < grid.laterals; ++l) {
        const Point first = places.at(0, l);
        const double angle = sector->anglesRad[l];
        sector->starts.push_back(
            {first.x - nearest * std::sin(angle), first.y, first.z - nearest * std::cos(angle)});
    }
    const Steps range = stepsBetween(nearest, nearest + length, grid.depths);
    const auto expected = [&](std::size_t d, std::size_t l, std::size_t) {
        const Point p = sector->at(l, range.at(d));
        return Point{p.x, start.y, p.z};
    };
    if (!(range.step > 0.0) || !allAt(places, kOff * range.step, expected) ||
        !linesKeepOrder(*sector, 0.0, range.at(grid.depths - 1)))
        return false;
    setSector(image, std::move(sector), range);
    return true;
}

} // namespace

bool placePixels(const ZeaPixels& grid, std::span<const double> places, FrameSpec& image) {
    if (places.size() != 3 * grid.count()) return false;
    const Places all(grid, places);
    if (!all.finite()) return false;
    if (isRectangle(all, image)) return true;
    const bool hasLines = grid.planes == 1 && grid.depths > 1 && grid.laterals > 1;
    return hasLines && (isSector(all, image) || isFromOwnStarts(all, image));
}

} // namespace echolux
