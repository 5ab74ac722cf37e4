// SPDX-License-Identifier: GPL-3.0-or-later
// analytic against NumPy, SciPy and closed forms, also of band-pass-sampled and very long records.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

const Vectors& vectors() {
    static const Vectors kVectors("gpu/vectors/signal_stages.txt");
    return kVectors;
}

HostFrame analyticOf(double samplingHz, const Settings& settings) {
    return runStage("analytic", HostFrame(channelSpec(2, 3, 83, samplingHz), vectors()["rf"]),
                    settings);
}

TEST(Analytic, AgreesWithNumpy) {
    expectNear(analyticOf(20e6, {}).as<float>(), vectors()["analytic_47"], 2e-6);
    expectNear(analyticOf(20e6, {{"frequency", 5.21e6}, {"taps", std::int64_t{21}}}).as<float>(),
               vectors()["analytic_21"], 2e-6);
    expectNear(analyticOf(20e6, {{"frequency", 3e6}, {"taps", std::int64_t{255}}}).as<float>(),
               vectors()["analytic_255"], 3e-6);
    expectNear(analyticOf(20e6 / 3, {{"taps", std::int64_t{47}}}).as<float>(),
               vectors()["analytic_folded"], 2e-6);
}

TEST(Analytic, IsTheAnalyticSignalOfABandOfFrequencies) {
    const HostFrame out =
        runStage("analytic", HostFrame(channelSpec(2, 3, 301), vectors()["band"]), {});
    const std::vector<float>& wanted = vectors()["band_analytic"];
    const float greatest = *std::ranges::max_element(wanted);
    expectNear(out.as<float>(), wanted, 2e-4 * greatest);
}

struct Sampling {
    const char* name;
    double samplingHz;
    double fractional; ///< -6 dB
};

class AnalyticOfPulses : public testing::TestWithParam<Sampling> {};

/// A pulse a(t) cos(2 pi f t): what comes out, its phase restored as `beamform` does, is
/// a(t) exp(2 pi j f t).
TEST_P(AnalyticOfPulses, GivesEnvelopeAndPhase) {
    const Sampling& at = GetParam();
    constexpr double kFirstS = 9.95e-6;
    constexpr double kCentreHz = 5e6;
    const auto samples = static_cast<std::int64_t>(20e-6 * at.samplingHz);
    FrameSpec spec = channelSpec(1, 1, samples, at.samplingHz, kCentreHz);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[0].firstSampleS = kFirstS;
    spec.acquisition = acquisition;
    const auto timeOf = [&](std::size_t n) {
        return kFirstS + static_cast<double>(n) * spec.axes.back().spacing;
    };
    const auto envelopeAt = [&](double t) {
        const double u = std::numbers::pi * kCentreHz * at.fractional * (t - kFirstS - 10e-6);
        return std::exp(-u * u / (4 * std::numbers::ln2));
    };
    std::vector<float> pulse(static_cast<std::size_t>(samples));
    for (std::size_t n = 0; n < pulse.size(); ++n) {
        const double t = timeOf(n);
        pulse[n] =
            static_cast<float>(envelopeAt(t) * std::cos(2 * std::numbers::pi * kCentreHz * t));
    }

    const StageType& type = stageType("analytic");
    const StageRunner runner(type, spec, type.defaultsFor(spec));
    const double zeroS = runner.plan().outputs[0].acquisition->transmits[0].iqPhaseZeroS;
    const HostFrame out = runStage("analytic", HostFrame(spec, pulse), {});
    for (std::size_t n = 0; n < pulse.size(); ++n) {
        const double t = timeOf(n);
        // Down by f (t - zero), so up again by that and down by f t leaves the envelope.
        const double angle = -2 * std::numbers::pi * kCentreHz * zeroS;
        const Complex turned = out.as<Complex>()[n] * Complex{static_cast<float>(std::cos(angle)),
                                                              static_cast<float>(std::sin(angle))};
        ASSERT_NEAR(turned.re, envelopeAt(t), 1e-3) << n;
        ASSERT_NEAR(turned.im, 0.0, 1e-3) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Sampled, AnalyticOfPulses,
                         testing::Values(Sampling{"FourTimes", 20e6, 0.6},
                                         Sampling{"Fine", 62.5e6, 0.6},
                                         Sampling{"VeryFine", 200e6, 0.5},
                                         Sampling{"FourThirds", 20e6 / 3, 0.15}),
                         [](const auto& each) { return each.param.name; });

TEST(Analytic, LongRecordsKeepThePhase) {
    constexpr std::int64_t kSamples = 400000;
    const FrameSpec spec = channelSpec(1, 1, kSamples, 25e6, 5.2083e6);
    std::vector<float> tone(kSamples);
    for (std::size_t n = 0; n < tone.size(); ++n) {
        const double turns = static_cast<double>(n) * (5.2083e6 / 25e6);
        tone[n] = static_cast<float>(std::cos(2 * std::numbers::pi * turns));
    }
    const HostFrame out = runStage("analytic", HostFrame(spec, tone), {});
    const auto values = out.as<Complex>();
    for (std::size_t n = 100; n < values.size() - 100; ++n) {
        ASSERT_NEAR(values[n].re, 1.0, 5e-4) << n;
        ASSERT_NEAR(values[n].im, 0.0, 5e-4) << n;
    }
}

TEST(Analytic, TellsWhatItMade) {
    const FrameSpec input = channelSpec(3, 2, 101);
    const StageType& type = stageType("analytic");
    const StageRunner runner(type, input, type.defaultsFor(input));
    const FrameSpec& output = runner.plan().outputs[0];
    EXPECT_EQ(output.describe(), "complex_f32 [transmit 3][channel 2][sample 101]");
    EXPECT_EQ(output.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(output.samplingFrequencyHz(), input.samplingFrequencyHz());
    ASSERT_NE(output.acquisition, nullptr);
    for (const Transmit& transmit : output.acquisition->transmits)
        EXPECT_EQ(transmit.iqPhaseZeroS, transmit.firstSampleS);
}

TEST(Analytic, DefaultsFollowTheSampling) {
    const StageType& type = stageType("analytic");
    const auto check = [&](double samplingHz, double centreHz, double frequencyHz,
                           std::int64_t taps) {
        const Params params = type.defaultsFor(channelSpec(1, 1, 9, samplingHz, centreHz));
        EXPECT_DOUBLE_EQ(std::get<double>(params.get("frequency")), frequencyHz);
        EXPECT_EQ(std::get<std::int64_t>(params.get("taps")), taps) << samplingHz;
    };
    check(20e6, 5e6, 5e6, 47);
    check(100e6, 5e6, 5e6, 223);
    check(20e6 / 3, 5e6, 5e6, 47);
    check(20e6, 0.0, 5e6, 47);  // unknown: where band-pass defaults look
    check(20e6, 10e6, 5e6, 47); // on its own mirror image
}

TEST(Analytic, RefusesWhatItCannotTellFromItsMirrorImage) {
    const auto refusal = [](const FrameSpec& spec, const Settings& settings) -> std::string {
        try {
            runStage("analytic", HostFrame(spec), settings);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal(channelSpec(1, 1, 9, 20e6), {{"frequency", 10e6}}),
                testing::HasSubstr("'frequency' cannot be 10 MHz"));
    FrameSpec untimed = channelSpec(1, 1, 9);
    untimed.axes.back().spacing = 0.0;
    EXPECT_THAT(refusal(untimed, {}), testing::HasSubstr("'rf_sum'"));
}

} // namespace
} // namespace echolux::test
