// SPDX-License-Identifier: GPL-3.0-or-later
// What `angiography` does, for the performance model.
#pragma once

#include "gpu/stages/scan_flow_work.hpp"

#include <vector>

namespace echolux {

/// What decides about its kernels besides flow::ScanFlowParams.
struct AngiographyKernels {
    const char* name;
    bool decorrelation;
    bool difference; ///< else, without decorrelation: speckle variance
    bool removesBulk;
    bool normalised;
};

/// Counts ScanPower, the level of noise, then ScanAmplitude and Decorrelation, or
/// ComplexDifference behind the bulk motion, or SpeckleVariance, both with AverageContrast. All
/// pixels count as stronger than the noise, which is the most.
inline std::vector<model::Kernel> angiographyKernels(const PlannedStage& stage,
                                                     const flow::ScanFlowParams& params,
                                                     const flow::RepeatedScans& scans,
                                                     const AngiographyKernels& task) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const std::int64_t pixels = scans.pixels();
    const auto images = static_cast<double>(scans.images());
    const auto pairs = static_cast<double>(scans.pairs());
    const double box = flow::meanBox(flow::ScanBox::of(scans.lines, scans.depths, params));
    const model::Part power{.ffma = 1.0, .fmul = 1.0}; // of a sample
    const model::Part rows{.offsets = 30.0};           // limits of the box and of its rows
    std::vector<model::Kernel> kernels{
        flow::scanPowerWork(backend, task.name, scans.images(), pixels)};
    flow::append(kernels,
                 flow::noiseLevelWork(backend, task.name, params, scans.lines, scans.depths));
    if (task.decorrelation) {
        kernels.push_back(
            forEachWork(backend, task.name, scans.images() * pixels,
                        {.bytesRead = kSample,
                         .bytesWritten = 4.0,
                         .counts = addedUp({oneByOne(backend, addedUp({power, {.offsets = 2.0}})),
                                            rootWork(backend)})}));
        // Per pair and pixel of the box: two loads, the square of their difference, their squares.
        const model::Part pair =
            oneByOne(backend, {.ffma = 3.0, .fmul = 2.0, .fadd = 1.0, .offsets = 6.0});
        kernels.push_back(forEachInLinesWork(
            backend, task.name, pixels,
            {.bytesRead = box * (4.0 + 8.0 * pairs),
             .bytesWritten = 4.0,
             .distinctRead = 4.0 + 4.0 * images,
             .counts = addedUp(
                 {oneByOne(backend, {.fadd = 1.0, .offsets = 4.0}).times(box),
                  pair.times(box * pairs), rows.times(1.0 + pairs),
                  addedUp({divisionWork(backend), {.fadd = 6.0, .offsets = 10.0}}).times(pairs),
                  divisionWork(backend).times(2.0)})}));
        return kernels;
    }
    if (task.difference) {
        if (task.removesBulk)
            flow::append(kernels, flow::bulkMotionWork(backend, task.name, scans));
        model::Part pair{.ffma = 1.0, .fmul = 1.0, .fadd = 3.0, .offsets = 8.0};
        if (task.removesBulk) pair = addedUp({pair, {.ffma = 2.0, .fmul = 2.0, .offsets = 4.0}});
        kernels.push_back(forEachInLinesWork(
            backend, task.name, pixels,
            {.bytesRead = kSample * pairs * (task.removesBulk ? 3.0 : 2.0),
             .bytesWritten = 4.0,
             .distinctRead = kSample * images,
             .counts = addedUp({oneByOne(backend, pair).times(pairs),
                                rootWork(backend).times(pairs), divisionWork(backend)})}));
    } else {
        // Amplitudes are computed twice: for their mean, and for the squares about it.
        const model::Part twice = addedUp(
            {oneByOne(backend,
                      addedUp({power.times(2.0), {.ffma = 1.0, .fadd = 2.0, .offsets = 8.0}})),
             rootWork(backend).times(2.0)});
        kernels.push_back(forEachWork(
            backend, task.name, pixels,
            {.bytesRead = 2.0 * kSample * images,
             .bytesWritten = 4.0,
             .distinctRead = kSample * images,
             .counts = addedUp({twice.times(images),
                                divisionWork(backend).times(1.0 + images / scans.frames)})}));
    }
    model::Part contrast = addedUp({oneByOne(backend, {.fmul = 4.0, .fadd = 6.0, .offsets = 8.0}),
                                    divisionWork(backend).times(task.normalised ? 3.0 : 2.0)});
    if (task.difference)
        contrast = addedUp({contrast, rootWork(backend).times(task.normalised ? 2.0 : 1.0)});
    kernels.push_back(forEachInLinesWork(
        backend, task.name, pixels,
        {.bytesRead = 8.0 * box,
         .bytesWritten = 4.0,
         .distinctRead = 8.0,
         .counts = addedUp(
             {oneByOne(backend, {.fadd = 2.0, .offsets = 5.0}).times(box), rows, contrast})}));
    return kernels;
}

} // namespace echolux
