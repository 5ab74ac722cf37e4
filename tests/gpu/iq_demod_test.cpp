// SPDX-License-Identifier: GPL-3.0-or-later
// iq_demod against NumPy and closed forms: envelopes and phases on the common clock, also of
// band-pass-sampled and of very long records.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

FrameSpec withFirstSamples(FrameSpec spec, const std::vector<double>& firstSamplesS) {
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::size_t t = 0; t < firstSamplesS.size(); ++t)
        acquisition->transmits[t].firstSampleS = firstSamplesS[t];
    spec.acquisition = acquisition;
    return spec;
}

/// A pulse a(t) cos(2 pi f t) with a Gaussian a round `middleS`, `fractional` wide (-6 dB).
std::vector<float> pulse(const FrameSpec& spec, double firstS, double middleS, double fractional) {
    std::vector<float> values(static_cast<std::size_t>(spec.count()));
    for (std::size_t n = 0; n < values.size(); ++n) {
        const double t = firstS + static_cast<double>(n) * spec.axes.back().spacing;
        const double u = std::numbers::pi * spec.centreFrequencyHz * fractional * (t - middleS);
        const double envelope = std::exp(-u * u / (4 * std::numbers::ln2));
        const double phase = 2 * std::numbers::pi * spec.centreFrequencyHz * t;
        values[n] = static_cast<float>(envelope * std::cos(phase));
    }
    return values;
}

double envelopeAt(const FrameSpec& spec, double t, double middleS, double fractional) {
    const double u = std::numbers::pi * spec.centreFrequencyHz * fractional * (t - middleS);
    return std::exp(-u * u / (4 * std::numbers::ln2));
}

TEST(IqDemod, AgreesWithNumpy) {
    const Vectors vectors("gpu/vectors/signal_stages.txt");
    const std::vector<double> first{2.013e-6, -1.37e-6};
    const auto run = [&](double samplingHz, const Settings& settings) {
        return runStage(
            "iq_demod",
            HostFrame(withFirstSamples(channelSpec(2, 3, 83, samplingHz), first), vectors["rf"]),
            settings);
    };
    expectNear(run(20e6, {{"bandwidth", 4e6}}).as<float>(), vectors["iq_4"], 3e-6);
    expectNear(run(20e6, {{"frequency", 5.21e6},
                          {"bandwidth", 2.5e6},
                          {"taps", std::int64_t{21}},
                          {"decimation", std::int64_t{3}}})
                   .as<float>(),
               vectors["iq_3"], 3e-6);
    expectNear(run(20e6 / 3, {{"bandwidth", 3e6}, {"taps", std::int64_t{31}}}).as<float>(),
               vectors["iq_folded"], 3e-6);
}

struct Sampling {
    const char* name;
    double samplingHz;
    double fractional;
    std::int64_t decimation; ///< the default
};

class IqDemodOfPulses : public testing::TestWithParam<Sampling> {};

/// |IQ| is the pulse's envelope and its phase on the common clock is 0.
TEST_P(IqDemodOfPulses, GivesEnvelopeAndPhase) {
    const Sampling& at = GetParam();
    const double firstS = 9.95e-6;
    const double middleS = firstS + 10e-6;
    const auto samples = static_cast<std::int64_t>(20e-6 * at.samplingHz);
    const FrameSpec spec = withFirstSamples(channelSpec(1, 1, samples, at.samplingHz), {firstS});
    const HostFrame out =
        runStage("iq_demod", HostFrame(spec, pulse(spec, firstS, middleS, at.fractional)));
    EXPECT_EQ(out.spec.axes.back().size, (samples + at.decimation - 1) / at.decimation);
    for (std::size_t m = 0; m < out.as<Complex>().size(); ++m) {
        const double t = firstS + static_cast<double>(m) * out.spec.axes.back().spacing;
        const Complex value = out.as<Complex>()[m];
        EXPECT_NEAR(value.re, envelopeAt(spec, t, middleS, at.fractional), 5e-3) << m;
        EXPECT_NEAR(value.im, 0.0, 5e-3) << m;
    }
}

INSTANTIATE_TEST_SUITE_P(Sampled, IqDemodOfPulses,
                         testing::Values(Sampling{"FourTimes", 20e6, 0.2, 4},
                                         Sampling{"Fine", 62.5e6, 0.1, 4},
                                         Sampling{"FourThirds", 20e6 / 3, 0.15, 1}),
                         [](const auto& each) { return each.param.name; });

TEST(IqDemod, LongRecordsKeepThePhase) {
    constexpr std::int64_t kSamples = 400000;
    const FrameSpec spec = withFirstSamples(channelSpec(1, 1, kSamples, 25e6, 5.2083e6), {1e-3});
    std::vector<float> tone(kSamples);
    for (std::size_t n = 0; n < tone.size(); ++n) {
        const double t = 1e-3 + static_cast<double>(n) / 25e6;
        tone[n] = static_cast<float>(std::cos(2 * std::numbers::pi * 5.2083e6 * t));
    }
    const HostFrame out = runStage("iq_demod", HostFrame(spec, tone));
    const auto values = out.as<Complex>();
    for (std::size_t m = 100; m < values.size() - 100; ++m) {
        ASSERT_NEAR(values[m].re, 1.0, 1e-3) << m;
        ASSERT_NEAR(values[m].im, 0.0, 1e-3) << m;
    }
}

TEST(IqDemod, TellsWhatItMade) {
    const FrameSpec input = channelSpec(3, 2, 101);
    const StageType& type = stageType("iq_demod");
    const StageRunner runner(type, input, type.defaultsFor(input));
    const FrameSpec& output = runner.plan().outputs[0];
    EXPECT_EQ(output.describe(), "complex_f32 [transmit 3][channel 2][sample 26]");
    EXPECT_EQ(output.demodulationFrequencyHz, 5e6);
    EXPECT_DOUBLE_EQ(output.samplingFrequencyHz(), 5e6);
    ASSERT_NE(output.acquisition, nullptr);
    EXPECT_NE(output.acquisition, input.acquisition);
    for (const Transmit& transmit : output.acquisition->transmits) {
        EXPECT_EQ(transmit.iqPhaseZeroS, 0.0);
        EXPECT_EQ(transmit.firstSampleS, 2e-6);
    }
}

TEST(IqDemod, DefaultsFollowTheSampling) {
    const StageType& type = stageType("iq_demod");
    const auto check = [&](double samplingHz, double centreHz, std::int64_t decimation) {
        const Params params = type.defaultsFor(channelSpec(1, 1, 9, samplingHz, centreHz));
        EXPECT_EQ(std::get<double>(params.get("frequency")), centreHz);
        EXPECT_EQ(std::get<std::int64_t>(params.get("decimation")), decimation) << samplingHz;
        const double bandwidth = std::get<double>(params.get("bandwidth"));
        EXPECT_LE(1.25 * bandwidth * static_cast<double>(decimation), samplingHz * 1.0001);
    };
    check(20e6, 5e6, 4);
    check(25e6, 5e6, 4);
    check(20e6, 5.2083e6, 3);
    check(62.5e6, 15e6, 4);
    check(20e6 / 3, 5e6, 1);
}

TEST(IqDemod, RefusesAFrequencyThatMeetsItsMirrorImage) {
    try {
        runStage("iq_demod", HostFrame(channelSpec(1, 1, 9, 20e6)), {{"frequency", 10e6}});
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'frequency' cannot be 10 MHz"));
    }
}

} // namespace
} // namespace echolux::test
