// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measure/beam_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::measure {
namespace {

constexpr double kMmPerM = 1e3;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
/// Margin in rows and lines, so that rounding does not cut off the first and the last.
constexpr double kRim = 1e-6;
/// Lines that differ more in direction are not cut at right angles.
constexpr double kLeastCosine = 0.2;

} // namespace

BeamGeometry::BeamGeometry(const Sector& sector, const Axis& range)
    : m_oneApex(sector.hasOneApex()), m_apexX(kMmPerM * sector.apexXM),
      m_apexZ(kMmPerM * sector.apexZM),
      m_radius(kMmPerM * sector.radiusM), m_range{kMmPerM * range.origin, kMmPerM * range.spacing,
                                                  range.size} {
    for (std::size_t i = 0; i < sector.lines(); ++i) {
        const Point start = sector.startOf(i);
        const double angle = sector.anglesRad[i];
        m_lines.push_back(
            {kMmPerM * start.x, kMmPerM * start.z, angle, std::sin(angle), std::cos(angle)});
    }
}

BeamGeometry::Line BeamGeometry::between(double line) const {
    const auto last = static_cast<double>(m_lines.size() - 1);
    const double whole = std::clamp(std::floor(line), 0.0, std::max(last - 1.0, 0.0));
    const Line& a = m_lines[static_cast<std::size_t>(whole)];
    const double share = line - whole;
    if (share == 0.0 || m_lines.size() < 2) return a;
    const Line& b = m_lines[static_cast<std::size_t>(whole) + 1];
    const double angle = a.angle + share * (b.angle - a.angle);
    Line made{0.0, 0.0, angle, std::sin(angle), std::cos(angle)};
    if (m_oneApex) {
        made.x = m_apexX + m_radius * made.sine;
        made.z = m_apexZ + m_radius * made.cosine;
    } else {
        made.x = a.x + share * (b.x - a.x);
        made.z = a.z + share * (b.z - a.z);
    }
    return made;
}

Place BeamGeometry::at(double row, double line) const {
    const Line on = between(line);
    const double range = m_range.start + row * m_range.step;
    return {on.x + range * on.sine, on.z + range * on.cosine};
}

std::optional<BeamGeometry::Sample> BeamGeometry::sampleAt(double range, double line) const {
    const double row = m_range.indexOf(range);
    if (!(row >= -kRim && row <= static_cast<double>(m_range.size - 1) + kRim)) return std::nullopt;
    return Sample{std::clamp(row, 0.0, static_cast<double>(m_range.size - 1)), line};
}

/// `distance` from the apex, negative before it.
std::optional<BeamGeometry::Sample> BeamGeometry::findRoundApex(double distance,
                                                                double angle) const {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double first = m_lines.front().angle;
    const double last = m_lines.back().angle;
    const double margin = kRim * (m_lines.size() > 1 ? m_lines[1].angle - first : 1.0);
    angle += kTurn * std::ceil((first - margin - angle) / kTurn);
    if (angle > last + margin) return std::nullopt;
    const auto right = std::ranges::upper_bound(m_lines, angle, {}, &Line::angle);
    const auto above = std::clamp<std::ptrdiff_t>(right - m_lines.begin(), 1,
                                                  std::max<std::ptrdiff_t>(lines() - 1, 1));
    if (m_lines.size() < 2) return sampleAt(distance - m_radius, 0.0);
    const Line& a = m_lines[static_cast<std::size_t>(above - 1)];
    const Line& b = m_lines[static_cast<std::size_t>(above)];
    const double share = std::clamp((angle - a.angle) / (b.angle - a.angle), 0.0, 1.0);
    return sampleAt(distance - m_radius, static_cast<double>(above - 1) + share);
}

/// As scan_conversion: D is how far the place lies to the right of a line.
std::optional<BeamGeometry::Sample> BeamGeometry::findBetweenLines(const Place& place) const {
    const auto beside = [&](const Line& line) {
        return (place.lateral - line.x) * line.cosine - (place.depth - line.z) * line.sine;
    };
    const auto right = std::ranges::partition_point(
        m_lines, [&](const Line& line) { return beside(line) >= 0.0; });
    const auto above = std::clamp<std::ptrdiff_t>(right - m_lines.begin(), 1,
                                                  std::max<std::ptrdiff_t>(lines() - 1, 1));
    if (m_lines.size() < 2) return std::nullopt;
    const Line& a = m_lines[static_cast<std::size_t>(above - 1)];
    const Line& b = m_lines[static_cast<std::size_t>(above)];
    const double gap = beside(a) - beside(b);
    const double share = beside(a) / gap;
    if (!(gap > 0.0 && share >= -kRim && share <= 1.0 + kRim)) return std::nullopt;
    const double sine = a.sine + share * (b.sine - a.sine);
    const double cosine = a.cosine + share * (b.cosine - a.cosine);
    const double x = place.lateral - (a.x + share * (b.x - a.x));
    const double z = place.depth - (a.z + share * (b.z - a.z));
    return sampleAt((x * sine + z * cosine) / std::hypot(sine, cosine),
                    static_cast<double>(above - 1) + std::clamp(share, 0.0, 1.0));
}

std::optional<BeamGeometry::Sample> BeamGeometry::find(const Place& place) const {
    if (!m_oneApex) return findBetweenLines(place);
    const double x = place.lateral - m_apexX;
    const double z = place.depth - m_apexZ;
    const double distance = std::hypot(x, z);
    if (m_radius < 0.0)
        if (const auto before = findRoundApex(-distance, std::atan2(-x, -z))) return before;
    return findRoundApex(distance, std::atan2(x, z));
}

double BeamGeometry::spacingAt(double row, std::int64_t line) const {
    const auto last = lines() - 1;
    if (last < 1) return m_range.step;
    const std::int64_t left = std::max<std::int64_t>(line - 1, 0);
    const std::int64_t right = std::min(line + 1, last);
    const auto steps = static_cast<double>(right - left);
    const auto& lineOf = [&](std::int64_t n) -> const Line& {
        return m_lines[static_cast<std::size_t>(n)];
    };
    if (m_oneApex) {
        const double distance = std::abs(m_radius + m_range.start + row * m_range.step);
        return distance * (lineOf(right).angle - lineOf(left).angle) / steps;
    }
    const Place a = at(row, static_cast<double>(left));
    const Place b = at(row, static_cast<double>(right));
    const Line& here = lineOf(line);
    return std::abs((b.lateral - a.lateral) * here.cosine - (b.depth - a.depth) * here.sine) /
           steps;
}

double BeamGeometry::areaAt(double row, std::int64_t line) const {
    return std::abs(m_range.step) * spacingAt(row, line);
}

BeamGeometry::Across BeamGeometry::acrossAt(std::int64_t row, std::int64_t line) const {
    Across cut;
    const auto wholeRow = static_cast<double>(row);
    if (m_oneApex) {
        const double distance = std::abs(m_radius + m_range.at(row));
        for (const Line& each : m_lines) {
            cut.rows.push_back(wholeRow);
            cut.places.push_back(distance * each.angle);
        }
        return cut;
    }
    const Line& beam = m_lines[static_cast<std::size_t>(line)];
    const Place centre = at(wholeRow, static_cast<double>(line));
    for (const Line& each : m_lines) {
        // The line meets the cut where (start + range * way - centre) . beam = 0.
        const double along = each.sine * beam.sine + each.cosine * beam.cosine;
        const double x = centre.lateral - each.x;
        const double z = centre.depth - each.z;
        const double range = (x * beam.sine + z * beam.cosine) / along;
        const double meets = m_range.indexOf(range);
        const bool isHeld = along > kLeastCosine && meets >= -kRim &&
                            meets <= static_cast<double>(m_range.size - 1) + kRim;
        cut.rows.push_back(isHeld ? std::clamp(meets, 0.0, static_cast<double>(m_range.size - 1))
                                  : kNowhere);
        cut.places.push_back((range * each.sine - x) * beam.cosine -
                             (range * each.cosine - z) * beam.sine);
    }
    return cut;
}

BeamGeometry BeamGeometry::moved(double scale, double shift) const {
    BeamGeometry made = *this;
    made.m_range.start = scale * m_range.start + shift;
    made.m_range.step = scale * m_range.step;
    return made;
}

BeamGeometry::Bounds BeamGeometry::bounds() const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Bounds found{{kFar, kFar}, {-kFar, -kFar}};
    for (const double row : {0.0, static_cast<double>(m_range.size - 1)})
        for (std::int64_t line = 0; line < lines(); ++line) {
            const Place place = at(row, static_cast<double>(line));
            found.least = {std::min(found.least.lateral, place.lateral),
                           std::min(found.least.depth, place.depth)};
            found.greatest = {std::max(found.greatest.lateral, place.lateral),
                              std::max(found.greatest.depth, place.depth)};
        }
    return found;
}

} // namespace echolux::measure
