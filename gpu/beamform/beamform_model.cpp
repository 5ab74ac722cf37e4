// SPDX-License-Identifier: GPL-3.0-or-later
// Checks, default grid, and constants of the beamformer.
#include "gpu/beamform/beamform_model.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux::das {
namespace {

constexpr std::int64_t kMaxPixels = std::int64_t{64} << 20;
constexpr std::int64_t kMaxRows = 65535; // CUDA launches one block a row at the most
constexpr std::int64_t kMaxTableBytes = std::int64_t{4} << 30;
constexpr double kTwoPi = 6.283185307179586;

bool finite(const Point& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

bool finite(const Transmit& t) {
    return std::isfinite(t.angleRad) && finite(t.source) && std::isfinite(t.firstSampleS) &&
           std::isfinite(t.iqPhaseZeroS);
}

double distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// Pixels from min to max, both included.
std::int64_t pixelCount(double min, double max, double pixel) {
    const double count = std::floor((max - min) / pixel + 1e-6) + 1.0;
    return count < 1e9 ? static_cast<std::int64_t>(count) : std::int64_t{1} << 40;
}

void checkGeometry(const FrameSpec& input) {
    if (!input.acquisition) {
        throw Error("Stage 'beamform' needs the probe's geometry, but this recording carries none; "
                    "describe it in a sidecar file.");
    }
    const Acquisition& acquisition = *input.acquisition;
    const auto& elements = acquisition.probe.elements;
    const std::int64_t channels = input.sizeOf(AxisName::Channel);
    const std::int64_t transmits = input.sizeOf(AxisName::Transmit);
    if (elements.empty()) {
        throw Error("Stage 'beamform' cannot work with a probe of 0 elements; give the elements' "
                    "places in the recording or its sidecar file.");
    }
    if (std::ssize(elements) != channels || std::ssize(acquisition.transmits) != transmits) {
        throw Error(fmt::format(
            "Stage 'beamform' got geometry for {} elements and {} transmits, but the data is {}; "
            "correct the recording's or the sidecar's geometry.",
            elements.size(), acquisition.transmits.size(), input.describe()));
    }
    if (!std::ranges::all_of(elements, [](const Point& p) { return finite(p); })) {
        throw Error("Stage 'beamform' found an element whose place is not a finite number; correct "
                    "the geometry in the recording or its sidecar file.");
    }
    if (!std::ranges::all_of(
            elements, [&](const Point& p) { return std::abs(p.y - elements.front().y) < 1e-9; })) {
        throw Error("Stage 'beamform' images with linear arrays, but this probe's elements differ "
                    "in elevation; use a recording of a linear array.");
    }
    for (std::size_t i = 0; i < acquisition.transmits.size(); ++i) {
        if (finite(acquisition.transmits[i])) continue;
        throw Error(fmt::format(
            "Stage 'beamform' found a number that is not finite in transmit {} of the geometry; "
            "correct it in the recording or its sidecar file.",
            i + 1));
    }
    const auto& weights = acquisition.receiveWeights;
    if (!weights.empty() && std::ssize(weights) != channels * transmits) {
        throw Error(fmt::format(
            "Stage 'beamform' got {} receive weights for {} transmits x {} channels; correct the "
            "recording's geometry.",
            weights.size(), transmits, channels));
    }
    if (!std::ranges::all_of(weights, [](float w) { return std::isfinite(w); })) {
        throw Error("Stage 'beamform' found a receive weight that is not a finite number; correct "
                    "the recording's geometry.");
    }
}

void checkSampling(const FrameSpec& input) {
    const std::int64_t samples = input.sizeOf(AxisName::Sample);
    const double fs = input.samplingFrequencyHz();
    if (samples < 1 || samples > (1 << 22)) {
        throw Error(fmt::format("Stage 'beamform' takes records of 1 to {} samples, but these have "
                                "{}; check the recording's shape.",
                                1 << 22, samples));
    }
    if (!(fs > 0.0) || !std::isfinite(fs)) {
        throw Error("Stage 'beamform' needs a positive sampling frequency, but the recording gives "
                    "none; state it in the recording or its sidecar file.");
    }
    if (!std::isfinite(input.demodulationFrequencyHz)) {
        throw Error("Stage 'beamform' found a demodulation frequency that is not a finite number; "
                    "correct it in the recording or its sidecar file.");
    }
}

void checkGrid(const FrameSpec& input, const BeamformParams& params) {
    if (!(params.lateralMaxM > params.lateralMinM) || !(params.depthMaxM > params.depthMinM)) {
        throw Error(fmt::format(
            "beamform: the image from {:g} to {:g} mm laterally and {:g} to {:g} mm in depth is "
            "empty; make lateral_max greater than lateral_min and depth_max greater than "
            "depth_min.",
            1e3 * params.lateralMinM, 1e3 * params.lateralMaxM, 1e3 * params.depthMinM,
            1e3 * params.depthMaxM));
    }
    const std::int64_t columns =
        pixelCount(params.lateralMinM, params.lateralMaxM, params.pixelLateralM);
    const std::int64_t rows = pixelCount(params.depthMinM, params.depthMaxM, params.pixelDepthM);
    if (columns > kMaxPixels || rows > kMaxRows || columns * rows > kMaxPixels) {
        throw Error(fmt::format("beamform: pixels of {:g} x {:g} mm make an image of more than {} "
                                "million pixels or {} rows; "
                                "make pixel_lateral or pixel_depth greater or the image smaller.",
                                1e3 * params.pixelLateralM, 1e3 * params.pixelDepthM,
                                kMaxPixels >> 20, kMaxRows));
    }
    const std::int64_t lines = input.sizeOf(AxisName::Channel) + input.sizeOf(AxisName::Transmit);
    const std::int64_t tableBytes = 4 * columns * rows * lines;
    if (params.delays == DelaySource::Table && tableBytes > kMaxTableBytes) {
        throw Error(fmt::format(
            "beamform: a delay table for {} x {} pixels and {} lines takes {} MiB, more than {}; "
            "set delays to kernel or make the image smaller.",
            columns, rows, lines, tableBytes >> 20, kMaxTableBytes >> 20));
    }
}

double wavelength(const FrameSpec& input, double soundSpeedMps) {
    double f = input.centreFrequencyHz;
    if (!(f > 0.0)) f = input.acquisition->probe.centreFrequencyHz;
    if (!(f > 0.0)) f = input.demodulationFrequencyHz;
    if (!(f > 0.0)) f = input.samplingFrequencyHz() / 4.0;
    return soundSpeedMps / f;
}

/// Rounded down to whole micrometres, so that it reads well in mm.
double wholeMicrometres(double metres) { return std::max(1e-6, std::floor(metres * 1e6) * 1e-6); }

/// Row height for complex pixels. Echoes of an octave and a half round the centre frequency fill
/// (two ways) 1 / lambda of spatial frequencies, so that lambda / 2 holds them and lambda / 4 their
/// squared magnitude: deep images may go to the former, shallow ones are cheap enough for more.
double envelopeRow(double depth, double lambda) {
    constexpr double kRowsWanted = 384.0;
    constexpr double kRowsEnough = 640.0;
    const double fine = std::clamp(depth / kRowsWanted, lambda / 8.0, lambda / 4.0);
    return std::max(fine, std::min(depth / kRowsEnough, lambda / 2.0));
}

TransmitConstants transmitConstants(const FrameSpec& input, const BeamformParams& params,
                                    std::int32_t line) {
    const Transmit& t = input.acquisition->transmits[static_cast<std::size_t>(line)];
    const double fs = input.samplingFrequencyHz();
    const double fd = input.demodulationFrequencyHz;
    TransmitConstants k;
    k.plane = t.wave == Wave::Plane;
    k.focused = t.wave == Wave::Focused;
    k.sinA = static_cast<float>(std::sin(t.angleRad));
    k.cosA = static_cast<float>(std::cos(t.angleRad));
    k.sourceX = static_cast<float>(t.source.x);
    k.sourceZ = static_cast<float>(t.source.z);
    const double range = distance(t.source, Point{});
    if (range > 0.0) {
        k.directionX = static_cast<float>(t.source.x / range);
        k.directionZ = static_cast<float>(t.source.z / range);
    }
    if (t.wave == Wave::Diverging) k.pathOffset = static_cast<float>(-range);
    if (t.wave == Wave::Focused) k.pathOffset = static_cast<float>(range);
    k.indexOffset = static_cast<float>((params.t0OffsetS - t.firstSampleS) * fs);
    const double cycles = fd * (t.firstSampleS - t.iqPhaseZeroS);
    k.phaseCycles = static_cast<float>(cycles - std::floor(cycles));
    k.line = line;
    return k;
}

void setAperture(Constants& constants, const Probe& probe, const BeamformParams& params) {
    const auto [first, last] = std::ranges::minmax(probe.elements, {}, &Point::x);
    constants.apertureSlope =
        params.fNumber > 0.0 ? static_cast<float>(0.5 / params.fNumber) : 0.0F;
    constants.arrayCentre = static_cast<float>(0.5 * (first.x + last.x));
    // A hair wider than the array: rounding must not lose its last element.
    constants.arrayHalfWidth = static_cast<float>(0.5 * (last.x - first.x) * (1.0 + 5e-7));
    constants.window = params.window;
    constants.tukeyAlpha = static_cast<float>(params.tukeyAlpha);
}

Element toElement(const Point& p) { return {static_cast<float>(p.x), static_cast<float>(p.z)}; }

} // namespace

void checkBeamformable(const FrameSpec& input, const BeamformParams& params) {
    checkGeometry(input);
    checkSampling(input);
    checkGrid(input, params);
    const auto transmits = std::ssize(input.acquisition->transmits);
    if (!params.transmits.fits(transmits)) {
        throw Error(fmt::format("beamform: the mask 'transmits' has {} entries for {} transmits; "
                                "give one each, or one of "
                                "{}.",
                                params.transmits.entries.size(), transmits,
                                fmt::join(Mask::kWords, ", ")));
    }
    if (params.compounding == Compounding::Incoherent && !isComplex(input.dtype)) {
        throw Error(
            "beamform: incoherent compounding adds magnitudes, which need IQ data, but what "
            "reaches it is RF; choose coherent compounding, or the pipeline 'rf'.");
    }
}

std::vector<std::string> warningsOf(const FrameSpec& input, const BeamformParams& params) {
    // Two ways, frequencies up to 1.5 times the centre take rows of lambda / 6 at the most.
    const double lambda = wavelength(input, params.soundSpeedMps);
    if (isComplex(input.dtype) || params.pixelDepthM <= lambda / 6.0) return {};
    return {
        fmt::format("beamform: rows of {:.4g} mm are too coarse for the carrier of summed RF, so "
                    "that its envelope is wrong; set pixel_depth to {:g} mm or less, or choose "
                    "the pipeline 'rf', which is right with any rows.",
                    1e3 * params.pixelDepthM, 1e3 * wholeMicrometres(lambda / 8.0))};
}

FrameSpec imageSpec(const FrameSpec& input, const BeamformParams& params) {
    FrameSpec image = input;
    image.axes = {
        {AxisName::Depth, pixelCount(params.depthMinM, params.depthMaxM, params.pixelDepthM),
         params.pixelDepthM, params.depthMinM, "m"},
        {AxisName::Lateral,
         pixelCount(params.lateralMinM, params.lateralMaxM, params.pixelLateralM),
         params.pixelLateralM, params.lateralMinM, "m"},
    };
    image.valueRange.reset();
    image.acquisition = nullptr;
    return image;
}

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
    return params;
}

Constants Model::onHost() const {
    Constants k = constants;
    k.element = elements.data();
    k.transmit = transmits.data();
    k.receiveWeight = receiveWeights.empty() ? nullptr : receiveWeights.data();
    return k;
}

Model makeModel(const FrameSpec& input, const BeamformParams& params) {
    const Acquisition& acquisition = *input.acquisition;
    const FrameSpec image = imageSpec(input, params);
    const double fs = input.samplingFrequencyHz();
    Model model;
    std::ranges::transform(acquisition.probe.elements, std::back_inserter(model.elements),
                           toElement);
    const std::int64_t transmits = std::ssize(acquisition.transmits);
    for (std::int64_t i = 0; i < transmits; ++i) {
        if (params.transmits.isOn(i, transmits))
            model.transmits.push_back(
                transmitConstants(input, params, static_cast<std::int32_t>(i)));
    }
    model.receiveWeights = acquisition.receiveWeights;

    Constants& k = model.constants;
    const Axis& depth = image.axes[0];
    const Axis& lateral = image.axes[1];
    k.grid = {static_cast<std::int32_t>(lateral.size), static_cast<std::int32_t>(depth.size),
              static_cast<float>(lateral.origin),      static_cast<float>(lateral.spacing),
              static_cast<float>(depth.origin),        static_cast<float>(depth.spacing)};
    k.transmitsInFrame = static_cast<std::int32_t>(acquisition.transmits.size());
    k.transmits = static_cast<std::int32_t>(model.transmits.size());
    k.elements = static_cast<std::int32_t>(model.elements.size());
    k.samples = static_cast<std::int32_t>(input.sizeOf(AxisName::Sample));
    k.indexPerMetre = static_cast<float>(fs / params.soundSpeedMps);
    k.cyclesPerSample = static_cast<float>(input.demodulationFrequencyHz / fs);
    k.interpolation = params.interpolation;
    k.lagrangeOrder = static_cast<std::int32_t>(params.lagrangeOrder);
    k.sincTaps = static_cast<std::int32_t>(params.sincTaps);
    k.incoherent = params.compounding == Compounding::Incoherent;
    k.coherenceFactor = params.coherenceFactor;
    setAperture(k, acquisition.probe, params);
    return model;
}

} // namespace echolux::das

namespace echolux {

std::vector<float> apodizationWeights(const Probe& probe, const BeamformParams& params,
                                      double lateralM, double depthM) {
    std::vector<float> weights;
    if (probe.elements.empty()) return weights;
    das::Constants constants;
    das::setAperture(constants, probe, params);
    for (const Point& p : probe.elements) {
        weights.push_back(das::apodization(constants, das::toElement(p),
                                           static_cast<float>(lateralM),
                                           static_cast<float>(depthM)));
    }
    return weights;
}

} // namespace echolux
