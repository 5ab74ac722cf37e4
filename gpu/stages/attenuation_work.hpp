// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of `attenuation`, and what it does, for the performance model.
#pragma once

#include "gpu/stages/scan_flow_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace echolux {

/// Sizes of [lateral][depth], [elevation][lateral][depth] or [frame][lateral][depth].
struct AttenuationShape {
    std::int64_t images = 1; ///< whose mean power counts
    std::int64_t bscans = 1;
    std::int64_t lines = 1; ///< of a B-scan
    std::int64_t depths = 1;

    explicit AttenuationShape(const FrameSpec& input)
        : images(input.sizeOf(AxisName::Frame)), bscans(input.sizeOf(AxisName::Elevation)),
          lines(input.sizeOf(AxisName::Lateral)), depths(input.sizeOf(AxisName::Depth)) {}
    std::int64_t allLines() const { return bscans * lines; }
    std::int64_t pixels() const { return allLines() * depths; }
    /// Depths that `share` of all are, at least one.
    std::int64_t used(double share) const {
        return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(depths)));
    }
    /// Of the used depths, the last ones that tell how much light comes from below: a twentieth.
    static std::int64_t last(std::int64_t used) { return (used + 19) / 20; }
};

/// What decides about its kernels besides flow::ScanFlowParams.
struct AttenuationKernels {
    double used;   ///< share of the depths
    bool findsEnd; ///< FindTissueEnd
    bool hasLightBelow;
    bool rollsOff;
};

/// Counts ScanPower, the level of noise with NoiseBelowLight, ScanIntensity, the profile and
/// FindTissueEnd where the end is found, LightBelow where light comes from below, and the scan of
/// AttenuationOfLine. All pixels count as shown, which is the most.
inline std::vector<model::Kernel> attenuationKernels(Backend backend, const char* name,
                                                     const AttenuationShape& shape,
                                                     const flow::ScanFlowParams& params,
                                                     const AttenuationKernels& task) {
    const double box = flow::meanBox(flow::ScanBox::of(shape.lines, shape.depths, params));
    const model::Part gain = task.rollsOff ? exponentialWork(backend) : model::Part{.fadd = 1.0};
    std::vector<model::Kernel> kernels{
        flow::scanPowerWork(backend, name, shape.images, shape.pixels())};
    flow::append(kernels, flow::noiseLevelWork(backend, name, params, shape.lines, shape.depths,
                                               shape.bscans));
    const auto depths = static_cast<double>(shape.depths);
    if (params.noiseFrom == flow::NoiseFrom::QuietDepths)
        kernels.push_back(forEachByLanesWork(
            backend, name, shape.bscans,
            {.bytesRead = 4.0 * 0.8 * depths,
             .bytesWritten = 4.0,
             .counts = oneByOne(backend, {.fadd = 1.0, .offsets = 3.0}).times(0.8 * depths)},
            5.0));
    kernels.push_back(forEachInLinesWork(
        backend, name, shape.pixels(),
        {.bytesRead = 4.0 * box,
         .bytesWritten = 4.0,
         .distinctRead = 4.0,
         .counts = addedUp({oneByOne(backend, {.fadd = 1.0, .offsets = 4.0}).times(box),
                            oneByOne(backend, {.fmul = 1.0, .fadd = 1.0, .offsets = 36.0}), gain,
                            divisionWork(backend)})}));
    if (task.findsEnd) {
        kernels.push_back(
            flow::depthMeansWork(backend, name, shape.lines, shape.depths, shape.bscans));
        kernels.push_back(forEachByLanesWork(
            backend, name, shape.bscans,
            {.bytesRead = 4.0 * 1.5 * depths,
             .bytesWritten = sizeof(double) * 3.0,
             .counts = oneByOne(backend, {.ffma = 1.0, .fadd = 3.0, .offsets = 6.0}).times(depths)},
            7.0));
    }
    if (task.hasLightBelow) {
        const auto last = static_cast<double>(AttenuationShape::last(shape.used(task.used)));
        kernels.push_back(forEachByLanesWork(
            backend, name, shape.allLines(),
            {.bytesRead = 4.0 * last,
             .bytesWritten = 4.0,
             .counts = oneByOne(backend, {.fadd = 1.0, .offsets = 3.0}).times(last)},
            1.0));
    }
    kernels.push_back(scanLinesWork(
        backend, name, shape.allLines(), shape.depths,
        {.bytesRead = 8.0 + (task.hasLightBelow ? 4.0 : 0.0),
         .bytesWritten = 4.0,
         .distinctRead = 4.0,
         .counts = addedUp({oneByOne(backend, {.fmul = 2.0, .fadd = 8.0, .offsets = 14.0}), gain,
                            divisionWork(backend), logarithmOfOnePlusWork(backend)})},
        {.bytes = sizeof(double), .joined = {.fadd = 1.0}}));
    return kernels;
}

} // namespace echolux
