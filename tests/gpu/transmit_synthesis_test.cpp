// SPDX-License-Identifier: GPL-3.0-or-later
// transmit_synthesis against waves in closed form.
#include "gpu/core/firing.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/gpu/full_matrix_echoes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing_support::refusal;

HostFrame delaysOf(const std::vector<double>& values) {
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, 1, 1.0, 0.0, ""},
                 {AxisName::Channel, std::ssize(values), 1.0, 0.0, ""}};
    return HostFrame(spec, std::vector<float>(values.begin(), values.end()));
}

std::vector<double> someScreen() {
    std::vector<double> screen;
    for (std::size_t e = 0; e < kElements; ++e)
        screen.push_back(60e-9 * std::sin(1.3 * static_cast<double>(e)));
    return screen;
}

/// Ten taps read within 40 dB, of what twelve elements add up to.
constexpr double kTolerance = 0.1;

TEST(TransmitSynthesis, PlaneWavesAreTheSumOfTheElementsInTime) {
    for (const bool mixed : {false, true}) {
        const FrameSpec spec = fullMatrix(mixed);
        const HostFrame out =
            runStage("transmit_synthesis", HostFrames{recorded(spec, kNone), delaysOf(kNone)},
                     {{"waves", std::int64_t{2}}, {"angle_span", 0.3}});
        ASSERT_EQ(out.spec.axes[0].size, 2);
        EXPECT_DOUBLE_EQ(out.spec.acquisition->transmits[0].angleRad, -0.15);
        EXPECT_EQ(out.spec.acquisition->transmits[1].wave, Wave::Plane);
        expectNear(out.as<float>(), sentTogether(spec, out.spec).as<float>(), kTolerance);
    }
}

TEST(TransmitSynthesis, FocusedWavesAreSentByTheirAperture) {
    const FrameSpec spec = fullMatrix(false);
    const HostFrame out =
        runStage("transmit_synthesis", HostFrames{recorded(spec, kNone), delaysOf(kNone)},
                 {{"wave", std::string("focused")},
                  {"waves", std::int64_t{3}},
                  {"focus_span", 2e-3},
                  {"focus_depth", 8e-3},
                  {"f_number", 4.0}});
    const auto& waves = out.spec.acquisition->transmits;
    ASSERT_EQ(waves.size(), 3U);
    EXPECT_DOUBLE_EQ(waves[2].source.x, 1e-3);
    EXPECT_EQ(waves[1].wave, Wave::Focused);
    EXPECT_THAT(waves[0].apodization, testing::Contains(0.0F));
    EXPECT_THAT(waves[0].apodization, testing::Contains(1.0F));
    expectNear(out.as<float>(), sentTogether(spec, out.spec).as<float>(), kTolerance);
}

TEST(TransmitSynthesis, DivergingWavesComeFromBehindTheArray) {
    const FrameSpec spec = fullMatrix(true);
    const HostFrame out =
        runStage("transmit_synthesis", HostFrames{recorded(spec, kNone), delaysOf(kNone)},
                 {{"wave", std::string("diverging")},
                  {"waves", std::int64_t{3}},
                  {"source_span", 3e-3},
                  {"behind", 2e-3}});
    const auto& waves = out.spec.acquisition->transmits;
    ASSERT_EQ(waves.size(), 3U);
    EXPECT_EQ(waves[0].source, (Point{-1.5e-3, 0.0, -2e-3}));
    expectNear(out.as<float>(), sentTogether(spec, out.spec).as<float>(), kTolerance);
}

TEST(TransmitSynthesis, WhatIsSentWithTheDelaysOfTheScreenArrivesWithoutThem) {
    for (const bool mixed : {false, true}) {
        const FrameSpec spec = fullMatrix(mixed);
        const std::vector<double> screen = someScreen();
        const auto sent = [&](double strength) {
            return runStage("transmit_synthesis",
                            HostFrames{recorded(spec, screen), delaysOf(screen)},
                            {{"waves", std::int64_t{1}}, {"strength", strength}});
        };
        const HostFrame whole = sent(1.0);
        expectNear(whole.as<float>(), sentTogether(spec, whole.spec).as<float>(), kTolerance);
        const auto most = [](const HostFrame& frame) {
            return *std::ranges::max_element(frame.as<float>());
        };
        EXPECT_LT(most(sent(0.0)), 0.9F * most(whole)) << "the screen is not seen";
    }
}

TEST(TransmitSynthesis, RefusesWhatItCannotAddUp) {
    const auto said = [](const FrameSpec& spec, const HostFrame& delays) {
        return refusal([&] {
            runStage("transmit_synthesis", HostFrames{HostFrame(spec), delays});
        });
    };
    EXPECT_THAT(said(channelSpec(2, kElements, kEchoSamples), delaysOf(kNone)),
                testing::HasSubstr("firing alone"));
    EXPECT_THAT(said(fullMatrix(false), delaysOf({0.0, 0.0})),
                testing::HasSubstr("each of 12 elements"));
    FrameSpec walking = fullMatrix(false);
    auto acquisition = std::make_shared<Acquisition>(*walking.acquisition);
    for (std::int32_t i = 0; i < kElements * kElements; ++i)
        acquisition->receiveElements.push_back((i + i / 12) % 12);
    walking.acquisition = acquisition;
    EXPECT_THAT(said(walking, delaysOf(kNone)), testing::HasSubstr("from transmit to transmit"));
}

} // namespace
} // namespace echolux::test
