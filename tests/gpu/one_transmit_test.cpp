// SPDX-License-Identifier: GPL-3.0-or-later
// one_transmit: the samples of one transmit as they are, the middle one by default.
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

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
        runStage("one_transmit", HostFrame(spec, samples), {{"transmit", std::int64_t{2}}});
    EXPECT_THAT(last.as<float>(), testing::ElementsAre(9.0F, 10.0F, 11.0F, 12.0F));
    ASSERT_EQ(last.spec.axes.size(), 2U);
    EXPECT_EQ(last.spec.axes[0].name, AxisName::Channel);
    EXPECT_EQ(last.spec.axes[1].name, AxisName::Sample);
    EXPECT_FALSE(last.spec.valueRange) << "limits are found in what it shows";
}

TEST(OneTransmit, TheMiddleOneIsTheDefault) {
    EXPECT_EQ(defaultOf(1), 0);
    EXPECT_EQ(defaultOf(2), 1);
    EXPECT_EQ(defaultOf(3), 1);
    EXPECT_EQ(defaultOf(128), 64);
}

TEST(OneTransmit, RefusesATransmitThatThereIsNot) {
    const FrameSpec spec = channelSpec(2, 2, 2, 20e6);
    EXPECT_EQ(testing_support::refusal([&] {
                  runStage("one_transmit", HostFrame(spec, std::vector<float>(8)),
                           {{"transmit", std::int64_t{2}}});
              }),
              "Stage 'one_transmit': parameter 'transmit' is 2, but a frame of the recording has 2 "
              "transmits; choose 0 to 1.");
}

} // namespace
} // namespace echolux::test
