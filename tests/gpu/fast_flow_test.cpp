// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities of `flow` beyond the limit of one phase: by cross-correlation and by staggered
// intervals, against shifts and phases in closed form.
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/fast_flow.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

Settings everyPixel(Settings more) {
    more.emplace_back("threshold", 120.0);
    more.emplace_back("max_spread", 1.0);
    return more;
}

Settings correlated(double search) {
    return everyPixel({{"estimator", "cross_correlation"}, {"search", search}});
}

HostFrames flowOf(const HostFrame& ensemble, const Settings& settings) {
    const StageType& type = stageType("flow");
    StageRunner run(type, ensemble.spec, paramsFor(type, ensemble.spec, settings));
    return run.runAll({ensemble});
}

/// In radians per frame, since the frames say no time. Pi is a quarter of a wavelength.
TEST(FlowByCrossCorrelation, FindsShiftsOfPartsOfAPixelBeyondTheLimitOfThePhase) {
    for (const double times : {-3.61, -1.3, -0.62, -0.1, 0.04, 0.33, 0.77, 1.0, 2.45, 3.9}) {
        const HostFrame ensemble = movingSpeckle(times);
        const HostFrames made = flowOf(ensemble, correlated(4.0));
        const FoundVelocity found = foundVelocity(made[0], 48);
        EXPECT_NEAR(found.mean, times * std::numbers::pi,
                    0.01 * std::numbers::pi * std::max(0.2, std::abs(times)))
            << times;
        EXPECT_LT(found.deviation, 0.03 * std::numbers::pi) << times;
        EXPECT_NEAR(made[0].spec.valueRange->max, 4.0 * std::numbers::pi, 1e-9);
        const FoundVelocity wrapped = foundVelocity(flowOf(ensemble, everyPixel({}))[0], 48);
        if (std::abs(times) < 0.8) {
            EXPECT_NEAR(wrapped.mean, times * std::numbers::pi, 0.02 * std::numbers::pi) << times;
        } else {
            EXPECT_LT(std::abs(wrapped.mean), std::numbers::pi) << times;
        }
    }
}

TEST(FlowByCrossCorrelation, GivesCentimetresPerSecondAndTurnsItsSign) {
    HostFrame ensemble = movingSpeckle(-1.7);
    ensemble.spec.axes.front().spacing = kFlowIntervalS;
    ensemble.spec.axes.front().unit = "s";
    const double limit = 100.0 * 1540.0 / (4.0 * 5e6 * kFlowIntervalS);
    const HostFrames made = flowOf(ensemble, correlated(2.5));
    EXPECT_EQ(made[0].spec.valueRange->unit, "cm/s");
    EXPECT_NEAR(made[0].spec.valueRange->max, 2.5 * limit, 1e-6);
    EXPECT_NEAR(foundVelocity(made[0], 48).mean, -1.7 * limit, 0.02 * limit);
    const HostFrames inverted = flowOf(ensemble, with(correlated(2.5), {{"invert", true}}));
    EXPECT_NEAR(foundVelocity(inverted[0], 48).mean, 1.7 * limit, 0.02 * limit);
}

TEST(FlowByCrossCorrelation, SpreadSaysHowUnlikeTheFramesAre) {
    const HostFrames alike = flowOf(movingSpeckle(1.6), correlated(3.0));
    EXPECT_LT(foundVelocity(alike[2], 48).mean, 0.01);
    HostFrame random = movingSpeckle(0.0);
    std::ranges::copy(noise(random.as<float>().size(), 3), random.as<float>().begin());
    const HostFrames unlike = flowOf(random, correlated(3.0));
    EXPECT_GT(foundVelocity(unlike[2], 48).mean, 0.6);
    const HostFrames masked = flowOf(random, with(correlated(3.0), {{"max_spread", 0.5}}));
    for (const float value : masked[0].as<float>()) ASSERT_EQ(value, 0.0F);
}

TEST(FlowByCrossCorrelation, OfRecordedIqIsThatOfImagesThatHoldTheirCarrier) {
    constexpr double kMixedHz = 4.3e6;
    const HostFrame held = movingSpeckle(1.45);
    HostFrame mixed = held;
    mixed.spec.recordedForm = RecordedForm::Beamformed;
    mixed.spec.demodulationFrequencyHz = kMixedHz;
    auto* pixels = reinterpret_cast<std::complex<float>*>(mixed.bytes.data());
    const Axis& depth = held.spec.axes[1];
    for (std::int64_t i = 0; i < held.spec.count(); ++i) {
        const double z = depth.origin + depth.spacing * static_cast<double>(i / 8 % depth.size);
        pixels[i] *=
            std::complex<float>(std::polar(1.0, -4.0 * std::numbers::pi * kMixedHz * z / 1540.0));
    }
    const HostFrames expected = flowOf(held, correlated(3.0));
    const HostFrames made = flowOf(mixed, correlated(3.0));
    expectNear(made[0].as<float>(), expected[0].as<float>(), 0.01);
}

TEST(FlowByCrossCorrelation, OfNothingIsZeroAndNanStaysWhereItIs) {
    HostFrame ensemble = movingSpeckle(1.5);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    ensemble.as<float>()[2 * (100 * 8 + 3)] = nan;
    const HostFrames made = flowOf(ensemble, correlated(2.0));
    std::int64_t none = 0;
    for (std::size_t z = 0; z < 200; ++z) {
        for (std::size_t x = 0; x < 8; ++x) {
            const float value = made[0].as<float>()[z * 8 + x];
            ASSERT_TRUE(std::isfinite(value)) << z << " " << x;
            none += value == 0.0F ? 1 : 0;
            const bool apart = z < 60 || z > 140 || x > 6; // from NaN
            if (z < 48 || z >= 152 || !apart) continue;
            EXPECT_NEAR(value, 1.5 * std::numbers::pi, 0.2 * std::numbers::pi) << z << " " << x;
        }
    }
    EXPECT_GE(none, 9);
    for (float& value : ensemble.as<float>()) value = 0.0F;
    const HostFrames nothing = flowOf(ensemble, correlated(2.0));
    for (const float value : nothing[0].as<float>()) ASSERT_EQ(value, 0.0F);
}

TEST(FlowByCrossCorrelation, RefusesDepthsWithoutMetresAndOneDepth) {
    const StageType& type = stageType("flow");
    const auto refused = [&](const FrameSpec& spec) {
        return refusal([&] { type.plan(spec, paramsFor(type, spec, correlated(2.0))); });
    };
    FrameSpec unitless = ensembleSpec(4, 8, 3);
    unitless.axes[1].unit = "";
    EXPECT_THAT(refused(unitless), HasSubstr("cross-correlation needs two or more depths"));
    EXPECT_THAT(refused(ensembleSpec(4, 1, 3)), HasSubstr("in metres"));
}

/// Phases up to the limit of the interval t, of which the frames are m t and (m + 1) t apart.
TEST(FlowOfStaggeredFrames, FindsVelocitiesUpToTheExtendedLimit) {
    const FrameSpec spec = ensembleSpec(8, 3, 4);
    const double limit = 100.0 * 1540.0 / (4.0 * 4e6 * kFlowIntervalS);
    for (const Staggering& of : kStaggerings) {
        const Settings settings = everyPixel({{"stagger", of.id}});
        for (const double part : {-0.98, -0.71, -0.4, -0.05, 0.0, 0.2, 0.5, 0.77, 0.98}) {
            const HostFrames made =
                flowOf(staggeredTone(spec, of, part * std::numbers::pi), settings);
            EXPECT_NEAR(made[0].spec.valueRange->max, of.reach() * limit, 1e-6) << of.id;
            for (const float value : made[0].as<float>())
                ASSERT_NEAR(value, part * of.reach() * limit, 1e-4 * of.reach() * limit)
                    << of.id << " " << part;
            for (const float value : made[2].as<float>()) ASSERT_NEAR(value, 0.0F, 1e-5F);
        }
    }
}

TEST(FlowOfStaggeredFrames, FollowsBaselineAndInvert) {
    const FrameSpec spec = ensembleSpec(8, 1, 2, 0.0); // radians per frame
    const Staggering of = kStaggerings[1];
    const auto velocity = [&](double phase, double baseline, bool inverted) {
        return flowOf(staggeredTone(spec, of, phase),
                      everyPixel(
                          {{"stagger", of.id}, {"baseline", baseline}, {"invert", inverted}}))[0]
                   .as<float>()[0] /
               of.reach();
    };
    EXPECT_NEAR(velocity(1.4 * std::numbers::pi, 0.25, false), 1.4 * std::numbers::pi, 1e-4);
    EXPECT_NEAR(velocity(1.4 * std::numbers::pi, 0.0, false), -0.6 * std::numbers::pi, 1e-4);
    EXPECT_NEAR(velocity(-1.4 * std::numbers::pi, 0.25, true), 1.4 * std::numbers::pi, 1e-4);
    EXPECT_NEAR(velocity(0.5 * std::numbers::pi, 0.0, true), -0.5 * std::numbers::pi, 1e-4);
}

/// 20 dB of noise: all whole periods are right, and the rest scatters as theory says. Frame i has
/// the phase error e[i] of variance N / 2S. Of 16 frames, a is the mean of e[i + 1] - e[i] over the
/// 8 even i and b that over the 7 odd ones, so that of (m a + n b) / (m^2 + n^2) each inner frame
/// has the coefficient +-(m / 8 - n / 7) and each outer one m / 8, over m^2 + n^2.
double expectedDeviation(double m, double noisePower) {
    const double n = m + 1.0;
    const double inner = m / 8.0 - n / 7.0;
    const double sum = 14.0 * inner * inner + 2.0 * (m / 8.0) * (m / 8.0);
    return std::sqrt(0.5 * noisePower * sum) / (m * m + n * n);
}

TEST(FlowOfStaggeredFrames, StaysRightInNoise) {
    const FrameSpec spec = ensembleSpec(16, 40, 40, 0.0);
    const Settings alone =
        everyPixel({{"depth_pixels", std::int64_t{1}}, {"lateral_pixels", std::int64_t{1}}});
    for (const Staggering& of : kStaggerings) {
        for (const double part : {-0.9, 0.3, 0.85}) {
            const HostFrames made = flowOf(staggeredTone(spec, of, part * std::numbers::pi, 0.1),
                                           with(alone, {{"stagger", of.id}}));
            double wrong = 0.0;
            double squares = 0.0;
            for (const float value : made[0].as<float>()) {
                const double error = value / of.reach() - part * std::numbers::pi;
                if (std::abs(error) > 0.5 * std::numbers::pi / (of.shorter + 1.0))
                    wrong += 1.0;
                else
                    squares += error * error;
            }
            EXPECT_EQ(wrong, 0.0) << of.id << " " << part;
            const double expected = expectedDeviation(of.shorter, 0.01);
            EXPECT_NEAR(std::sqrt(squares / 1600.0), expected, 0.07 * expected) << of.id;
        }
    }
}

TEST(FlowOfStaggeredFrames, NanShowsNoFlow) {
    const FrameSpec spec = ensembleSpec(8, 1, 12, 0.0);
    HostFrame frame = staggeredTone(spec, kStaggerings[1], 0.7 * std::numbers::pi);
    frame.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    const HostFrames made = flowOf(
        frame, everyPixel({{"stagger", "two_to_three"}, {"lateral_pixels", std::int64_t{1}}}));
    EXPECT_EQ(made[0].as<float>()[0], 0.0F);
    for (std::size_t x = 1; x < 12; ++x)
        EXPECT_NEAR(made[0].as<float>()[x], 0.7 * std::numbers::pi * 2.5, 1e-3);
}

TEST(FlowOfStaggeredFrames, RefusesWhatCannotBeAndWarnsOfOddEnsembles) {
    const StageType& type = stageType("flow");
    const auto planned = [&](std::int64_t frames, Settings more) {
        const FrameSpec spec = ensembleSpec(frames, 8, 3);
        return type.plan(spec, paramsFor(type, spec, with({{"stagger", "three_to_four"}}, more)));
    };
    EXPECT_THAT(refusal([&] { planned(2, {}); }), HasSubstr("three frames"));
    EXPECT_THAT(refusal([&] {
                    planned(8, {{"estimator", "cross_correlation"}});
                }),
                HasSubstr("'stagger'"));
    const StageType& gather = stageType("gather");
    const FrameSpec image = oneFrameOf(ensembleSpec(2, 8, 3));
    const FrameSpec slid = gather.plan(image, paramsFor(gather, image, {})).outputs[0];
    EXPECT_TRUE(slid.slides);
    EXPECT_FALSE(oneFrameOf(slid).slides);
    EXPECT_THAT(refusal([&] {
                    type.plan(slid, paramsFor(type, slid, {{"stagger", "one_to_two"}}));
                }),
                HasSubstr("in place of gather"));
    EXPECT_THAT(planned(8, {}).warnings, testing::IsEmpty());
    EXPECT_THAT(planned(9, {}).warnings, testing::ElementsAre(HasSubstr("even")));
}

} // namespace
} // namespace echolux::test
