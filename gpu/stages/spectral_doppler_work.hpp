// SPDX-License-Identifier: GPL-3.0-or-later
// What `spectral_doppler` does, for the performance model.
#pragma once

#include "gpu/stage/function_work.hpp"
#include "gpu/stages/spectral_doppler_kernels.cuh"

#include <cstdint>
#include <vector>

namespace echolux {

/// Counts its kernels in their order. A spectrum is complete after every `hop` pulses, so a frame
/// completes pulses / hop spectra on average; so many count, each with a whole window of pulses.
inline std::vector<model::Kernel>
spectralDopplerKernels(const PlannedStage& stage, const char* name, const doppler::Sizes& sizes) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const bool cuda = backend == Backend::Cuda;
    const auto gate = static_cast<double>(sizes.gate);
    const auto window = static_cast<double>(sizes.window);
    const auto rows = static_cast<double>(sizes.rows);
    const std::int64_t fresh = sizes.mostFresh();
    const double share = static_cast<double>(sizes.pulses) / static_cast<double>(sizes.hop) /
                         static_cast<double>(fresh); // of them complete
    const std::int64_t picture = sizes.lines * sizes.rows;
    std::vector<model::Kernel> kernels{
        forEachWork(backend, name, 1, {.bytesRead = 16.0, .bytesWritten = 32.0, .divisions = 1.0})};
    // A thread of the CPU handles whole lines.
    const auto inLines = [&](std::int64_t lines, std::int64_t length, const ElementWork& each) {
        kernels.push_back(forEachInLinesWork(backend, name, lines * length, each));
        if (!cuda) kernels.back().launch.blocks = static_cast<double>(lines);
    };
    const double kept = window / static_cast<double>(sizes.held());
    inLines(sizes.gate, sizes.held(),
            {.bytesRead = kSample,
             .bytesWritten = kSample * (1.0 + kept),
             .counts = oneByOne(backend, {.fadd = 2.0, .offsets = 12.0})});
    inLines(fresh, sizes.window,
            {.bytesWritten = 4.0,
             .counts = addedUp({{.offsets = 12.0},
                                addedUp({sineWork(backend), divisionWork(backend),
                                         oneByOne(backend, {.fmul = 2.0, .fadd = 1.0})})
                                    .times(share)}),
             .divisions = 1.0});
    const model::Part pulse =
        oneByOne(backend, {.ffma = 4.0, .fmul = 1.0, .fadd = 1.0, .offsets = 6.0});
    inLines(fresh, sizes.gate,
            {.bytesRead = (kSample + 4.0) * window * share,
             .bytesWritten = kSample + 4.0,
             .distinctRead = (kSample * window + 4.0 * window / gate) * share,
             .counts = addedUp({pulse.times(window * share), divisionWork(backend)}),
             .divisions = 1.0});
    // Of each pulse: the mean is subtracted, weight and turn are multiplied, the turn goes on.
    const model::Part term =
        oneByOne(backend, {.ffma = 2.0, .fmul = 4.0, .fadd = 4.0, .offsets = 9.0});
    const model::Part weight = oneByOne(backend, {.fadd = 1.0, .offsets = 2.0});
    inLines(fresh, sizes.rows,
            {.bytesRead = share * window * (4.0 + gate * (2.0 * kSample + 4.0)),
             .bytesWritten = 4.0,
             .distinctRead = share * (window * (4.0 + gate * kSample) / rows + kSample),
             .counts = addedUp(
                 {term.times(share * gate * window), weight.times(share * window),
                  oneByOne(backend, {.ffma = 2.0, .fmul = 3.0, .offsets = 8.0}).times(share * gate),
                  divisionWork(backend).times(2.0)}),
             .divisions = 1.0});
    inLines(sizes.lines, sizes.rows,
            {.bytesRead = 4.0,
             .bytesWritten = 4.0,
             .counts = {.offsets = cuda ? 10.0 : 6.0},
             .divisions = cuda ? 1.0 : 0.0});
    const auto pulses = static_cast<double>(doppler::kKeptPulses);
    const double sums = gate * static_cast<double>(sizes.pulses) / pulses; // per kept pulse
    kernels.push_back(forEachWork(
        backend, name, doppler::kKeptPulses,
        {.bytesRead = kSample * (1.0 + sums),
         .bytesWritten = kSample * (stage.wants(3) ? 2.0 : 1.0),
         .counts = addedUp(
             {{.offsets = 4.0}, oneByOne(backend, {.fadd = 2.0, .offsets = 4.0}).times(sums)})}));
    const std::vector<model::Kernel> largest =
        reduceWork(backend, name, picture,
                   {.bytesRead = 4.0,
                    .counts = oneByOne(backend, {.fadd = 1.0, .offsets = 8.0}),
                    .divisions = 1.0});
    kernels.insert(kernels.end(), largest.begin(), largest.end());
    if (stage.wants(0))
        inLines(sizes.rows, sizes.lines,
                {.bytesRead = 4.0,
                 .bytesWritten = 4.0,
                 .counts = addedUp({oneByOne(backend, {.fmul = 1.0, .fadd = 4.0, .offsets = 8.0}),
                                    divisionWork(backend), decimalLogarithmWork(backend)}),
                 .divisions = cuda ? 2.0 : 0.0});
    if (stage.wants(1) || stage.wants(2)) {
        const double outputs = (stage.wants(1) ? 4.0 : 0.0) + (stage.wants(2) ? 4.0 : 0.0);
        const double divisions = 2.0; // of each row, for its bin
        model::Kernel traces = forEachWork(
            backend, name, sizes.lines,
            {.bytesRead = 4.0 * rows,
             .bytesWritten = outputs,
             .counts = addedUp(
                 {oneByOne(backend, {.ffma = 1.0, .fmul = 2.0, .fadd = 5.0, .offsets = 14.0})
                      .times(rows),
                  divisionWork(backend)}),
             .divisions = divisions * rows});
        kernels.push_back(traces);
    }
    return kernels;
}

} // namespace echolux
