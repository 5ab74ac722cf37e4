// SPDX-License-Identifier: GPL-3.0-or-later
// linear_map against Eq. 2.8 of van Bavel 2013; channel data as a picture; its default maximum.
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace echolux::test {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

TEST(LinearMap, FixedMaximumClips) {
    const HostFrame out =
        runStage("linear_map",
                 HostFrame(imageSpec(1, 5), std::vector<float>{0.0F, 1.0F, 4.0F, 9.0F, kMissing}),
                 {{"reference", std::string("fixed")}, {"max", 4.0}});
    expectNear(out.as<float>(), std::vector<float>{0.0F, 63.75F, 255.0F, 255.0F, 0.0F}, 1e-6);
    EXPECT_EQ(out.spec.valueRange, (ValueRange{0.0, 255.0, "", ""}));
}

TEST(LinearMap, RunningMaximumIsTheBrightestPixel) {
    const HostFrame out = runStage(
        "linear_map", HostFrame(imageSpec(2, 2), std::vector<float>{kMissing, 1.0F, 2.0F, 0.5F}));
    expectNear(out.as<float>(), std::vector<float>{0.0F, 127.5F, 255.0F, 63.75F}, 1e-6);
}

TEST(LinearMap, AllZeroStaysZero) {
    const HostFrame out =
        runStage("linear_map", HostFrame(imageSpec(2, 2), std::vector<float>(4, 0.0F)));
    expectNear(out.as<float>(), std::vector<float>(4, 0.0F), 0.0);
}

/// Transmit 2 of two, its maximum its own.
TEST(LinearMap, ChannelDataShowsOneTransmit) {
    FrameSpec spec = channelSpec(2, 2, 3, 20e6);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[1].firstSampleS = 3e-6;
    spec.acquisition = acquisition;
    const std::vector<float> samples{1, 2, 3, 4, 5, 80, 1, 0, -4, 2, 1, kMissing};
    const auto shown = [&](std::int64_t transmit) {
        return runStage("linear_map", HostFrame(spec, samples), {{"transmit", transmit}});
    };
    expectNear(shown(2).as<float>(), std::vector{63.75F, 0.0F, 255.0F, 127.5F, 63.75F, 0.0F}, 1e-6);
    expectNear(shown(1).as<float>(),
               std::vector{3.1875F, 6.375F, 9.5625F, 12.75F, 15.9375F, 255.0F}, 1e-6);
    const FrameSpec picture = shown(2).spec;
    EXPECT_EQ(picture.axes, (std::vector<Axis>{{AxisName::Channel, 2, 1.0, 0.0, ""},
                                               {AxisName::Sample, 3, 5e-8, 3e-6, "s"}}));
    EXPECT_EQ(picture.acquisition, nullptr);
    EXPECT_EQ(testing_support::refusal([&] { shown(3); }),
              "Stage 'linear_map': parameter 'transmit' is 3, but a frame of the recording has 2 "
              "transmits; choose 1 to 2.");
    spec.acquisition.reset();
    EXPECT_EQ(shown(2).spec.axes.back().origin, 0.0);
}

TEST(LinearMap, OtherFramesKeepTheirAxes) {
    FrameSpec lines;
    lines.axes = {{AxisName::Lateral, 2, 1e-3, 0.0, "m"}, {AxisName::Depth, 2, 1e-3, 0.0, "m"}};
    const HostFrame out =
        runStage("linear_map", HostFrame(lines, std::vector{1.0F, 2.0F, 0.0F, 4.0F}),
                 {{"transmit", std::int64_t{7}}});
    EXPECT_EQ(out.spec.axes, lines.axes);
    expectNear(out.as<float>(), std::vector{63.75F, 127.5F, 0.0F, 255.0F}, 1e-6);
}

TEST(LinearMap, TheMaximumIsFullScaleOfTheConverterWhereItIsKnown) {
    const StageType& type = stageType("linear_map");
    const auto maximum = [&](const FrameSpec& spec) {
        return std::get<double>(type.defaultsFor(spec).get("max"));
    };
    FrameSpec codes = channelSpec(1, 1, 4);
    EXPECT_EQ(maximum(codes), 1.0);
    codes.recordedPeak = 0.25;
    EXPECT_EQ(maximum(codes), 0.25) << "of a converter that nobody tells of";
    codes.dtype = DType::U16;
    codes.codeOffset = 2048.0;
    codes.codeScale = 0.5;
    codes.converterRange = {0.0, 4095.0};
    const StageType& toFloat = stageType("to_float");
    const auto converted = [&](const Settings& settings) {
        return toFloat.plan(codes, paramsFor(toFloat, codes, settings)).outputs[0];
    };
    EXPECT_EQ(converted({}).converterRange, (ConverterRange{-1024.0, 1023.5}));
    EXPECT_EQ(maximum(converted({})), 1024.0);
    EXPECT_EQ(maximum(converted({{"scale", 3.0}})), 3072.0);
    codes.converterRange.reset();
    EXPECT_EQ(maximum(converted({{"scale", 3.0}})), 0.75);
    codes.converterRange = {0.0, 4095.0};
    const StagePlan mapped = type.plan(converted({}), type.defaultsFor(converted({})));
    EXPECT_FALSE(mapped.outputs[0].converterRange) << "gray levels are no amplitudes";
}

} // namespace
} // namespace echolux::test
