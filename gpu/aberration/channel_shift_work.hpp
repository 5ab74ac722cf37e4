// SPDX-License-Identifier: GPL-3.0-or-later
// What ChannelShift::run() does, for the performance model.
#pragma once

#include "gpu/core/firing.hpp"
#include "gpu/stage/function_work.hpp"

#include <cstdint>
#include <vector>

namespace echolux::aberration {

/// Counts ShiftChannels. Of each sample: delay and factor of the element that hears it, and of the
/// one that fired alone where `onTransmit`; then 10 taps between the samples, each with a weight, a
/// sample and two limits; IQ data are turned by a phasor. Three divisions find line, patch and
/// transmit, which the CPU makes once per line. All elements count as delayed.
inline std::vector<model::Kernel> channelShiftWork(Backend backend, const char* name,
                                                   const FrameSpec& input, bool onTransmit,
                                                   std::int64_t patches = 1) {
    constexpr double kTaps = 10.0;
    const double bytes = bytesPerSample(input);
    const bool complex = isComplex(input.dtype);
    const double reals = complex ? 2.0 : 1.0;
    double alone = 0.0; // share of transmits in which one element fired
    for (const Transmit& transmit : input.acquisition->transmits)
        alone += onTransmit && firedAlone(*input.acquisition, transmit) >= 0 ? 1.0 : 0.0;
    alone /= static_cast<double>(input.acquisition->transmits.size());
    const model::Part element{.ffma = 1.0, .fmul = 2.0, .fadd = 4.0, .offsets = 12.0};
    const model::Part tap{.ffma = reals, .offsets = 8.0 + reals};
    const model::Part place{.ffma = 2.0, .fmul = reals, .fadd = 7.0, .offsets = 16.0};
    // The phasor: a polynomial of a reduced angle, and the quarter turns.
    const model::Part phasor{.ffma = 12.0, .fmul = 6.0, .fadd = 10.0, .offsets = 8.0};
    model::Part counts = addedUp({element.times(1.0 + alone), tap.times(kTaps), place});
    if (complex) counts = addedUp({counts, phasor});
    return {forEachInLinesWork(backend, name, input.count() * patches,
                               {.bytesRead = kTaps * (bytes + 4.0) + 12.0 * (1.0 + alone),
                                .bytesWritten = bytes,
                                .distinctRead = bytes / static_cast<double>(patches),
                                .counts = oneByOne(backend, counts, 1.0),
                                .divisions = backend == Backend::Cuda ? 3.0 : 0.0,
                                .registers = 40.0})};
}

} // namespace echolux::aberration
