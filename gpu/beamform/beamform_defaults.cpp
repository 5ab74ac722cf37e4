// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/beamform/beamform_defaults.hpp"

#include "gpu/beamform/beamform_check.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/beamform/beamform_reading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux::das {
namespace {

/// Row height for complex pixels. Echoes of an octave and a half round the centre frequency fill
/// (two ways) 1 / lambda of spatial frequencies, so that lambda / 2 holds them and lambda / 4 their
/// squared magnitude: deep images may go to the former, shallow ones are cheap enough for more.
double envelopeRow(double depth, double lambda) {
    constexpr double kRowsWanted = 384.0;
    constexpr double kRowsEnough = 640.0;
    const double fine = std::clamp(depth / kRowsWanted, lambda / 8.0, lambda / 4.0);
    return std::max(fine, std::min(depth / kRowsEnough, lambda / 2.0));
}

constexpr double kPhasedPitch = 0.75;   ///< wavelengths: elements this close are meant to steer
constexpr double kWidestAngle = 0.8;    ///< rad, of a sector that nobody names
constexpr std::size_t kFewestLines = 8; ///< focused transmits that make an image line by line
constexpr double kVoxelsAcross = 64.0;
constexpr double kVoxelsDeep = 128.0;

bool allAre(const Acquisition& acquisition, Wave wave) {
    return std::ranges::all_of(acquisition.transmits,
                               [&](const Transmit& t) { return t.wave == wave; });
}

bool isCurved(const Probe& probe) {
    return std::ranges::any_of(faceNormals(probe), [](const Point& n) { return n.x != 0.0; });
}

/// Whether waves diverge from an array of elements close enough to steer.
bool isPhased(const Acquisition& acquisition, double lambda) {
    const double pitch = acquisition.probe.pitchM;
    return pitch > 0.0 && pitch < kPhasedPitch * lambda && allAre(acquisition, Wave::Diverging);
}

/// As wide as the waves of virtual sources open, or the faces of a curved array look.
void setAngles(BeamformParams& params, const Acquisition& acquisition) {
    const Probe& probe = acquisition.probe;
    double widest = 0.0;
    for (const Point& n : faceNormals(probe))
        widest = std::max(widest, std::atan2(std::abs(n.x), n.z));
    if (widest == 0.0) {
        for (const Transmit& t : acquisition.transmits) {
            for (const Point* e : {&probe.elements.front(), &probe.elements.back()})
                widest = std::max(widest, std::abs(std::atan2(e->x - t.source.x, -t.source.z)));
        }
        widest = std::min(widest, kWidestAngle);
    }
    // Whole hundredths of a degree read well.
    const double step = std::numbers::pi / 18000.0;
    params.angleMaxRad = std::ceil(widest / step) * step;
    params.angleMinRad = -params.angleMaxRad;
}

void setVolume(BeamformParams& params, const Probe& probe, double lambda) {
    const auto [front, back] = std::ranges::minmax(probe.elements, {}, &Point::y);
    const auto [left, right] = std::ranges::minmax(probe.elements, {}, &Point::x);
    const auto pixel = [&](double extent, double count, double least) {
        return std::clamp(wholeMicrometres(std::max(least, extent / count)), 1e-6, 0.01);
    };
    params.grid = PixelGrid::Volume;
    params.elevationMinM = front.y;
    params.elevationMaxM = back.y;
    params.lateralMinM = left.x;
    params.lateralMaxM = right.x;
    params.pixelElevationM = pixel(back.y - front.y, kVoxelsAcross, 0.5 * lambda);
    params.pixelLateralM = pixel(right.x - left.x, kVoxelsAcross, 0.5 * lambda);
    params.pixelDepthM = pixel(params.depthMaxM - params.depthMinM, kVoxelsDeep, 0.5 * lambda);
}

/// Ranges along transmits' own lines that the records hold.
void setRanges(BeamformParams& params, const FrameSpec& input) {
    const double c = params.soundSpeedMps;
    const double record =
        static_cast<double>(input.sizeOf(AxisName::Sample) - 1) / input.samplingFrequencyHz();
    double nearest = std::numeric_limits<double>::max();
    double farthest = 0.0;
    for (const Transmit& t : input.acquisition->transmits) {
        const double path = beamPath(*input.acquisition, t);
        nearest = std::min(nearest, 0.5 * (c * t.firstSampleS - path));
        farthest = std::max(farthest, 0.5 * (c * (t.firstSampleS + record) - path));
    }
    params.depthMinM = std::clamp(nearest, 0.001, 1.0);
    params.depthMaxM = std::clamp(farthest, params.depthMinM + 1e-3, 2.0);
}

/// The grid that the array and its transmits are made for.
void setGrid(BeamformParams& params, const FrameSpec& input, double lambda) {
    const Acquisition& acquisition = *input.acquisition;
    if (!isInOnePlane(acquisition.probe)) {
        setVolume(params, acquisition.probe, lambda);
    } else if (allAre(acquisition, Wave::Focused) && acquisition.transmits.size() >= kFewestLines) {
        params.grid = PixelGrid::Beams;
        params.transmitAperture = TransmitAperture::OwnLines;
        setRanges(params, input);
    } else if (isCurved(acquisition.probe) || isPhased(acquisition, lambda)) {
        params.grid = PixelGrid::Beams;
        setAngles(params, acquisition);
    }
    // The aperture of a phased array would leave out all elements beside a steered line.
    if (params.grid == PixelGrid::Beams && !isCurved(acquisition.probe) &&
        acquisition.probe.pitchM < kPhasedPitch * lambda)
        params.fNumber = 0.0;
}

} // namespace

BeamformParams defaultParams(const FrameSpec& input) {
    BeamformParams params;
    checkGeometry(input);
    checkSampling(input);
    const Acquisition& acquisition = *input.acquisition;
    if (std::isfinite(acquisition.soundSpeedMps)) {
        params.soundSpeedMps = std::clamp(acquisition.soundSpeedMps, 1000.0, 7000.0);
    }
    const double c = params.soundSpeedMps;
    const auto& elements = acquisition.probe.elements;
    const auto [first, last] = std::ranges::minmax(elements, {}, &Point::x);
    const double lambda = wavelength(input, c);
    const double aperture = std::max(last.x - first.x, 4.0 * lambda);
    const double centre = 0.5 * (first.x + last.x);
    params.lateralMinM = std::max(-1.0, centre - 0.5 * aperture);
    params.lateralMaxM = std::min(1.0, centre + 0.5 * aperture);
    const double gaps = std::max(1.0, static_cast<double>(elements.size()) - 1.0);
    params.pixelLateralM = std::clamp(aperture / (gaps * std::ceil(250.0 / gaps)), 1e-6, 0.01);

    const double fs = input.samplingFrequencyHz();
    double from = std::numeric_limits<double>::max();
    double until = 0.0;
    for (const Transmit& t : acquisition.transmits) {
        from = std::min(from, t.firstSampleS);
        until = std::max(until, t.firstSampleS +
                                    static_cast<double>(input.sizeOf(AxisName::Sample) - 1) / fs);
    }
    params.depthMinM = std::clamp(0.5 * c * from, 0.001, 1.0);
    params.depthMaxM = std::clamp(0.5 * c * until, params.depthMinM + 4.0 * lambda, 2.0);
    const double depth = params.depthMaxM - params.depthMinM;
    const double pixel = isComplex(input.dtype) ? envelopeRow(depth, lambda)
                                                : std::max(lambda / 8.0, depth / 4096.0);
    params.pixelDepthM = std::clamp(wholeMicrometres(pixel), 1e-6, 0.01);
    params.bandwidth = std::clamp(usualBandwidth(input), kLeastBandwidth, kMostBandwidth);
    setGrid(params, input, lambda);
    return params;
}

} // namespace echolux::das
