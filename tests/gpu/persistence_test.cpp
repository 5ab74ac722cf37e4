// SPDX-License-Identifier: GPL-3.0-or-later
// persistence against scipy.signal.lfilter, and its beginnings: start, reset, NaN.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <limits>

namespace echolux::test {
namespace {

constexpr std::size_t kPixels = 5;

StageRunner runnerFor(double amount) {
    const StageType& type = stageType("persistence");
    const FrameSpec spec = imageSpec(1, kPixels);
    return StageRunner(type, spec, paramsFor(type, spec, {{"amount", amount}}));
}

TEST(Persistence, AgreesWithScipyAndStartsAnewAfterReset) {
    const Vectors vectors("gpu/vectors/image_stages.txt");
    const std::span<const float> frames = vectors["persistence_frames"];
    const std::span<const float> expected = vectors["persistence_0.7"];
    StageRunner runner = runnerFor(0.7);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t at = 0; at < frames.size(); at += kPixels) {
            const auto frame = frames.subspan(at, kPixels);
            const HostFrame in(imageSpec(1, kPixels),
                               std::vector<float>(frame.begin(), frame.end()));
            expectNear(runner.run(in).as<float>(), expected.subspan(at, kPixels), 1e-6);
        }
        runner.reset();
    }
}

float only(const HostFrame& frame) { return frame.as<float>().front(); }

TEST(Persistence, AFrameRunAgainMeetsTheSamePast) {
    const StageType& type = stageType("persistence");
    const FrameSpec spec = imageSpec(1, 1);
    const auto amount = [&](double a) { return paramsFor(type, spec, {{"amount", a}}); };
    const auto frame = [&](float x) { return HostFrame(spec, std::vector<float>{x}); };
    StageRunner runner(type, spec, amount(0.5));
    EXPECT_FLOAT_EQ(only(runner.run(frame(8.0F))), 8.0F);
    EXPECT_FLOAT_EQ(only(runner.run(frame(4.0F))), 6.0F);
    runner.update(amount(0.75)); // y = a past + (1 - a) x with the past of 8, not of 6
    for (int i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(only(runner.runAgain(frame(4.0F))), 7.0F);
    EXPECT_FLOAT_EQ(only(runner.run(frame(11.0F))), 8.0F); // follows the last of them
}

TEST(Persistence, AFirstFrameRunAgainPassesUnchanged) {
    const StageType& type = stageType("persistence");
    const FrameSpec spec = imageSpec(1, 1);
    StageRunner runner(type, spec, paramsFor(type, spec, {{"amount", 0.9}}));
    runner.run(HostFrame(spec, std::vector<float>{8.0F}));
    EXPECT_FLOAT_EQ(only(runner.runAgain(HostFrame(spec, std::vector<float>{3.0F}))), 3.0F);
}

TEST(Persistence, APixelRecoversFromNan) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const FrameSpec spec = imageSpec(1, kPixels);
    StageRunner runner = runnerFor(0.5);
    runner.run(HostFrame(spec, std::vector<float>{1, 1, 1, 1, kNan}));
    const HostFrame out = runner.run(HostFrame(spec, std::vector<float>{2, 2, 2, 2, 2}));
    expectNear(out.as<float>(), std::vector<float>{1.5F, 1.5F, 1.5F, 1.5F, 2.0F}, 1e-6);
}

} // namespace
} // namespace echolux::test
