// SPDX-License-Identifier: GPL-3.0-or-later
// The plot beside the parameters of `matched_filter`.
#pragma once

#include "gpu/fft/fft.hpp"
#include "gpu/stage/shown_stage.hpp"
#include "gpu/stages/matched_filter_check.hpp"
#include "gpu/stages/matched_filter_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace echolux::pulse {

/// A rate that holds all of the chirp without its carrier.
inline double shownRateHz(const MatchedFilterParams& p) {
    return 4.0 * (std::abs(p.endHz - p.startHz) + 10.0 / p.durationS);
}

/// sum_k conj(filter[k]) sent[k + lag] at all lags of a circle of `length`; that of lag 0 first.
inline std::vector<Value> compressed(const Replica& replica, std::int64_t length) {
    std::vector<Value> product = spectrumOf(replica.filter, 0, length);
    const std::vector<Value> sent = spectrumOf(replica.sent, 0, length);
    for (std::size_t k = 0; k < product.size(); ++k) product[k] *= std::conj(sent[k]);
    // The conjugate of the spectrum of a conjugate is the transform back.
    std::vector<Value> echo = spectrumOf(product, 0, length);
    for (Value& value : echo) value = std::conj(value) / static_cast<double>(length);
    return echo;
}

/// What an echo of the chirp becomes, in dB of its peak, over half a pulse round the peak.
inline std::vector<StageCurve> compressedCurve(const ShownStage& stage) {
    constexpr double kFloorDb = -100.0;
    const auto& p = stage.params.as<MatchedFilterParams>();
    if (p.pulse == PulseKind::Recorded) return {};
    checkPulse(stage.input, p);
    const double rateHz = shownRateHz(p);
    const Replica replica = replicaOf(p, {rateHz, true, 0.5 * (p.startHz + p.endHz), false});
    const auto sent = static_cast<std::int64_t>(replica.sent.size());
    const std::vector<Value> echo = compressed(replica, fastFftLength(2 * sent));
    const std::int64_t half = sent / 4;
    const double stepUs = 1e6 / rateHz;
    StageCurve curve{.neutralX = {0.0, 0.0},
                     .neutralY = {kFloorDb, 0.0},
                     .xLabel = "us",
                     .yLabel = "dB",
                     .xMin = -static_cast<double>(half) * stepUs,
                     .xMax = static_cast<double>(half) * stepUs,
                     .yMin = -80.0,
                     .yMax = 3.0};
    for (std::int64_t lag = -half; lag <= half; ++lag) {
        const auto i = static_cast<std::size_t>(lag < 0 ? lag + std::ssize(echo) : lag);
        curve.x.push_back(static_cast<double>(lag) * stepUs);
        curve.y.push_back(std::max(20.0 * std::log10(std::abs(echo[i]) + 1e-9), kFloorDb));
    }
    return {curve};
}

} // namespace echolux::pulse
