// SPDX-License-Identifier: GPL-3.0-or-later
// matched_filter against SciPy, closed forms of compressed chirps, and what it refuses.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;
using Analytic = std::complex<double>;

const Vectors& pulseVectors() {
    static const Vectors kVectors("gpu/vectors/matched_filter.txt");
    return kVectors;
}

FrameSpec iqSpec(FrameSpec spec, double mixedHz) {
    spec.dtype = DType::ComplexF32;
    spec.demodulationFrequencyHz = mixedHz;
    return spec;
}

/// A chirp of so many MHz and us.
Settings chirpOf(double startHz, double endHz, double durationS, double taper,
                 const Settings& more = {}) {
    Settings settings{
        {"start", startHz}, {"end", endHz}, {"duration", durationS}, {"taper", taper}};
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

void expectVector(const char* name, const Settings& settings) {
    const bool mixed = std::string(name).starts_with("iq");
    const FrameSpec spec = channelSpec(2, 3, 149);
    const HostFrame in(mixed ? iqSpec(spec, 5e6) : spec, pulseVectors()[mixed ? "iq" : "rf"]);
    SCOPED_TRACE(name);
    expectNear(runStage("matched_filter", in, settings).as<float>(), pulseVectors()[name], 2e-6);
}

TEST(MatchedFilter, AgreesWithScipy) {
    const std::string middle = "middle";
    const auto upwards = [](const Settings& more) { return chirpOf(3e6, 7e6, 2e-6, 0.2, more); };
    expectVector("plain", upwards({}));
    expectVector("middle", upwards({{"reference_point", middle}}));
    for (const char* window : {"hann", "hamming", "blackman"})
        expectVector(window, upwards({{"window", std::string(window)}}));
    expectVector("tukey", upwards({{"window", std::string("tukey")},
                                   {"window_taper", 0.7},
                                   {"reference_point", middle}}));
    expectVector("downwards",
                 chirpOf(8e6, 2e6, 7.45e-6, 0.0, {{"phase", -0.5 * std::numbers::pi}}));
    expectVector("iq_plain", upwards({}));
    expectVector("iq_middle",
                 upwards({{"window", std::string("hann")}, {"reference_point", middle}}));
}

TEST(MatchedFilter, ARecordedPulseAgreesWithScipy) {
    const std::vector<float>& pulse = pulseVectors()["samples"];
    const Settings recorded{{"pulse", std::string("recorded")},
                            {"samples", std::vector<double>(pulse.begin(), pulse.end())}};
    expectVector("recorded", recorded);
    Settings middle = recorded;
    middle.emplace_back("reference_point", std::string("middle"));
    expectVector("recorded_middle", middle);
}

/// A chirp of 10 MHz and 10 us: B T = 100.
constexpr double kStartHz = 5e6;
constexpr double kEndHz = 15e6;
constexpr double kLengthS = 10e-6;

Analytic sentAt(double t) {
    if (t < 0.0 || t >= kLengthS) return {};
    const double turns = kStartHz * t + 0.5 * (kEndHz - kStartHz) * t * t / kLengthS;
    return std::polar(1.0, 2.0 * std::numbers::pi * turns);
}

/// Samples of one record that holds an echo of the pulse, IQ or RF, from sample `at` on.
HostFrame echoFrom(double at, std::int64_t samples, double samplingHz, bool mixed,
                   double mixedHz = 0.5 * (kStartHz + kEndHz)) {
    const FrameSpec spec = channelSpec(1, 1, samples, samplingHz, 10e6);
    std::vector<float> values;
    for (std::int64_t n = 0; n < samples; ++n) {
        const double t = static_cast<double>(n) / samplingHz;
        const Analytic echo = sentAt((static_cast<double>(n) - at) / samplingHz);
        const Analytic down = echo * std::polar(1.0, -2.0 * std::numbers::pi * mixedHz * t);
        values.push_back(static_cast<float>(mixed ? down.real() : echo.real()));
        if (mixed) values.push_back(static_cast<float>(down.imag()));
    }
    return {mixed ? iqSpec(spec, mixedHz) : spec, values};
}

std::vector<double> envelopeOf(const HostFrame& iq) {
    std::vector<double> envelope;
    for (const Complex value : iq.as<Complex>())
        envelope.push_back(std::sqrt(static_cast<double>(norm(value))));
    return envelope;
}

/// Width at -3 dB round the greatest value, between samples. [samples]
double widthOf(const std::vector<double>& envelope) {
    const auto peak = std::ranges::max_element(envelope) - envelope.begin();
    const double half = envelope[static_cast<std::size_t>(peak)] / std::numbers::sqrt2;
    const auto edge = [&](std::ptrdiff_t step) {
        std::ptrdiff_t i = peak;
        while (envelope[static_cast<std::size_t>(i)] > half) i += step;
        const double outside = envelope[static_cast<std::size_t>(i)];
        const double inside = envelope[static_cast<std::size_t>(i - step)];
        return static_cast<double>(std::abs(i - peak)) - (half - outside) / (inside - outside);
    };
    return edge(1) + edge(-1);
}

/// The greatest value beyond the main lobe, which ends where the envelope rises again. [dB]
double sideLobeDb(const std::vector<double>& envelope) {
    const auto peak =
        static_cast<std::size_t>(std::ranges::max_element(envelope) - envelope.begin());
    std::size_t end = peak;
    while (envelope[end + 1] < envelope[end]) ++end;
    const double lobe =
        *std::max_element(envelope.begin() + static_cast<std::ptrdiff_t>(end), envelope.end());
    return 20.0 * std::log10(lobe / envelope[peak]);
}

TEST(MatchedFilter, AChirpBecomesAsShortAsItsBandAllows) {
    const HostFrame echo = echoFrom(700.0, 3000, 200e6, true);
    const auto compressed = [&](const char* window) {
        return envelopeOf(
            runStage("matched_filter", echo,
                     chirpOf(kStartHz, kEndHz, kLengthS, 0.0, {{"window", std::string(window)}})));
    };
    const std::vector<double> plain = compressed("none");
    EXPECT_EQ(std::ranges::max_element(plain) - plain.begin(), 700);
    EXPECT_NEAR(plain[700], 1.0, 1e-5);
    EXPECT_NEAR(widthOf(plain), 0.886 / (kEndHz - kStartHz) * 200e6, 0.03 * 17.7);
    EXPECT_NEAR(sideLobeDb(plain), -13.3, 0.5);
    // A Hann window has a first side lobe of -31.5 dB.
    for (const auto& [window, most] :
         {std::pair{"hann", -31.0}, std::pair{"hamming", -40.0}, std::pair{"blackman", -40.0}}) {
        const std::vector<double> windowed = compressed(window);
        EXPECT_EQ(std::ranges::max_element(windowed) - windowed.begin(), 700) << window;
        EXPECT_NEAR(windowed[700], 1.0, 1e-5) << window;
        EXPECT_LT(sideLobeDb(windowed), most) << window;
        EXPECT_GT(widthOf(windowed), 1.3 * widthOf(plain)) << window;
    }
}

TEST(MatchedFilter, EchoesComeAtTheReferencePoint) {
    const auto peakOf = [](const HostFrame& echo, const char* reference) {
        const HostFrame out = runStage("matched_filter", echo,
                                       chirpOf(kStartHz, kEndHz, kLengthS, 0.0,
                                               {{"reference_point", std::string(reference)}}));
        const auto values = out.as<float>();
        const auto peak = std::ranges::max_element(values);
        return std::pair<std::ptrdiff_t, float>(peak - values.begin(), *peak);
    };
    const HostFrame echo = echoFrom(300.0, 1600, 60e6, false);
    EXPECT_EQ(peakOf(echo, "start").first, 300);
    EXPECT_NEAR(peakOf(echo, "start").second, 1.0, 1e-5);
    EXPECT_EQ(peakOf(echo, "middle").first, 600);
    EXPECT_NEAR(peakOf(echo, "middle").second, 1.0, 1e-5);
    // At the ends of the record nothing wraps round.
    EXPECT_EQ(peakOf(echoFrom(0.0, 600, 60e6, false), "start").first, 0);
    EXPECT_EQ(peakOf(echoFrom(0.0, 600, 60e6, false), "middle").first, 300);
    EXPECT_EQ(peakOf(echoFrom(1000.0, 1600, 60e6, false), "start").first, 1000);
}

TEST(MatchedFilter, NothingWrapsIntoTheRecord) {
    FrameSpec spec = channelSpec(1, 1, 257, 60e6, 10e6);
    for (const char* reference : {"start", "middle"}) {
        std::vector<float> impulse(257, 0.0F);
        impulse.front() = 1.0F;
        const HostFrame out = runStage(
            "matched_filter", HostFrame(spec, impulse),
            chirpOf(kStartHz, kEndHz, 4e-6, 0.0, {{"reference_point", std::string(reference)}}));
        // Of an impulse at 0, lags of 0 and less are seen: half of the pulse behind the middle.
        const std::size_t seen = std::string(reference) == "start" ? 1 : 121;
        for (std::size_t n = seen; n < 257; ++n) ASSERT_NEAR(out.as<float>()[n], 0.0, 1e-8) << n;
    }
}

/// IQ samples of a band as wide as their rate: noise gets weaker by B T = 100, echoes do not.
TEST(MatchedFilter, GainsTheTimeBandwidthProductOverNoise) {
    constexpr std::int64_t kNoiseSamples = 4000;
    constexpr std::int64_t kNoiseLines = 12;
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<Complex> noise(kNoiseLines * kNoiseSamples);
    for (Complex& value : noise) value = {normal(random), normal(random)};
    const FrameSpec spec = iqSpec(channelSpec(3, 4, kNoiseSamples, 10e6, 10e6), 10e6);
    const HostFrame out = runStage("matched_filter", HostFrame(spec, noise),
                                   chirpOf(kStartHz, kEndHz, kLengthS, 0.0));
    double power = 0.0;
    for (std::int64_t line = 0; line < kNoiseLines; ++line)
        for (std::int64_t n = 0; n < kNoiseSamples - 100; ++n)
            power += norm(out.as<Complex>()[static_cast<std::size_t>(line * kNoiseSamples + n)]);
    power /= static_cast<double>(kNoiseLines * (kNoiseSamples - 100));
    EXPECT_NEAR(2.0 / power, 100.0, 5.0);
}

/// Mixing and filtering may change places.
TEST(MatchedFilter, IqSamplesGiveWhatTheAnalyticResultIsMixedDownTo) {
    FrameSpec spec = channelSpec(2, 2, 1500, 60e6, 10e6);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[1].firstSampleS = 3.217e-6;
    spec.acquisition = acquisition;
    std::vector<float> values;
    for (const double at : {100.3, 250.0, 411.7, 800.0}) {
        const HostFrame line = echoFrom(at, 1500, 60e6, false);
        values.insert(values.end(), line.as<float>().begin(), line.as<float>().end());
    }
    const HostFrame rf(spec, values);
    const auto filtered = [](const HostFrame& in, const char* reference) {
        return runStage("matched_filter", in,
                        chirpOf(kStartHz, kEndHz, kLengthS, 0.2,
                                {{"reference_point", std::string(reference)}}));
    };
    const auto planned = [](const char* id, const HostFrame& in, const Settings& settings) {
        const StageType& type = stageType(id);
        StageRunner runner(type, in.spec, paramsFor(type, in.spec, settings));
        HostFrame out = runner.run(in);
        out.spec = runner.plan().outputs[0];
        return out;
    };
    const Settings finely{{"taps", std::int64_t{151}}};
    const Settings halved{
        {"decimation", std::int64_t{3}}, {"bandwidth", 18e6}, {"taps", std::int64_t{151}}};
    for (const char* reference : {"start", "middle"}) {
        for (const auto& [id, settings] :
             {std::pair{"analytic", finely}, std::pair{"iq_demod", halved}}) {
            SCOPED_TRACE(std::string(id) + ", " + reference);
            const HostFrame last = planned(id, filtered(rf, reference), settings);
            const HostFrame first = filtered(planned(id, rf, settings), reference);
            ASSERT_EQ(first.as<float>().size(), last.as<float>().size());
            expectNear(first.as<float>(), last.as<float>(), 0.01);
        }
    }
}

/// A smooth pulse, sampled at another rate than its echo.
TEST(MatchedFilter, ReadsARecordedPulseBetweenItsSamples) {
    constexpr double kMiddleS = 1.5e-6;
    const auto pulseAt = [](double t) {
        const double u = (t - kMiddleS) / 0.3e-6;
        return std::exp(-u * u) * std::polar(1.0, 2.0 * std::numbers::pi * 5e6 * t);
    };
    std::vector<double> samples;
    for (int i = 0; i < 96; ++i) samples.push_back(7.0 * pulseAt(i / 32e6).real());
    const Settings recorded{
        {"pulse", std::string("recorded")}, {"samples", samples}, {"pulse_sampling", 32e6}};
    for (const bool mixed : {false, true}) {
        const FrameSpec spec = channelSpec(1, 1, 200, 20e6);
        std::vector<float> rf;
        std::vector<Complex> iq;
        for (int n = 0; n < 200; ++n) {
            const Analytic echo = 7.0 * pulseAt((n - 60) / 20e6);
            const Analytic down = echo * std::polar(1.0, -0.5 * std::numbers::pi * n);
            rf.push_back(static_cast<float>(echo.real()));
            iq.push_back({static_cast<float>(down.real()), static_cast<float>(down.imag())});
        }
        const HostFrame in = mixed ? HostFrame(iqSpec(spec, 5e6), iq) : HostFrame(spec, rf);
        const HostFrame out = runStage("matched_filter", in, recorded);
        const float peak = mixed ? out.as<Complex>()[60].re : out.as<float>()[60];
        EXPECT_NEAR(peak, 1.0, 1e-3) << mixed;
        const float turned = mixed ? out.as<Complex>()[60].im : 0.0F;
        EXPECT_NEAR(turned, 0.0, 1e-3);
    }
}

TEST(MatchedFilter, FramesOfAnEnsembleAreFilteredAlike) {
    const FrameSpec spec = channelSpec(2, 3, 149);
    const HostFrame one(spec, pulseVectors()["rf"]);
    std::vector<float> three;
    for (int i = 0; i < 3; ++i)
        three.insert(three.end(), one.as<float>().begin(), one.as<float>().end());
    const HostFrame single = runStage("matched_filter", one);
    const HostFrame out = runStage("matched_filter", HostFrame(ensembleOf(spec, 3), three));
    ASSERT_EQ(out.as<float>().size(), 3 * single.as<float>().size());
    for (std::size_t i = 0; i < out.as<float>().size(); ++i)
        ASSERT_NEAR(out.as<float>()[i], single.as<float>()[i % single.as<float>().size()], 1e-6);
}

/// So many records that they are filtered in several blocks, of which the last two overlap.
TEST(MatchedFilter, BlocksOfRecordsCoverTheFrame) {
    constexpr std::int64_t kLong = 40000;
    const FrameSpec spec = channelSpec(3, 67, kLong);
    const auto scratchBytes = [](const FrameSpec& of) {
        const StageType& type = stageType("matched_filter");
        return type.plan(of, type.defaultsFor(of)).workspaceBytes;
    };
    EXPECT_EQ(scratchBytes(spec), scratchBytes(channelSpec(6, 67, kLong)));
    const std::vector<float> values = noise(static_cast<std::size_t>(spec.count()), 3);
    const HostFrame out = runStage("matched_filter", HostFrame(spec, values));
    for (const std::int64_t at : {0, 99, 100, 101, 102, 200}) {
        const auto from = values.begin() + at * kLong;
        const HostFrame alone =
            runStage("matched_filter",
                     HostFrame(channelSpec(1, 1, kLong), std::vector<float>(from, from + kLong)));
        const auto part = out.as<float>().subspan(static_cast<std::size_t>(at * kLong), kLong);
        expectNear(part, alone.as<float>(), 1e-5);
    }
}

TEST(MatchedFilter, DefaultsFollowTheProbe) {
    const StageType& type = stageType("matched_filter");
    FrameSpec spec = channelSpec(2, 4, 2000, 40e6, 5e6);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->probe.fractionalBandwidth = 0.8;
    spec.acquisition = acquisition;
    const auto expectChirp = [&](const FrameSpec& of, double startHz, double endHz, double s) {
        const Params params = type.defaultsFor(of);
        EXPECT_NEAR(*params.real("start"), startHz, 1.0);
        EXPECT_NEAR(*params.real("end"), endHz, 1.0);
        EXPECT_NEAR(*params.real("duration"), s, 1e-12);
        EXPECT_NO_THROW(type.plan(of, params));
    };
    expectChirp(spec, 3e6, 7e6, 10e-6);
    spec.axes.back().size = 400; // a record of 10 us
    expectChirp(spec, 3e6, 7e6, 2.5e-6);
    spec.axes.back().spacing = 3.0 / 20e6; // band-pass sampled: 3.33 to 6.67 MHz
    expectChirp(spec, 3.5e6, 6.5e6, 10e-6);
    const FrameSpec iq = iqSpec(channelSpec(2, 4, 400, 2e6, 5e6), 5e6); // 4 to 6 MHz
    expectChirp(iq, 4.1e6, 5.9e6, 10e-6);
}

TEST(MatchedFilter, KeepsWhatTheFrameIs) {
    const FrameSpec spec = iqSpec(channelSpec(2, 4, 400), 5e6);
    const StageType& type = stageType("matched_filter");
    const FrameSpec out = type.plan(spec, type.defaultsFor(spec)).outputs[0];
    EXPECT_TRUE(out.sameLayout(spec));
    EXPECT_EQ(out.centreFrequencyHz, 5e6);
    EXPECT_EQ(out.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(out.acquisition, spec.acquisition);
}

TEST(MatchedFilter, RefusesWhatItCannotCompareWith) {
    const auto said = [](const FrameSpec& spec, const Settings& settings) {
        return refusal([&] { runStage("matched_filter", HostFrame(spec), settings); });
    };
    const FrameSpec spec = channelSpec(1, 1, 200); // 10 us at 20 MHz
    FrameSpec untimed = spec;
    untimed.axes.back().spacing = 0.0;
    EXPECT_THAT(said(untimed, {}), HasSubstr("does not tell its sampling frequency"));
    EXPECT_THAT(said(spec, {{"duration", 11e-6}}), HasSubstr("set 'duration' to less"));
    EXPECT_THAT(said(spec, {{"end", 12e6}}), HasSubstr("hold 0 to 10 MHz; set 'start' and 'end'"));
    EXPECT_THAT(said(iqSpec(channelSpec(1, 1, 200, 5e6), 5e6), {{"start", 2e6}}),
                HasSubstr("hold 2.5 to 7.5 MHz"));
    const std::string recorded = "recorded";
    EXPECT_THAT(said(spec, {{"pulse", recorded}, {"samples", std::vector{0.0, 0.0}}}),
                HasSubstr("nothing is left of the pulse"));
    EXPECT_THAT(said(spec, {{"pulse", recorded}, {"samples", std::vector<double>(201, 1.0)}}),
                HasSubstr("give fewer 'samples'"));
    EXPECT_THAT(said(spec, {{"samples", std::vector<double>{}}}), HasSubstr("at least one number"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(said(spec, {{"samples", std::vector{1.0, nan}}}), HasSubstr("'samples'"));
    EXPECT_THAT(said(iqSpec(spec, 10e6), {{"pulse", recorded}}), HasSubstr("mirror image"));
}

TEST(MatchedFilter, ShowsWhatAnEchoBecomes) {
    const StageType& type = stageType("matched_filter");
    const FrameSpec spec = channelSpec(1, 1, 2000, 60e6, 10e6);
    const Params defaults = type.defaultsFor(spec);
    const auto shown = [&](const char* window) {
        const Params params =
            paramsFor(type, spec,
                      chirpOf(kStartHz, kEndHz, kLengthS, 0.0, {{"window", std::string(window)}}));
        return type.shown.curves({spec, params, defaults}).front();
    };
    const StageCurve plain = shown("none");
    ASSERT_EQ(plain.x.size(), plain.y.size());
    EXPECT_NEAR(plain.y[plain.y.size() / 2], 0.0, 1e-6);
    EXPECT_NEAR(plain.x[plain.x.size() / 2], 0.0, 1e-12);
    EXPECT_NEAR(plain.x.back(), 2.5, 0.05);
    std::vector<double> levels;
    for (const double db : plain.y) levels.push_back(std::pow(10.0, db / 20.0));
    EXPECT_NEAR(sideLobeDb(levels), -13.3, 0.5);
    EXPECT_LT(shown("hamming").y.front(), -40.0);
}

} // namespace
} // namespace echolux::test
