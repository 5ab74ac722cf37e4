// SPDX-License-Identifier: GPL-3.0-or-later
// Values that follow from the parameters of the OCT stages.
#include "gpu/oct/oct_params.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace echolux::oct {
namespace {

bool isRecorded(const KLinearizeParams& params) {
    return params.curve == ResamplingCurve::Recording;
}

} // namespace

std::int64_t firstLines(std::int64_t wanted, std::int64_t all) {
    return wanted == 0 ? all : std::min(wanted, all);
}

std::array<double, 4> KLinearizeParams::coefficientsFor(std::int64_t samples) const {
    std::array<double, 4> scaled{c0, c1, c2, c3};
    if (lineLength == 0) return scaled;
    const auto steps = [](std::int64_t length) {
        return static_cast<double>(std::max<std::int64_t>(length - 1, 1));
    };
    for (double& each : scaled) each *= steps(samples) / steps(lineLength);
    return scaled;
}

std::vector<double> resamplingCurve(const FrameSpec& input, const KLinearizeParams& params) {
    if (isRecorded(params)) return input.spectrometer->resampling;
    const std::int64_t samples = input.axes.back().size;
    return polynomialCurve(samples, params.coefficientsFor(samples));
}

SpectralGrid spectralGridOf(const FrameSpec& input, const KLinearizeParams& params) {
    const std::int64_t samples = linesOf(input).length;
    const std::int64_t points = gridPoints(samples, params.oversampling);
    const Kernel kernel = kaiserBessel(params.kernelWidth, samples, points);
    std::vector<double> positions = inverseCurve(resamplingCurve(input, params));
    SpectralGrid grid = input.spectralGrid;
    grid.isLinear = true;
    grid.points = points;
    grid.kernelWidth = kernel.width;
    grid.kernelShape = kernel.beta;
    grid.mostTaps = isRecorded(params) ? griddingTaps(positions, points, kernel)
                                       : mostGriddingTaps(samples, points, kernel);
    grid.positions = std::make_shared<const std::vector<double>>(std::move(positions));
    return grid;
}

GatherTable gatherTable(const FrameSpec& input, const FrameSpec& output,
                        const KLinearizeParams& params) {
    switch (params.method) {
    case ResamplingMethod::Nufft: return griddingTable(output);
    case ResamplingMethod::Linear:
        return interpolationTable(Interpolation::Linear, 0, resamplingCurve(input, params));
    case ResamplingMethod::Cubic:
        return interpolationTable(Interpolation::Cubic, 0, resamplingCurve(input, params));
    case ResamplingMethod::Lanczos: break;
    }
    return interpolationTable(Interpolation::Lanczos, params.lobes, resamplingCurve(input, params));
}

std::int64_t mostTaps(const FrameSpec& output, const KLinearizeParams& params) {
    switch (params.method) {
    case ResamplingMethod::Nufft: return output.spectralGrid.mostTaps;
    case ResamplingMethod::Linear: return 2;
    case ResamplingMethod::Cubic: return 4;
    case ResamplingMethod::Lanczos: break;
    }
    return 2 * params.lobes;
}

GatherTable griddingTable(const FrameSpec& spectra) {
    const SpectralGrid& grid = spectra.spectralGrid;
    return griddingTable(positionsOf(spectra), grid.points, {grid.kernelWidth, grid.kernelShape});
}

std::vector<float> onGrid(const GatherTable& table, std::span<const float> line) {
    std::vector<float> values(table.first.size());
    for (std::size_t g = 0; g < values.size(); ++g) {
        const auto first = static_cast<std::size_t>(table.first[g]);
        for (std::size_t t = 0; t < static_cast<std::size_t>(table.taps); ++t)
            values[g] += table.weights[t * values.size() + g] * line[first + t];
    }
    return values;
}

std::array<double, 8> DispersionParams::inUse() const {
    if (terms == DispersionTermCount::Three) return {c1, c2, c3};
    return {c1, c2, c3, c4, c5, c6, c7, c8};
}

bool DispersionParams::hasHigherTerms() const {
    const std::array<double, 8> all = inUse();
    return std::any_of(all.begin() + 3, all.end(), [](double term) { return term != 0.0; });
}

const std::vector<double>& DispersionParams::recordedIn(const FrameSpec& spectra) const {
    static const std::vector<double> kNone;
    return useRecorded && spectra.spectrometer != nullptr ? spectra.spectrometer->dispersionRad
                                                          : kNone;
}

std::vector<double> phaseOf(const DispersionParams& params, const std::vector<double>& recorded,
                            const std::vector<double>& positions, std::int64_t samples) {
    const std::array<double, 8> terms = params.inUse();
    std::vector<double> phase = dispersionPhase(positions, samples, terms, recorded);
    if (!params.keepDepth) return phase;
    const double slope =
        middleSlope(terms, recorded) / std::max(static_cast<double>(samples - 1), 1.0);
    for (std::size_t p = 0; p < phase.size(); ++p) phase[p] -= slope * positions[p];
    return phase;
}

std::vector<Complex> dispersionPhasors(const FrameSpec& input, const DispersionParams& params) {
    return phasors(
        phaseOf(params, params.recordedIn(input), positionsOf(input), linesOf(input).length));
}

double slopeOf(const DispersionParams& params, const std::vector<double>& recorded) {
    return params.keepDepth ? 0.0 : middleSlope(params.inUse(), recorded);
}

float windowGain(const FrameSpec& spectra) {
    constexpr double kSmallestMean = 1e-6;
    return static_cast<float>(1.0 / std::max(spectra.spectralGrid.windowMean, kSmallestMean));
}

Limits limitsDb(const MagnitudeLogParams& params) {
    constexpr double kLeastRangeDb = 1.0;
    return {params.minDb, std::max(params.maxDb, params.minDb + kLeastRangeDb)};
}

StageCurve lineCurve(const std::vector<double>& values, double neutral, std::string yLabel) {
    constexpr std::size_t kMostPoints = 512;
    const std::size_t step = values.size() / kMostPoints + 1;
    StageCurve curve;
    for (std::size_t i = 0; i < values.size(); i += step) {
        curve.x.push_back(static_cast<double>(i));
        curve.y.push_back(values[i]);
    }
    curve.xMax = static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
    curve.neutralX = {0.0, curve.xMax};
    curve.neutralY = {neutral, neutral};
    curve.xLabel = "sample, in wavenumber";
    curve.yLabel = std::move(yLabel);
    return curve;
}

StageCurve curveAroundZero(const std::vector<double>& values, std::string yLabel) {
    StageCurve curve = lineCurve(values, 0.0, std::move(yLabel));
    curve.yMax = 0.0;
    for (const double value : curve.y) {
        curve.yMin = std::min(curve.yMin, value);
        curve.yMax = std::max(curve.yMax, value);
    }
    const double missing = std::max(0.0, 1.0 - (curve.yMax - curve.yMin));
    const double span = curve.yMax - curve.yMin + missing;
    curve.yMin -= 0.5 * missing + 0.08 * span;
    curve.yMax += 0.5 * missing + 0.3 * span; // room for the label at the top
    return curve;
}

} // namespace echolux::oct
