// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_grid.hpp"

#include "gpu/beamform/beamform_among.hpp"
#include "gpu/beamform/beamform_blend.hpp"
#include "gpu/beamform/beamform_sent.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/wave_fit.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::das {
namespace {

constexpr double kUpright = 2e-3;   ///< rad; a line with a smaller angle points straight down
constexpr double kUneven = 0.05;    ///< part of a step that lateral places may lie off an even grid
constexpr double kSameAngle = 1e-9; ///< rad
constexpr double kOffApex = 0.1;    ///< wavelengths; a line that misses the apex by less meets it
constexpr double kStraight = 1e-4;  ///< bend of an array relative to its width; below: flat

struct Apex {
    double x = 0.0;
    double z = 0.0;
    double radius = 0.0;
};

/// Centre and radius of the arc through the ends and the middle of a curved array. The radius is
/// negative where the array is concave, so that its centre lies in front of it. For a flat array:
/// its middle, and radius 0.
Apex apexOf(const Probe& probe) {
    std::vector<Point> elements = probe.elements;
    std::ranges::sort(elements, {}, &Point::x);
    const Point& a = elements.front();
    const Point& b = elements[elements.size() / 2];
    const Point& c = elements.back();
    // The circle through three points, seen from b.
    const double ax = a.x - b.x;
    const double az = a.z - b.z;
    const double cx = c.x - b.x;
    const double cz = c.z - b.z;
    const double area = 2.0 * (ax * cz - az * cx);
    const double a2 = ax * ax + az * az;
    const double c2 = cx * cx + cz * cz;
    const bool curved = std::abs(area) > kStraight * std::max(a2, c2);
    if (!curved) return {0.5 * (a.x + c.x), a.z, 0.0};
    const double x = (a2 * cz - c2 * az) / area;
    const double z = (c2 * ax - a2 * cx) / area;
    return {b.x + x, b.z + z, std::copysign(std::hypot(x, z), -z)};
}

/// The middle of elements whose mean is `mean`, on the arc where the array is one. The mean of an
/// aperture of a curved array lies behind its face.
Point onFace(const Probe& probe, const Point& mean) {
    constexpr double kOffArc = 1e-3; // of the radius
    const Apex apex = apexOf(probe);
    const double radius = std::abs(apex.radius);
    const auto awayOf = [&](const Point& p) { return std::hypot(p.x - apex.x, p.z - apex.z); };
    const double away = awayOf(mean);
    const bool isArc = radius > 0.0 && std::ranges::all_of(probe.elements, [&](const Point& e) {
                           return std::abs(awayOf(e) - radius) <= kOffArc * radius;
                       });
    if (!isArc || away <= kOffArc * radius) return mean;
    return {apex.x + radius / away * (mean.x - apex.x), mean.y,
            apex.z + radius / away * (mean.z - apex.z)};
}

struct Line {
    Point start;
    double angle = 0.0;
    std::int32_t transmit = -1;
};

double beamAngle(const Transmit& t, const Point& origin) {
    switch (t.wave) {
    case Wave::Plane: return t.angleRad;
    case Wave::Diverging: return std::atan2(origin.x - t.source.x, origin.z - t.source.z);
    case Wave::Focused: return std::atan2(t.source.x - origin.x, t.source.z - origin.z);
    case Wave::Element:
    case Wave::None: return 0.0;
    }
    return 0.0;
}

std::vector<Line> transmitLines(const Acquisition& acquisition) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < acquisition.transmits.size(); ++i) {
        const Transmit& t = acquisition.transmits[i];
        const Point origin = beamOrigin(acquisition, t);
        lines.push_back({origin, beamAngle(t, origin), static_cast<std::int32_t>(i)});
    }
    return lines;
}

Beam toBeam(const Point& start, double angle, std::int32_t transmit) {
    return {static_cast<float>(start.x), static_cast<float>(start.z),
            static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(angle)), transmit};
}

Point onArc(const Apex& apex, double angle) {
    return {apex.x + apex.radius * std::sin(angle), 0.0, apex.z + apex.radius * std::cos(angle)};
}

std::vector<double> valuesOf(const std::vector<Line>& lines, double Point::*part) {
    std::vector<double> values;
    for (const Line& line : lines) values.push_back(line.start.*part);
    return values;
}

/// Whether the lines, from left to right, are columns of an image: upright, from z = 0, at even
/// distances.
bool areColumns(const std::vector<Line>& lines, double tolerance) {
    const double first = lines.front().start.x;
    const double step =
        (lines.back().start.x - first) / std::max(1.0, static_cast<double>(lines.size()) - 1.0);
    if (lines.size() > 1 && !(step > 0.0)) return false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        const double even = first + static_cast<double>(i) * step;
        if (!(std::abs(line.angle) < kUpright) || !(std::abs(line.start.z) < tolerance) ||
            !(std::abs(line.start.x - even) <= kUneven * step))
            return false;
    }
    return true;
}

BeamLines columns(const std::vector<Line>& lines, const BeamformParams& params) {
    const double step = (lines.back().start.x - lines.front().start.x) /
                        std::max(1.0, static_cast<double>(lines.size()) - 1.0);
    BeamLines result;
    for (const Among& among : linesAmong(lines.size(), params)) {
        Point start = lines[among.from].start;
        start.x += among.part * step;
        result.beams.push_back(toBeam(start, 0.0, lines[among.line].transmit));
    }
    return result;
}

/// True where every line starts on the arc round the apex (at the apex where the radius is 0) and
/// points straight away from the apex.
bool leave(const Apex& apex, const std::vector<Line>& lines, double tolerance) {
    return std::ranges::all_of(lines, [&](const Line& line) {
        const double dx = line.start.x - apex.x - apex.radius * std::sin(line.angle);
        const double dz = line.start.z - apex.z - apex.radius * std::cos(line.angle);
        return std::hypot(dx, dz) < tolerance;
    });
}

/// The apex that all lines leave: that of the array, else the apex of an arc round the array's
/// centre, else a common point. Empty where they leave none.
std::optional<Apex> apexOf(const std::vector<Line>& lines, const Apex& array, double tolerance) {
    if (leave(array, lines, tolerance)) return array;
    const Point& start = lines[lines.size() / 2].start;
    Apex own{start.x, start.z, 0.0};
    if (array.radius != 0.0) {
        const double away = std::hypot(start.x - array.x, start.z - array.z);
        own = {array.x, array.z, std::copysign(away, array.radius)};
    }
    return leave(own, lines, tolerance) ? std::optional(own) : std::nullopt;
}

BeamLines fannedLines(const std::vector<Line>& lines, const Apex& apex,
                      const BeamformParams& params) {
    std::vector<double> angles;
    for (const Line& line : lines) angles.push_back(line.angle);
    BeamLines result{.beams = {}, .sector = Sector{apex.x, apex.z, apex.radius, {}}};
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (angles[i] - angles[i - 1] < kSameAngle) {
            throw Error("beamform: two transmits send their beams in one direction, so that their "
                        "lines make no sector; set transmit_aperture to everywhere.");
        }
    }
    for (const Among& among : linesAmong(lines.size(), params)) {
        const double angle = among.of(angles);
        const Point start = apex.radius != 0.0 ? onArc(apex, angle) : lines[among.line].start;
        result.beams.push_back(toBeam(start, angle, lines[among.line].transmit));
        result.sector->anglesRad.push_back(angle);
    }
    return result;
}

/// Makes beams of lines that have a start and an angle of their own. Sorts them from left to right
/// in the middle of their ranges.
BeamLines ownLines(std::vector<Line>& lines, const BeamformParams& params) {
    const double middle = 0.5 * (params.depthMinM + params.depthMaxM);
    std::ranges::sort(
        lines, {}, [&](const Line& line) { return line.start.x + middle * std::sin(line.angle); });
    const std::vector<double> x = valuesOf(lines, &Point::x);
    const std::vector<double> z = valuesOf(lines, &Point::z);
    std::vector<double> angles;
    for (const Line& line : lines) angles.push_back(line.angle);
    BeamLines result{.beams = {}, .sector = Sector{}};
    for (const Among& among : linesAmong(lines.size(), params)) {
        const Point start{among.of(x), 0.0, among.of(z)};
        const double angle = among.of(angles);
        result.beams.push_back(toBeam(start, angle, lines[among.line].transmit));
        result.sector->starts.push_back(start);
        result.sector->anglesRad.push_back(angle);
    }
    if (!linesKeepOrder(*result.sector, params.depthMinM, params.depthMaxM)) {
        throw Error("beamform: the transmits' beams meet or cross each other, so that their lines "
                    "make no image; set grid to image and transmit_aperture to everywhere or "
                    "shadow.");
    }
    return result;
}

BeamLines evenFan(const Apex& apex, const BeamformParams& params) {
    BeamLines result{.beams = {}, .sector = Sector{apex.x, apex.z, apex.radius, {}}};
    const double gaps = std::max(1.0, static_cast<double>(params.lines) - 1.0);
    for (std::int64_t i = 0; i < params.lines; ++i) {
        const double along = static_cast<double>(i) / gaps;
        const double angle = params.angleMinRad + along * (params.angleMaxRad - params.angleMinRad);
        result.beams.push_back(toBeam(onArc(apex, angle), angle, -1));
        result.sector->anglesRad.push_back(angle);
    }
    return result;
}

Axis evenAxis(AxisName name, std::int64_t size, double first, double last, const char* unit) {
    const double gaps = std::max(1.0, static_cast<double>(size) - 1.0);
    return {name, size, size > 1 ? (last - first) / gaps : 1.0, first, unit};
}

Axis acrossAxis(const BeamLines& lines) {
    if (lines.sector) return lateralAxisOf(*lines.sector);
    return evenAxis(AxisName::Lateral, std::ssize(lines.beams), lines.beams.front().x,
                    lines.beams.back().x, "m");
}

Axis lengthAxis(AxisName name, double min, double max, double pixel) {
    return {name, pixelCount(min, max, pixel), pixel, min, "m"};
}

} // namespace

bool isInOnePlane(const Probe& probe) {
    return std::ranges::all_of(probe.elements, [&](const Point& p) {
        return std::abs(p.y - probe.elements.front().y) < 1e-9;
    });
}

bool hasLongElements(const Probe& probe) {
    return std::ranges::any_of(probe.longAxes,
                               [](LongAxis axis) { return axis != LongAxis::None; });
}

Point beamOrigin(const Acquisition& acquisition, const Transmit& transmit) {
    if (transmit.origin != Point{} || transmit.apodization.empty()) return transmit.origin;
    const auto& elements = acquisition.probe.elements;
    std::vector<wave_fit::Firing> firing;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (transmit.apodization[i] != 0.0F) firing.push_back({elements[i]});
    if (firing.empty()) return {};
    const Point mean = wave_fit::centreOf(firing).element;
    return isInOnePlane(acquisition.probe) ? onFace(acquisition.probe, mean) : mean;
}

double beamPath(const Acquisition& acquisition, const Transmit& transmit) {
    // Elevation does not count where all elements have the same elevation.
    const double countsY = isInOnePlane(acquisition.probe) ? 0.0 : 1.0;
    const Point origin = beamOrigin(acquisition, transmit);
    const Point& source = transmit.source;
    const double range = std::hypot(source.x, countsY * source.y, source.z);
    const double away =
        std::hypot(origin.x - source.x, countsY * (origin.y - source.y), origin.z - source.z);
    const Point way = direction(transmit, acquisition.steering);
    switch (transmit.wave) {
    case Wave::Plane: return way.x * origin.x + countsY * way.y * origin.y + way.z * origin.z;
    case Wave::Diverging: return away - range;
    case Wave::Focused: return range - away;
    case Wave::Element:
    case Wave::None: return 0.0;
    }
    return 0.0;
}

BeamLines beamLines(const FrameSpec& input, const BeamformParams& params) {
    if (params.grid != PixelGrid::Beams) return {};
    const Apex apex = apexOf(input.acquisition->probe);
    if (params.transmitAperture != TransmitAperture::OwnLines) return evenFan(apex, params);
    const double tolerance = kOffApex * wavelength(input, params.soundSpeedMps);
    const FrameSpec recorded = sentAt(input, params, input.acquisition->soundSpeedMps);
    std::vector<Line> lines = transmitLines(*recorded.acquisition);
    if (params.blends() && lines.size() < 2)
        throw Error("beamform: a single transmit has no neighbour that its lines could be blended "
                    "with; switch blend_beams off.");
    const auto make = [&]() -> BeamLines {
        std::ranges::sort(lines, {}, [](const Line& line) { return line.start.x; });
        if (areColumns(lines, tolerance)) return columns(lines, params);
        std::ranges::sort(lines, {}, &Line::angle);
        if (const auto common = apexOf(lines, apex, tolerance))
            return fannedLines(lines, *common, params);
        return ownLines(lines, params);
    };
    BeamLines result = make();
    for (const Line& line : lines) result.order.push_back(line.transmit);
    return result;
}

void takeBeams(BeamLines& lines, const FrameSpec& sent, const BeamformParams& params) {
    if (params.transmitAperture != TransmitAperture::OwnLines) return;
    const Acquisition& acquisition = *sent.acquisition;
    for (Beam& beam : lines.beams) {
        const Transmit& t = acquisition.transmits[static_cast<std::size_t>(beam.transmit)];
        beam.ahead = static_cast<float>(pathAhead(acquisition, t, {beam.x, 0.0, beam.z}));
    }
    if (!params.blends()) return;
    lines.blended = blendedBeams(acquisition, lines.order, lines.beams,
                                 static_cast<std::size_t>(params.linesPerTransmit),
                                 wavelength(sent, params.soundSpeedMps));
}

bool fansOut(const FrameSpec& input, const BeamformParams& params) {
    return beamLines(input, params).sector.has_value();
}

BeamformParams onDataGrid(const FrameSpec& input, const BeamformParams& params) {
    if (params.grid != PixelGrid::Data) return params;
    const Acquisition& acquisition = *input.acquisition;
    const std::vector<Point>& elements = acquisition.probe.elements;
    const Point first = elements.front();
    const double pitch =
        (elements.back().x - first.x) / std::max(1.0, static_cast<double>(elements.size()) - 1.0);
    const auto isEven = [&](const Point& element) {
        const auto column = static_cast<double>(&element - elements.data());
        const Point there{first.x + column * pitch, first.y, first.z};
        return std::hypot(element.x - there.x, element.y - there.y, element.z - there.z) <=
               kUneven * pitch;
    };
    if (!(pitch > 0.0) || !std::ranges::all_of(elements, isEven))
        throw Error("beamform: a column per element needs a flat array with elements at even "
                    "distances; set grid to image.");
    const double c = std::isfinite(acquisition.soundSpeedMps) ? acquisition.soundSpeedMps
                                                              : BeamformParams{}.soundSpeedMps;
    const double fall = c / waysOf(acquisition); // of the depth, per second
    const double from =
        std::ranges::min(acquisition.transmits, {}, &Transmit::firstSampleS).firstSampleS;
    BeamformParams image = params;
    image.grid = PixelGrid::Image;
    image.lateralMinM = first.x;
    image.lateralMaxM = elements.back().x;
    image.pixelLateralM = pitch;
    image.pixelDepthM = fall / input.samplingFrequencyHz();
    image.depthMinM = std::max(fall * from, 0.0);
    image.depthMaxM = image.depthMinM +
                      image.pixelDepthM * static_cast<double>(input.sizeOf(AxisName::Sample) - 1);
    return image;
}

FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params) {
    return imageSpec(input, params, beamLines(input, params));
}

FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& asked, const BeamLines& lines) {
    const BeamformParams params = onDataGrid(input, asked);
    FrameSpec image = input;
    image.valueRange.reset();
    image.isOneWay = isOneWay(*input.acquisition);
    image.acquisition = nullptr;
    image.axes = {
        lengthAxis(AxisName::Depth, params.depthMinM, params.depthMaxM, params.pixelDepthM)};
    if (params.grid == PixelGrid::Beams) {
        image.axes.push_back(acrossAxis(lines));
        if (lines.sector) image.sector = std::make_shared<Sector>(*lines.sector);
        return image;
    }
    image.axes.push_back(lengthAxis(AxisName::Lateral, params.lateralMinM, params.lateralMaxM,
                                    params.pixelLateralM));
    if (params.grid == PixelGrid::Volume) {
        image.axes.insert(image.axes.begin(),
                          lengthAxis(AxisName::Elevation, params.elevationMinM,
                                     params.elevationMaxM, params.pixelElevationM));
    }
    return image;
}

double wavelength(const FrameSpec& input, double soundSpeedMps) {
    double f = input.centreFrequencyHz;
    if (!(f > 0.0)) f = input.acquisition->probe.centreFrequencyHz;
    if (!(f > 0.0)) f = input.demodulationFrequencyHz;
    if (!(f > 0.0)) f = input.samplingFrequencyHz() / 4.0;
    return soundSpeedMps / f;
}

double axialWavelength(const FrameSpec& input, double soundSpeedMps) {
    return 2.0 / waysOf(*input.acquisition) * wavelength(input, soundSpeedMps);
}

double wholeMicrometres(double metres) { return std::max(1e-6, std::floor(metres * 1e6) * 1e-6); }

std::int64_t pixelCount(double min, double max, double pixel) {
    const double count = std::floor((max - min) / pixel + 1e-6) + 1.0;
    return count < 1e9 ? static_cast<std::int64_t>(count) : std::int64_t{1} << 40;
}

} // namespace echolux::das
