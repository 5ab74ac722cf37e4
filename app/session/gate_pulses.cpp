// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/gate_pulses.hpp"

#include "gpu/stages/spectral_doppler.hpp"

#include <cmath>
#include <numbers>

namespace echolux {

std::optional<GatePulses> gatePulses(const Snapshot& snapshot) {
    const StageState* stage = snapshot.findWith<SpectralDopplerParams>();
    if (stage == nullptr) return std::nullopt;
    const FrameSpec& input = stage->input();
    const auto values = flow::asHeard(stage->params.as<SpectralDopplerParams>(), input);
    GatePulses pulses;
    pulses.output = kGateOutput + ("@" + stage->id);
    pulses.perFrame = input.isEnsemble() ? input.sizeOf(AxisName::Frame) : 1;
    pulses.inverted = values.inverted;
    const double apartS = input.isEnsemble() ? flow::frameTimeS(input) : input.frameIntervalS;
    if (!(apartS > 0.0)) return pulses;
    pulses.rateHz = 1.0 / apartS;
    const double radians = values.wallFilterMps * std::cos(values.angleRad) /
                           flow::metresPerSecondPerRadian(values, apartS);
    pulses.wallHz = radians / (2.0 * std::numbers::pi) * pulses.rateHz;
    return pulses;
}

} // namespace echolux
