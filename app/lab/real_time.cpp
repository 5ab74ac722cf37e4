// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/real_time.hpp"

#include "gpu/core/firing.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::lab {

std::optional<ProbeRates> probeRates(const FrameSpec& raw) {
    const FrameSpec frame = oneFrameOf(raw);
    const double fs = frame.samplingFrequencyHz();
    if (frame.acquisition == nullptr || !(fs > 0.0)) return std::nullopt;
    const auto channels = static_cast<double>(frame.sizeOf(AxisName::Channel));
    const auto samples = static_cast<double>(frame.sizeOf(AxisName::Sample));
    ProbeRates rates;
    rates.samplesPerS = channels * fs;
    rates.samplesPerFrame = static_cast<double>(frame.count());
    rates.bytesPerS =
        rates.samplesPerS * static_cast<double>(frame.bytes()) / rates.samplesPerFrame;
    double latest = 0.0;
    double together = 0.0;
    for (const Transmit& transmit : frame.acquisition->transmits) {
        const double end = std::max(0.0, transmit.firstSampleS) + samples / fs;
        latest = std::max(latest, end);
        together += end;
    }
    rates.depthM = frame.acquisition->soundSpeedMps / waysOf(*frame.acquisition) * latest;
    if (together > 0.0) rates.pulseFramesPerS = 1.0 / together;
    return rates;
}

std::int64_t cardsForRealTime(double timesRealTime) {
    if (!(timesRealTime > 0.0)) return 0;
    return static_cast<std::int64_t>(std::ceil(1.0 / timesRealTime));
}

} // namespace echolux::lab
