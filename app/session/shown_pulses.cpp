// SPDX-License-Identifier: GPL-3.0-or-later
// One copy of 64 KiB per request.
#include "app/session/shown_pulses.hpp"

#include "gpu/memory/transfer.hpp"
#include "gpu/stages/spectral_doppler.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace echolux {

std::optional<GatePulses> gatePulses(const Snapshot& snapshot) {
    const StageState* stage = snapshot.findWith<SpectralDopplerParams>();
    if (stage == nullptr) return std::nullopt;
    const auto& values = stage->params.as<SpectralDopplerParams>();
    const FrameSpec& input = stage->input();
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

ShownPulses::ShownPulses(Backend backend) : m_backend(backend), m_stream(backend, "pulses") {}

void ShownPulses::copy(const ConstTensorView& pulses) {
    constexpr std::int64_t kNoBscan = 0;
    const auto wanted = take(kNoBscan);
    if (!wanted || pulses.data == nullptr) return;
    auto look = std::make_shared<PulsesLook>();
    look->asked = *wanted;
    look->frames = m_frames;
    look->pulses.resize(static_cast<std::size_t>(pulses.spec->count()));
    const std::size_t bytes = pulses.spec->bytes();
    if (m_staging.bytes() != bytes) m_staging = Buffer(stagingMemory(m_backend), bytes);
    downloadLine({m_backend, m_stream.get()}, m_staging.data(), pulses.data, bytes, 1, bytes);
    m_stream.synchronize();
    std::memcpy(look->pulses.data(), m_staging.data(), bytes);
    answer(kNoBscan, std::move(look));
}

} // namespace echolux
