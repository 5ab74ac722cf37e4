// SPDX-License-Identifier: GPL-3.0-or-later
// Which transmits of a recording `pulse_inversion` combines, with which weights, and the waves that
// come out. Host only.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/stages/pulse_inversion_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace echolux::pulses {

inline constexpr std::int64_t kMostPulses = 16;

/// One per pulse. Pulse k of three phases is cos(2 pi f t + 2 pi k / 3), so its harmonic m has the
/// phase 2 pi k m / 3, which the weight turns back.
inline std::vector<Complex> weightsOf(const PulseInversionParams& p) {
    constexpr float kSine = 0.866025404F / 3.0F;
    constexpr float kThird = 1.0F / 3.0F;
    constexpr float kSixth = 1.0F / 6.0F;
    switch (p.scheme) {
    case PulseScheme::Inversion: return {{0.5F}, {0.5F}};
    case PulseScheme::Difference: return {{0.5F}, {-0.5F}};
    case PulseScheme::AmplitudeModulation: return {{-1.0F}, {1.0F}, {-1.0F}};
    case PulseScheme::ThreePhases:
        switch (p.harmonic) {
        case PickedHarmonic::Third: return {{kThird}, {kThird}, {kThird}};
        case PickedHarmonic::Second: return {{kThird}, {-kSixth, kSine}, {-kSixth, -kSine}};
        case PickedHarmonic::Fundamental: return {{kThird}, {-kSixth, -kSine}, {-kSixth, kSine}};
        }
        break;
    case PulseScheme::Weights: break;
    }
    std::vector<Complex> weights;
    for (const double weight : p.weights) weights.push_back({static_cast<float>(weight)});
    return weights;
}

/// The pulse whose sound reaches farthest tells which elements fire: the full one.
inline std::size_t leadingPulse(const PulseInversionParams& p) {
    return p.scheme == PulseScheme::AmplitudeModulation ? 1 : 0;
}

/// What the centre frequency is multiplied by.
inline double harmonicOf(const PulseInversionParams& p) {
    switch (p.band) {
    case HarmonicBand::Fundamental: return 1.0;
    case HarmonicBand::Second: return 2.0;
    case HarmonicBand::Third: return 3.0;
    case HarmonicBand::Automatic: break;
    }
    switch (p.scheme) {
    case PulseScheme::Inversion:
    case PulseScheme::AmplitudeModulation: return 2.0;
    case PulseScheme::ThreePhases: return 3.0 - static_cast<double>(p.harmonic);
    default: return 1.0;
    }
}

/// How the transmits of a frame are numbered: steps from wave to wave, and from pulse to pulse.
struct WaveOrder {
    std::int64_t pulses = 1;
    std::int64_t waves = 1;
    bool pulsesFirst = true;

    ECHOLUX_HD std::int64_t ofWave() const { return pulsesFirst ? pulses : 1; }
    ECHOLUX_HD std::int64_t ofPulse() const { return pulsesFirst ? 1 : waves; }
    std::size_t transmit(std::int64_t wave, std::int64_t pulse) const {
        return static_cast<std::size_t>(wave * ofWave() + pulse * ofPulse());
    }
};

[[noreturn]] inline void refuse(const std::string& what) {
    throw Error("Stage 'pulse_inversion': " + what);
}

inline WaveOrder orderOf(const FrameSpec& input, const PulseInversionParams& p) {
    const std::int64_t transmits = input.sizeOf(AxisName::Transmit);
    const auto pulses = std::ssize(weightsOf(p));
    if (transmits % pulses == 0)
        return {pulses, transmits / pulses, p.order == PulseOrder::PulsesFirst};
    std::vector<std::int64_t> fits;
    for (std::int64_t n = 1; n <= std::min(transmits, kMostPulses); ++n)
        if (transmits % n == 0) fits.push_back(n);
    refuse(fmt::format("{} transmits do not hold a whole number of waves of {} pulses each; choose "
                       "a 'scheme' of {} {} ('weights' takes any number of them), or take the "
                       "stage out.",
                       transmits, pulses, fmt::join(fits, " or "),
                       transmits > 1 ? "pulses" : "pulse"));
}

inline void checkWeights(const FrameSpec& input, const PulseInversionParams& p) {
    if (p.scheme == PulseScheme::ThreePhases && p.harmonic != PickedHarmonic::Third &&
        !isComplex(input.dtype)) {
        refuse("parameter 'harmonic' must be third, because RF samples do not tell the others "
               "apart; choose third, or put 'analytic' or 'iq_demod' before the stage.");
    }
    if (p.scheme != PulseScheme::Weights) return;
    const std::int64_t count = std::ssize(p.weights);
    if (count < 1 || count > kMostPulses)
        refuse(fmt::format("parameter 'weights' has {} numbers; give 1 to {}, one per pulse.",
                           count, kMostPulses));
    if (std::ranges::any_of(p.weights, [](double weight) { return !std::isfinite(weight); }))
        refuse("parameter 'weights' has something that is not a number; give numbers alone.");
    if (std::ranges::all_of(p.weights, [](double weight) { return weight == 0.0; }))
        refuse("all 'weights' are 0, so nothing is left; give at least one other number.");
}

inline bool samePlace(const Point& a, const Point& b) {
    constexpr double kNearM = 1e-9;
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) <= kNearM;
}

/// How two transmits differ besides in their pulse, "in their angle"; empty: they do not.
inline std::string difference(const FrameSpec& input, const Transmit& a, const Transmit& b) {
    constexpr double kNearRad = 1e-9;
    constexpr double kNearSamples = 1e-4; // -64 dB of a tone at a quarter of the sampling frequency
    const double rateHz = input.samplingFrequencyHz();
    const double nearS = rateHz > 0.0 ? kNearSamples / rateHz : 1e-12;
    if (a.wave != b.wave) return "in their kind of wave";
    if (std::hypot(a.angleRad - b.angleRad, a.elevationRad - b.elevationRad) > kNearRad)
        return "in their angle";
    if (!samePlace(a.source, b.source)) return "in their source or focus";
    if (!samePlace(a.origin, b.origin)) return "in the place where they are sent";
    if (std::abs(a.firstSampleS - b.firstSampleS) > nearS) return "in the time of sample 0";
    if (isComplex(input.dtype) && std::abs(a.iqPhaseZeroS - b.iqPhaseZeroS) > nearS)
        return "in the time at which the phase of their IQ samples is 0";
    return {};
}

inline void checkWave(const FrameSpec& input, const WaveOrder& order, std::int64_t wave) {
    const Acquisition& acquisition = *input.acquisition;
    const std::size_t first = order.transmit(wave, 0);
    const auto channels = static_cast<std::size_t>(input.sizeOf(AxisName::Channel));
    for (std::int64_t pulse = 1; pulse < order.pulses; ++pulse) {
        const std::size_t other = order.transmit(wave, pulse);
        std::string how =
            difference(input, acquisition.transmits[first], acquisition.transmits[other]);
        const auto& heard = acquisition.receiveElements;
        if (how.empty() && !heard.empty() &&
            !std::equal(&heard[first * channels], &heard[first * channels] + channels,
                        &heard[other * channels]))
            how = "in the elements that listen";
        if (how.empty()) continue;
        refuse(fmt::format("transmits {} and {} should be one wave sent with two pulses, but they "
                           "differ {}; choose the other 'order', or the 'scheme' of this "
                           "recording.",
                           first + 1, other + 1, how));
    }
}

inline void checkGeometry(const FrameSpec& input, const WaveOrder& order) {
    const auto known = std::ssize(input.acquisition->transmits);
    const std::int64_t transmits = input.sizeOf(AxisName::Transmit);
    if (known != transmits)
        refuse(fmt::format("the frame holds {} transmits, but its geometry describes {}; correct "
                           "the recording's description.",
                           transmits, known));
    const auto channels = transmits * input.sizeOf(AxisName::Channel);
    for (const auto rows : {std::ssize(input.acquisition->receiveElements),
                            std::ssize(input.acquisition->receiveWeights)}) {
        if (rows != 0 && rows != channels)
            refuse(fmt::format("the geometry describes {} channels of {} transmits, but the frame "
                               "holds {}; correct the recording's description.",
                               rows, transmits, channels));
    }
    for (std::int64_t wave = 0; wave < order.waves; ++wave) checkWave(input, order, wave);
}

/// Rows of [transmit][channel], one per wave: that of its pulse number `pulse`. Empty stays empty.
template <class T> std::vector<T> rowsOf(const std::vector<T>& table, const WaveOrder& order,
                                         std::int64_t pulse, std::int64_t channels) {
    std::vector<T> rows;
    for (std::int64_t wave = 0; wave < order.waves && !table.empty(); ++wave) {
        const auto row =
            table.begin() + static_cast<std::int64_t>(order.transmit(wave, pulse)) * channels;
        rows.insert(rows.end(), row, row + channels);
    }
    return rows;
}

/// One transmit per wave. A channel counts as it does in the pulse where it counts least.
inline std::shared_ptr<const Acquisition> combined(const FrameSpec& input, const WaveOrder& order,
                                                   std::size_t leading) {
    const Acquisition& sent = *input.acquisition;
    const std::int64_t channels = input.sizeOf(AxisName::Channel);
    auto made = std::make_shared<Acquisition>(sent);
    made->transmits.clear();
    for (std::int64_t wave = 0; wave < order.waves; ++wave)
        made->transmits.push_back(
            sent.transmits[order.transmit(wave, static_cast<std::int64_t>(leading))]);
    made->receiveElements = rowsOf(sent.receiveElements, order, 0, channels);
    made->receiveWeights = rowsOf(sent.receiveWeights, order, 0, channels);
    for (std::int64_t pulse = 1; pulse < order.pulses; ++pulse) {
        const std::vector<float> others = rowsOf(sent.receiveWeights, order, pulse, channels);
        for (std::size_t i = 0; i < others.size(); ++i)
            made->receiveWeights[i] = std::min(made->receiveWeights[i], others[i]);
    }
    return made;
}

/// Of the pulse that was sent; 0 where unknown.
inline double sentHz(const FrameSpec& input) {
    if (input.centreFrequencyHz > 0.0 || !input.acquisition) return input.centreFrequencyHz;
    return input.acquisition->probe.centreFrequencyHz;
}

/// Says that the samples do not hold the harmonic that is wanted.
inline std::vector<std::string> warnings(const FrameSpec& input, double harmonicHz) {
    const double rateHz = input.samplingFrequencyHz();
    if (!(rateHz > 0.0) || !(harmonicHz > 0.0)) return {};
    const bool mixed = isComplex(input.dtype);
    const double offHz = mixed ? std::abs(harmonicHz - input.demodulationFrequencyHz) : harmonicHz;
    if (offHz < 0.5 * rateHz) return {};
    const std::string held =
        mixed ? fmt::format("mixed down at {:g} MHz", input.demodulationFrequencyHz / 1e6)
              : std::string("not mixed");
    return {fmt::format(
        "Stage 'pulse_inversion': 'harmonic_band' is round {:g} MHz, which samples "
        "taken at {:g} MHz and {} do not hold; choose a lower 'harmonic_band', or "
        "{}.",
        harmonicHz / 1e6, rateHz / 1e6, held,
        mixed ? fmt::format("set 'frequency' of the stage that mixes to {:g} MHz", harmonicHz / 1e6)
              : std::string("record at a higher sampling frequency"))};
}

/// How often the wave of the first transmit was sent, and in which order.
inline void suitOrder(const FrameSpec& input, PulseInversionParams& p) {
    if (!input.acquisition || input.acquisition->transmits.size() < 2) return;
    const std::vector<Transmit>& sent = input.acquisition->transmits;
    const auto again = [&](const Transmit& other) {
        return difference(input, sent.front(), other).empty();
    };
    if (std::ranges::count_if(sent, again) == 3) p.scheme = PulseScheme::AmplitudeModulation;
    if (!again(sent[1])) p.order = PulseOrder::WavesFirst;
}

} // namespace echolux::pulses
