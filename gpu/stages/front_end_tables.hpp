// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the stages before `beamform`, for the fused kernel. Each function is defined in the
// file of its stage. `input` is the input of that stage.
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

/// exp(-2 pi j turns); whole turns are removed first.
inline Complex mixingPhase(double turns) {
    const double angle = -2.0 * std::numbers::pi * (turns - std::floor(turns));
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

CodeScaling codeScaling(const FrameSpec& input, const Params& toFloat);

/// Right half of the zero-phase filter, beginning with the middle tap.
std::vector<double> bandpassTaps(const FrameSpec& input, const Params& bandpass);
/// True where the filter is the zero-phase one; a structural parameter decides it.
bool isZeroPhase(const Params& bandpass);

/// Taps of the Hilbert transform for samples 1, 3, 5 ... away, and the phase of each sample, which
/// depends on structural parameters only.
std::vector<float> analyticTaps(const FrameSpec& input, const Params& analytic);
std::vector<Complex> analyticPhases(const FrameSpec& input, const Params& analytic);

/// Taps of the mixing low-pass: an odd number around each kept sample.
std::vector<Complex> demodulationTaps(const FrameSpec& input, const Params& demodulation);
std::int64_t decimationOf(const Params& demodulation);
/// Phases of a line's kept samples and of each transmit; for an ensemble, of each transmit of each
/// frame. They depend on structural parameters only.
struct DemodulationPhases {
    std::vector<Complex> samples;
    std::vector<Complex> transmits;
};
DemodulationPhases demodulationPhases(const FrameSpec& input, const Params& demodulation);

} // namespace echolux::front
