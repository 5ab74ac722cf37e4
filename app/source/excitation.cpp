// SPDX-License-Identifier: GPL-3.0-or-later
// Checks and describes what is sent, and makes the transmits of codes.
#include "app/source/excitation.hpp"

#include "app/source/echo_setup.hpp"
#include "app/source/option_range.hpp"
#include "app/source/pulse_bank.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/decoding/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr double kMhzPerHz = 1e-6;
constexpr double kUsPerS = 1e6;

bool fits(SpatialCode code, std::size_t elements) {
    return code == SpatialCode::SSequence ? decoding::hasSMatrix(elements)
                                          : decoding::hasHadamard(elements);
}

/// Throws unless the code has a matrix of that size. Names the nearest sizes that have one.
void checkSize(SpatialCode code, std::size_t elements) {
    if (fits(code, elements)) return;
    std::size_t below = elements;
    std::size_t above = elements;
    while (below > 1 && !fits(code, below)) --below;
    while (!fits(code, above)) ++above;
    const bool isS = code == SpatialCode::SSequence;
    throw Error(fmt::format("--elements is {}, but {} (--code) exist for {} elements only: choose "
                            "{} or {}.",
                            elements, isS ? "S-sequences" : "Sylvester's Hadamard matrices",
                            isS ? "2^k - 1" : "2^k", below, above));
}

/// Twice the highest frequency of the second harmonic. Its spectrum is that of the pulse, squared
/// in time: at twice the frequency, and wider by sqrt(2), or of a chirp by 2.
double leastSamplingHz(const EchoSetup& setup) {
    if (const auto& chirp = setup.excitation.chirp)
        return 4.0 * std::min(std::max(chirp->startHz, chirp->endHz),
                              setup.centreFrequencyHz * (1.0 + 0.5 * setup.fractionalBandwidth));
    return 4.0 * setup.centreFrequencyHz *
           (1.0 + setup.fractionalBandwidth / (2.0 * std::numbers::sqrt2));
}

void checkHarmonic(const EchoSetup& setup) {
    checkRange("--harmonic", "", setup.excitation.harmonicPart, 0, 1);
    if (setup.excitation.harmonicPart == 0.0) return;
    if (isOneWay(setup.acquisition))
        throw Error(
            "--harmonic is the part of a second harmonic of sent waves, but here nothing is "
            "sent: leave it out.");
    const double least = leastSamplingHz(setup);
    if (setup.samplingHz < least)
        throw Error(fmt::format("--fs is {:g} MHz, too low for the second harmonic of {:g} MHz: "
                                "choose at least {:g} MHz.",
                                setup.samplingHz * kMhzPerHz, setup.centreFrequencyHz * kMhzPerHz,
                                least * kMhzPerHz));
}

void checkChirp(const EchoSetup& setup, const Chirp& chirp) {
    constexpr double kMostTaps = 2048.0; // tables of pulses then take a gigabyte at most
    const double highestMhz = 0.5 * setup.samplingHz * kMhzPerHz;
    for (const double edge : {chirp.startHz, chirp.endHz})
        checkRange("--chirp", " MHz", edge * kMhzPerHz, 0.02, highestMhz);
    checkRange("--chirp-length", " us", chirp.lengthS * kUsPerS,
               1.0 / (setup.centreFrequencyHz * kMhzPerHz),
               kMostTaps / (setup.samplingHz * kMhzPerHz));
    const auto [low, high] = std::minmax(chirp.startHz, chirp.endHz);
    const double half = 0.5 * setup.fractionalBandwidth;
    if (high > setup.centreFrequencyHz * (1.0 - half) &&
        low < setup.centreFrequencyHz * (1.0 + half))
        return;
    throw Error(fmt::format("--chirp {:g}-{:g} lies outside the band of the transducer, {:g} to "
                            "{:g} MHz: choose frequencies in it, or another --fc or --bandwidth.",
                            chirp.startHz * kMhzPerHz, chirp.endHz * kMhzPerHz,
                            setup.centreFrequencyHz * (1.0 - half) * kMhzPerHz,
                            setup.centreFrequencyHz * (1.0 + half) * kMhzPerHz));
}

const char* wordsOf(PulseSequence sequence) {
    switch (sequence) {
    case PulseSequence::One: break;
    case PulseSequence::Inverted: return "each wave is sent twice: p, -p";
    case PulseSequence::Amplitude: return "each wave is sent three times: p / 2, p, p / 2";
    case PulseSequence::Three:
        return "each wave is sent three times, with phases of 0, 120 and 240 deg";
    }
    return "";
}

const char* wordsOf(SpatialCode code) {
    switch (code) {
    case SpatialCode::None: break;
    case SpatialCode::Hadamard: return "hadamard: Sylvester's matrix; weights 1 and -1";
    case SpatialCode::SSequence: return "s_sequence: from Sylvester's matrix; weights 1 and 0";
    case SpatialCode::HadamardDelays:
        return "hadamard_delays: Sylvester's matrix; -1 fires half a period of fc later";
    }
    return "";
}

} // namespace

std::span<const SentPulse> pulsesOf(PulseSequence sequence) {
    using std::numbers::pi;
    static constexpr std::array kOne{SentPulse{}};
    static constexpr std::array kInverted{SentPulse{}, SentPulse{-1.0, 0.0}};
    static constexpr std::array kAmplitude{SentPulse{0.5, 0.0}, SentPulse{}, SentPulse{0.5, 0.0}};
    static constexpr std::array kThree{SentPulse{}, SentPulse{1.0, 2.0 * pi / 3.0},
                                       SentPulse{1.0, 4.0 * pi / 3.0}};
    switch (sequence) {
    case PulseSequence::One: break;
    case PulseSequence::Inverted: return kInverted;
    case PulseSequence::Amplitude: return kAmplitude;
    case PulseSequence::Three: return kThree;
    }
    return kOne;
}

void addCoded(EchoSetup& setup, SpatialCode code) {
    const std::size_t elements = setup.acquisition.probe.elements.size();
    checkSize(code, elements);
    setup.code = code;
    const bool byDelays = code == SpatialCode::HadamardDelays;
    const decoding::CodeMatrix matrix =
        code == SpatialCode::SSequence ? decoding::sMatrix(elements) : decoding::hadamard(elements);
    for (std::size_t row = 0; row < elements; ++row) {
        Transmit transmit; // a plane wave at angle 0
        std::vector<double> delays;
        for (std::size_t e = 0; e < elements; ++e) {
            const double entry = matrix.at(row, e);
            transmit.apodization.push_back(byDelays ? 1.0F : static_cast<float>(entry));
            delays.push_back(entry < 0.0 ? 0.5 / setup.centreFrequencyHz : 0.0);
        }
        setup.acquisition.transmits.push_back(std::move(transmit));
        if (byDelays) setup.codeDelaysS.push_back(std::move(delays));
    }
}

void checkExcitation(const EchoSetup& setup) {
    checkHarmonic(setup);
    if (setup.excitation.chirp) checkChirp(setup, *setup.excitation.chirp);
}

std::vector<std::pair<std::string, std::string>> excitationNotes(const EchoSetup& setup) {
    const Excitation& sent = setup.excitation;
    std::vector<std::pair<std::string, std::string>> notes;
    if (sent.pulses != PulseSequence::One) notes.emplace_back("pulses", wordsOf(sent.pulses));
    if (sent.harmonicPart > 0.0)
        notes.emplace_back("second harmonic",
                           fmt::format("{:g} of the fundamental where the strongest wave is "
                                       "strongest; local and quadratic, no build-up with depth",
                                       sent.harmonicPart));
    if (sent.chirp)
        notes.emplace_back(
            "chirp", fmt::format("{:g} to {:g} MHz in {:g} us, the first and the last tenth "
                                 "tapered (Tukey); an echo begins at its time of flight",
                                 sent.chirp->startHz * kMhzPerHz, sent.chirp->endHz * kMhzPerHz,
                                 sent.chirp->lengthS * kUsPerS));
    if (setup.code != SpatialCode::None) notes.emplace_back("code", wordsOf(setup.code));
    return notes;
}

} // namespace echolux
