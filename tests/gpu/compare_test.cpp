// SPDX-License-Identifier: GPL-3.0-or-later
// compare against closed forms, and what it refuses.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing_support::refusal;

HostFrame of(const FrameSpec& spec, float value) {
    return HostFrame(spec, std::vector<float>(static_cast<std::size_t>(spec.count()), value));
}

/// 1 where the output shows B (ones), 0 where it shows A (zeros).
std::vector<float> shown(const FrameSpec& spec, const Settings& settings) {
    const HostFrame out = runStage("compare", HostFrames{of(spec, 0.0F), of(spec, 1.0F)}, settings);
    return {out.as<float>().begin(), out.as<float>().end()};
}

FrameSpec grid(const Axis& first, const Axis& second) {
    FrameSpec spec;
    spec.axes = {first, second};
    return spec;
}

TEST(Compare, DifferenceTimesGain) {
    const FrameSpec spec = imageSpec(1, 4);
    const HostFrames frames{HostFrame(spec, std::vector<float>{1.0F, -2.0F, 0.5F, 3.0F}),
                            HostFrame(spec, std::vector<float>{0.5F, -2.0F, 1.0F, -3.0F})};
    expectNear(runStage("compare", frames).as<float>(), std::vector{0.5F, 0.0F, -0.5F, 6.0F}, 0.0);
    expectNear(runStage("compare", frames, {{"gain", 1e5}}).as<float>(),
               std::vector{5e4F, 0.0F, -5e4F, 6e5F}, 0.0);
}

TEST(Compare, ADifferenceIsShownRoundZeroInTheWidthOfTheFirstRange) {
    FrameSpec a = imageSpec(2, 3);
    const FrameSpec b = a;
    const auto range = [&](const Settings& settings) {
        return runStage("compare", HostFrames{of(a, 0.0F), of(b, 0.0F)}, settings).spec.valueRange;
    };
    EXPECT_EQ(range({}), (ValueRange{-1.0, 1.0, "", ""}));
    a.valueRange = ValueRange{-60.0, -10.0, "dB", "running maximum"};
    EXPECT_EQ(range({}), (ValueRange{-12.5, 12.5, "dB", "no difference"}));
    EXPECT_EQ(range({{"mode", "split"}}), a.valueRange);
    EXPECT_EQ(range({{"mode", "checkerboard"}}), a.valueRange);
}

TEST(Compare, TheOutputKeepsTheFirstFramesFacts) {
    const FrameSpec a = channelSpec(2, 3, 5);
    FrameSpec b = a;
    b.centreFrequencyHz = 1.0;
    b.acquisition.reset();
    const FrameSpec out = runStage("compare", HostFrames{of(a, 0.0F), of(b, 0.0F)}).spec;
    EXPECT_EQ(out.axes, a.axes);
    EXPECT_EQ(out.centreFrequencyHz, a.centreFrequencyHz);
    EXPECT_EQ(out.acquisition, a.acquisition);
}

TEST(Compare, SplitsTheWidthWhicheverAxisIsFirst) {
    const Axis depth{AxisName::Depth, 2, 1e-3, 0.0, "m"};
    const Axis lateral{AxisName::Lateral, 4, 1e-3, 0.0, "m"};
    const auto split = [](double position) {
        return Settings{{"mode", "split"}, {"position", position}};
    };
    EXPECT_THAT(shown(grid(depth, lateral), split(0.25)),
                testing::ElementsAre(0, 1, 1, 1, 0, 1, 1, 1));
    EXPECT_THAT(shown(grid(lateral, depth), split(0.75)),
                testing::ElementsAre(0, 0, 0, 0, 0, 0, 1, 1));
    EXPECT_THAT(shown(grid(depth, lateral), split(0.0)), testing::Each(1.0F));
    EXPECT_THAT(shown(grid(depth, lateral), split(1.0)), testing::Each(0.0F));
}

TEST(Compare, SquaresAreSquareInMetres) {
    const Settings two{{"mode", "checkerboard"}, {"squares", std::int64_t{2}}};
    // Squares of 2 mm: two columns, four rows.
    const Axis lateral{AxisName::Lateral, 4, 1e-3, 0.0, "m"};
    const FrameSpec image = grid({AxisName::Depth, 9, 0.5e-3, 0.0, "m"}, lateral);
    std::vector<float> expected;
    for (int row = 0; row < 9; ++row) {
        for (int column = 0; column < 4; ++column)
            expected.push_back(static_cast<float>((row / 4 + column / 2) % 2));
    }
    EXPECT_EQ(shown(image, two), expected);
    // Without a common unit, as many rows as columns.
    const FrameSpec bins = grid(lateral, {AxisName::Depth, 5, 1.0, 0.0, ""});
    EXPECT_THAT(shown(bins, two), testing::ElementsAre(0, 0, 1, 1, 0, 0, 0, 1, 1, 0, //
                                                       1, 1, 0, 0, 1, 1, 1, 0, 0, 1));
}

TEST(Compare, ALineAloneHasSquaresToo) {
    FrameSpec line;
    line.axes = {{AxisName::Sample, 4, 1.0, 0.0, ""}};
    EXPECT_THAT(shown(line, {{"mode", "checkerboard"}, {"squares", std::int64_t{4}}}),
                testing::ElementsAre(0, 1, 0, 1));
}

TEST(Compare, RefusesFramesOfOtherShapes) {
    EXPECT_EQ(
        refusal([] {
            runStage("compare", HostFrames{of(imageSpec(2, 3), 0.0F), of(imageSpec(3, 2), 0.0F)});
        }),
        "Stage 'compare' takes frames of one shape, but what reaches 'in' is f32 [depth 2]"
        "[lateral 3] and what reaches 'in2' is f32 [depth 3][lateral 2]; give the stages "
        "before both the same grid.");
    FrameSpec complex = imageSpec(2, 3);
    complex.dtype = DType::ComplexF32;
    EXPECT_THAT(refusal([&] {
                    runStage("compare", HostFrames{of(imageSpec(2, 3), 0.0F), HostFrame(complex)});
                }),
                testing::HasSubstr("Port 'in2' of stage 'compare' takes f32 samples"));
}

} // namespace
} // namespace echolux::test
