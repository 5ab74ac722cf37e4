// SPDX-License-Identifier: GPL-3.0-or-later
// Flow of ensembles, against NumPy, PyMUST and closed forms.
#include "tests/gpu/flow_frames.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

TEST(Gather, KeepsTheLastImagesOldestFirst) {
    FrameSpec spec = imageSpec(2, 3);
    spec.frameIntervalS = kFlowIntervalS;
    const StageType& type = stageType("gather");
    StageRunner run(type, spec, paramsFor(type, spec, {{"frames", std::int64_t{3}}}));
    const auto numbered = [&](float number) { return filled(spec, std::vector<float>(6, number)); };
    const auto firsts = [](const HostFrame& frame) {
        const auto values = frame.as<float>();
        return std::vector<float>{values[0], values[6], values[12]};
    };
    const HostFrame first = run.run(numbered(1.0F));
    EXPECT_TRUE(first.spec.isEnsemble());
    EXPECT_EQ(first.spec.axes.front().size, 3);
    EXPECT_DOUBLE_EQ(first.spec.axes.front().spacing, kFlowIntervalS);
    EXPECT_EQ(firsts(first), (std::vector<float>{1, 1, 1}));
    EXPECT_EQ(firsts(run.run(numbered(2.0F))), (std::vector<float>{1, 1, 2}));
    EXPECT_EQ(firsts(run.run(numbered(3.0F))), (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(firsts(run.runAgain(numbered(3.5F))), (std::vector<float>{1, 2, 3.5F}));
    EXPECT_EQ(firsts(run.run(numbered(4.0F))), (std::vector<float>{2, 3.5F, 4}));
}

TEST(Flow, GivesVelocityAmplitudeAndSpreadAsDefined) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    const StageType& type = stageType("flow");
    StageRunner run(type, ensemble.spec,
                    paramsFor(type, ensemble.spec,
                              {{"speed_of_sound", 1500.0},
                               {"lateral_pixels", std::int64_t{5}},
                               {"threshold", 120.0},
                               {"max_spread", 1.0}}));
    const HostFrames outputs = run.runAll({ensemble});
    expectClose(outputs[0], vectors["velocity"], 1e-5);
    expectClose(outputs[1], vectors["amplitude"], 1e-5);
    expectClose(outputs[2], vectors["spread"], 1e-4);
    EXPECT_EQ(outputs[0].spec.valueRange->unit, "cm/s");
    EXPECT_NEAR(outputs[0].spec.valueRange->max, 100.0 * 1500.0 * 3000.0 / (4.0 * 4e6), 1e-9);
}

TEST(Flow, SinglePixelsHaveThePymustVelocity) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("flow", ensemble,
                         {{"speed_of_sound", 1500.0},
                          {"depth_pixels", std::int64_t{1}},
                          {"lateral_pixels", std::int64_t{1}},
                          {"threshold", 120.0},
                          {"max_spread", 1.0}}),
                vectors["velocity_by_pymust"], 1e-4);
}

TEST(Flow, TheSecondLagMeasuresTheFrequency) {
    const Vectors vectors("gpu/vectors/flow.txt");
    FrameSpec spec = ensembleSpec(9, 7, 6);
    spec.axes[1].spacing = 1e-4;
    const Settings settings{{"estimator", std::string("autocorrelation_2d")},
                            {"speed_of_sound", 1500.0},
                            {"lateral_pixels", std::int64_t{5}},
                            {"threshold", 120.0},
                            {"max_spread", 1.0}};
    const HostFrame echoes = filled(spec, vectors["echoes"]);
    expectClose(runStage("flow", echoes, settings), vectors["velocity_2d"], 1e-4);
    spec.axes[1].unit = "";
    const StageType& type = stageType("flow");
    EXPECT_THAT(refusal([&] { type.plan(spec, paramsFor(type, spec, settings)); }),
                HasSubstr("in metres"));
}

/// Every pixel turns by `phase` from frame to frame.
HostFrame turning(const FrameSpec& spec, double phase) {
    HostFrame frame(spec);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const auto pixels = static_cast<std::size_t>(spec.count() / spec.axes.front().size);
    for (std::size_t i = 0; i < static_cast<std::size_t>(spec.count()); ++i)
        samples[i] = std::polar(1.0F + static_cast<float>(i % pixels),
                                static_cast<float>(phase * static_cast<double>(i / pixels)));
    return frame;
}

TEST(Flow, AToneHasTheVelocityOfItsPhase) {
    const FrameSpec spec = ensembleSpec(8, 4, 4);
    const double perRadian = 100.0 * 1540.0 * 3000.0 / (4.0 * std::numbers::pi * 4e6);
    for (const double phase : {-3.0, -0.5, 0.0, 0.1, 2.9}) {
        const HostFrame made = runStage("flow", turning(spec, phase), {{"threshold", 120.0}});
        for (const float value : made.as<float>()) EXPECT_NEAR(value, perRadian * phase, 1e-3);
        const HostFrame inverted =
            runStage("flow", turning(spec, phase), {{"threshold", 120.0}, {"invert", true}});
        for (const float value : inverted.as<float>()) EXPECT_NEAR(value, -perRadian * phase, 1e-3);
    }
}

TEST(Flow, DividesVelocitiesByTheCosineOfTheAngle) {
    const Vectors vectors("gpu/vectors/flow.txt");
    HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    const auto run = [&](double angleRad) {
        const StageType& type = stageType("flow");
        StageRunner runner(type, ensemble.spec,
                           paramsFor(type, ensemble.spec, {{"angle", angleRad}}));
        return runner.runAll({ensemble})[0];
    };
    const HostFrame along = run(0.0);
    const HostFrame sixty = run(std::numbers::pi / 3.0);
    std::vector<float> twice;
    for (const float velocity : along.as<float>()) twice.push_back(2.0F * velocity);
    expectClose(sixty, twice, 1e-6);
    EXPECT_NEAR(sixty.spec.valueRange->max, 2.0 * along.spec.valueRange->max, 1e-9);
    ensemble.spec.axes.front().unit = "";
    EXPECT_EQ(run(std::numbers::pi / 3.0).spec.valueRange->max, std::numbers::pi)
        << "radians have no direction";
    EXPECT_THAT(refusal([&] { run(std::numbers::pi / 2.0); }), testing::HasSubstr("angle"));
}

TEST(Flow, TheBaselineMovesTheVelocitiesThatAreToldApart) {
    const FrameSpec spec = ensembleSpec(8, 4, 4);
    const double perRadian = 100.0 * 1540.0 * 3000.0 / (4.0 * std::numbers::pi * 4e6);
    const auto velocity = [&](double phase, double baseline, bool inverted = false) {
        const HostFrame made =
            runStage("flow", turning(spec, phase),
                     {{"threshold", 120.0}, {"baseline", baseline}, {"invert", inverted}});
        EXPECT_NEAR(made.spec.valueRange->max,
                    (1.0 + 2.0 * std::abs(baseline)) * std::numbers::pi * perRadian, 1e-9);
        return made.as<float>()[0] / perRadian;
    };
    EXPECT_NEAR(velocity(4.0, 0.0), 4.0 - 2.0 * std::numbers::pi, 1e-4);
    EXPECT_NEAR(velocity(4.0, 0.25), 4.0, 1e-4);
    EXPECT_NEAR(velocity(6.0, 0.5), 6.0, 1e-4);
    EXPECT_NEAR(velocity(-4.0, -0.25), -4.0, 1e-4);
    EXPECT_NEAR(velocity(-4.0, 0.25, true), 4.0, 1e-4);
}

TEST(Flow, WeakAndRandomPixelsShowNone) {
    const FrameSpec spec = ensembleSpec(8, 1, 10);
    HostFrame frame = turning(spec, 1.0);
    const Settings alone{{"depth_pixels", std::int64_t{1}}, {"lateral_pixels", std::int64_t{1}}};
    Settings settings = alone;
    settings.emplace_back("threshold", 20.0 * std::log10(10.0 / 4.5));
    const HostFrame strong = runStage("flow", frame, settings);
    for (std::size_t x = 0; x < 10; ++x)
        EXPECT_EQ(strong.as<float>()[x] != 0.0F, x >= 4) << "4 and weaker lie below 10 / 2.22";
    const std::vector<float> random = noise(frame.bytes.size() / sizeof(float), 4);
    auto* samples = reinterpret_cast<float*>(frame.bytes.data());
    for (std::size_t f = 0; f < 8; ++f)
        for (std::size_t i = 0; i < 2; ++i) samples[2 * (10 * f + 9) + i] = random[2 * f + i];
    settings = alone;
    settings.emplace_back("threshold", 120.0);
    settings.emplace_back("max_spread", 0.3);
    const HostFrame ordered = runStage("flow", frame, settings);
    EXPECT_EQ(ordered.as<float>()[9], 0.0F);
    EXPECT_NE(ordered.as<float>()[8], 0.0F);
}

TEST(Flow, WithoutATimeBetweenFramesItGivesRadians) {
    const FrameSpec spec = ensembleSpec(4, 2, 2, 0.0);
    const HostFrame made = runStage("flow", turning(spec, 0.7), {{"threshold", 120.0}});
    EXPECT_EQ(made.spec.valueRange->unit, "rad");
    for (const float value : made.as<float>()) EXPECT_NEAR(value, 0.7, 1e-5);
    const StageType& type = stageType("flow");
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, {})).warnings,
                testing::ElementsAre(HasSubstr("radians per frame")));
}

TEST(Flow, NeedsTwoFrames) {
    FrameSpec spec = ensembleSpec(2, 2, 2);
    spec.axes.front().size = 1;
    const StageType& type = stageType("flow");
    EXPECT_THAT(refusal([&] { type.plan(spec, paramsFor(type, spec, {})); }),
                HasSubstr("one frame"));
}

FrameSpec velocities() {
    FrameSpec spec = imageSpec(1, 3);
    spec.valueRange = ValueRange{-50.0, 50.0, "cm/s", ""};
    return spec;
}

TEST(VectorFlow, TurnsTwoDirectionsToTheVelocityInThePlane) {
    const double first = -0.2;
    const double second = 0.3;
    const double right = 12.0;
    const double down = -7.0;
    const auto along = [&](double angle) {
        return static_cast<float>(-0.5 *
                                  (std::sin(angle) * right + (1.0 + std::cos(angle)) * down));
    };
    const HostFrame a = filled(velocities(), {along(first), along(first), 0.0F});
    const HostFrame b = filled(velocities(), {along(second), 0.0F, along(second)});
    const StageType& type = stageType("vector_flow");
    StageRunner run(type, std::vector{a.spec, b.spec},
                    paramsFor(type, a.spec, {{"first", first}, {"second", second}}));
    const HostFrames made = run.runAll({a, b});
    EXPECT_NEAR(made[0].as<float>()[0], std::hypot(right, down), 1e-4);
    EXPECT_NEAR(made[1].as<float>()[0], right, 1e-4);
    EXPECT_NEAR(made[2].as<float>()[0], -down, 1e-4);
    for (const std::size_t still : {1, 2})
        for (const HostFrame& output : made) EXPECT_EQ(output.as<float>()[still], 0.0F);
    EXPECT_EQ(made[1].spec.valueRange->unit, "cm/s");
    EXPECT_GE(made[1].spec.valueRange->max, 50.0);
    EXPECT_EQ(made[0].spec.valueRange->min, 0.0);
}

/// The frequency along depth is (1 + cos a) / 2 of the echoes', which the velocities hold.
TEST(VectorFlow, TakesVelocitiesOfAMeasuredFrequency) {
    const double first = -0.2;
    const double second = 0.3;
    const auto along = [&](double angle) {
        return static_cast<float>(-(std::tan(0.5 * angle) * 12.0 - 7.0));
    };
    const HostFrame a = filled(velocities(), {along(first), along(first), 0.0F});
    const HostFrame b = filled(velocities(), {along(second), 0.0F, along(second)});
    const StageType& type = stageType("vector_flow");
    StageRunner run(
        type, std::vector{a.spec, b.spec},
        paramsFor(type, a.spec,
                  {{"first", first}, {"second", second}, {"measured_frequency", true}}));
    const HostFrames made = run.runAll({a, b});
    EXPECT_NEAR(made[1].as<float>()[0], 12.0, 1e-4);
    EXPECT_NEAR(made[2].as<float>()[0], 7.0, 1e-4);
}

TEST(VectorFlow, RefusesWavesOfOneDirectionAndImagesOfTwoShapes) {
    const auto refused = [&](const FrameSpec& a, const FrameSpec& b, double second) {
        return refusal([&] {
            runStage("vector_flow", HostFrames{HostFrame(a), HostFrame(b)},
                     {{"first", 0.1}, {"second", second}});
        });
    };
    EXPECT_EQ(refused(velocities(), velocities(), 0.2), "accepted");
    EXPECT_THAT(refused(velocities(), velocities(), 0.11), HasSubstr("steering"));
    EXPECT_THAT(refused(velocities(), imageSpec(2, 3), 0.2), HasSubstr("shape"));
}

} // namespace
} // namespace echolux::test
