// SPDX-License-Identifier: GPL-3.0-or-later
// The pulse with which `matched_filter` compares echoes. Host only, in double precision.
//
// Chirp of duration T, which runs from f0 to f1: p(t) = w(t / T) cos(phi(t)), phi(t) = 2 pi (f0 t +
// (f1 - f0) t^2 / (2 T)) + phase, w the Tukey window (Misaridis and Jensen, Use of modulated
// excitation signals in medical ultrasound, part I, IEEE Trans. UFFC 52(2), 2005, section II).
// Recorded pulse: p(t) = sum_i s[i] h(t - i / fp), h a low-pass that passes what echoes and pulse
// both hold, so that p(i / fp) = s[i] where both are sampled alike.
// IQ samples: the analytic pulse, mixed down at their frequency fd, p_a(t) exp(-2 pi j fd (t - r)).
#pragma once

#include "gpu/core/frame_spec.hpp"
#include "gpu/dsp/fir_design.hpp"
#include "gpu/stages/matched_filter_table.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace echolux::pulse {

using Value = std::complex<double>;
inline constexpr double kTwoPi = 2.0 * std::numbers::pi;
inline constexpr double kRounding = 1e-6; ///< [samples]

/// What the samples of echoes are.
struct EchoSampling {
    double rateHz = 0.0;
    bool mixed = false;   ///< IQ samples
    double mixedHz = 0.0; ///< their frequency that became 0
    bool folds = false;   ///< band-pass sampled: what lies above half the rate is in them
};

inline EchoSampling samplingOf(const FrameSpec& input) {
    const double rateHz = input.samplingFrequencyHz();
    const bool mixed = isComplex(input.dtype);
    return {rateHz, mixed, mixed ? input.demodulationFrequencyHz : 0.0,
            !mixed && input.centreFrequencyHz >= 0.5 * rateHz};
}

/// 0 <= u <= 1; `taper` is the part that rises and falls.
inline double tukeyWindow(double u, double taper) {
    const double edge = 2.0 * std::max(std::min(u, 1.0 - u), 0.0);
    return edge >= taper ? 1.0 : 0.5 - 0.5 * std::cos(std::numbers::pi * edge / taper);
}

inline double mismatch(const MatchedFilterParams& p, double u) {
    switch (p.window) {
    case ReplicaWindow::None: return 1.0;
    case ReplicaWindow::Hann: return firWindow(FirWindow::Hann, u);
    case ReplicaWindow::Hamming: return firWindow(FirWindow::Hamming, u);
    case ReplicaWindow::Blackman: return firWindow(FirWindow::Blackman, u);
    case ReplicaWindow::Tukey: return tukeyWindow(u, p.windowTaper);
    }
    return 1.0;
}

inline double lengthS(const MatchedFilterParams& p) {
    if (p.pulse == PulseKind::Chirp) return p.durationS;
    return static_cast<double>(p.samples.size()) / p.pulseSamplingHz;
}

/// Time of the reference point from the beginning of the pulse.
inline double referenceS(const MatchedFilterParams& p) {
    if (p.reference == ReferencePoint::Start) return 0.0;
    if (p.pulse == PulseKind::Chirp) return 0.5 * p.durationS;
    return 0.5 * static_cast<double>(p.samples.size() - 1) / p.pulseSamplingHz;
}

/// The chirp `t` after its beginning, analytic.
inline Value chirpAt(const MatchedFilterParams& p, double t) {
    const double u = t / p.durationS;
    const double turns = (p.startHz + 0.5 * (p.endHz - p.startHz) * u) * t;
    return std::polar(tukeyWindow(u, p.taper), kTwoPi * turns + p.phaseRad);
}

/// Distance from 0 to the mirror image of the pulse after mixing, folded by sampling.
inline double mirrorDistance(double mixedHz, double rateHz) {
    return std::abs(2.0 * mixedHz - rateHz * std::round(2.0 * mixedHz / rateHz));
}

/// Reads a recorded pulse between its samples: a windowed sinc of `kCrossings` zeros each side.
struct PulseReader {
    static constexpr double kCrossings = 24.0;
    const std::vector<double>& samples;
    double rateHz;
    double mixedHz; ///< of an analytic pulse
    bool analytic;
    double pass = 1.0; ///< cut-off over half the rate of the pulse

    PulseReader(const MatchedFilterParams& p, const EchoSampling& echoes)
        : samples(p.samples), rateHz(p.pulseSamplingHz), mixedHz(echoes.mixedHz),
          analytic(echoes.mixed) {
        if (!echoes.folds) pass = std::min(1.0, echoes.rateHz / rateHz);
        if (analytic) pass = std::min(pass, mirrorDistance(mixedHz, rateHz) / rateHz);
    }

    /// `t` after the first sample; an analytic pulse is mixed down with phase 0 at that sample.
    Value operator()(double t) const {
        const double at = t * rateHz;
        const double reach = kCrossings / pass;
        const auto last = static_cast<double>(samples.size() - 1);
        Value sum;
        for (double i = std::max(0.0, std::ceil(at - reach)); i <= std::min(last, at + reach);
             i += 1.0) {
            const double weight =
                samples[static_cast<std::size_t>(i)] * lowPass(at - i, (at - i) / reach);
            const double turns = analytic ? -mixedHz * i / rateHz : 0.0;
            sum += weight * std::polar(analytic ? 2.0 : 1.0, kTwoPi * turns);
        }
        return sum;
    }

private:
    double lowPass(double distance, double share) const {
        const double angle = std::numbers::pi * pass * distance;
        const double sinc = std::abs(angle) < 1e-9 ? 1.0 : std::sin(angle) / angle;
        return pass * sinc * firWindow(FirWindow::Blackman, 0.5 + 0.5 * share);
    }
};

/// A pulse at the rate of the echoes. Value i stands for the lag first + i from the reference
/// point.
struct Replica {
    std::int64_t first = 0;
    std::vector<Value> sent;   ///< p
    std::vector<Value> filter; ///< w p / sum w |p|^2, so that an echo of p has the peak 1
    double gain = 0.0;         ///< sum w |p|^2
};

/// The most samples that a replica has, wherever its reference point lies.
inline std::int64_t mostSamples(const MatchedFilterParams& p, double rateHz) {
    return static_cast<std::int64_t>(std::ceil(lengthS(p) * rateHz)) + 1;
}

inline std::vector<Value> sentPulse(const MatchedFilterParams& p, const EchoSampling& echoes,
                                    std::int64_t first, std::int64_t count) {
    const double referredS = referenceS(p);
    const bool recorded = p.pulse == PulseKind::Recorded;
    const PulseReader reader(p, echoes);
    std::vector<Value> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const double lagS = static_cast<double>(first + i) / echoes.rateHz;
        const double t = std::max(lagS + referredS, 0.0);
        // A recorded pulse is mixed from its beginning on, and the phase is 0 at the reference.
        const Value mix = std::polar(1.0, kTwoPi * echoes.mixedHz * (recorded ? referredS : -lagS));
        const Value value = recorded ? reader(t) : chirpAt(p, t);
        values.push_back(echoes.mixed ? value * mix : Value(value.real()));
    }
    return values;
}

/// Precondition: the pulse has at least a sample, and what plan() of the stage demands.
inline Replica replicaOf(const MatchedFilterParams& p, const EchoSampling& echoes) {
    const double before = referenceS(p) * echoes.rateHz;
    const double after = lengthS(p) * echoes.rateHz - before;
    const auto end = static_cast<std::int64_t>(std::ceil(after - kRounding));
    Replica replica;
    replica.first = -static_cast<std::int64_t>(std::floor(before + kRounding));
    replica.sent = sentPulse(p, echoes, replica.first, end - replica.first);
    replica.filter = replica.sent;
    for (std::size_t i = 0; i < replica.sent.size(); ++i) {
        const double lag = static_cast<double>(replica.first) + static_cast<double>(i);
        const double u = std::clamp((lag + before) / (before + after), 0.0, 1.0);
        const double weight = mismatch(p, u);
        replica.filter[i] *= weight;
        replica.gain += weight * std::norm(replica.sent[i]);
    }
    for (Value& value : replica.filter) value /= replica.gain > 0.0 ? replica.gain : 1.0;
    return replica;
}

} // namespace echolux::pulse
