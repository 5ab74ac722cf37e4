// SPDX-License-Identifier: GPL-3.0-or-later
// log_compression against NumPy; its reference over time; input that has no logarithm.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <limits>

namespace echolux::test {
namespace {

const Vectors& compressionVectors() {
    static const Vectors kVectors("gpu/vectors/image_stages.txt");
    return kVectors;
}

float levelOf(StageRunner& runner, const FrameSpec& spec, float amplitude) {
    return runner.run(HostFrame(spec, std::vector<float>{amplitude})).as<float>()[0];
}

TEST(LogCompression, FrameMaximumAgreesWithNumpy) {
    const HostFrame out =
        runStage("log_compression", HostFrame(imageSpec(13, 11), compressionVectors()["log_input"]),
                 {{"range_db", 50.0}});
    expectNear(out.as<float>(), compressionVectors()["log_50"], 0.0, 1e-4);
    EXPECT_EQ(out.spec.valueRange, (ValueRange{-50.0, 0.0, "dB", "running maximum"}));
}

TEST(LogCompression, FixedReferenceGainAndRejectAgreeWithNumpy) {
    const HostFrame out =
        runStage("log_compression", HostFrame(imageSpec(13, 11), compressionVectors()["log_input"]),
                 {{"range_db", 70.0},
                  {"gain_db", 3.0},
                  {"reject_db", -30.0},
                  {"reference", std::string("fixed")},
                  {"fixed_reference", 0.25}});
    expectNear(out.as<float>(), compressionVectors()["log_fixed"], 0.0, 1e-4);
    EXPECT_EQ(out.spec.valueRange, (ValueRange{-70.0, 0.0, "dB", "amplitude 0.25"}));
}

TEST(LogCompression, ReferenceRisesAtOnceAndDecaysSlowly) {
    const StageType& type = stageType("log_compression");
    const FrameSpec spec = imageSpec(1, 1);
    StageRunner runner(type, spec, paramsFor(type, spec, {{"decay_db", 0.5}}));
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 1.0F), 0.0F);
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 8.0F), 0.0F);
    EXPECT_NEAR(levelOf(runner, spec, 0.8F), -19.5, 1e-4);
    EXPECT_NEAR(levelOf(runner, spec, 0.8F), -19.0, 1e-4);
    runner.reset();
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 0.1F), 0.0F);
}

TEST(LogCompression, AFrameRunAgainDoesNotLowerTheReferenceFurther) {
    const StageType& type = stageType("log_compression");
    const FrameSpec spec = imageSpec(1, 1);
    const auto frame = [&](float x) { return HostFrame(spec, std::vector<float>{x}); };
    StageRunner runner(type, spec, paramsFor(type, spec, {{"decay_db", 0.5}}));
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 8.0F), 0.0F);
    EXPECT_NEAR(levelOf(runner, spec, 0.8F), -19.5, 1e-4);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(runner.runAgain(frame(0.8F)).as<float>()[0], -19.5, 1e-4);
    EXPECT_NEAR(levelOf(runner, spec, 0.8F), -19.0, 1e-4);
}

TEST(LogCompression, AFixedReferenceLeavesTheRunningOneAsItWas) {
    const StageType& type = stageType("log_compression");
    const FrameSpec spec = imageSpec(1, 1);
    StageRunner runner(type, spec, paramsFor(type, spec, {{"decay_db", 0.0}}));
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 10.0F), 0.0F);
    runner.update(paramsFor(type, spec, {{"reference", std::string("fixed")}}));
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 0.1F), -20.0F);
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 0.1F), -20.0F);
    runner.update(paramsFor(type, spec, {{"decay_db", 0.0}}));
    EXPECT_FLOAT_EQ(levelOf(runner, spec, 1.0F), -20.0F);
}

TEST(LogCompression, NanAndInfinityStayOutOfTheMaximum) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const HostFrame out = runStage(
        "log_compression",
        HostFrame(imageSpec(1, 5), std::vector<float>{kNan, 10.0F, -1.0F, kInfinity, 0.0F}));
    expectNear(out.as<float>(), std::vector<float>{-60.0F, 0.0F, -20.0F, 0.0F, -60.0F}, 0.0, 1e-4);
}

TEST(LogCompression, AllZeroIsBlack) {
    const HostFrame out =
        runStage("log_compression", HostFrame(imageSpec(2, 2), std::vector<float>(4, 0.0F)));
    expectNear(out.as<float>(), std::vector<float>(4, -60.0F), 0.0);
}

/// Transmit 2 of two; the first one's echoes, ten times as strong, do not count.
TEST(LogCompression, ChannelDataShowsOneTransmit) {
    const FrameSpec spec = channelSpec(2, 2, 2, 20e6);
    const HostFrame frame(spec, std::vector<float>{100, 10, 10, 1, 10, -1, 0.1F, 0});
    const HostFrame out =
        runStage("log_compression", frame, {{"range_db", 80.0}, {"transmit", std::int64_t{2}}});
    expectNear(out.as<float>(), std::vector{0.0F, -20.0F, -40.0F, -80.0F}, 0.0, 1e-4);
    EXPECT_EQ(out.spec.axes, (std::vector<Axis>{{AxisName::Channel, 2, 1.0, 0.0, ""},
                                                {AxisName::Sample, 2, 5e-8, 2e-6, "s"}}));
    EXPECT_EQ(testing_support::refusal([&] {
                  runStage("log_compression", frame, {{"transmit", std::int64_t{1024}}});
              }),
              "Stage 'log_compression': parameter 'transmit' is 1024, but a frame of the recording "
              "has 2 transmits; choose 1 to 2.");
}

} // namespace
} // namespace echolux::test
