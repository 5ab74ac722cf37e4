// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages before `beamform` compute with, for the kernel that does their work in one; each
// in the file of its stage. `input` is that of the stage.
#pragma once

#include "gpu/core/code_to_float.hpp"
#include "gpu/core/complex.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/stage/param_table.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace echolux::front {

/// exp(-2 pi j turns), whose whole turns are taken off first.
inline Complex mixingPhase(double turns) {
    const double angle = -2.0 * std::numbers::pi * (turns - std::floor(turns));
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

CodeScaling codeScaling(const FrameSpec& input, const Params& toFloat);

/// Right half of the zero-phase filter, its middle tap first.
std::vector<double> bandpassTaps(const FrameSpec& input, const Params& bandpass);
/// Whether it is that one; by a structural parameter.
bool isZeroPhase(const Params& bandpass);

/// Taps of the Hilbert transform 1, 3, 5 ... samples away, and the phase of each sample, which
/// depends on structural parameters alone.
std::vector<float> analyticTaps(const FrameSpec& input, const Params& analytic);
std::vector<Complex> analyticPhases(const FrameSpec& input, const Params& analytic);

/// Taps of the mixing low-pass, an odd number of them round each sample that is kept.
std::vector<Complex> demodulationTaps(const FrameSpec& input, const Params& demodulation);
std::int64_t decimationOf(const Params& demodulation);
/// Phases of a line's kept samples and of each transmit, those of an ensemble frame by frame; by
/// structural parameters alone.
struct DemodulationPhases {
    std::vector<Complex> samples;
    std::vector<Complex> transmits;
};
DemodulationPhases demodulationPhases(const FrameSpec& input, const Params& demodulation);

} // namespace echolux::front
