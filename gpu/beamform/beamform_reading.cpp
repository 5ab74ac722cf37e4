// SPDX-License-Identifier: GPL-3.0-or-later
// The least-squares table, and what fits a texture.
#include "gpu/beamform/beamform_reading.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

namespace echolux::das {

LineReading lineReading(const BeamformParams& params) {
    LineReading reading;
    reading.interpolation = params.interpolation;
    reading.lagrangeOrder = static_cast<std::int32_t>(params.lagrangeOrder);
    reading.sincTaps = static_cast<std::int32_t>(params.sincTaps);
    reading.leastSquaresTaps = static_cast<std::int32_t>(params.leastSquaresTaps);
    return reading;
}

std::vector<float> readTable(std::int64_t taps, EchoBand band) {
    const FractionalDelay delay(FractionalDesign::LeastSquares, taps, band);
    const double lowest = static_cast<double>((taps - 1) / 2) - (taps % 2 == 0 ? 0.0 : 0.5);
    std::vector<float> table;
    for (int row = 0; row <= kReadPositions; ++row) {
        for (const double tap : delay.tapsAt(lowest + static_cast<double>(row) / kReadPositions))
            table.push_back(static_cast<float>(tap));
    }
    return table;
}

std::vector<float> readTable(const FrameSpec& input, const BeamformParams& params) {
    if (params.interpolation != DelayInterpolation::LeastSquares) return {};
    return readTable(params.leastSquaresTaps, echoBand(input, params.bandwidth));
}

void checkReading(const FrameSpec& input, const BeamformParams& params) {
    constexpr std::int64_t kMostSamples = 131'072; // of a texture in rows, on every GPU in use
    constexpr std::int64_t kMostLines = 65'000;
    if (params.interpolation != DelayInterpolation::Texture) return;
    const std::int64_t samples = input.sizeOf(AxisName::Sample);
    const std::int64_t lines = input.count() / samples;
    if (samples <= kMostSamples && lines <= kMostLines) return;
    throw Error(fmt::format("beamform: a texture holds up to {} lines of {} samples, but this "
                            "frame has {} of {}; set interpolation to linear.",
                            kMostLines, kMostSamples, lines, samples));
}

} // namespace echolux::das
