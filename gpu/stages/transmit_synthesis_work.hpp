// SPDX-License-Identifier: GPL-3.0-or-later
// What `transmit_synthesis` does, for the performance model.
#pragma once

#include "gpu/core/firing.hpp"
#include "gpu/stage/stage_work.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace echolux {

/// Sizes of its kernels.
struct TransmitSynthesisKernels {
    const char* name;
    double taps;
    double shiftBytes; ///< of a firing in a wave
    double readingBytes;
};

/// Counts Prepare and Synthesise. On CUDA a thread adds up the taps of all firings that take part
/// in its wave, with two limits, a weight and a sample per tap. On the CPU a line is added up tap
/// by tap, so that vectors are filled: the sums and the record are loaded and the sums stored, and
/// a complex product has two shuffles of eight numbers. Firings with a weight of 0 are passed over.
inline std::vector<model::Kernel> transmitSynthesisKernels(const PlannedStage& stage,
                                                           const TransmitSynthesisKernels& task) {
    const FrameSpec& input = stage.inputs[0];
    const FrameSpec& output = stage.plan.outputs[0];
    const Backend backend = stage.backend;
    const std::int64_t waves = output.axes[0].size;
    const std::int64_t transmits = input.axes[0].size;
    std::vector<std::size_t> fired; // elements
    for (const Transmit& transmit : input.acquisition->transmits)
        fired.push_back(static_cast<std::size_t>(firedAlone(*input.acquisition, transmit)));
    double parts = 0.0; // firings that take part in a wave
    for (const Transmit& wave : output.acquisition->transmits)
        for (const std::size_t element : fired)
            parts += wave.apodization.empty() || wave.apodization[element] != 0.0F ? 1.0 : 0.0;
    parts /= static_cast<double>(waves);
    const double bytes = bytesPerSample(input);
    const bool complex = isComplex(input.dtype);
    const double reals = complex ? 2.0 : 1.0;
    const model::Part phasor{.ffma = 10.0, .fmul = 4.0, .fadd = 10.0, .offsets = 12.0};
    std::vector<model::Kernel> kernels{forEachWork(
        backend, task.name, waves * transmits,
        {.bytesRead = task.shiftBytes + 8.0,
         .bytesWritten = task.readingBytes,
         .counts = oneByOne(
             backend, addedUp({phasor, {.ffma = 2.0, .fmul = 4.0, .fadd = 4.0, .offsets = 10.0}})),
         .divisions = 1.0})};
    if (backend == Backend::Cuda) {
        const model::Part tap{.ffma = reals, .offsets = 8.0 + reals};
        const model::Part firing =
            addedUp({tap.times(task.taps), {.ffma = complex ? 4.0 : 1.0, .offsets = 12.0}});
        const auto readings = static_cast<double>(transmits);
        kernels.push_back(forEachInLinesWork(
            backend, task.name, output.count(),
            {.bytesRead = task.readingBytes * readings + parts * task.taps * (bytes + 4.0),
             .bytesWritten = bytes,
             .distinctRead = bytes * std::min(parts, static_cast<double>(transmits) /
                                                         static_cast<double>(waves)),
             .counts = addedUp({firing.times(parts), {.offsets = 8.0 * readings}}),
             .divisions = 2.0}));
        return kernels;
    }
    const auto samples = static_cast<double>(input.axes[2].size);
    const double terms = parts * task.taps * samples;
    const model::Part term{.sharedBytes = 3.0 * bytes,
                           .fmul = complex ? 4.0 : 1.0,
                           .fadd = complex ? 4.0 : 1.0,
                           .offsets = complex ? 0.25 : 0.0};
    kernels.push_back(forEachWork(backend, task.name, waves * input.axes[1].size,
                                  {.bytesRead = bytes * parts * samples,
                                   .bytesWritten = bytes * samples,
                                   .distinctRead = bytes * samples *
                                                   std::min(parts, static_cast<double>(transmits) /
                                                                       static_cast<double>(waves)),
                                   .counts = term.times(terms)}));
    return kernels;
}

} // namespace echolux
