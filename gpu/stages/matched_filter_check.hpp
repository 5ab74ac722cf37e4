// SPDX-License-Identifier: GPL-3.0-or-later
// What `matched_filter` refuses, and the pulse that it takes for granted.
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/dsp/fractional_delay.hpp"
#include "gpu/stages/matched_filter_replica.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::pulse {

/// Frequencies that samples tell from each other.
struct HeldBand {
    double lowHz = 0.0;
    double highHz = 0.0;
    bool holds(double hz) const {
        const double slack = 1e-9 * highHz;
        return hz >= lowHz - slack && hz <= highHz + slack;
    }
};

/// The multiples of half the sampling frequency round the centre frequency, or half of it on either
/// side of the frequency that became 0.
inline HeldBand heldBand(const FrameSpec& input) {
    const EchoSampling echoes = samplingOf(input);
    const double half = 0.5 * echoes.rateHz;
    if (echoes.mixed) return {echoes.mixedHz - half, echoes.mixedHz + half};
    const double zone = echoes.folds ? std::floor(input.centreFrequencyHz / half) : 0.0;
    return {zone * half, (zone + 1.0) * half};
}

inline void checkChirp(const FrameSpec& input, const MatchedFilterParams& p) {
    const HeldBand held = heldBand(input);
    if (held.holds(p.startHz) && held.holds(p.endHz)) return;
    throw Error(fmt::format(
        "Stage 'matched_filter': the chirp runs from {:g} to {:g} MHz, but {} samples taken at "
        "{:g} MHz hold {:g} to {:g} MHz; set 'start' and 'end' to frequencies within.",
        p.startHz / 1e6, p.endHz / 1e6, isComplex(input.dtype) ? "IQ" : "RF",
        input.samplingFrequencyHz() / 1e6, std::max(held.lowHz, 0.0) / 1e6, held.highHz / 1e6));
}

inline void checkRecorded(const EchoSampling& echoes, const MatchedFilterParams& p) {
    const auto bad =
        std::ranges::find_if_not(p.samples, [](double value) { return std::isfinite(value); });
    if (bad != p.samples.end()) {
        throw Error(fmt::format("Stage 'matched_filter': number {} of 'samples' is not a number; "
                                "give the samples of the pulse again, without gaps.",
                                bad - p.samples.begin() + 1));
    }
    if (p.samples.empty())
        throw Error("Stage 'matched_filter': 'samples' is empty; give the samples of the pulse.");
    if (!echoes.mixed) return;
    constexpr double kLeastRoom = 0.02;
    if (mirrorDistance(echoes.mixedHz, p.pulseSamplingHz) >= kLeastRoom * p.pulseSamplingHz) return;
    throw Error(fmt::format(
        "Stage 'matched_filter': echoes are mixed down at {:g} MHz, where a pulse sampled at {:g} "
        "MHz falls onto its own mirror image; give a pulse of another 'pulse_sampling', or put the "
        "stage before the one that mixes.",
        echoes.mixedHz / 1e6, p.pulseSamplingHz / 1e6));
}

inline void checkLength(const FrameSpec& input, const MatchedFilterParams& p) {
    const double rateHz = input.samplingFrequencyHz();
    const auto samples = static_cast<double>(input.sizeOf(AxisName::Sample));
    const double wanted = lengthS(p) * rateHz;
    if (wanted <= samples + kRounding && wanted > kRounding) return;
    const char* help = p.pulse == PulseKind::Chirp
                           ? "set 'duration' to less"
                           : "give fewer 'samples', or set 'pulse_sampling' to their true rate";
    if (wanted <= kRounding) help = "set 'pulse_sampling' to the true rate of the pulse";
    throw Error(fmt::format("Stage 'matched_filter': the pulse lasts {:g} us, and a record {:g} us "
                            "of {:g} us a sample; {}.",
                            1e6 * lengthS(p), 1e6 * samples / rateHz, 1e6 / rateHz, help));
}

/// The power of the loudest sample of the pulse, as it is given.
inline double peakPower(const MatchedFilterParams& p) {
    if (p.pulse == PulseKind::Chirp) return 1.0;
    const auto [least, most] = std::ranges::minmax(p.samples);
    return std::max(least * least, most * most);
}

inline void checkLoudness(const MatchedFilterParams& p, const EchoSampling& echoes) {
    constexpr double kLeastShare = 1e-8; // of the power: -80 dB
    const Replica replica = replicaOf(p, echoes);
    if (replica.gain > kLeastShare * peakPower(p)) return;
    const char* help = p.pulse == PulseKind::Chirp
                           ? "set 'duration' to more, or 'window' to none"
                           : "give 'samples' that are not all zero and lie in the band of the "
                             "echoes, or set 'window' to none";
    throw Error(fmt::format("Stage 'matched_filter': nothing is left of the pulse at a sampling "
                            "frequency of {:g} MHz; {}.",
                            echoes.rateHz / 1e6, help));
}

inline void checkPulse(const FrameSpec& input, const MatchedFilterParams& p) {
    if (!(input.samplingFrequencyHz() > 0.0)) {
        throw Error("Stage 'matched_filter': the recording does not tell its sampling frequency, "
                    "without which a pulse has no length; name it in a sidecar or bypass the "
                    "stage.");
    }
    const EchoSampling echoes = samplingOf(input);
    p.pulse == PulseKind::Chirp ? checkChirp(input, p) : checkRecorded(echoes, p);
    checkLength(input, p);
    checkLoudness(p, echoes);
}

/// A chirp through the band of the probe, as far as the samples hold it, of 10 us or a quarter of
/// the record. A recorded pulse is taken for one of the same rate.
inline void suitPulse(const ParamTable& table, const FrameSpec& input, MatchedFilterParams& p) {
    const double rateHz = input.samplingFrequencyHz();
    if (!(rateHz > 0.0)) return;
    const auto within = [&table](const char* key, double value) {
        const ParamRow& row = *table.find(key);
        return std::clamp(value, row.min, row.max);
    };
    const HeldBand held = heldBand(input);
    const double middle = 0.5 * (std::max(held.lowHz, 0.0) + held.highHz);
    double centre = input.centreFrequencyHz;
    const auto roomOf = [&](double hz) { return std::min(hz - held.lowHz, held.highHz - hz); };
    if (!(centre > 0.0) || !(roomOf(centre) > 0.02 * rateHz)) centre = middle;
    const double half =
        std::min({0.5 * usualBandwidth(input) * centre, 0.9 * roomOf(centre), 0.9 * centre});
    p.startHz = within("start", centre - half);
    p.endHz = within("end", centre + half);
    constexpr double kUsualS = 10e-6;
    const double recordS = static_cast<double>(input.sizeOf(AxisName::Sample)) / rateHz;
    p.durationS = within("duration", std::min(kUsualS, 0.25 * recordS));
    p.pulseSamplingHz = within("pulse_sampling", rateHz);
}

} // namespace echolux::pulse
