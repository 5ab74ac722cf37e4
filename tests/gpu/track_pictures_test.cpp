// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of tracks of bubbles against closed forms.
#include "gpu/flow/bubbles.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

/// Fine pixels of an image of `imageSpec`, `finer` = 1.
HostFrame trackedList(const FrameSpec& image, const std::vector<flow::TrackedBubble>& pixels) {
    FrameSpec spec = flow::bubbleListOf(image, static_cast<std::int64_t>(pixels.size()));
    spec.axes.back().size = flow::kTrackProperties;
    spec.valueRange = {0.0, 0.05, "m/s", ""};
    HostFrame list(spec);
    const auto at = [&](std::size_t axis, float pixel) {
        return static_cast<float>(image.axes[axis].origin +
                                  image.axes[axis].spacing * double{pixel});
    };
    auto* rows = reinterpret_cast<flow::TrackedBubble*>(list.bytes.data());
    for (flow::TrackedBubble row : pixels) {
        row.bubble = {at(0, row.bubble.depth), at(1, row.bubble.lateral), 1.0F, 0.0F};
        row.fromDepth = at(0, row.fromDepth);
        row.fromLateral = at(1, row.fromLateral);
        *rows++ = row;
    }
    return list;
}

std::vector<float> accumulated(const FrameSpec& image,
                               const std::vector<flow::TrackedBubble>& pixels,
                               const char* quantity) {
    const HostFrame picture =
        runStage("accumulate", HostFrames{trackedList(image, pixels), HostFrame(image)},
                 {{"finer", std::int64_t{1}}, {"quantity", std::string(quantity)}});
    return {picture.as<float>().begin(), picture.as<float>().end()};
}

constexpr float kRight = 0.03F; ///< [m/s]
constexpr float kDown = 0.04F;

/// From pixel to pixel of 5 x 6.
const std::vector<flow::TrackedBubble> kTracks{
    {{1.2F, 4.1F, 1.0F, 0.0F}, 1.0F, -kDown, kRight, 3.0F, 0.9F, 0.8F, 1.0F}, // a row, with its
                                                                              // start
    {{4.0F, 2.0F, 1.0F, 0.0F}, 2.0F, kDown, 0.0F, 3.0F, 2.0F, 0.0F, 0.0F},    // a diagonal
    {{0.0F, 5.0F, 1.0F, 0.0F}, 3.0F, kDown, 0.0F, 3.0F, 0.0F, 5.0F, 0.0F},    // stays in its pixel
    {{4.0F, 5.0F, 1.0F, 0.0F}, 4.0F, 0.0F, -kRight, 3.0F, 4.0F, 9.0F, 0.0F},  // from beside the
                                                                              // image
    {{1.0F, 1.0F, 1.0F, 0.0F}, 5.0F, -kDown, -kRight, 3.0F, 4.0F, 1.0F, 0.0F}}; // up a column

TEST(Accumulate, TracksCountInEachPixelThatTheyCross) {
    EXPECT_EQ(accumulated(imageSpec(5, 6), kTracks, "density"),
              (std::vector<float>{0, 0, 0, 0, 0, 0, //
                                  0, 2, 1, 1, 1, 0, //
                                  0, 1, 0, 0, 0, 0, //
                                  0, 2, 0, 0, 0, 0, //
                                  0, 0, 1, 0, 0, 1}));
}

TEST(Accumulate, ShowsTheMeanVelocitiesOfTracks) {
    const FrameSpec image = imageSpec(5, 6);
    const std::vector<float> speed = accumulated(image, kTracks, "speed");
    EXPECT_NEAR(speed[6 + 2], 50.0, 1e-4) << "30 and 40 mm/s";
    EXPECT_NEAR(speed[3 * 6 + 1], 45.0, 1e-4) << "the mean of 40 and 50 mm/s";
    EXPECT_EQ(speed[0], 0.0F);
    const std::vector<float> axial = accumulated(image, kTracks, "axial_velocity");
    EXPECT_NEAR(axial[6 + 2], 40.0, 1e-4) << "towards the probe";
    EXPECT_NEAR(axial[3 * 6 + 1], 0.0, 1e-4) << "one up, one down";
    EXPECT_NEAR(axial[4 * 6 + 2], -40.0, 1e-4);
    const std::vector<float> direction = accumulated(image, kTracks, "direction");
    EXPECT_NEAR(direction[6 + 2], std::atan2(4.0, 3.0) * 180.0 / std::numbers::pi, 1e-3);
    EXPECT_NEAR(direction[6 + 1], 90.0, 1e-3) << "the mean of right and left, both up";
    EXPECT_NEAR(direction[4 * 6 + 2], 270.0, 1e-3) << "away from the probe";
    EXPECT_NEAR(direction[4 * 6 + 5], 180.0, 1e-3) << "to the left";
    EXPECT_EQ(direction[0], 0.0F);
}

TEST(Accumulate, TheRangeOfVelocitiesIsThatOfTheTracks) {
    const FrameSpec image = imageSpec(5, 6);
    const StageType& type = stageType("accumulate");
    FrameSpec list = trackedList(image, kTracks).spec;
    const auto range = [&](const char* quantity) {
        const Params params = paramsFor(type, list, {{"quantity", std::string(quantity)}});
        return type.plan(std::vector<FrameSpec>{list, image}, params).outputs[0].valueRange;
    };
    EXPECT_FALSE(range("density").has_value());
    EXPECT_EQ(range("speed")->unit, "mm/s");
    EXPECT_DOUBLE_EQ(range("speed")->max, 50.0);
    EXPECT_DOUBLE_EQ(range("axial_velocity")->min, -50.0);
    EXPECT_EQ(range("direction")->unit, "deg");
    list.valueRange->unit = "m/frame";
    EXPECT_EQ(range("speed")->unit, "mm/frame");
    list.axes.back().size = flow::kBubbleProperties;
    EXPECT_THAT(refusal([&] { range("speed"); }), HasSubstr("put the stage 'track' behind"));
}

} // namespace
} // namespace echolux::test
