// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_shadow.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

namespace echolux::das {
namespace {

/// One lateral coordinate of a point, and its depth.
struct Place2 {
    double u = 0.0;
    double z = 0.0;
};

/// The line through `from` along `way`; positive on the side of greater u.
Edge edgeAlong(const Place2& from, const Place2& way) {
    const double length = std::hypot(way.u, way.z);
    if (!(length > 0.0)) return {};
    const double sign = way.z >= 0.0 ? 1.0 : -1.0;
    const double u = sign * way.z / length;
    const double z = -sign * way.u / length;
    return {static_cast<float>(u), static_cast<float>(z),
            static_cast<float>(-(u * from.u + z * from.z))};
}

Edge negative(const Edge& e) { return {-e.u, -e.z, -e.offset}; }

/// Which way the wave travels at an edge of its aperture.
Place2 wayAt(const Transmit& t, const Place2& edge, const Place2& source, const Place2& steered) {
    if (t.wave == Wave::Plane) return steered;
    if (t.wave == Wave::Focused) return {source.u - edge.u, source.z - edge.z};
    return {edge.u - source.u, edge.z - source.z};
}

/// Range of the focus over the width of the aperture.
double fNumberOf(const Acquisition& acquisition, std::size_t transmit, double width) {
    const Transmit& t = acquisition.transmits[transmit];
    return distance(t.source, beamOrigin(acquisition, t)) / width;
}

/// The distance of a focus from the next one along an axis, on the side where it is greater. Foci
/// at other ranges from their arrays, and those beside each other across the axis, do not count.
double gapBeside(const Acquisition& acquisition, std::size_t transmit, double Point::*axis) {
    constexpr double kSameRange = 0.05; // of the range
    constexpr double kSamePlace = 1e-3; // likewise
    const auto across = axis == &Point::x ? &Point::y : &Point::x;
    const Transmit& own = acquisition.transmits[transmit];
    const double range = distance(own.source, own.origin);
    double left = std::numeric_limits<double>::infinity();
    double right = left;
    for (const Transmit& t : acquisition.transmits) {
        if (t.wave != Wave::Focused) continue;
        if (std::abs(distance(t.source, t.origin) - range) > kSameRange * range) continue;
        const double apart = t.source.*axis - own.source.*axis;
        if (std::abs(apart) <= kSamePlace * range) continue;
        if (std::abs(t.source.*across - own.source.*across) > std::abs(apart)) continue;
        double& side = apart < 0.0 ? left : right;
        side = std::min(side, distance(t.source, own.source));
    }
    const auto orNone = [](double gap) { return std::isfinite(gap) ? gap : 0.0; };
    return std::max(orNone(left), orNone(right));
}

} // namespace

std::vector<std::size_t> firingElements(const Acquisition& acquisition, std::size_t transmit) {
    const std::size_t count = acquisition.probe.elements.size();
    const auto& weights = acquisition.transmits[transmit].apodization;
    std::vector<bool> fires(count, true);
    if (const Transmit& t = acquisition.transmits[transmit];
        t.wave == Wave::Element && weights.empty()) {
        const auto& elements = acquisition.probe.elements;
        const auto from = [&](const Point& e) { return distance(e, t.source); };
        return {static_cast<std::size_t>(std::ranges::min_element(elements, {}, from) -
                                         elements.begin())};
    }
    if (!weights.empty()) {
        for (std::size_t e = 0; e < count; ++e) fires[e] = weights[e] != 0.0F;
    } else if (!acquisition.probe.longAxes.empty() && !acquisition.receiveElements.empty()) {
        const std::size_t channels =
            acquisition.receiveElements.size() / acquisition.transmits.size();
        for (std::size_t c = 0; c < channels; ++c) {
            const std::int32_t e = acquisition.receiveElements[transmit * channels + c];
            if (e >= 0) fires[static_cast<std::size_t>(e)] = false;
        }
    }
    std::vector<std::size_t> firing;
    for (std::size_t e = 0; e < count; ++e) {
        if (fires[e]) firing.push_back(e);
    }
    if (firing.empty()) {
        firing.resize(count);
        std::iota(firing.begin(), firing.end(), std::size_t{0});
    }
    return firing;
}

LongAxis longAxisOf(const Probe& probe, const std::vector<std::size_t>& elements) {
    if (probe.longAxes.empty() || elements.empty()) return LongAxis::None;
    const LongAxis first = probe.longAxes[elements.front()];
    const bool alike =
        std::ranges::all_of(elements, [&](std::size_t e) { return probe.longAxes[e] == first; });
    return alike ? first : LongAxis::None;
}

Shadow shadowOf(const Acquisition& acquisition, std::size_t transmit, double wavelengthM) {
    const Transmit& t = acquisition.transmits[transmit];
    const auto& all = acquisition.probe.elements;
    const std::vector<std::size_t> firing = firingElements(acquisition, transmit);
    const double half = 0.5 * acquisition.probe.pitchM;
    const Point steered = direction(t, acquisition.steering);
    Shadow shadow;
    if (t.wave == Wave::Element || t.wave == Wave::None) return shadow;
    const auto set = [&](Edge(&edges)[2], Waist& waist, double Point::*axis) {
        const auto place = [&](std::size_t e) { return all[e].*axis; };
        const auto [low, high] = std::ranges::minmax_element(firing, {}, place);
        if (place(*high) - place(*low) < 1e-9) return; // one row of elements: it sends to all sides
        const Place2 left{place(*low) - half, all[*low].z};
        const Place2 right{place(*high) + half, all[*high].z};
        const Place2 source{t.source.*axis, t.source.z};
        const Place2 way{steered.*axis, steered.z};
        edges[0] = edgeAlong(left, wayAt(t, left, source, way));
        edges[1] = negative(edgeAlong(right, wayAt(t, right, source, way)));
        waist = {.half = static_cast<float>(0.5 * wavelengthM), .isBeam = t.wave == Wave::Focused};
        if (!waist.isBeam) return;
        const double width = place(*high) - place(*low) + 2.0 * half;
        const double gaussian =
            2.0 / std::numbers::pi * wavelengthM * fNumberOf(acquisition, transmit, width);
        // Waves of a fan are farther apart behind their foci, where they begin to widen.
        const double gap = gapBeside(acquisition, transmit, axis);
        const double halfway = 0.5 * gap * (1.0 + gap / width);
        waist.half = std::max(waist.half, static_cast<float>(std::max(gaussian, halfway)));
    };
    set(shadow.x, shadow.waistX, &Point::x);
    set(shadow.y, shadow.waistY, &Point::y);
    return shadow;
}

double flatWithin(const Acquisition& acquisition, std::size_t transmit, const Shadow& shadow) {
    const Transmit& t = acquisition.transmits[transmit];
    if (t.wave != Wave::Focused) return 0.0;
    const auto& elements = acquisition.probe.elements;
    double flat = 0.0;
    double widest = 0.0;
    const std::vector<std::size_t> firing = firingElements(acquisition, transmit);
    const auto add = [&](double Point::*axis, const Waist& waist) {
        const auto [low, high] =
            std::ranges::minmax(firing, {}, [&](std::size_t e) { return elements[e].*axis; });
        const double width = elements[high].*axis - elements[low].*axis + acquisition.probe.pitchM;
        if (!waist.isBeam || width <= widest) return;
        widest = width;
        flat = 2.0 * waist.half * fNumberOf(acquisition, transmit, width);
    };
    add(&Point::x, shadow.waistX);
    add(&Point::y, shadow.waistY);
    return flat;
}

} // namespace echolux::das
