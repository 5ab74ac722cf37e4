// SPDX-License-Identifier: GPL-3.0-or-later
// one_transmit: the samples of one transmit as they are, by default the plane wave that is steered
// least, or the middle one.
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <numeric>
#include <string>

namespace echolux::test {
namespace {

std::int64_t defaultOf(std::int64_t transmits) {
    const StageType& type = stageType("one_transmit");
    return std::get<std::int64_t>(
        type.defaultsFor(channelSpec(transmits, 2, 3, 20e6)).get("transmit"));
}

TEST(OneTransmit, ShowsItsSamplesWithTheirSigns) {
    const FrameSpec spec = channelSpec(3, 2, 2, 20e6);
    const std::vector<float> samples{1, 2, 3, 4, -5, 6, -7, 8, 9, 10, 11, 12};
    const HostFrame middle = runStage("one_transmit", HostFrame(spec, samples));
    EXPECT_THAT(middle.as<float>(), testing::ElementsAre(-5.0F, 6.0F, -7.0F, 8.0F));
    const HostFrame last =
        runStage("one_transmit", HostFrame(spec, samples), {{"transmit", std::int64_t{3}}});
    EXPECT_THAT(last.as<float>(), testing::ElementsAre(9.0F, 10.0F, 11.0F, 12.0F));
    ASSERT_EQ(last.spec.axes.size(), 2U);
    EXPECT_EQ(last.spec.axes[0].name, AxisName::Channel);
    EXPECT_EQ(last.spec.axes[1].name, AxisName::Sample);
    EXPECT_FALSE(last.spec.valueRange) << "limits are found in what it shows";
}

TEST(OneTransmit, TakesImagesAndComplexSamplesToo) {
    FrameSpec spec = imageSpec(2, 3);
    spec.axes.insert(spec.axes.begin(), {AxisName::Transmit, 2, 1.0, 0.0, ""});
    spec.dtype = DType::ComplexF32;
    std::vector<float> parts(24);
    std::iota(parts.begin(), parts.end(), 0.0F);
    const HostFrame first =
        runStage("one_transmit", HostFrame(spec, parts), {{"transmit", std::int64_t{1}}});
    ASSERT_EQ(first.spec.axes.size(), 2U);
    EXPECT_EQ(first.spec.axes[0], spec.axes[1]);
    EXPECT_EQ(first.spec.axes[1], spec.axes[2]);
    EXPECT_EQ(first.as<float>()[11], 11.0F);
    const HostFrame other = runStage("one_transmit", HostFrame(spec, parts)); // the second of two
    EXPECT_EQ(other.as<float>()[0], 12.0F);
    EXPECT_EQ(other.as<float>()[11], 23.0F);
}

TEST(OneTransmit, RefusesFramesWithoutTransmitsByBothItsShapes) {
    EXPECT_THAT(
        testing_support::refusal(
            [] { runStage("one_transmit", HostFrame(imageSpec(2, 3), std::vector<float>(6))); }),
        testing::HasSubstr("the axes transmit, channel, sample or transmit, depth, lateral, but"));
}

TEST(OneTransmit, TheMiddleOneIsTheDefault) {
    EXPECT_EQ(defaultOf(1), 1);
    EXPECT_EQ(defaultOf(2), 2);
    EXPECT_EQ(defaultOf(3), 2);
    EXPECT_EQ(defaultOf(128), 65);
}

TEST(OneTransmit, ThePlaneWaveThatIsSteeredLeastIsTheDefault) {
    FrameSpec spec = channelSpec(4, 2, 3, 20e6);
    const auto shown = [&](const std::string& stage) {
        return std::get<std::int64_t>(stageType(stage).defaultsFor(spec).get("transmit"));
    };
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    const std::array angles{0.2, 0.01, -0.1, 0.1};
    for (std::size_t i = 0; i < angles.size(); ++i) acquisition->transmits[i].angleRad = angles[i];
    spec.acquisition = acquisition;
    EXPECT_EQ(shown("one_transmit"), 2);
    EXPECT_EQ(shown("linear_map"), 2);
    EXPECT_EQ(shown("log_compression"), 2);
    acquisition->transmits[1].elevationRad = 0.5;
    EXPECT_EQ(shown("one_transmit"), 3) << "as near to 0 as the last one";
    acquisition->transmits[3].wave = Wave::Focused;
    EXPECT_EQ(shown("linear_map"), 3) << "the middle one of other waves";
}

TEST(OneTransmit, RefusesATransmitThatThereIsNot) {
    const FrameSpec spec = channelSpec(2, 2, 2, 20e6);
    EXPECT_EQ(testing_support::refusal([&] {
                  runStage("one_transmit", HostFrame(spec, std::vector<float>(8)),
                           {{"transmit", std::int64_t{3}}});
              }),
              "Stage 'one_transmit': parameter 'transmit' is 3, but a frame of the recording has 2 "
              "transmits; choose 1 to 2.");
}

} // namespace
} // namespace echolux::test
