// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_model.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_reading.hpp"
#include "gpu/beamform/beamform_sent.hpp"
#include "gpu/beamform/beamform_shadow.hpp"
#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace echolux::das {
namespace {

/// Elevation does not count where all elements have the same elevation.
Point flattened(Point p, bool flat) {
    if (flat) p.y = 0.0;
    return p;
}

void setWave(TransmitConstants& k, const Acquisition& acquisition, const Transmit& t, bool flat) {
    const Point source = flattened(t.source, flat);
    const double range = distance(source, Point{});
    Point way = direction(t, acquisition.steering);
    if (t.wave != Wave::Plane) {
        way = range > 0.0 ? Point{source.x / range, source.y / range, source.z / range}
                          : Point{0.0, 0.0, 1.0};
    }
    if (t.wave == Wave::Focused) { // before and behind the focus are sides of its beam
        const Point origin = flattened(beamOrigin(acquisition, t), flat);
        const double length = distance(source, origin);
        if (length > 0.0)
            way = {(source.x - origin.x) / length, (source.y - origin.y) / length,
                   (source.z - origin.z) / length};
    }
    k.plane = t.wave == Wave::Plane;
    k.focused = t.wave == Wave::Focused;
    k.directionX = static_cast<float>(way.x);
    k.directionY = static_cast<float>(way.y);
    k.directionZ = static_cast<float>(way.z);
    k.sourceX = static_cast<float>(source.x);
    k.sourceY = static_cast<float>(source.y);
    k.sourceZ = static_cast<float>(source.z);
    if (t.wave == Wave::Diverging) k.pathOffset = static_cast<float>(-range);
    if (t.wave == Wave::Focused) k.pathOffset = static_cast<float>(range);
    k.beamPath = static_cast<float>(beamPath(acquisition, t));
}

TransmitConstants transmitConstants(const FrameSpec& input, const BeamformParams& params,
                                    std::size_t line) {
    const Acquisition& acquisition = *input.acquisition;
    const Transmit& t = acquisition.transmits[line];
    const double fs = input.samplingFrequencyHz();
    const double fd = input.demodulationFrequencyHz;
    TransmitConstants k;
    if (params.travelTime == TravelTime::Back || t.wave == Wave::None) {
        k.directionZ = 0.0F; // a plane wave that is everywhere at once
    } else {
        setWave(k, acquisition, t, isInOnePlane(acquisition.probe));
    }
    const LongAxis axis = longAxisOf(acquisition.probe, firingElements(acquisition, line));
    k.countsX = axis == LongAxis::Lateral ? 0.0F : 1.0F;
    k.countsY = axis == LongAxis::Elevation ? 0.0F : 1.0F;
    k.indexOffset = static_cast<float>((params.t0OffsetS - t.firstSampleS) * fs);
    const double cycles = fd * (t.firstSampleS - t.iqPhaseZeroS);
    k.phaseCycles = static_cast<float>(cycles - std::floor(cycles));
    k.line = static_cast<std::int32_t>(line);
    return k;
}

/// Half the length of the array, slightly enlarged, so that rounding does not lose its last
/// element.
float halfOf(double first, double last) {
    return static_cast<float>(0.5 * (last - first) * (1.0 + 5e-7));
}

void setAperture(Constants& constants, const Probe& probe, const BeamformParams& params) {
    const auto [first, last] = std::ranges::minmax(probe.elements, {}, &Point::x);
    constants.apertureSlope =
        params.fNumber > 0.0 ? static_cast<float>(0.5 / params.fNumber) : 0.0F;
    constants.arrayCentre = static_cast<float>(0.5 * (first.x + last.x));
    constants.arrayHalfWidth = halfOf(first.x, last.x);
    if (!isInOnePlane(probe)) {
        const auto [front, back] = std::ranges::minmax(probe.elements, {}, &Point::y);
        constants.arrayCentreY = static_cast<float>(0.5 * (front.y + back.y));
        constants.arrayHalfHeight = halfOf(front.y, back.y);
    }
    constants.window = params.window;
    constants.tukeyAlpha = static_cast<float>(params.tukeyAlpha);
}

Element toElement(const Point& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

std::vector<Element> toElements(const Probe& probe) {
    std::vector<Element> elements;
    const bool flat = isInOnePlane(probe);
    for (const Point& p : probe.elements) elements.push_back(toElement(flattened(p, flat)));
    return elements;
}

/// Empty where all elements are points that look down.
std::vector<Face> toFaces(const Probe& probe) {
    const std::vector<Point> normals = faceNormals(probe);
    const Point down{0.0, 0.0, 1.0};
    if (!hasLongElements(probe) &&
        std::ranges::all_of(normals, [&](const Point& n) { return n == down; }))
        return {};
    std::vector<Face> faces;
    for (std::size_t i = 0; i < normals.size(); ++i) {
        const LongAxis axis = probe.longAxes.empty() ? LongAxis::None : probe.longAxes[i];
        faces.push_back({static_cast<float>(normals[i].x), static_cast<float>(normals[i].y),
                         static_cast<float>(normals[i].z), axis == LongAxis::Lateral ? 0.0F : 1.0F,
                         axis == LongAxis::Elevation ? 0.0F : 1.0F});
    }
    return faces;
}

/// Constants::channelOf; empty where channel i is element i.
std::vector<std::int32_t> channelsOfElements(const Acquisition& acquisition) {
    if (acquisition.receiveElements.empty()) return {};
    const std::size_t elements = acquisition.probe.elements.size();
    const std::size_t transmits = acquisition.transmits.size();
    const std::size_t channels = acquisition.receiveElements.size() / transmits;
    std::vector<std::int32_t> channelOf(transmits * elements, -1);
    for (std::size_t i = 0; i < acquisition.receiveElements.size(); ++i) {
        const std::int32_t e = acquisition.receiveElements[i];
        if (e >= 0) {
            channelOf[i / channels * elements + static_cast<std::size_t>(e)] =
                static_cast<std::int32_t>(i % channels);
        }
    }
    return channelOf;
}

void setRangeWeights(Constants& constants, const RangeWeights& weights) {
    if (weights.values.empty()) return;
    constants.rangeSteps =
        static_cast<std::int32_t>(std::ssize(weights.values) / constants.channels);
    constants.rangeFirst = static_cast<float>(weights.firstM);
    constants.rangeStepsPerMetre = static_cast<float>(1.0 / weights.stepM);
}

Grid toGrid(const FrameSpec& image) {
    const Axis& depth = *image.find(AxisName::Depth);
    const Axis& lateral = *image.find(AxisName::Lateral);
    Grid grid{static_cast<std::int32_t>(lateral.size), static_cast<std::int32_t>(depth.size),
              static_cast<float>(lateral.origin),      static_cast<float>(lateral.spacing),
              static_cast<float>(depth.origin),        static_cast<float>(depth.spacing)};
    if (const Axis* elevation = image.find(AxisName::Elevation)) {
        grid.elevation = static_cast<std::int32_t>(elevation->size);
        grid.y0 = static_cast<float>(elevation->origin);
        grid.dy = static_cast<float>(elevation->spacing);
    }
    return grid;
}

/// Adds the shadow of the transmit that was added last.
void addShadow(Model& model, const Acquisition& acquisition, std::size_t line, double lambda) {
    const Shadow shadow = shadowOf(acquisition, line, lambda);
    model.transmits.back().flat = static_cast<float>(flatWithin(acquisition, line, shadow));
    model.shadows.push_back(shadow);
}

} // namespace

Constants Model::onHost() const {
    Constants k = constants;
    const auto orNull = [](const auto& values) { return values.empty() ? nullptr : values.data(); };
    k.element = elements.data();
    k.face = orNull(faces);
    k.transmit = transmits.data();
    takeShadows(k, orNull(shadows));
    k.grid.beam = orNull(beams);
    k.blended = orNull(blended);
    k.receiveWeight = orNull(receiveWeights);
    k.rangeWeight = orNull(rangeWeights);
    k.channelOf = orNull(channelOf);
    k.readTable = orNull(readTable);
    return k;
}

Model makeModel(const FrameSpec& recorded, const BeamformParams& params) {
    const FrameSpec input = sentAt(recorded, params, params.soundSpeedMps);
    const Acquisition& acquisition = *input.acquisition;
    const double fs = input.samplingFrequencyHz();
    const double lambda = wavelength(input, params.soundSpeedMps);
    Model model;
    model.elements = toElements(acquisition.probe);
    model.faces = toFaces(acquisition.probe);
    const std::int64_t transmits = std::ssize(acquisition.transmits);
    for (std::int64_t i = 0; i < transmits; ++i) {
        if (!params.transmits.isOn(i, transmits)) continue;
        const auto line = static_cast<std::size_t>(i);
        model.transmits.push_back(transmitConstants(input, params, line));
        if (params.transmitAperture == TransmitAperture::Shadow)
            addShadow(model, acquisition, line, lambda);
    }
    BeamLines lines = beamLines(recorded, params);
    const FrameSpec image = imageSpec(recorded, params, lines);
    if (params.grid == PixelGrid::Beams) {
        takeBeams(lines, input, params);
        model.beams = std::move(lines.beams);
        model.blended = std::move(lines.blended);
        if (params.transmitAperture == TransmitAperture::OwnLines)
            model.linesTogether = static_cast<int>(params.linesPerTransmit);
    }
    model.receiveWeights = acquisition.receiveWeights;
    model.rangeWeights = acquisition.rangeWeights.values;
    model.channelOf = channelsOfElements(acquisition);

    model.readTable = readTable(input, params);

    Constants& k = model.constants;
    static_cast<LineReading&>(k) = lineReading(params);
    k.grid = toGrid(image);
    k.transmitsInFrame = static_cast<std::int32_t>(acquisition.transmits.size());
    k.transmits = static_cast<std::int32_t>(model.transmits.size());
    k.elements = static_cast<std::int32_t>(model.elements.size());
    k.channels = static_cast<std::int32_t>(input.sizeOf(AxisName::Channel));
    k.samples = static_cast<std::int32_t>(input.sizeOf(AxisName::Sample));
    const double ways = params.travelTime == TravelTime::Back ? 2.0 : 1.0;
    k.indexPerMetre = static_cast<float>(ways * fs / params.soundSpeedMps);
    k.cyclesPerSample = static_cast<float>(input.demodulationFrequencyHz / fs);
    k.incoherent = params.compounding == Compounding::Incoherent;
    k.coherenceFactor = params.coherenceFactor;
    k.normalized = params.normalized;
    setAperture(k, acquisition.probe, params);
    k.beamAperture = k.apertureSlope > 0.0F && !model.beams.empty() && model.faces.empty();
    setRangeWeights(k, acquisition.rangeWeights);
    const auto isBeam = [](const Shadow& s) { return s.waistX.isBeam || s.waistY.isBeam; };
    if (std::ranges::any_of(model.shadows, isBeam)) k.beams = k.transmits;
    if (!model.blended.empty())
        k.blendedBeams = static_cast<std::int32_t>(model.blended.size() / model.beams.size());
    return model;
}

} // namespace echolux::das

namespace echolux {

std::vector<float> apodizationWeights(const Probe& probe, const BeamformParams& params,
                                      double lateralM, double depthM) {
    std::vector<float> weights;
    if (probe.elements.empty()) return weights;
    const std::vector<das::Element> elements = das::toElements(probe);
    const std::vector<das::Face> faces = das::toFaces(probe);
    das::Constants constants;
    das::setAperture(constants, probe, params);
    constants.element = elements.data();
    constants.face = faces.empty() ? nullptr : faces.data();
    const das::Place place{static_cast<float>(lateralM), 0.0F, static_cast<float>(depthM)};
    for (int e = 0; e < static_cast<int>(elements.size()); ++e)
        weights.push_back(das::apodization(constants, e, place));
    return weights;
}

} // namespace echolux
