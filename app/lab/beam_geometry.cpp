// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_geometry.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_sent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux::lab {
namespace {

PlanePoint unit(const PlanePoint& a) {
    const double length = lengthOf(a);
    return length > 0.0 ? 1.0 / length * a : PlanePoint{0.0, 1.0};
}

double distanceFrom(const Ray& ray, const PlanePoint& pixel) {
    const PlanePoint to = pixel - ray.from;
    if (ray.way == PlanePoint{}) return lengthOf(to);
    return std::abs(to.x * ray.way.z - to.z * ray.way.x);
}

} // namespace

PlanePoint operator+(const PlanePoint& a, const PlanePoint& b) { return {a.x + b.x, a.z + b.z}; }
PlanePoint operator-(const PlanePoint& a, const PlanePoint& b) { return {a.x - b.x, a.z - b.z}; }
PlanePoint operator*(double factor, const PlanePoint& a) { return {factor * a.x, factor * a.z}; }
double lengthOf(const PlanePoint& a) { return std::hypot(a.x, a.z); }
PlanePoint inPlane(const Point& p) { return {p.x, p.z}; }

BeamGeometry::BeamGeometry(const FrameSpec& input, const BeamformParams& params)
    : m_input(oneFrameOf(input)), m_params(params),
      m_sent(das::sentAt(m_input, params, params.soundSpeedMps)),
      m_model(das::makeModel(m_input, params)) {}

std::optional<BeamGeometry> beamGeometry(const FrameSpec& input, const Params& params) {
    if (!params.table().isOf<BeamformParams>()) return std::nullopt;
    return BeamGeometry(input, params.as<BeamformParams>());
}

std::optional<std::size_t> BeamGeometry::lineOf(PlanePoint pixel) const {
    if (m_model.beams.empty()) return std::nullopt;
    const auto x = static_cast<float>(pixel.x);
    const auto z = static_cast<float>(pixel.z);
    const auto aside = [&](const das::Beam& b) {
        return std::fabs((x - b.x) * b.cosine - (z - b.z) * b.sine);
    };
    return static_cast<std::size_t>(std::ranges::min_element(m_model.beams, {}, aside) -
                                    m_model.beams.begin());
}

das::Place BeamGeometry::placeOf(PlanePoint pixel) const {
    const auto x = static_cast<float>(pixel.x);
    const auto z = static_cast<float>(pixel.z);
    const auto line = lineOf(pixel);
    if (!line) return {x, 0.0F, z};
    const das::Beam& beam = m_model.beams[*line];
    const float range = (x - beam.x) * beam.sine + (z - beam.z) * beam.cosine;
    return {beam.x + range * beam.sine,
            0.0F,
            beam.z + range * beam.cosine,
            range,
            beam.x,
            beam.transmit,
            beam.ahead};
}

Ray BeamGeometry::rayOf(std::int64_t transmit) const {
    const Transmit& t = acquisition().transmits[static_cast<std::size_t>(transmit)];
    const PlanePoint origin = inPlane(das::beamOrigin(acquisition(), t));
    const PlanePoint source = inPlane(t.source);
    switch (t.wave) {
    case Wave::Plane: return {origin, unit(inPlane(direction(t, acquisition().steering))), {}};
    case Wave::Diverging: return {origin, unit(origin - source), source};
    case Wave::Focused: return {origin, unit(source - origin), source};
    case Wave::Element: break;
    case Wave::None: return {origin, {}, {}};
    }
    return {source, {}, source};
}

std::vector<std::int64_t> BeamGeometry::active() const {
    std::vector<std::int64_t> numbers;
    for (const das::TransmitConstants& t : m_model.transmits) numbers.push_back(t.line);
    return numbers;
}

std::int64_t BeamGeometry::nearestTransmit(PlanePoint pixel) const {
    const std::int32_t own = placeOf(pixel).transmit;
    std::int64_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const std::int64_t number : active()) {
        if (number == own) return number;
        const double apart = distanceFrom(rayOf(number), pixel);
        if (apart >= least) continue;
        least = apart;
        nearest = number;
    }
    return own >= 0 ? -1 : nearest;
}

std::vector<float> BeamGeometry::receiveWeights(PlanePoint pixel, std::int64_t transmit) const {
    const das::Constants k = m_model.onHost();
    const das::Place place = placeOf(pixel);
    std::vector<float> weights(static_cast<std::size_t>(k.elements), 0.0F);
    for (int e = 0; e < k.elements; ++e) {
        float heard = 1.0F;
        if (transmit >= 0) {
            const auto record = das::recordOf(k, static_cast<std::int32_t>(transmit), e);
            heard = record < 0 ? 0.0F : das::recordWeight(k, record, place);
        } else if (k.rangeWeight != nullptr && k.channelOf == nullptr) {
            heard = das::rangeWeight(k, e, place);
        }
        weights[static_cast<std::size_t>(e)] = heard * das::apodization(k, e, place);
    }
    return weights;
}

} // namespace echolux::lab
