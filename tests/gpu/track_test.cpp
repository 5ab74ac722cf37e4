// SPDX-License-Identifier: GPL-3.0-or-later
// Tracks of bubbles: the Kalman filter against numpy, links, beginnings and ends against closed
// forms.
#include "gpu/flow/bubble_tracks.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr double kFrameS = 1e-3;

/// In metres.
struct Place {
    double depth;
    double lateral;
};
using Places = std::vector<Place>;

FrameSpec placesSpec(std::int64_t most, double frameS = kFrameS) {
    FrameSpec image = imageSpec(50, 50);
    image.frameIntervalS = frameS;
    return flow::bubbleListOf(image, most);
}

HostFrame listAt(const Places& places, std::int64_t most = 8, double frameS = kFrameS) {
    HostFrame list(placesSpec(most, frameS));
    auto* rows = reinterpret_cast<flow::Bubble*>(list.bytes.data());
    for (const Place& at : places)
        *rows++ = {static_cast<float>(at.depth), static_cast<float>(at.lateral), 1.0F, 2e-4F};
    return list;
}

std::vector<flow::TrackedBubble> allTracks(const HostFrame& list) {
    std::vector<flow::TrackedBubble> rows(list.bytes.size() / sizeof(flow::TrackedBubble));
    std::memcpy(rows.data(), list.bytes.data(), list.bytes.size());
    std::erase_if(rows, [](const flow::TrackedBubble& row) { return row.track == 0.0F; });
    return rows;
}

/// Those that count.
std::vector<flow::TrackedBubble> tracksOf(const HostFrame& list) {
    std::vector<flow::TrackedBubble> rows = allTracks(list);
    std::erase_if(rows, [](const auto& row) { return row.bubble.amplitude == 0.0F; });
    return rows;
}

StageRunner tracker(const Settings& settings, std::int64_t most = 8) {
    const StageType& type = stageType("track");
    const FrameSpec spec = placesSpec(most);
    return {type, spec, paramsFor(type, spec, settings)};
}

const Settings kEveryTrack{{"min_length", std::int64_t{1}}};

TEST(KalmanFilter, GivesWhatNumpyGives) {
    const Vectors vectors("gpu/vectors/tracks.txt");
    const std::vector<float>& values = vectors["rules"]; // time, noise, acceleration, fastest
    const auto rules = flow::TrackRules::of(values[0], values[1], values[2], values[3]);
    const std::vector<float>& bend = vectors["bend"];
    const std::vector<float>& seen = vectors["seen"];
    const std::vector<float>& expected = vectors["filtered"];
    const auto bubbleAt = [&](std::size_t i) {
        return flow::Bubble{bend[2 * i], bend[2 * i + 1], 1.0F, 0.0F};
    };
    flow::Track track;
    flow::begin(track, bubbleAt(0), 1, rules);
    for (std::size_t i = 1; i < seen.size(); ++i) {
        flow::predict(track, rules);
        if (seen[i] > 0.0F) flow::correct(track, bubbleAt(i), rules);
        const float* row = &expected[7 * (i - 1)];
        EXPECT_NEAR(track.depth, row[0], 1e-8) << i;
        EXPECT_NEAR(track.lateral, row[1], 1e-8) << i;
        EXPECT_NEAR(track.depthSpeed, row[2], 1e-5) << i;
        EXPECT_NEAR(track.lateralSpeed, row[3], 1e-5) << i;
        EXPECT_NEAR(track.placeVariance, row[4], 1e-4 * row[4]) << i;
        EXPECT_NEAR(track.covariance, row[5], 1e-4 * row[5]) << i;
        EXPECT_NEAR(track.speedVariance, row[6], 1e-4 * row[6]) << i;
    }
    EXPECT_EQ(track.age, static_cast<int>(seen.size()) - 1);
}

TEST(Track, ABubbleThatMovesEvenlyHasItsVelocity) {
    StageRunner run = tracker(kEveryTrack);
    std::vector<flow::TrackedBubble> rows;
    for (int i = 0; i < 20; ++i) {
        const double t = kFrameS * i;
        rows = tracksOf(run.run(listAt({{5e-3 + 0.03 * t, -0.02 * t}})));
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows[0].track, 1.0F);
        EXPECT_EQ(rows[0].age, static_cast<float>(i));
        EXPECT_EQ(rows[0].begins, i == 0 ? 1.0F : 0.0F);
        EXPECT_EQ(rows[0].bubble.amplitude, 1.0F);
        EXPECT_EQ(rows[0].bubble.width, 2e-4F);
    }
    EXPECT_NEAR(rows[0].depthSpeed, 0.03, 3e-4);
    EXPECT_NEAR(rows[0].lateralSpeed, -0.02, 2e-4);
    EXPECT_NEAR(rows[0].bubble.depth, 5e-3 + 0.03 * 19e-3, 1e-6);
    EXPECT_EQ(run.plan().outputs[0].valueRange->unit, "m/s");
}

/// Two bubbles whose ways cross: at the middle frame they are half a step apart.
TEST(Track, BubblesWhoseWaysCrossKeepTheirTracks) {
    StageRunner run = tracker(kEveryTrack);
    constexpr double kStep = 40e-6;
    std::vector<flow::TrackedBubble> rows;
    for (int i = -15; i <= 15; ++i) {
        const Place falls{10e-3 + kStep * i, 1e-3 + kStep * i};
        const Place rises{10e-3 - kStep * (i + 0.25), 1e-3 + kStep * (i - 0.25)};
        // The list changes its order when they meet, as amplitudes do.
        rows = tracksOf(run.run(i < 0 ? listAt({falls, rises}) : listAt({rises, falls})));
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_NEAR(rows[0].bubble.depth, falls.depth, 10e-6) << i;
        EXPECT_NEAR(rows[1].bubble.depth, rises.depth, 10e-6) << i;
        EXPECT_EQ(rows[0].track, 1.0F);
        EXPECT_EQ(rows[1].track, 2.0F);
    }
    EXPECT_NEAR(rows[0].depthSpeed, kStep / kFrameS, 2e-3);
    EXPECT_NEAR(rows[1].depthSpeed, -kStep / kFrameS, 2e-3);
}

/// One by one, the first bubble would take the place that suits the second alone.
TEST(Track, AllBubblesAreLinkedTogether) {
    StageRunner run = tracker({{"min_length", std::int64_t{1}}, {"fastest", 0.1}});
    run.run(listAt({{5e-3, 0.0}, {5e-3, 0.06e-3}}));
    const auto rows = tracksOf(run.run(listAt({{5e-3, 0.05e-3}, {5e-3, 0.13e-3}})));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].age, 1.0F);
    EXPECT_EQ(rows[1].age, 1.0F);
    EXPECT_LT(rows[0].bubble.lateral, rows[1].bubble.lateral);
}

TEST(Track, FasterThanTheLargestSpeedIsAnotherBubble) {
    for (const double fastest : {0.05, 0.07}) {
        StageRunner run = tracker({{"min_length", std::int64_t{1}}, {"fastest", fastest}});
        run.run(listAt({{5e-3, 0.0}}));
        const auto rows = tracksOf(run.run(listAt({{5e-3 + 60e-6, 0.0}}))); // 60 mm/s
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows[0].track, fastest < 0.06 ? 2.0F : 1.0F);
        EXPECT_EQ(run.plan().outputs[0].valueRange->max, fastest);
    }
}

TEST(Track, EndsAfterTooManyFramesWithoutABubble) {
    for (const int gap : {2, 3}) {
        StageRunner run = tracker({{"min_length", std::int64_t{1}}, {"missed", std::int64_t{2}}});
        const auto at = [](int i) { return Place{5e-3 + 30e-6 * i, 0.0}; };
        for (int i = 0; i < 6; ++i) run.run(listAt({at(i)}));
        for (int i = 6; i < 6 + gap; ++i) {
            const HostFrame list = run.run(listAt({}));
            EXPECT_TRUE(tracksOf(list).empty());
            ASSERT_EQ(allTracks(list).size(), i < 8 ? 1U : 0U);
            if (i < 8) {
                EXPECT_NEAR(allTracks(list)[0].bubble.depth, at(i).depth, 5e-6) << "predicted";
            }
        }
        const auto rows = tracksOf(run.run(listAt({at(6 + gap)})));
        ASSERT_EQ(rows.size(), 1U);
        EXPECT_EQ(rows[0].track, gap == 2 ? 1.0F : 2.0F);
        if (gap == 2) {
            EXPECT_NEAR(rows[0].fromDepth, at(5).depth, 5e-6) << "the line closes the gap";
        }
    }
}

TEST(Track, CountsFromItsFirstBubbleOnWhenItIsLongEnough) {
    StageRunner run = tracker({{"min_length", std::int64_t{4}}});
    for (int i = 0; i < 6; ++i) {
        const auto rows = tracksOf(run.run(listAt({{5e-3, 20e-6 * i}})));
        ASSERT_EQ(rows.size(), i < 3 ? 0U : 1U) << i;
        if (i < 3) continue;
        EXPECT_EQ(rows[0].begins, i == 3 ? 1.0F : 0.0F);
        EXPECT_NEAR(rows[0].fromLateral, i == 3 ? 0.0 : 20e-6 * (i - 1), 5e-6);
    }
}

TEST(Track, OfMoreBubblesThanTracksTheBrightestCount) {
    StageRunner run = tracker({{"min_length", std::int64_t{1}}, {"tracks", std::int64_t{3}}}, 8);
    Places places;
    for (int i = 0; i < 8; ++i) places.push_back({5e-3, 1e-3 * i});
    for (int frame = 0; frame < 3; ++frame) {
        const auto rows = tracksOf(run.run(listAt(places)));
        ASSERT_EQ(rows.size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(rows[i].track, static_cast<float>(i + 1));
            EXPECT_NEAR(rows[i].bubble.lateral, places[i].lateral, 1e-8);
        }
    }
}

TEST(Track, NoBubblesAndPlacesThatAreNoNumbersAreNoTracks) {
    StageRunner run = tracker(kEveryTrack);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    for (int frame = 0; frame < 3; ++frame) {
        EXPECT_TRUE(allTracks(run.run(listAt({}))).empty());
        EXPECT_TRUE(allTracks(run.run(listAt({{kNan, 0.0}, {5e-3, kInfinite}}))).empty());
    }
    const auto rows = tracksOf(run.run(listAt({{kNan, 0.0}, {5e-3, 0.0}})));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].bubble.depth, 5e-3F);
    EXPECT_EQ(rows[0].track, 1.0F);
}

TEST(Track, BeginsAnewAfterAJump) {
    StageRunner run = tracker(kEveryTrack);
    const HostFrame list = listAt({{5e-3, 0.0}});
    run.run(list);
    EXPECT_EQ(tracksOf(run.run(list))[0].age, 1.0F);
    EXPECT_EQ(tracksOf(run.runAgain(list))[0].age, 1.0F) << "a frame that is run again counts once";
    run.reset();
    EXPECT_EQ(tracksOf(run.run(list))[0].age, 0.0F);
}

TEST(Track, AnEnsembleIsTrackedAsItsFrames) {
    constexpr std::size_t kTogether = 5;
    FrameSpec image = imageSpec(50, 50);
    image.frameIntervalS = kFrameS;
    HostFrame together(flow::bubbleListOf(ensembleOf(image, kTogether), 8));
    StageRunner alone = tracker(kEveryTrack);
    std::vector<float> expected;
    const std::size_t each = listAt({}).bytes.size();
    for (std::size_t i = 0; i < kTogether; ++i) {
        const double t = kFrameS * static_cast<double>(i);
        const HostFrame list = listAt({{5e-3 + 0.03 * t, 0.0}, {7e-3, 0.05 * t}});
        std::memcpy(together.bytes.data() + i * each, list.bytes.data(), each);
        const HostFrame tracks = alone.run(list);
        expected.insert(expected.end(), tracks.as<float>().begin(), tracks.as<float>().end());
    }
    const HostFrame tracks = runStage("track", together, kEveryTrack);
    EXPECT_EQ(tracks.spec.describe(), "f32 [frame 5][bubble 200][property 11]");
    EXPECT_EQ(std::vector<float>(tracks.as<float>().begin(), tracks.as<float>().end()), expected);
}

TEST(Track, WithoutAFrameRateSpeedsArePerFrame) {
    const StageType& type = stageType("track");
    const FrameSpec spec = placesSpec(8, 0.0);
    StageRunner run(type, spec, paramsFor(type, spec, kEveryTrack));
    std::vector<flow::TrackedBubble> rows;
    for (int i = 0; i < 20; ++i) rows = tracksOf(run.run(listAt({{5e-3, 30e-6 * i}}, 8, 0.0)));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_NEAR(rows[0].lateralSpeed, 30e-6, 1e-6);
    EXPECT_EQ(run.plan().outputs[0].valueRange->unit, "m/frame");
    ASSERT_EQ(run.plan().warnings.size(), 1U);
    EXPECT_THAT(run.plan().warnings[0], HasSubstr("mm per frame"));
    EXPECT_TRUE(tracker(kEveryTrack).plan().warnings.empty());
}

TEST(Track, RefusesWhatHasNoScaleOrHasTracks) {
    const StageType& type = stageType("track");
    FrameSpec list = placesSpec(8);
    list.axes.back().unit = "";
    EXPECT_THAT(refusal([&] { type.plan(list, paramsFor(type, list, {})); }),
                HasSubstr("has no scale"));
    list = type.plan(placesSpec(8), paramsFor(type, placesSpec(8), {})).outputs[0];
    EXPECT_THAT(refusal([&] { type.plan(list, paramsFor(type, list, {})); }),
                HasSubstr("behind 'localise'"));
}

} // namespace
} // namespace echolux::test
