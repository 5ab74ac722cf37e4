// SPDX-License-Identifier: GPL-3.0-or-later
// pulse_inversion against closed forms of echoes that are not linear, and what it refuses.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::refusal;
using Harmonics = std::complex<double>;

constexpr std::int64_t kPulseChannels = 3;
constexpr std::int64_t kPulseSamples = 64;

/// The wave that channel `c` hears, in the wave `w`.
double heard(std::int64_t w, std::int64_t c, std::int64_t n) {
    const double t = static_cast<double>(n) - 20.0 - 3.0 * static_cast<double>(c + 2 * w);
    return std::exp(-0.01 * t * t) * std::cos(0.7 * t);
}

/// a p + b p^2 + c p^3
struct Response {
    double a = 1.0;
    double b = 0.3;
    double c = 0.0;
    double of(double p) const { return p * (a + p * (b + p * c)); }
};

/// `waves` waves, each sent with pulses of these amplitudes; the pulses of a wave follow each
/// other, or all waves do.
HostFrame sentWith(const std::vector<double>& pulses, std::int64_t waves, const Response& response,
                   bool pulsesFirst = true) {
    const std::int64_t count = std::ssize(pulses);
    FrameSpec spec = channelSpec(waves * count, kPulseChannels, kPulseSamples, 20e6);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    std::vector<float> values;
    for (std::int64_t t = 0; t < waves * count; ++t) {
        const std::int64_t wave = pulsesFirst ? t / count : t % waves;
        const double pulse = pulses[static_cast<std::size_t>(pulsesFirst ? t % count : t / waves)];
        acquisition->transmits[static_cast<std::size_t>(t)].angleRad =
            0.1 * static_cast<double>(wave);
        for (std::int64_t c = 0; c < kPulseChannels; ++c)
            for (std::int64_t n = 0; n < kPulseSamples; ++n)
                values.push_back(static_cast<float>(response.of(pulse * heard(wave, c, n))));
    }
    spec.acquisition = acquisition;
    return {spec, values};
}

/// What `of` makes of the wave that is heard.
template <class Of> std::vector<float> everywhere(std::int64_t waves, const Of& of) {
    std::vector<float> values;
    for (std::int64_t w = 0; w < waves; ++w)
        for (std::int64_t c = 0; c < kPulseChannels; ++c)
            for (std::int64_t n = 0; n < kPulseSamples; ++n)
                values.push_back(static_cast<float>(of(heard(w, c, n))));
    return values;
}

HostFrame combinedBy(const char* scheme, const HostFrame& in, const Settings& more = {}) {
    Settings settings{{"scheme", std::string(scheme)}};
    settings.insert(settings.end(), more.begin(), more.end());
    const StageType& type = stageType("pulse_inversion");
    StageRunner runner(type, in.spec, paramsFor(type, in.spec, settings));
    HostFrame out = runner.run(in);
    out.spec = runner.plan().outputs[0];
    return out;
}

TEST(PulseInversion, APulseAndItsInverseLeaveEvenHarmonics) {
    const Response response{1.0, 0.3, 0.1};
    const HostFrame in = sentWith({1.0, -1.0}, 2, response);
    const HostFrame even = combinedBy("pulse_inversion", in);
    EXPECT_EQ(even.spec.describe(), "f32 [transmit 2][channel 3][sample 64]");
    expectNear(even.as<float>(), everywhere(2, [](double p) { return 0.3 * p * p; }), 0.0, 1e-7);
    const HostFrame odd = combinedBy("difference", in);
    expectNear(odd.as<float>(), everywhere(2, [](double p) { return p + 0.1 * p * p * p; }), 0.0,
               2e-7);
}

TEST(PulseInversion, WhatIsLinearCancelsToRounding) {
    const Response linear{1.0, 0.0, 0.0};
    const HostFrame inverted = combinedBy("pulse_inversion", sentWith({1.0, -1.0}, 3, linear));
    for (const float value : inverted.as<float>()) ASSERT_EQ(value, 0.0F);
    const HostFrame modulated =
        combinedBy("amplitude_modulation", sentWith({0.5, 1.0, 0.5}, 3, linear));
    for (const float value : modulated.as<float>()) ASSERT_NEAR(value, 0.0, 1.5e-7);
}

TEST(PulseInversion, AmplitudeModulationLeavesWhatIsNotLinear) {
    const HostFrame out =
        combinedBy("amplitude_modulation", sentWith({0.5, 1.0, 0.5}, 2, Response{1.0, 0.3, 0.2}));
    expectNear(out.as<float>(),
               everywhere(2, [](double p) { return 0.15 * p * p + 0.15 * p * p * p; }), 0.0, 3e-7);
}

TEST(PulseInversion, WeightsAreThoseOfThePulses) {
    const HostFrame in = sentWith({1.0, 2.0, 3.0, -4.0}, 2, Response{1.0, 0.0, 0.0});
    const HostFrame out =
        combinedBy("weights", in, {{"weights", std::vector{0.5, -1.0, 2.0, 0.25}}});
    expectNear(out.as<float>(), everywhere(2, [](double p) { return 3.5 * p; }), 1e-6);
}

TEST(PulseInversion, BothOrdersGiveTheSame) {
    for (const std::vector<double>& pulses : {std::vector{1.0, -1.0}, std::vector{0.5, 1.0, 0.5}}) {
        const char* scheme = pulses.size() == 2 ? "pulse_inversion" : "amplitude_modulation";
        const HostFrame first =
            combinedBy(scheme, sentWith(pulses, 4, {}), {{"order", std::string("pulses_first")}});
        const HostFrame last = combinedBy(scheme, sentWith(pulses, 4, {}, false),
                                          {{"order", std::string("waves_first")}});
        EXPECT_EQ(first.bytes, last.bytes);
        for (std::size_t w = 0; w < 4; ++w) {
            EXPECT_NEAR(first.spec.acquisition->transmits[w].angleRad, 0.1 * double(w), 1e-12);
            EXPECT_NEAR(last.spec.acquisition->transmits[w].angleRad, 0.1 * double(w), 1e-12);
        }
    }
}

/// Echoes of cos(2 pi f t + phi) with harmonics 1, 2 and 3 of amplitudes 1, 1/2 and 1/4, mixed down
/// at f.
HostFrame ofThreePhases(bool mixed) {
    FrameSpec spec = channelSpec(3, 1, 200, 40e6, 4e6);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (Transmit& transmit : acquisition->transmits) transmit.angleRad = 0.0;
    spec.acquisition = acquisition;
    if (mixed) {
        spec.dtype = DType::ComplexF32;
        spec.demodulationFrequencyHz = 4e6;
    }
    std::vector<float> values;
    for (int k = 0; k < 3; ++k) {
        for (int n = 0; n < 200; ++n) {
            Harmonics sum;
            for (int m = 1; m <= 3; ++m) {
                const double turns = 0.1 * (mixed ? m - 1 : m) * n + m * k / 3.0;
                sum += std::polar(std::pow(2.0, 1 - m), 2.0 * std::numbers::pi * turns);
            }
            values.push_back(static_cast<float>(sum.real()));
            if (mixed) values.push_back(static_cast<float>(sum.imag()));
        }
    }
    return {spec, values};
}

TEST(PulseInversion, ThreePhasesKeepOneHarmonic) {
    const HostFrame third = combinedBy("three_phases", ofThreePhases(false));
    EXPECT_EQ(third.spec.centreFrequencyHz, 12e6);
    for (int n = 0; n < 200; ++n)
        ASSERT_NEAR(third.as<float>()[static_cast<std::size_t>(n)],
                    0.25 * std::cos(0.6 * std::numbers::pi * n), 2e-7);
    int m = 1;
    for (const char* harmonic : {"fundamental", "second", "third"}) {
        const HostFrame out =
            combinedBy("three_phases", ofThreePhases(true), {{"harmonic", std::string(harmonic)}});
        EXPECT_EQ(out.spec.centreFrequencyHz, m * 4e6);
        EXPECT_EQ(out.spec.demodulationFrequencyHz, 4e6);
        for (int n = 0; n < 200; ++n) {
            const Harmonics wanted =
                std::polar(std::pow(2.0, 1 - m), 0.2 * std::numbers::pi * (m - 1) * n);
            const Complex value = out.as<Complex>()[static_cast<std::size_t>(n)];
            ASSERT_NEAR(value.re, wanted.real(), 3e-7) << harmonic << n;
            ASSERT_NEAR(value.im, wanted.imag(), 3e-7) << harmonic << n;
        }
        ++m;
    }
}

TEST(PulseInversion, FramesOfAnEnsembleAreCombinedAlike) {
    for (const bool pulsesFirst : {true, false}) {
        const HostFrame one = sentWith({1.0, -1.0}, 2, {}, pulsesFirst);
        std::vector<float> both(one.as<float>().begin(), one.as<float>().end());
        for (const float value : one.as<float>()) both.push_back(2.0F * value);
        const Settings order{{"order", std::string(pulsesFirst ? "pulses_first" : "waves_first")}};
        const HostFrame single = combinedBy("pulse_inversion", one, order);
        const HostFrame out =
            combinedBy("pulse_inversion", HostFrame(ensembleOf(one.spec, 2), both), order);
        EXPECT_EQ(out.spec.describe(), "f32 [frame 2][transmit 2][channel 3][sample 64]");
        const std::size_t each = single.as<float>().size();
        for (std::size_t i = 0; i < 2 * each; ++i)
            ASSERT_EQ(out.as<float>()[i], (i < each ? 1.0F : 2.0F) * single.as<float>()[i % each]);
    }
}

/// A frame of two waves whose channels and elements differ from transmit to transmit.
FrameSpec walkingSpec() {
    FrameSpec spec = sentWith({0.5, 1.0, 0.5}, 2, {}).spec;
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::int32_t t = 0; t < 6; ++t) {
        for (std::int32_t c = 0; c < 3; ++c) {
            acquisition->receiveElements.push_back((c + t / 3) % 3);
            acquisition->receiveWeights.push_back(t == 4 && c == 1 ? 0.0F : 1.0F);
        }
        acquisition->transmits[static_cast<std::size_t>(t)].apodization =
            t % 3 == 1 ? std::vector{1.0F, 1.0F, 1.0F} : std::vector{1.0F, 0.0F, 1.0F};
    }
    spec.acquisition = acquisition;
    return spec;
}

TEST(PulseInversion, WavesTakeTheGeometryOfTheirTransmits) {
    const HostFrame out = combinedBy("amplitude_modulation", HostFrame(walkingSpec()));
    const Acquisition& made = *out.spec.acquisition;
    ASSERT_EQ(made.transmits.size(), 2U);
    EXPECT_THAT(made.receiveElements, ElementsAre(0, 1, 2, 1, 2, 0));
    EXPECT_THAT(made.receiveWeights, ElementsAre(1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 1.0F));
    EXPECT_THAT(made.transmits[1].apodization, ElementsAre(1.0F, 1.0F, 1.0F)); // the full pulse
    EXPECT_EQ(made.probe.centreFrequencyHz, 5e6);
}

/// bandpass takes its default band round the harmonic.
TEST(PulseInversion, LaterStagesFindTheHarmonic) {
    const HostFrame in = sentWith({1.0, -1.0}, 1, {});
    const auto centre = [&](const char* scheme, const char* band) {
        return combinedBy(scheme, in, {{"harmonic_band", std::string(band)}})
            .spec.centreFrequencyHz;
    };
    EXPECT_EQ(centre("pulse_inversion", "automatic"), 10e6);
    EXPECT_EQ(centre("difference", "automatic"), 5e6);
    EXPECT_EQ(centre("difference", "third"), 15e6);
    EXPECT_EQ(centre("pulse_inversion", "fundamental"), 5e6);
    FrameSpec slow = in.spec;
    slow.centreFrequencyHz = 0.0; // the probe knows it
    auto acquisition = std::make_shared<Acquisition>(*slow.acquisition);
    acquisition->probe.centreFrequencyHz = 2e6;
    slow.acquisition = acquisition;
    const FrameSpec harmonic = combinedBy("pulse_inversion", HostFrame(slow)).spec;
    EXPECT_EQ(harmonic.centreFrequencyHz, 4e6);
    const Params bandpass = stageType("bandpass").defaultsFor(harmonic);
    EXPECT_EQ(*bandpass.real("low"), 2e6);
    EXPECT_EQ(*bandpass.real("high"), 6e6);
}

TEST(PulseInversion, WarnsOfAHarmonicThatSamplesDoNotHold) {
    const StageType& type = stageType("pulse_inversion");
    const auto warned = [&](const FrameSpec& spec, const Settings& settings) {
        const auto found = type.plan(spec, paramsFor(type, spec, settings)).warnings;
        return found.empty() ? std::string("nothing") : found.front();
    };
    FrameSpec spec = sentWith({1.0, -1.0}, 1, {}).spec;
    spec.centreFrequencyHz = 4e6;
    EXPECT_EQ(warned(spec, {}), "nothing");
    EXPECT_THAT(warned(spec, {{"harmonic_band", std::string("third")}}),
                HasSubstr("record at a higher sampling frequency"));
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = 4e6;
    EXPECT_EQ(warned(spec, {}), "nothing");
    spec.axes.back().spacing = 1.0 / 6e6;
    EXPECT_THAT(warned(spec, {}), HasSubstr("set 'frequency' of the stage that mixes to 8 MHz"));
}

TEST(PulseInversion, DefaultsFollowTheOrderOfTheWaves) {
    const StageType& type = stageType("pulse_inversion");
    const auto usual = [&](const FrameSpec& spec, const char* key) {
        return std::get<std::string>(type.defaultsFor(spec).get(key));
    };
    EXPECT_EQ(usual(sentWith({1.0, -1.0}, 3, {}).spec, "order"), "pulses_first");
    EXPECT_EQ(usual(sentWith({1.0, -1.0}, 3, {}, false).spec, "order"), "waves_first");
    EXPECT_EQ(usual(sentWith({1.0, -1.0}, 3, {}).spec, "scheme"), "pulse_inversion");
    EXPECT_EQ(usual(sentWith({0.5, 1.0, 0.5}, 3, {}).spec, "scheme"), "amplitude_modulation");
}

TEST(PulseInversion, RefusesWhatIsNoWaveSentAgain) {
    const auto said = [](const FrameSpec& spec, const Settings& settings) {
        return refusal([&] { runStage("pulse_inversion", HostFrame(spec), settings); });
    };
    const FrameSpec pairs = sentWith({1.0, -1.0}, 2, {}).spec;
    EXPECT_THAT(said(pairs, {{"scheme", std::string("three_phases")}}),
                HasSubstr("4 transmits do not hold a whole number of waves of 3 pulses each; "
                          "choose a 'scheme' of 1 or 2 or 4 pulses"));
    EXPECT_THAT(said(pairs, {{"order", std::string("waves_first")}}),
                HasSubstr("transmits 1 and 3 should be one wave sent with two pulses, but they "
                          "differ in their angle"));
    const auto changed = [&](auto change) {
        FrameSpec spec = pairs;
        auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
        change(*acquisition);
        spec.acquisition = acquisition;
        return said(spec, {{"order", std::string("pulses_first")}});
    };
    EXPECT_EQ(changed([](Acquisition&) {}), "accepted");
    EXPECT_THAT(changed([](Acquisition& a) { a.transmits[1].firstSampleS += 1e-9; }),
                HasSubstr("transmits 1 and 2 should be one wave sent with two pulses, but they "
                          "differ in the time of sample 0"));
    EXPECT_THAT(changed([](Acquisition& a) { a.transmits[3].wave = Wave::Diverging; }),
                HasSubstr("kind of wave"));
    EXPECT_THAT(changed([](Acquisition& a) { a.transmits[3].source.x = 1e-3; }),
                HasSubstr("source or focus"));
    EXPECT_THAT(changed([](Acquisition& a) { a.transmits.pop_back(); }),
                HasSubstr("its geometry describes 3"));
    EXPECT_THAT(
        changed([](Acquisition& a) { a.receiveElements = {0, 1, 2, 0, 1, 2, 0, 1, 2, 2, 1, 0}; }),
        HasSubstr("in the elements that listen"));
    EXPECT_THAT(changed([](Acquisition& a) {
                    a.receiveWeights = {1.0F, 0.0F};
                }),
                HasSubstr("describes 2 channels"));
}

TEST(PulseInversion, RefusesWeightsAndHarmonicsThatSayNothing) {
    const auto said = [](const Settings& settings) {
        return refusal([&] {
            runStage("pulse_inversion", sentWith({1.0, 1.0, 1.0}, 1, {}), settings);
        });
    };
    const std::string weights = "weights";
    EXPECT_THAT(said({{"scheme", weights}, {"weights", std::vector{0.0, 0.0, 0.0}}}),
                HasSubstr("all 'weights' are 0"));
    EXPECT_THAT(said({{"scheme", weights}, {"weights", std::vector<double>(17, 1.0)}}),
                HasSubstr("give 1 to 16"));
    EXPECT_THAT(
        said({{"scheme", std::string("three_phases")}, {"harmonic", std::string("second")}}),
        HasSubstr("put 'analytic' or 'iq_demod' before"));
    EXPECT_EQ(said({{"scheme", std::string("three_phases")}}), "accepted");
}

} // namespace
} // namespace echolux::test
