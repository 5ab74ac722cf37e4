// SPDX-License-Identifier: GPL-3.0-or-later
// Clutter filters and flow, against NumPy and closed forms.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr double kIntervalS = 1.0 / 3000.0;

/// An ensemble of complex images; `intervalS` 0: unknown.
FrameSpec ensembleSpec(std::int64_t frames, std::int64_t depths, std::int64_t laterals,
                       double intervalS = kIntervalS) {
    FrameSpec image = imageSpec(depths, laterals);
    image.dtype = DType::ComplexF32;
    image.centreFrequencyHz = 4e6;
    image.frameIntervalS = intervalS;
    return ensembleOf(image, frames);
}

HostFrame filled(const FrameSpec& spec, const std::vector<float>& values) {
    HostFrame frame(spec);
    std::memcpy(frame.bytes.data(), values.data(), frame.bytes.size());
    return frame;
}

void expectClose(const HostFrame& frame, const std::vector<float>& expected, double tolerance) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size());
    double largest = 0.0;
    for (const float value : expected) largest = std::max(largest, std::abs(double{value}));
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * largest) << i;
}

TEST(ClutterFilter, KeepsTheSingularValuesThatNumpyKeeps) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    const HostFrame kept = runStage(
        "clutter_filter", ensemble,
        {{"method", std::string("svd")}, {"first", std::int64_t{2}}, {"last", std::int64_t{5}}});
    expectClose(kept, vectors["svd_2_to_5"], 5e-4);
    EXPECT_TRUE(kept.spec.sameLayout(ensemble.spec));
    const HostFrame all = runStage("clutter_filter", ensemble,
                                   {{"method", std::string("svd")}, {"first", std::int64_t{1}}});
    expectClose(all, vectors["ensemble"], 5e-5);
}

TEST(ClutterFilter, SubtractsThePolynomialThatNumpyFits) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble, {{"order", std::int64_t{2}}}),
                vectors["without_order_2"], 1e-4);
}

TEST(ClutterFilter, SubtractsTheCosinesThatPymustSubtracts) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble,
                         {{"method", std::string("cosines")}, {"components", std::int64_t{3}}}),
                vectors["without_3_cosines"], 1e-5);
}

Settings highPass(const std::string& design, std::int64_t order, double cutoffMps) {
    return {{"method", std::string("high_pass")},
            {"design", design},
            {"filter_order", order},
            {"cutoff", cutoffMps},
            {"speed_of_sound", 1500.0}};
}

TEST(ClutterFilter, HighPassFiltersBeginFromTheStateOfLeastEnergy) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(9, 7, 6), vectors["ensemble"]);
    expectClose(runStage("clutter_filter", ensemble, highPass("butterworth", 3, 0.05)),
                vectors["butterworth_3"], 1e-4);
    expectClose(runStage("clutter_filter", ensemble, highPass("fir", 4, 0.05)), vectors["fir_4"],
                1e-4);
    // An odd order is the next even one.
    expectClose(runStage("clutter_filter", ensemble, highPass("fir", 3, 0.05)), vectors["fir_4"],
                1e-4);
}

TEST(ClutterFilter, AHighPassPassesWhatMovesFasterThanItsCutOff) {
    const FrameSpec spec = ensembleSpec(64, 1, 1);
    const double perRadian = 1500.0 * 3000.0 / (4.0 * std::numbers::pi * 4e6);
    const auto energyLeft = [&](double velocityMps) {
        HostFrame tone(spec);
        auto* samples = reinterpret_cast<std::complex<float>*>(tone.bytes.data());
        for (int f = 0; f < 64; ++f)
            samples[f] = std::polar(1.0F, static_cast<float>(f * velocityMps / perRadian));
        double sum = 0.0;
        const HostFrame left = runStage("clutter_filter", tone, highPass("butterworth", 4, 0.05));
        for (const float value : left.as<float>()) sum += double{value} * value;
        return sum / 64.0;
    };
    EXPECT_LT(energyLeft(0.0), 1e-6);
    EXPECT_LT(energyLeft(0.01), 1e-3);
    // -3 dB at the cut-off; the projection takes 4 of 64 frames besides.
    EXPECT_NEAR(energyLeft(0.05), 0.5, 0.15);
    EXPECT_GT(energyLeft(0.15), 0.95);
    EXPECT_GT(energyLeft(-0.15), 0.95);
}

TEST(ClutterFilter, RefusesCutOffsThatMeanNothing) {
    const StageType& type = stageType("clutter_filter");
    const FrameSpec known = ensembleSpec(9, 2, 2);
    const double most = 1500.0 * 3000.0 / (4.0 * 4e6);
    EXPECT_THAT(
        refusal([&] { type.plan(known, paramsFor(type, known, highPass("fir", 2, 1.01 * most))); }),
        HasSubstr("'cutoff' is 0.284"));
    const FrameSpec unknown = ensembleSpec(9, 2, 2, 0.0);
    EXPECT_THAT(
        refusal([&] { type.plan(unknown, paramsFor(type, unknown, highPass("fir", 2, 0.01))); }),
        HasSubstr("signal.frame_rate"));
}

TEST(ClutterFilter, EachPolynomialUpToItsOrderVanishes) {
    const FrameSpec spec = ensembleSpec(16, 3, 5);
    for (int degree = 0; degree <= 4; ++degree) {
        HostFrame frame(spec);
        auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
        for (std::size_t i = 0; i < 16 * 15; ++i) {
            const double t = static_cast<double>(i / 15) / 15.0 - 0.5;
            samples[i] = {static_cast<float>(1.0 + i % 15 + std::pow(t, degree)),
                          static_cast<float>(std::pow(t, degree))};
        }
        for (int order = 0; order <= 4; ++order) {
            const HostFrame rest =
                runStage("clutter_filter", frame, {{"order", std::int64_t{order}}});
            const float most = std::ranges::max(rest.as<float>());
            if (order >= degree)
                EXPECT_LT(most, 1e-5) << degree << " " << order;
            else
                EXPECT_GT(most, 1e-3) << degree << " " << order;
        }
    }
}

TEST(ClutterFilter, SingularVectorsOfLargeEnsemblesAreOrthogonal) {
    // With all values but the first the part of rank one is gone, and the rest is unchanged.
    const std::int64_t frames = 64;
    const FrameSpec spec = ensembleSpec(frames, 20, 20);
    HostFrame frame(spec);
    const std::vector<float> noisy = noise(frame.bytes.size() / sizeof(float), 3);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    const std::size_t pixels = 400;
    for (std::size_t i = 0; i < pixels * static_cast<std::size_t>(frames); ++i) {
        const auto f = static_cast<float>(i / pixels);
        const auto common = std::polar(2.0F * (1.0F + static_cast<float>(i % pixels)), 0.3F * f);
        samples[i] = common + std::complex<float>(noisy[2 * i], noisy[2 * i + 1]);
    }
    const HostFrame rest = runStage("clutter_filter", frame, {{"method", std::string("svd")}});
    const auto values = rest.as<float>();
    double square = 0.0;
    double expected = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        square += double{values[i]} * values[i];
        expected += double{noisy[i]} * noisy[i];
    }
    // One of 64 directions is taken from the noise, too. The tissue is 60 dB stronger.
    EXPECT_NEAR(std::sqrt(square / expected), std::sqrt(63.0 / 64.0), 0.005);
}

/// `frames` frames with the singular values of their number: each frame has a pixel of its own.
HostFrame diagonal(int frames) {
    const FrameSpec spec = ensembleSpec(frames, frames, 1);
    HostFrame frame(spec);
    auto* samples = reinterpret_cast<std::complex<float>*>(frame.bytes.data());
    for (int f = 0; f < frames; ++f) samples[f * frames + f] = std::pow(2.0F, 0.0F - f);
    return frame;
}

TEST(ClutterFilter, ManyFramesLoseTheirStrongestPartsAsInNumpy) {
    const Vectors vectors("gpu/vectors/flow.txt");
    const HostFrame ensemble = filled(ensembleSpec(140, 10, 6), vectors["many"]);
    const auto kept = [&](std::int64_t first, std::int64_t last) {
        return runStage("clutter_filter", ensemble,
                        {{"method", std::string("svd")}, {"first", first}, {"last", last}});
    };
    // The parts that are removed are 80 dB stronger than what is left.
    expectClose(kept(4, 1024), vectors["many_without_3"], 0.05);
    expectClose(kept(2, 2), vectors["many_second"], 1e-4);
    expectClose(kept(1, 1024), vectors["many"], 0.0);
}

TEST(ClutterFilter, TheStrongestPartsOfFewFramesAreRemovedOneByOne) {
    for (const std::int64_t removed : {1, 3, 9}) {
        const HostFrame rest = runStage("clutter_filter", diagonal(12),
                                        {{"method", std::string("svd")}, {"first", removed + 1}});
        const auto values = rest.as<float>();
        for (std::size_t f = 0; f < 12; ++f)
            EXPECT_NEAR(values[2 * (13 * f)],
                        f < static_cast<std::size_t>(removed) ? 0.0F : std::pow(2.0F, -1.0F * f),
                        1e-3F * std::pow(2.0F, -1.0F * static_cast<float>(f)))
                << removed << " removed, frame " << f;
    }
}

TEST(ClutterFilter, FramesThatAreAllAlikeVanish) {
    for (const float value : {0.0F, 3.0F}) {
        const FrameSpec spec = ensembleSpec(8, 3, 3);
        const HostFrame rest =
            runStage("clutter_filter", filled(spec, std::vector<float>(144, value)),
                     {{"method", std::string("svd")}, {"first", std::int64_t{4}}});
        for (const float left : rest.as<float>()) ASSERT_NEAR(left, 0.0F, 1e-5F);
    }
}

TEST(ClutterFilter, RefusesPartsOfManyFramesThatItCannotTellApart) {
    const StageType& type = stageType("clutter_filter");
    const FrameSpec spec = ensembleSpec(200, 2, 2);
    const auto plan = [&](std::int64_t first, std::int64_t last) {
        return refusal([&] {
            type.plan(
                spec,
                paramsFor(type, spec,
                          {{"method", std::string("svd")}, {"first", first}, {"last", last}}));
        });
    };
    EXPECT_EQ(plan(65, 200), "accepted");
    EXPECT_EQ(plan(2, 64), "accepted");
    EXPECT_THAT(plan(66, 200), HasSubstr("64 singular values"));
    EXPECT_THAT(plan(2, 65), HasSubstr("'last' at most 64"));
}

TEST(ClutterFilter, SaysWhereNothingIsLeft) {
    const FrameSpec spec = ensembleSpec(4, 3, 3);
    const StageType& type = stageType("clutter_filter");
    EXPECT_THAT(type.plan(spec, paramsFor(type, spec, {{"order", std::int64_t{3}}})).warnings,
                testing::ElementsAre(HasSubstr("'order'")));
    EXPECT_THAT(
        type.plan(spec, paramsFor(type, spec,
                                  {{"method", std::string("svd")}, {"first", std::int64_t{5}}}))
            .warnings,
        testing::ElementsAre(HasSubstr("'first' = 5")));
    const HostFrame nothing =
        runStage("clutter_filter", filled(spec, std::vector<float>(72, 1.0F)),
                 {{"method", std::string("svd")}, {"first", std::int64_t{5}}});
    EXPECT_EQ(std::ranges::max(nothing.as<float>()), 0.0F);
}

TEST(Gather, KeepsTheLastImagesOldestFirst) {
    FrameSpec spec = imageSpec(2, 3);
    spec.frameIntervalS = kIntervalS;
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
    EXPECT_DOUBLE_EQ(first.spec.axes.front().spacing, kIntervalS);
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
