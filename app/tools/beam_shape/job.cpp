// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/beam_shape/job.hpp"

#include "app/lab/beam_map.hpp"
#include "app/lab/wave_picture.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace echolux {
namespace {

constexpr std::size_t kMeasuredPoints = 201;
constexpr std::size_t kWavePixels = 481;

double perUnit(bool overAngle) { return overAngle ? 180.0 / std::numbers::pi : 1e3; }
QString unitOf(bool overAngle) { return overAngle ? prettyUnit("deg") : QString("mm"); }

BeamShapeCurves::Curve curveOf(const lab::BeamPattern& pattern, double perUnit) {
    BeamShapeCurves::Curve curve{
        {pattern.levelDb.begin(), pattern.levelDb.end()}, pattern.width, pattern.sideLobeDb};
    if (curve.width) *curve.width *= perUnit;
    return curve;
}

QString beamText(const lab::BeamShape& shape) {
    const QString transmits = shape.nearestAlone     ? QString("the nearest transmit alone")
                              : shape.transmits == 1 ? QString("1 transmit")
                                                     : QString("%1 transmits").arg(shape.transmits);
    return QString("%1 mm deep, %2, %3 elements")
        .arg(numberText(shape.depthM * 1e3, 1), transmits)
        .arg(shape.elements);
}

MeasuredCurves measuredCurves(const BeamJob& job, const std::stop_token& stop) {
    const lab::BeamShape shape = lab::beamShape(*job.geometry, job.pixel);
    MeasuredCurves curves;
    if (shape.both.levelDb.empty()) return curves;
    const auto [first, last] = lab::measuredPart(shape);
    const lab::MeasuredBeam beam =
        lab::measuredBeam(*job.geometry, job.stage, job.pixel, shape, job.settings.bandwidth, first,
                          last, kMeasuredPoints, job.backend, stop);
    const double scale = perUnit(shape.overAngle);
    for (const double place : beam.across) curves.across.push_back(place * scale);
    if (beam.empty()) return curves;
    curves.curves[1] = curveOf(beam.heard, scale);
    curves.curves[2] = curveOf(beam.both, scale);
    return curves;
}

/// The position of a point on the width's axis and its range.
QPointF placeOf(const lab::BeamGeometry& geometry, const lab::PlanePoint& at) {
    const lab::BeamSection section = lab::sectionAt(geometry, at);
    return {section.pixelAt * perUnit(section.overAngle), section.depthM * 1e3};
}

std::vector<float> levelsOf(const lab::BeamMap& map, bool eachDepth) {
    const std::size_t columns = map.across.size();
    double most = *std::ranges::max_element(map.magnitude);
    std::vector<float> levels;
    levels.reserve(map.magnitude.size());
    for (std::size_t i = 0; i < map.magnitude.size(); ++i) {
        if (eachDepth && i % columns == 0) {
            const auto row = map.magnitude.begin() + static_cast<std::ptrdiff_t>(i);
            most = *std::max_element(row, row + static_cast<std::ptrdiff_t>(columns));
        }
        const double value = map.magnitude[i];
        const double db =
            value > 0.0 && most > 0.0 ? 20.0 * std::log10(value / most) : lab::BeamShape::kFloorDb;
        levels.push_back(static_cast<float>(std::max(db, lab::BeamShape::kFloorDb)));
    }
    return levels;
}

LabPicture pictureOf(const BeamJob& job, const lab::BeamMap& map,
                     const std::optional<lab::TransmitFocus>& focus, const QString& text) {
    LabPicture picture;
    if (map.empty()) return picture;
    const double scale = perUnit(map.overAngle);
    picture.text = text;
    picture.unit = unitOf(map.overAngle);
    picture.columns = static_cast<int>(map.across.size());
    picture.rows = static_cast<int>(map.depthsM.size());
    picture.from = map.across.front() * scale;
    picture.to = map.across.back() * scale;
    picture.depthFromMm = map.depthsM.front() * 1e3;
    picture.depthToMm = map.depthsM.back() * 1e3;
    picture.values = levelsOf(map, job.settings.eachDepth);
    for (std::size_t row = 0; row < map.lobe.size(); ++row) {
        if (!map.lobe[row]) continue;
        picture.lobes.push_back(
            {map.depthsM[row] * 1e3, map.lobe[row]->first * scale, map.lobe[row]->second * scale});
    }
    picture.pixel = placeOf(*job.geometry, job.pixel);
    if (focus) {
        const lab::BeamLine line = lab::lineThrough(*job.geometry, job.pixel);
        picture.focus = placeOf(*job.geometry, line.at(focus->rangeM));
    }
    return picture;
}

QString focusText(const lab::TransmitFocus& focus) {
    return QString("focus %1 mm, aperture %2 mm")
        .arg(numberText(focus.rangeM * 1e3, 1), numberText(focus.apertureM * 1e3, 1));
}

lab::TransmitFocus focusOf(const BeamJob& job, std::size_t number) {
    return {job.settings.fociMm[number] * 1e-3, job.settings.apertureMm * 1e-3};
}

constexpr lab::BeamMapSize kMeasuredMap{121, 24};

/// The map that the stage itself has, beside the closed form.
LabPicture measuredPicture(const BeamJob& job, const std::stop_token& stop) {
    const lab::BeamPart part =
        job.settings.mode == BeamMode::ReceiveMap ? lab::BeamPart::Heard : lab::BeamPart::Both;
    const lab::BeamMap map =
        lab::measuredMap(*job.geometry, job.stage, job.pixel, part, job.settings.bandwidth,
                         kMeasuredMap, job.backend, stop);
    return pictureOf(job, map, {}, "measured");
}

LabPicture mapPicture(const BeamJob& job, const std::stop_token& stop) {
    const BeamMode mode = job.settings.mode;
    const lab::BeamPart part = mode == BeamMode::TransmitMap  ? lab::BeamPart::Sent
                               : mode == BeamMode::ReceiveMap ? lab::BeamPart::Heard
                                                              : lab::BeamPart::Both;
    std::optional<lab::TransmitFocus> focus;
    if (mode == BeamMode::TransmitMap || (mode == BeamMode::TwoWayMap && !job.settings.recorded))
        focus = focusOf(job, 0);
    const lab::BeamMap map = lab::beamMap(*job.geometry, job.pixel, part, focus, {}, stop);
    const QString text = focus                          ? focusText(*focus)
                         : mode == BeamMode::ReceiveMap ? QString("focused at each depth")
                                                        : QString("recorded transmits");
    return pictureOf(job, map, focus, text);
}

void addFour(const BeamJob& job, const std::stop_token& stop, BeamResult& result) {
    constexpr lab::BeamMapSize kSmall{121, 100};
    for (std::size_t i = 0; i < FociTable::kFoci && !stop.stop_requested(); ++i) {
        const lab::TransmitFocus focus = focusOf(job, i);
        const lab::BeamMap map =
            lab::beamMap(*job.geometry, job.pixel, lab::BeamPart::Sent, focus, kSmall, stop);
        result.pictures.push_back(pictureOf(
            job, map, focus, QString("%1 mm").arg(numberText(job.settings.fociMm[i], 1))));
        const lab::FocusNumbers numbers = lab::focusNumbers(*job.geometry, job.pixel, focus);
        FocusFigures& figures = result.figures[i];
        const double scale = perUnit(map.overAngle);
        figures.unit = unitOf(map.overAngle);
        if (numbers.widthAtFocus) figures.widthAtFocus = *numbers.widthAtFocus * scale;
        if (numbers.widthAtPixel) figures.widthAtPixel = *numbers.widthAtPixel * scale;
        if (numbers.nearM) figures.nearMm = *numbers.nearM * 1e3;
        if (numbers.farM) figures.farMm = *numbers.farM * 1e3;
    }
}

LabPicture wavesPicture(const BeamJob& job, const std::stop_token& stop) {
    const BeamShapePanel::Settings& now = job.settings;
    const lab::WavePicture waves =
        lab::wavePicture(*job.geometry, job.pixel,
                         {now.elements, now.fociMm[0] * 1e-3, now.delayed}, kWavePixels, stop);
    LabPicture picture;
    if (waves.empty()) return picture;
    picture.kind = now.amplitude ? LabPicture::Kind::Decibels : LabPicture::Kind::Waves;
    picture.text = QString("%1 elements, wavelength %2 mm")
                       .arg(waves.senders.size())
                       .arg(numberText(waves.wavelengthM * 1e3, 2));
    picture.unit = "mm";
    picture.columns = static_cast<int>(waves.lateralM.size());
    picture.rows = static_cast<int>(waves.depthM.size());
    picture.from = waves.lateralM.front() * 1e3;
    picture.to = waves.lateralM.back() * 1e3;
    picture.depthFromMm = waves.depthM.front() * 1e3;
    picture.depthToMm = waves.depthM.back() * 1e3;
    const auto full = static_cast<float>(waves.senders.size());
    const auto turn = std::complex<float>(std::polar(1.0, -now.phaseRad));
    for (const std::complex<float>& value : waves.field) {
        const float amplitude = std::abs(value) / full;
        picture.values.push_back(!now.amplitude ? (value * turn).real() / full
                                 : amplitude > 1e-4F
                                     ? 20.0F * std::log10(amplitude)
                                     : static_cast<float>(lab::BeamShape::kFloorDb));
    }
    for (const lab::PlanePoint& sender : waves.senders)
        picture.senders.push_back({sender.x * 1e3, sender.z * 1e3});
    if (now.delayed) picture.focus = QPointF{waves.focus.x * 1e3, waves.focus.z * 1e3};
    return picture;
}

} // namespace

bool needsJob(const BeamShapePanel::Settings& settings) {
    return settings.mode != BeamMode::Across || settings.measure;
}

BeamResult computed(const BeamJob& job, const std::stop_token& stop) {
    BeamResult result;
    try {
        chooseBackend(nameOf(job.backend), job.gpu); // for this thread
        switch (job.settings.mode) {
        case BeamMode::Across: result.measured = measuredCurves(job, stop); break;
        case BeamMode::FourFoci: addFour(job, stop, result); break;
        case BeamMode::Waves: result.pictures = {wavesPicture(job, stop)}; break;
        default:
            result.pictures = {mapPicture(job, stop)};
            if (job.settings.measuresMap()) {
                result.pictures.front().text = "closed form";
                result.pictures.push_back(measuredPicture(job, stop));
            }
            break;
        }
    } catch (const Error& error) {
        result.problem = error.what();
    }
    result.stopped = stop.stop_requested();
    return result;
}

BeamShapeCurves toCurves(const lab::BeamShape& shape) {
    BeamShapeCurves curves;
    if (shape.both.levelDb.empty()) return curves;
    const double scale = perUnit(shape.overAngle);
    curves.unit = unitOf(shape.overAngle);
    curves.text = beamText(shape);
    for (const double place : shape.across) curves.across.push_back(place * scale);
    curves.pixelAt = shape.pixelAt * scale;
    curves.curves = {curveOf(shape.sent, scale), curveOf(shape.heard, scale),
                     curveOf(shape.both, scale)};
    return curves;
}

} // namespace echolux
