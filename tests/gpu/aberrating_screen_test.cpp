// SPDX-License-Identifier: GPL-3.0-or-later
// aberrating_screen against echoes that are late in closed form, and against its own figures.
#include "gpu/stage/registry.hpp"
#include "gpu/stages/aberrating_screen.hpp"
#include "tests/gpu/full_matrix_echoes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing_support::refusal;

const AberratingScreenParams kScreen{
    .delayRmsS = 40e-9, .gainRmsDb = 3.0, .lengthM = 0.6e-3, .seed = 7};

Settings settingsOf(const AberratingScreenParams& p) {
    return {{"delay_rms", p.delayRmsS},
            {"amplitude_rms", p.gainRmsDb},
            {"correlation_length", p.lengthM},
            {"seed", p.seed},
            {"transmit", p.transmit}};
}

HostFrames behind(const HostFrame& frame, const AberratingScreenParams& p) {
    const StageType& type = stageType("aberrating_screen");
    return StageRunner(type, frame.spec, paramsFor(type, frame.spec, settingsOf(p)))
        .runAll({frame});
}

double rmsOf(const std::vector<double>& values) {
    double mean = 0.0;
    for (const double v : values) mean += v / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double v : values)
        squares += (v - mean) * (v - mean) / static_cast<double>(values.size());
    return std::sqrt(squares);
}

TEST(AberratingScreen, DelaysAndWeakensOnBothWays) {
    for (const bool mixed : {false, true}) {
        const FrameSpec spec = fullMatrix(mixed);
        const auto screen = screenBefore(spec.acquisition->probe, kScreen);
        const HostFrames made = behind(recorded(spec, kNone), kScreen);
        expectNear(made[0].as<float>(),
                   recorded(spec, screen.delayS, screen.delayS, screen.amplitude).as<float>(),
                   0.05);
    }
}

TEST(AberratingScreen, LeavesSentSoundAloneWhereAskedTo) {
    const FrameSpec spec = fullMatrix(false);
    AberratingScreenParams back = kScreen;
    back.transmit = false;
    back.gainRmsDb = 0.0;
    const auto screen = screenBefore(spec.acquisition->probe, back);
    expectNear(behind(recorded(spec, kNone), back)[0].as<float>(),
               recorded(spec, kNone, screen.delayS).as<float>(), 0.05);
}

TEST(AberratingScreen, HandsOnItsTruth) {
    const FrameSpec spec = fullMatrix(false);
    const auto screen = screenBefore(spec.acquisition->probe, kScreen);
    const HostFrames made = behind(HostFrame(spec), kScreen);
    for (std::size_t e = 0; e < kElements; ++e) {
        EXPECT_EQ(made[1].as<float>()[e], static_cast<float>(screen.delayS[e]));
        EXPECT_EQ(made[2].as<float>()[e], static_cast<float>(screen.amplitude[e]));
    }
    EXPECT_NEAR(rmsOf(screen.delayS), 40e-9, 1e-15);
    std::vector<double> decibels;
    for (const double a : screen.amplitude) decibels.push_back(20.0 * std::log10(a));
    EXPECT_NEAR(rmsOf(decibels), 3.0, 1e-9);
}

TEST(AberratingScreen, OfNoStrengthChangesNothing) {
    AberratingScreenParams none = kScreen;
    none.delayRmsS = none.gainRmsDb = 0.0;
    const HostFrame in = recorded(fullMatrix(false), kNone);
    EXPECT_EQ(behind(in, none)[0].bytes, in.bytes);
}

TEST(AberratingScreen, ASeedIsAScreen) {
    const Probe probe = fullMatrix(false).acquisition->probe;
    AberratingScreenParams other = kScreen;
    other.seed = 8;
    EXPECT_EQ(screenBefore(probe, kScreen).delayS, screenBefore(probe, kScreen).delayS);
    EXPECT_NE(screenBefore(probe, kScreen).delayS, screenBefore(probe, other).delayS);
}

/// Neighbours at the edges of a curved array lie closer in x than on the arc.
TEST(AberratingScreen, LiesAlongTheArcOfACurvedArray) {
    Probe straight;
    Probe curved;
    constexpr int kCount = 65;
    constexpr double kPitchM = 0.5e-3;
    constexpr double kRadiusM = 20e-3;
    for (int i = 0; i < kCount; ++i) {
        const double along = kPitchM * (i - kCount / 2);
        const double angle = along / kRadiusM;
        straight.elements.push_back({along, 0.0, 0.0});
        curved.elements.push_back(
            {kRadiusM * std::sin(angle), 0.0, kRadiusM * (std::cos(angle) - 1.0)});
    }
    const AberratingScreenParams wide{.delayRmsS = 50e-9, .lengthM = 5e-3};
    const auto flat = screenBefore(straight, wide);
    const auto bent = screenBefore(curved, wide);
    for (std::size_t e = 0; e < flat.delayS.size(); ++e)
        EXPECT_NEAR(bent.delayS[e], flat.delayS[e], 0.5e-9) << "chords are as long as arcs here";
}

/// A slope of the delays moves the image, and nobody could find it.
TEST(AberratingScreen, HasNoSlopeOverTheArray) {
    Probe line;
    Probe crossed;
    for (int i = 0; i < 40; ++i) line.elements.push_back({0.3e-3 * (i - 7), 0.0, 0.0});
    for (int i = -20; i <= 20; ++i) crossed.elements.push_back({0.3e-3 * i, 0.0, 0.0});
    for (int i = -20; i <= 20; ++i) crossed.elements.push_back({0.0, 0.3e-3 * i, 0.0});
    for (const Probe& probe : {line, crossed}) {
        const auto screen = screenBefore(probe, {.delayRmsS = 50e-9, .lengthM = 8e-3});
        double sum = 0.0;
        double alongX = 0.0;
        double alongY = 0.0;
        for (std::size_t e = 0; e < screen.delayS.size(); ++e) {
            sum += 1e9 * screen.delayS[e];
            alongX += 1e12 * screen.delayS[e] * probe.elements[e].x;
            alongY += 1e12 * screen.delayS[e] * probe.elements[e].y;
        }
        EXPECT_NEAR(sum, 0.0, 1e-9);
        EXPECT_NEAR(alongX, 0.0, 1e-9);
        EXPECT_NEAR(alongY, 0.0, 1e-9);
        EXPECT_NEAR(rmsOf(screen.delayS), 50e-9, 1e-15);
    }
}

TEST(AberratingScreen, NeedsAnArray) {
    FrameSpec spec = fullMatrix(false);
    spec.acquisition = nullptr;
    EXPECT_THAT(refusal([&] { behind(HostFrame(spec), kScreen); }),
                testing::HasSubstr("knows its array"));
}

} // namespace
} // namespace echolux::test
