// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sound_speed/speed_points.hpp"

#include "gpu/beamform/beamform_sent.hpp"
#include "gpu/beamform/beamform_shadow.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::sound_speed {
namespace {

constexpr double kStepAcross = 0.65; ///< wavelengths
constexpr double kStepDown = 0.375;
constexpr double kDeepest = 1.2;    ///< widths of the array; deeper echoes are hardly curved
constexpr double kShallowest = 0.4; ///< of the deepest: what a delay shifts grows towards the array
constexpr double kMostTried = 6e6;  ///< places, of which few are taken
constexpr double kInsideArrayM = 1e-3;   ///< from the array's ends
constexpr double kLinesInsideM = 1.5e-3; ///< the same; beyond, half of the elements are missing

Vector vectorOf(const Point& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}
double lengthOf(const Vector& a) { return std::sqrt(static_cast<double>(dot(a, a))); }

/// A line out of the array.
struct Ray {
    Point foot;
    Point normal;
};

struct Extent {
    Point low;
    Point high;
};
Extent extentOf(const std::vector<Point>& elements) {
    const auto along = [&](double Point::*c) { return std::ranges::minmax(elements, {}, c); };
    const auto [left, right] = along(&Point::x);
    const auto [back, front] = along(&Point::y);
    const auto [near, deep] = along(&Point::z);
    return {{left.x, back.y, near.z}, {right.x, front.y, deep.z}};
}

/// Of the elements that fire.
Extent firingExtent(const Acquisition& acquisition, std::size_t transmit) {
    std::vector<Point> places;
    for (const std::size_t element : das::firingElements(acquisition, transmit))
        places.push_back(acquisition.probe.elements[element]);
    return extentOf(places.empty() ? acquisition.probe.elements : places);
}

std::vector<Ray> flatRays(const Extent& extent, double step) {
    const double y = 0.5 * (extent.low.y + extent.high.y);
    std::vector<Ray> rays;
    for (double x = extent.low.x + kLinesInsideM; x <= extent.high.x - kLinesInsideM; x += step)
        rays.push_back({{x, y, extent.low.z}, {0.0, 0.0, 1.0}});
    return rays;
}

Ray between(const Ray& a, const Ray& b, double part) {
    const auto mix = [part](const Point& p, const Point& q) {
        return Point{std::lerp(p.x, q.x, part), std::lerp(p.y, q.y, part),
                     std::lerp(p.z, q.z, part)};
    };
    Ray ray{mix(a.foot, b.foot), mix(a.normal, b.normal)};
    const double length = norm(ray.normal);
    ray.normal = {ray.normal.x / length, ray.normal.y / length, ray.normal.z / length};
    return ray;
}

std::vector<Ray> bentRays(const Probe& probe, double step) {
    const std::vector<Point> normals = faceNormals(probe);
    std::vector<Ray> rays;
    for (std::size_t i = 0; i + 1 < probe.elements.size(); ++i) {
        const Ray a{probe.elements[i], normals[i]};
        const Ray b{probe.elements[i + 1], normals[i + 1]};
        const int count =
            std::max(1, static_cast<int>(std::lround(distance(a.foot, b.foot) / step)));
        for (int k = 0; k < count; ++k) rays.push_back(between(a, b, double(k) / count));
    }
    return rays;
}

std::vector<Ray> raysOf(const Probe& probe, double step) {
    const Extent extent = extentOf(probe.elements);
    const bool isLong =
        std::ranges::any_of(probe.longAxes, [](LongAxis axis) { return axis != LongAxis::None; });
    constexpr double kSame = 1e-9;
    if (!isLong && extent.high.z - extent.low.z <= kSame) return flatRays(extent, step);
    if (isLong || extent.high.y - extent.low.y > kSame)
        throw Error("The speed of sound is estimated from arrays that are flat or a line in one "
                    "plane, and this one is neither.");
    return bentRays(probe, step);
}

/// Whether a wave that left the array between its ends comes to a place.
struct Insonified {
    Extent extent;

    bool operator()(const WaveAt& wave, const Place& place) const {
        const float range = wave.rangeOf(place);
        if (!(range > 0.0F)) return false;
        const Vector at = place.foot + range * place.normal;
        const Vector way = wave.isPlane ? wave.way : at - wave.way;
        if (!(way.z > 0.0F)) return false;
        const float back = at.z / way.z; // to the plane z = 0
        const double x = static_cast<double>(at.x - back * way.x);
        return x >= extent.low.x + kInsideArrayM && x <= extent.high.x - kInsideArrayM;
    }
};

/// Along a line: first, last and step, in metres at the recorded speed.
struct Depths {
    double first;
    double last;
    double step;
};

Depths depthsOf(const FrameSpec& channels, const Extent& extent, double step,
                const std::optional<Region>& region) {
    const Acquisition& acquisition = *channels.acquisition;
    const double c = acquisition.soundSpeedMps;
    double latest = 0.0;
    for (const Transmit& t : acquisition.transmits) latest = std::max(latest, t.firstSampleS);
    latest +=
        static_cast<double>(channels.sizeOf(AxisName::Sample) - 1) / channels.samplingFrequencyHz();
    const double width = std::hypot(extent.high.x - extent.low.x, extent.high.z - extent.low.z);
    const double last = std::min(0.5 * c * latest, kDeepest * width);
    if (!region) return {kShallowest * last, last, step};
    return {std::max(region->topM - extent.high.z, 0.0),
            std::min(region->bottomM - extent.low.z, 0.5 * c * latest), step};
}

/// By what steps of a wavelength grow, so that no more than kMostTried places are tried.
double growthOf(const Extent& extent, const Depths& depths, double wavelength, double transmits) {
    const double across = (extent.high.x - extent.low.x) / (kStepAcross * wavelength);
    const double down = (depths.last - depths.first) / depths.step;
    return std::sqrt(std::max(across * down * transmits / kMostTried, 1.0));
}

bool isIn(const Region& region, const Vector& at) {
    const auto x = static_cast<double>(at.x);
    const auto z = static_cast<double>(at.z);
    return x >= region.leftM && x <= region.rightM && z >= region.topM && z <= region.bottomM;
}

/// The time at which an echo from `range` along the line comes back.
double timeOf(const WaveAt& wave, const Ray& ray, double range) {
    const Vector at = vectorOf(ray.foot) + static_cast<float>(range) * vectorOf(ray.normal);
    const double sent = wave.isPlane
                            ? static_cast<double>(dot(wave.way, at))
                            : lengthOf(at - wave.way) - static_cast<double>(wave.sourceRangeM);
    return (sent + range) / static_cast<double>(wave.speedMps) -
           static_cast<double>(wave.firstSampleS);
}

/// Gives each place the number of its part of the region: four parts across, of each of five parts
/// down, with as many places each.
void setBlocks(std::vector<Place>& places) {
    const auto parts = [](auto begin, auto end, std::int32_t count, auto key, const auto& each) {
        std::ranges::stable_sort(begin, end, {}, key);
        const auto size = end - begin;
        for (std::int32_t i = 0; i < count; ++i)
            each(begin + size * i / count, begin + size * (i + 1) / count, i);
    };
    parts(places.begin(), places.end(), kBlocksDown, &Place::timeS,
          [&](auto top, auto bottom, std::int32_t down) {
              parts(
                  top, bottom, kBlocksAcross, [](const Place& p) { return p.foot.x; },
                  [&](auto left, auto right, std::int32_t across) {
                      for (auto place = left; place != right; ++place)
                          place->block = down * kBlocksAcross + across;
                  });
          });
}

} // namespace

std::vector<WaveAt> wavesAt(const Acquisition& acquisition, double speedMps, double delayS) {
    std::vector<WaveAt> waves;
    for (const Transmit& sent : das::sentTransmits(acquisition, speedMps)) {
        WaveAt wave{.way = {},
                    .sourceRangeM = 0.0F,
                    .firstSampleS = static_cast<float>(sent.firstSampleS - delayS),
                    .speedMps = static_cast<float>(speedMps),
                    .isPlane = sent.wave == Wave::Plane};
        if (wave.isPlane) {
            wave.way = vectorOf(direction(sent, acquisition.steering));
        } else if (sent.wave == Wave::Diverging) {
            wave.way = vectorOf(sent.source);
            wave.sourceRangeM = static_cast<float>(norm(sent.source));
        } else {
            throw Error("The speed of sound is estimated from plane and diverging waves.");
        }
        waves.push_back(wave);
    }
    return waves;
}

std::vector<Place> placesFor(const FrameSpec& channels, const Speeds& speeds,
                             const PlaceOptions& options) {
    const Acquisition& acquisition = *channels.acquisition;
    const double wavelength = acquisition.soundSpeedMps / channels.centreFrequencyHz;
    const Extent extent = extentOf(acquisition.probe.elements);
    Depths depths = depthsOf(channels, extent, kStepDown * wavelength, options.region);
    const double growth =
        growthOf(extent, depths, wavelength, static_cast<double>(acquisition.transmits.size()));
    depths.step *= growth;
    const std::vector<Ray> rays = raysOf(acquisition.probe, growth * kStepAcross * wavelength);
    const auto recorded = wavesAt(acquisition, acquisition.soundSpeedMps, options.delayS);
    const auto slow = wavesAt(acquisition, speeds.lowestMps, options.delayS);
    const auto fast = wavesAt(acquisition, speeds.highestMps, options.delayS);
    const double lastS =
        static_cast<double>(channels.sizeOf(AxisName::Sample) - 4) / channels.samplingFrequencyHz();
    std::vector<Place> places;
    for (std::size_t t = 0; t < recorded.size(); ++t) {
        const Insonified insonified{firingExtent(acquisition, t)};
        for (double range = depths.first; range <= depths.last; range += depths.step) {
            for (const Ray& ray : rays) {
                const double time = timeOf(recorded[t], ray, range);
                const Place place{vectorOf(ray.foot),
                                  vectorOf(ray.normal),
                                  static_cast<float>(0.5 * range / options.fNumber),
                                  static_cast<float>(time),
                                  static_cast<std::int32_t>(t),
                                  0};
                const Vector at = place.foot + static_cast<float>(range) * place.normal;
                if (time < 0.0 || time > lastS || (options.region && !isIn(*options.region, at)))
                    continue;
                if (insonified(slow[t], place) && insonified(fast[t], place))
                    places.push_back(place);
            }
        }
    }
    if (std::ssize(places) > options.most) { // evenly over all of them
        std::vector<Place> some;
        for (std::int64_t i = 0; i < options.most; ++i)
            some.push_back(places[static_cast<std::size_t>(i * std::ssize(places) / options.most)]);
        places = std::move(some);
    }
    setBlocks(places);
    return places;
}

} // namespace echolux::sound_speed
