// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_sent.hpp"

#include "gpu/beamform/beamform_shadow.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/wave_fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

namespace echolux::das {
namespace {

using Places = std::vector<Point>;

/// Where the elements of a transmit are that fire. Along long elements they are all at 0.
Places firingPlaces(const Acquisition& acquisition, std::size_t transmit) {
    const std::vector<std::size_t> firing = firingElements(acquisition, transmit);
    const LongAxis axis = longAxisOf(acquisition.probe, firing);
    Places places;
    for (const std::size_t e : firing) {
        Point place = acquisition.probe.elements[e];
        if (axis == LongAxis::Lateral) place.x = 0.0;
        if (axis == LongAxis::Elevation) place.y = 0.0;
        places.push_back(place);
    }
    return places;
}

/// A medium in place of the one that the delays were set for.
struct Change {
    double beforeMps = 0.0;
    double nowMps = 0.0;
    Steering steering = Steering::Tilts;

    double ratio() const { return nowMps / beforeMps; }
};

std::vector<wave_fit::Firing> firingsOf(const Transmit& t, const Places& places, const Change& c) {
    std::vector<wave_fit::Firing> firings;
    for (const Point& p : places)
        firings.push_back({p, c.nowMps * idealDelay(t, p, c.beforeMps, c.steering)});
    return firings;
}

void setDirection(Transmit& t, const Point& u, Steering steering) {
    if (steering == Steering::Tilts) {
        t.elevationRad = std::asin(std::clamp(u.y, -1.0, 1.0));
        t.angleRad = std::atan2(u.x, u.z);
    } else {
        t.elevationRad = std::atan2(u.y, u.z);
        t.angleRad = std::atan2(u.x, u.z);
    }
}

/// The part of a direction along the array, turned as the speed of sound turns it.
Point turned(double x, double y, double ratio) {
    constexpr double kMost = 0.9999; // a greater one would send no wave into the medium
    const double aside = ratio * std::hypot(x, y);
    const double scale = aside > kMost ? ratio * kMost / aside : ratio;
    const double along = std::min(aside, kMost);
    return {scale * x, scale * y, std::sqrt(1.0 - along * along)};
}

Transmit planeIn(const Transmit& t, const Places& places, const Change& c) {
    const auto [near, deep] = std::ranges::minmax(places, {}, &Point::z);
    constexpr double kFlat = 1e-9; // m
    Transmit sent = t;
    if (deep.z - near.z <= kFlat) {
        const Point u = direction(t, c.steering);
        setDirection(sent, turned(u.x, u.y, c.ratio()), c.steering);
    } else {
        const Transmit fitted = wave_fit::planeThrough(firingsOf(t, places, c));
        setDirection(sent, direction(fitted, Steering::Tilts), c.steering);
    }
    return sent;
}

/// The wave from or to a source. Where the delays converge no longer, or begin to, they are those
/// of a plane wave.
Transmit sphereIn(const Transmit& t, const Places& places, const Change& c) {
    const auto firings = firingsOf(t, places, c);
    const wave_fit::Aperture aperture = wave_fit::apertureOf(firings);
    const Point s = aperture.scaled(t.source);
    const double range = norm(s);
    const Point way = turned(s.x / range, s.y / range, c.ratio());
    const double away = (s.z < 0.0 ? -1.0 : 1.0) * range / c.ratio();
    const bool diverges = t.wave == Wave::Diverging;
    const Point start{std::abs(away) * way.x, std::abs(away) * way.y, away * way.z};
    const Point found = wave_fit::refinedCentre(aperture, {start, diverges});
    Transmit sent = t;
    if ((found.z < 0.0) == diverges) {
        sent.source = aperture.place(found);
        return sent;
    }
    sent.wave = Wave::Plane;
    const Transmit fitted = wave_fit::planeThrough(firings);
    setDirection(sent, direction(fitted, Steering::Tilts), c.steering);
    return sent;
}

Transmit sentIn(const Transmit& t, const Places& places, const Change& c) {
    constexpr std::size_t kFewest = 3; // fewer do not tell where a source is
    const bool plane = t.wave == Wave::Plane;
    if (t.wave == Wave::Element || t.wave == Wave::None || (!plane && places.size() < kFewest))
        return t;
    Transmit sent = plane ? planeIn(t, places, c) : sphereIn(t, places, c);
    double later = 0.0; // when the new wave crosses the origin before the old one would have
    for (const Point& p : places) {
        later +=
            idealDelay(sent, p, c.nowMps, c.steering) - idealDelay(t, p, c.beforeMps, c.steering);
    }
    later /= static_cast<double>(places.size());
    sent.firstSampleS += later;
    sent.iqPhaseZeroS += later;
    return sent;
}

} // namespace

std::vector<Transmit> sentTransmits(const Acquisition& acquisition, double soundSpeedMps) {
    const Change change{transmitSpeedOf(acquisition), soundSpeedMps, acquisition.steering};
    std::vector<Transmit> transmits = acquisition.transmits;
    if (change.beforeMps == change.nowMps || !(change.beforeMps > 0.0)) return transmits;
    for (std::size_t i = 0; i < transmits.size(); ++i)
        transmits[i] = sentIn(transmits[i], firingPlaces(acquisition, i), change);
    return transmits;
}

FrameSpec sentAt(const FrameSpec& input, const BeamformParams& params, double soundSpeedMps) {
    FrameSpec sent = input;
    if (params.transmitDelays == TransmitDelays::AsWritten ||
        transmitSpeedOf(*input.acquisition) == soundSpeedMps)
        return sent;
    auto acquisition = std::make_shared<Acquisition>(*input.acquisition);
    acquisition->transmits = sentTransmits(*input.acquisition, soundSpeedMps);
    acquisition->transmitSpeedMps = soundSpeedMps;
    sent.acquisition = std::move(acquisition);
    return sent;
}

} // namespace echolux::das
