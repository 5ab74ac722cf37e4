// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_map.hpp"

#include "app/lab/beam_field.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace echolux::lab {
namespace {

/// The magnitudes of one row, focused on its middle.
std::vector<double> rowOf(const BeamGeometry& geometry, const PlanePoint& middle,
                          const std::vector<PlanePoint>& points, BeamPart part,
                          const std::vector<double>* weights, const PlanePoint& focus,
                          std::int64_t mostTerms) {
    if (weights == nullptr) {
        const PixelFields fields = fieldsAt(geometry, middle, points, mostTerms);
        return magnitudeOf(part == BeamPart::Sent    ? fields.sent
                           : part == BeamPart::Heard ? fields.heard
                                                     : fields.both);
    }
    const BeamField beam(geometry, middle, points);
    if (part == BeamPart::Sent) return magnitudeOf(beam.focused(*weights, focus));
    const std::vector<float> heardBy =
        geometry.receiveWeights(middle, geometry.nearestTransmit(middle));
    std::vector<double> row = magnitudeOf(beam.heard(heardBy));
    if (part == BeamPart::Heard) return row;
    const std::vector<double> sent = magnitudeOf(beam.focused(*weights, focus));
    std::ranges::transform(row, sent, row.begin(), std::multiplies<>());
    return row;
}

std::optional<std::pair<double, double>> lobeOf(const std::vector<double>& magnitude,
                                                const std::vector<double>& across) {
    if (!(*std::ranges::max_element(magnitude) > 0.0)) return std::nullopt;
    const BeamPattern pattern = measured(inDecibels(magnitude, BeamShape::kFloorDb), across);
    if (!pattern.width) return std::nullopt;
    return std::pair(pattern.from, pattern.to);
}

/// The width of the focused beam at one range, and its unit is that of the section.
std::optional<double> widthAt(const BeamGeometry& geometry, const BeamLine& line, double rangeM,
                              const std::vector<double>& weights, const PlanePoint& focus) {
    constexpr std::size_t kPoints = 801;
    const PlanePoint middle = line.at(rangeM);
    const BeamSection section = sectionAt(geometry, middle);
    const std::vector<double> across = BeamSection::evenly(section.first, section.last, kPoints);
    std::vector<PlanePoint> points;
    for (const double position : across) points.push_back(section.at(position));
    const std::vector<double> magnitude =
        magnitudeOf(BeamField(geometry, middle, points).focused(weights, focus));
    const auto lobe = lobeOf(magnitude, across);
    return lobe ? std::optional(lobe->second - lobe->first) : std::nullopt;
}

} // namespace

std::vector<double> focusWeights(const BeamGeometry& geometry, const BeamLine& line,
                                 const TransmitFocus& focus) {
    const das::Constants k = geometry.model().onHost();
    const double half = 0.5 * focus.apertureM;
    std::vector<double> weights;
    for (const das::Element& element : geometry.model().elements) {
        const double apart = lengthOf(PlanePoint{element.x, element.z} - line.from);
        weights.push_back(das::aperture(k, static_cast<float>(apart), static_cast<float>(half)));
    }
    return weights;
}

bool BeamMap::isDark() const {
    return std::ranges::none_of(magnitude, [](double value) { return value > 0.0; });
}

void BeamMap::setRow(std::size_t row, const std::vector<double>& values) {
    lobe[row] = lobeOf(values, across);
    std::ranges::copy(values, magnitude.begin() + static_cast<std::ptrdiff_t>(row * across.size()));
}

BeamMap emptyMap(const BeamGeometry& geometry, PlanePoint pixel, const BeamMapSize& size) {
    const BeamLine line = lineThrough(geometry, pixel);
    const BeamSection whole = sectionAt(geometry, pixel);
    BeamMap map{.overAngle = whole.overAngle,
                .across = BeamSection::evenly(whole.first, whole.last, size.columns),
                .depthsM = BeamSection::evenly(line.firstM, line.lastM, size.rows)};
    map.magnitude.resize(size.columns * size.rows);
    map.lobe.resize(size.rows);
    return map;
}

BeamMap beamMap(const BeamGeometry& geometry, PlanePoint pixel, BeamPart part,
                const std::optional<TransmitFocus>& focus, const BeamMapSize& size,
                const std::stop_token& stop) {
    const BeamLine line = lineThrough(geometry, pixel);
    BeamMap map = emptyMap(geometry, pixel, size);
    const std::vector<double> weights =
        focus ? focusWeights(geometry, line, *focus) : std::vector<double>();
    const PlanePoint focalPoint = focus ? line.at(focus->rangeM) : PlanePoint{};
    const std::int64_t mostTerms =
        BeamShape::kMostTerms / static_cast<std::int64_t>(size.rows) * 10;
    oneapi::tbb::parallel_for(std::size_t{0}, size.rows, [&](std::size_t row) {
        if (stop.stop_requested()) return;
        const PlanePoint middle = line.at(map.depthsM[row]);
        const BeamSection section = sectionAt(geometry, middle);
        std::vector<PlanePoint> points;
        for (const double position : map.across) points.push_back(section.at(position));
        const std::vector<double> magnitude = rowOf(
            geometry, middle, points, part, focus ? &weights : nullptr, focalPoint, mostTerms);
        if (!magnitude.empty()) map.setRow(row, magnitude);
    });
    return stop.stop_requested() || map.isDark() ? BeamMap{} : map;
}

FocusNumbers focusNumbers(const BeamGeometry& geometry, PlanePoint pixel,
                          const TransmitFocus& focus) {
    constexpr std::size_t kRanges = 1001;
    const BeamLine line = lineThrough(geometry, pixel);
    const std::vector<double> weights = focusWeights(geometry, line, focus);
    const PlanePoint focalPoint = line.at(focus.rangeM);
    FocusNumbers numbers{.elements = static_cast<std::size_t>(
                             std::ranges::count_if(weights, [](double w) { return w > 0.0; }))};
    if (numbers.elements == 0) return numbers;
    numbers.widthAtFocus = widthAt(geometry, line, focus.rangeM, weights, focalPoint);
    const double pixelRange =
        (pixel.x - line.from.x) * line.way.x + (pixel.z - line.from.z) * line.way.z;
    numbers.widthAtPixel = widthAt(geometry, line, pixelRange, weights, focalPoint);
    const std::vector<double> ranges = BeamSection::evenly(line.firstM, line.lastM, kRanges);
    std::vector<PlanePoint> points;
    for (const double range : ranges) points.push_back(line.at(range));
    const std::vector<double> axial = inDecibels(
        magnitudeOf(BeamField(geometry, focalPoint, points).focused(weights, focalPoint)),
        BeamShape::kFloorDb);
    const BeamPattern along = measured(axial, ranges);
    if (along.width) {
        numbers.nearM = along.from;
        numbers.farM = along.to;
    }
    return numbers;
}

double arrayLength(const BeamGeometry& geometry) {
    const Probe& probe = geometry.acquisition().probe;
    const PlanePoint first = inPlane(probe.elements.front());
    const PlanePoint last = inPlane(probe.elements.back());
    return lengthOf(last - first) + probe.pitchM;
}

double usualAperture(const BeamGeometry& geometry) {
    constexpr double kDocumentM = 10e-3;
    return std::min(kDocumentM, arrayLength(geometry));
}

std::vector<double> usualFoci(const BeamGeometry& geometry, PlanePoint pixel) {
    const BeamLine line = lineThrough(geometry, pixel);
    std::vector<double> foci;
    for (const double part : {0.2, 0.4, 0.6, 0.8}) {
        const double range = line.firstM + part * (line.lastM - line.firstM);
        foci.push_back(std::max(1.0, std::round(1e3 * range)) * 1e-3);
    }
    return foci;
}

} // namespace echolux::lab
