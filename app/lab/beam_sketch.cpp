// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_sketch.hpp"

#include "gpu/beamform/beamform_shadow.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace echolux::lab {
namespace {

/// Half of an element's extent along the array, in m.
double halfWidthOf(const Probe& probe, std::size_t element) {
    const LongAxis along = probe.longAxes.empty() ? LongAxis::None : probe.longAxes[element];
    if (along == LongAxis::Lateral) return 0.5 * probe.elementHeightM;
    constexpr double kUsualPart = 0.9; // part of the pitch
    return 0.5 * (probe.elementWidthM > 0.0 ? probe.elementWidthM : kUsualPart * probe.pitchM);
}

std::vector<SketchedElement> facesOf(const BeamGeometry& geometry,
                                     const std::vector<float>& weights,
                                     const std::vector<bool>& fires) {
    const Probe& probe = geometry.acquisition().probe;
    const std::vector<Point> normals = faceNormals(probe);
    std::map<std::pair<long, long>, SketchedElement> faces; // by position, in whole um
    for (std::size_t e = 0; e < probe.elements.size(); ++e) {
        const PlanePoint at = inPlane(probe.elements[e]);
        const double half = halfWidthOf(probe, e);
        const PlanePoint along{half * normals[e].z, -half * normals[e].x};
        SketchedElement& face = faces[{std::lround(at.x * 1e6), std::lround(at.z * 1e6)}];
        face.face = {at - along, at + along};
        face.weight = std::max(face.weight, weights.empty() ? 0.0F : weights[e]);
        face.fires = face.fires || (!fires.empty() && fires[e]);
    }
    std::vector<SketchedElement> drawn;
    for (const auto& [place, face] : faces) drawn.push_back(face);
    return drawn;
}

std::vector<bool> firingIn(const BeamGeometry& geometry, std::int64_t transmit) {
    std::vector<bool> fires(geometry.acquisition().probe.elements.size(), false);
    const Transmit& t = geometry.acquisition().transmits[static_cast<std::size_t>(transmit)];
    const PlanePoint source = inPlane(t.source);
    for (const std::size_t e :
         das::firingElements(geometry.acquisition(), static_cast<std::size_t>(transmit))) {
        const PlanePoint place = inPlane(geometry.acquisition().probe.elements[e]);
        fires[e] = t.wave == Wave::Element ? lengthOf(place - source) < 1e-6 : t.wave != Wave::None;
    }
    return fires;
}

SketchedWave waveOf(const BeamGeometry& geometry, std::int64_t transmit, double reachM) {
    const Ray ray = geometry.rayOf(transmit);
    SketchedWave wave{transmit, {}, ray.source};
    if (ray.way != PlanePoint{}) wave.beam = {ray.from, ray.from + reachM * ray.way};
    return wave;
}

/// Lines from the ends of the firing elements along the wave. Beyond a focus they have changed
/// sides.
std::vector<PlaneLine> edgesOf(const std::vector<SketchedElement>& elements, const Ray& ray,
                               double reachM) {
    const auto first = std::ranges::find_if(elements, &SketchedElement::fires);
    if (first == elements.end() || ray.way == PlanePoint{}) return {};
    const auto last = std::find_if(elements.rbegin(), elements.rend(),
                                   [](const SketchedElement& each) { return each.fires; });
    const auto along = [&](const PlanePoint& from) {
        PlanePoint way = ray.way;
        if (ray.source) {
            const bool ahead = (*ray.source - ray.from).z > 0.0;
            way = ahead ? *ray.source - from : from - *ray.source;
        }
        const double length = lengthOf(way);
        return PlaneLine{from, from + (length > 0.0 ? reachM / length : 0.0) * way};
    };
    return {along(first->face.from), along(last->face.to)};
}

std::vector<PlaneLine> linesOf(const BeamGeometry& geometry, std::int64_t transmit, double reachM) {
    std::vector<PlaneLine> lines;
    for (const das::Beam& beam : geometry.model().beams) {
        if (beam.transmit != transmit || transmit < 0) continue;
        const PlanePoint start{beam.x, beam.z};
        lines.push_back({start, start + reachM * PlanePoint{beam.sine, beam.cosine}});
    }
    if (lines.size() == 1) lines.clear(); // it is the beam itself
    return lines;
}

void addAperture(BeamSketch& sketch, const PlanePoint& pixel, const std::vector<float>& weights) {
    const auto counts = [](const SketchedElement& each) { return each.weight > 0.0F; };
    const auto first = std::ranges::find_if(sketch.elements, counts);
    if (first == sketch.elements.end()) return;
    const auto last = std::find_if(sketch.elements.rbegin(), sketch.elements.rend(), counts);
    sketch.aperture = {first->face.from, pixel, last->face.to};
    sketch.counted = static_cast<std::size_t>(
        std::ranges::count_if(weights, [](float weight) { return weight > 0.0F; }));
}

} // namespace

BeamSketch sketchBeams(const BeamGeometry& geometry, const std::optional<PlanePoint>& pixel,
                       double reachM) {
    const std::int64_t nearest = pixel ? geometry.nearestTransmit(*pixel) : -1;
    std::vector<float> weights;
    if (pixel) weights = geometry.receiveWeights(*pixel, nearest);
    std::vector<bool> fires;
    if (nearest >= 0) fires = firingIn(geometry, nearest);
    BeamSketch sketch{.elements = facesOf(geometry, weights, fires)};
    const std::vector<std::int64_t> active = geometry.active();
    for (const std::int64_t transmit : active) {
        if (active.size() > BeamSketch::kFew && transmit != nearest) continue;
        sketch.waves.push_back(waveOf(geometry, transmit, reachM));
        sketch.waves.back().nearest = transmit == nearest;
    }
    if (nearest >= 0) {
        sketch.edges = edgesOf(sketch.elements, geometry.rayOf(nearest), reachM);
        sketch.lines = linesOf(geometry, nearest, reachM);
    }
    if (pixel) addAperture(sketch, *pixel, weights);
    return sketch;
}

} // namespace echolux::lab
