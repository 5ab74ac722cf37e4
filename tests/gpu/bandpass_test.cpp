// SPDX-License-Identifier: GPL-3.0-or-later
// bandpass against SciPy's window method and plain convolutions, and what it refuses.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include "gpu/stages/bandpass_response.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

const Vectors& signalVectors() {
    static const Vectors kVectors("gpu/vectors/signal_stages.txt");
    return kVectors;
}

HostFrame filtered(const Settings& settings) {
    return runStage("bandpass", HostFrame(channelSpec(2, 3, 83), signalVectors()["rf"]), settings);
}

std::string refusal(const FrameSpec& spec, const Settings& settings) {
    try {
        runStage("bandpass", HostFrame(spec), settings);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Bandpass, EdgesAgreeWithScipy) {
    const Settings band{{"low", 2.5e6}, {"high", 7.5e6}};
    for (const auto& [taps, window] : std::vector<std::pair<std::int64_t, std::string>>{
             {31, "hamming"}, {63, "hann"}, {255, "blackman"}, {3, "rectangular"}}) {
        Settings settings = band;
        settings.emplace_back("taps", taps);
        settings.emplace_back("window", window);
        SCOPED_TRACE(taps);
        expectNear(filtered(settings).as<float>(),
                   signalVectors()["bandpass_" + std::to_string(taps)], 2e-6);
    }
}

TEST(Bandpass, EdgesInEitherOrder) {
    const HostFrame swapped =
        filtered({{"low", 7.5e6}, {"high", 2.5e6}, {"taps", std::int64_t{31}}});
    expectNear(swapped.as<float>(), signalVectors()["bandpass_31"], 2e-6);
}

TEST(Bandpass, HighEdgeBeyondTheSpectrumMakesAHighPass) {
    const HostFrame out = filtered({{"low", 2.5e6}, {"high", 30e6}, {"taps", std::int64_t{31}}});
    expectNear(out.as<float>(), signalVectors()["highpass_31"], 4e-6);
}

/// Van Bavel 2013, listing 4.2, gives -0.0049 0.1007 0.4761: half of a filter of six taps, to four
/// digits.
TEST(Bandpass, PublishedCoefficients) {
    const HostFrame out = filtered(
        {{"design", "coefficients"}, {"coefficients", std::vector{-0.0049, 0.1007, 0.4761}}});
    expectNear(out.as<float>(), signalVectors()["published_bandpass"], 1e-3);
}

TEST(Bandpass, CoefficientForms) {
    const std::vector<double> coefficients{0.5, -0.25, 1.0};
    for (const std::string form : {"odd", "all"}) {
        const HostFrame out =
            filtered({{"design", "coefficients"},
                      {"coefficients", coefficients},
                      {"coefficient_form", form == "odd" ? "half_odd" : "all_taps"}});
        SCOPED_TRACE(form);
        expectNear(out.as<float>(), signalVectors()["coefficients_" + form], 2e-6);
    }
}

TEST(Bandpass, ForwardIsScipysCausalFilter) {
    const auto forward = [](Settings settings) {
        settings.emplace_back("direction", "forward");
        return filtered(settings);
    };
    const auto given = [](std::vector<double> coefficients, const char* form) {
        return Settings{{"design", "coefficients"},
                        {"coefficients", std::move(coefficients)},
                        {"coefficient_form", form}};
    };
    expectNear(forward({{"low", 2.5e6}, {"high", 7.5e6}, {"taps", std::int64_t{31}}}).as<float>(),
               signalVectors()["forward_edges"], 2e-6);
    const std::vector<double> three{0.5, -0.25, 1.0};
    expectNear(forward(given(three, "half_even")).as<float>(), signalVectors()["forward_even"],
               2e-6);
    expectNear(forward(given(three, "half_odd")).as<float>(), signalVectors()["forward_odd"], 2e-6);
    expectNear(forward(given(three, "all_taps")).as<float>(), signalVectors()["forward_all"], 2e-6);
    // Longer than the record.
    const std::vector<float>& taps = signalVectors()["long_taps"];
    std::vector<double> clipped;
    for (const float tap : taps) clipped.push_back(double{tap});
    expectNear(forward(given(clipped, "all_taps")).as<float>(), signalVectors()["forward_long"],
               2e-6);
}

/// A line of several tiles: an impulse becomes the taps, wherever it stands.
TEST(Bandpass, ForwardDelaysByHalfTheLength) {
    constexpr std::int64_t kSamples = 700;
    constexpr std::int64_t kTaps = 63;
    for (const std::size_t at : {0U, 200U, 255U, 256U, 690U}) {
        std::vector<float> line(kSamples, 0.0F);
        line[at] = 1.0F;
        const HostFrame out = runStage("bandpass", HostFrame(channelSpec(1, 1, kSamples), line),
                                       {{"taps", std::int64_t{kTaps}}, {"direction", "forward"}});
        const auto y = out.as<float>();
        for (std::size_t n = 0; n < y.size(); ++n) {
            if (n < at || n >= at + kTaps) {
                ASSERT_EQ(y[n], 0.0F) << n;
            }
        }
        const std::size_t middle = at + kTaps / 2;
        for (std::size_t k = 0; k <= kTaps / 2 && middle + k < y.size(); ++k)
            ASSERT_NEAR(y[middle + k], y[middle - k], 1e-7) << at << " " << k;
    }
}

TEST(Bandpass, KeepsThePhase) {
    constexpr std::int64_t kSamples = 600;
    std::vector<float> tone(kSamples);
    for (std::size_t n = 0; n < tone.size(); ++n)
        tone[n] = static_cast<float>(
            std::cos(2 * std::numbers::pi * 0.25 * static_cast<double>(n) + 0.3));
    const HostFrame out = runStage("bandpass", HostFrame(channelSpec(1, 1, kSamples), tone));
    for (std::size_t n = 100; n < kSamples - 100; ++n)
        ASSERT_NEAR(out.as<float>()[n], tone[n], 2e-5) << n; // gain 1 at the centre of the band
}

TEST(Bandpass, LiveEditsNeedOnlyUpdate) {
    const StageType& type = stageType("bandpass");
    const HostFrame input(channelSpec(2, 3, 83), signalVectors()["rf"]);
    StageRunner runner(type, input.spec,
                       paramsFor(type, input.spec, {{"taps", std::int64_t{255}}}));
    runner.run(input);
    runner.update(
        paramsFor(type, input.spec, {{"low", 2.5e6}, {"high", 7.5e6}, {"taps", std::int64_t{31}}}));
    expectNear(runner.run(input).as<float>(), signalVectors()["bandpass_31"], 2e-6);
}

TEST(Bandpass, DefaultsFollowTheCentreFrequency) {
    const StageType& type = stageType("bandpass");
    const auto edges = [&](const FrameSpec& spec) {
        const Params params = type.defaultsFor(spec);
        return std::pair(std::get<double>(params.get("low")), std::get<double>(params.get("high")));
    };
    EXPECT_EQ(edges(channelSpec(1, 1, 9, 40e6, 6e6)), std::pair(3e6, 9e6));
    // 1.5 of the centre frequency lies beyond half the sampling frequency.
    const auto [low, high] = edges(channelSpec(1, 1, 9, 20e6, 8e6));
    EXPECT_EQ(low, 4e6);
    EXPECT_GT(high, 9e6);
    EXPECT_LT(high, 10e6);
    // Band-pass sampled at 4/3 of 5 MHz: the pulse appears at 1.667 MHz.
    const auto [foldedLow, foldedHigh] = edges(channelSpec(1, 1, 9, 20e6 / 3, 5e6));
    EXPECT_NEAR(foldedLow, 5e6 / 6, 1.0);
    EXPECT_NEAR(foldedHigh, 2.5e6, 1.0);
    // Nothing known: still a band that plan accepts.
    FrameSpec unknown = channelSpec(1, 1, 9, 20e6, 0.0);
    EXPECT_EQ(refusal(unknown, {}), "accepted");
}

TEST(Bandpass, RefusesWithASentence) {
    EXPECT_EQ(refusal(channelSpec(1, 1, 9, 20e6 / 3, 5e6), {{"low", 4e6}, {"high", 6e6}}),
              "Stage 'bandpass': the band 'low' to 'high' begins at 4 MHz, but samples taken at "
              "6.66667 MHz hold only frequencies below 3.33333 MHz (the recording is band-pass "
              "sampled: its 5 MHz appear at 1.66667 MHz); choose a lower band.");
    EXPECT_THAT(refusal(channelSpec(1, 1, 9),
                        {{"design", "coefficients"}, {"coefficients", std::vector<double>{}}}),
                testing::HasSubstr("give at least one number"));
    EXPECT_THAT(refusal(channelSpec(1, 1, 9), {{"design", "coefficients"},
                                               {"coefficients", std::vector<double>(128, 0.1)}}),
                testing::HasSubstr("256 taps"));
    FrameSpec timeless = channelSpec(1, 1, 9);
    timeless.axes.back().spacing = 0.0;
    EXPECT_THAT(refusal(timeless, {}), testing::HasSubstr("sampling frequency"));
    EXPECT_EQ(refusal(timeless, {{"design", "coefficients"}}), "accepted");
}

TEST(Bandpass, ResponseAgreesWithScipy) {
    const StageType& type = stageType("bandpass");
    const Params params = paramsFor(type, channelSpec(1, 1, 9),
                                    {{"low", 2.5e6}, {"high", 7.5e6}, {"taps", std::int64_t{31}}});
    const StageCurve response = bandpassResponse(params, 20e6, 41);
    const auto& expected = signalVectors()["response_31_db"];
    ASSERT_EQ(response.y.size(), expected.size());
    EXPECT_DOUBLE_EQ(response.x.back(), 10.0);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(response.x[i], 0.25 * static_cast<double>(i), 1e-9);
        EXPECT_NEAR(response.y[i], expected[i], 1e-3) << i;
    }
    const Params once = paramsFor(
        type, channelSpec(1, 1, 9),
        {{"low", 2.5e6}, {"high", 7.5e6}, {"taps", std::int64_t{31}}, {"direction", "forward"}});
    const StageCurve half = bandpassResponse(once, 20e6, 41);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(half.y[i], 0.5F * expected[i], 1e-3) << i;
    // Half the single gain at the edges, hence a quarter of both, -12 dB, but for the window.
    EXPECT_NEAR(response.y[10], -12.0, 0.3);
}

} // namespace
} // namespace echolux::test
