// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from the parameters of the OCT stages.
#include "gpu/oct/oct_params.hpp"

#include <algorithm>
#include <array>

namespace echolux::oct {
namespace {

Kernel kernelOf(const FrameSpec& gridded) {
    return {gridded.spectralGrid.kernelWidth, gridded.spectralGrid.kernelShape};
}

bool isRecorded(const KLinearizeParams& params) {
    return params.curve == ResamplingCurve::Recording;
}

} // namespace

std::int64_t firstLines(std::int64_t wanted, std::int64_t all) {
    return wanted == 0 ? all : std::min(wanted, all);
}

GatherTable gatherTable(const FrameSpec& input, const FrameSpec& output,
                        const KLinearizeParams& params) {
    const std::vector<double> curve =
        isRecorded(params)
            ? input.spectrometer->resampling
            : polynomialCurve(input.axes.back().size, {params.c0, params.c1, params.c2, params.c3});
    switch (params.method) {
    case ResamplingMethod::Nufft:
        return griddingTable(curve, output.axes.back().size, kernelOf(output));
    case ResamplingMethod::Linear: return interpolationTable(Interpolation::Linear, 0, curve);
    case ResamplingMethod::Cubic: return interpolationTable(Interpolation::Cubic, 0, curve);
    case ResamplingMethod::Lanczos: break;
    }
    return interpolationTable(Interpolation::Lanczos, params.lobes, curve);
}

std::int64_t mostTaps(const FrameSpec& input, const FrameSpec& output,
                      const KLinearizeParams& params) {
    const std::int64_t points = output.axes.back().size;
    switch (params.method) {
    case ResamplingMethod::Nufft:
        return isRecorded(params)
                   ? griddingTaps(input.spectrometer->resampling, points, kernelOf(output))
                   : mostGriddingTaps(input.axes.back().size, points, kernelOf(output));
    case ResamplingMethod::Linear: return 2;
    case ResamplingMethod::Cubic: return 4;
    case ResamplingMethod::Lanczos: break;
    }
    return 2 * params.lobes;
}

std::vector<Complex> dispersionPhasors(const FrameSpec& input, const DispersionParams& params) {
    const bool recorded = params.useRecorded && input.spectrometer != nullptr;
    return phasors(
        dispersionPhase(linesOf(input), {params.c1, params.c2, params.c3},
                        recorded ? input.spectrometer->dispersionRad : std::vector<double>()));
}

float windowGain(const FrameSpec& spectra) {
    constexpr double kSmallestMean = 1e-6;
    return static_cast<float>(1.0 / std::max(spectra.spectralGrid.windowMean, kSmallestMean));
}

Limits limitsDb(const MagnitudeLogParams& params) {
    constexpr double kLeastRangeDb = 1.0;
    return {params.minDb, std::max(params.maxDb, params.minDb + kLeastRangeDb)};
}

} // namespace echolux::oct
