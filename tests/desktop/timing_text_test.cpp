// SPDX-License-Identifier: GPL-3.0-or-later
// Times in the window's words: names, kernels, reasons, rows of the timeline, JSON.
#include "app/desktop/workbench/timing_text.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <QJsonArray>
#include <gtest/gtest.h>

#include <chrono>

namespace echolux {
namespace {

using namespace std::chrono_literals;

SnapshotPtr twins() {
    PipelineConfig config = test::chainOf({"to_float", "median"});
    config.stages.push_back({"again", "median", false, {}, {}});
    return instantiate(config, test::imageSpec(4, 4));
}

FrameTrace traceOf(std::int64_t frame, int slot, Clock::time_point startedAt) {
    FrameTrace trace;
    trace.frame = frame;
    trace.serial = static_cast<std::uint64_t>(frame) + 1;
    trace.slot = slot;
    trace.startedAt = startedAt;
    trace.uploadMs = 1.0;
    trace.steps = {{0, 1.0, 2.0}, {1, 3.0, 4.0}, {0, 3.5, 0.5}};
    trace.ids = {{"to_float"}, {"median"}, {"again"}};
    trace.published = startedAt + 8ms;
    return trace;
}

TEST(StageTimes, EveryStepHasANameOfItsOwnAndKernelsNameTheirStages) {
    Statistics now;
    now.upload = {0.1, 0.2, 0.3};
    now.stages = {{{"to_float", "median"}, {1.0, 2.0, 3.0}}, {{"median"}, {}}, {{"again"}, {}}};
    const std::vector<StageTime> times =
        stageTimes(*twins(), now, {{"to_float", "of one kernel"}, {"median", "It runs apart."}});
    ASSERT_EQ(times.size(), 4U);
    EXPECT_EQ(times[0].label, "Upload");
    EXPECT_EQ(times[0].ms.percentile99, 0.3);
    EXPECT_EQ(times[1].label, QStringLiteral("To float \u2026 Speckle median"));
    EXPECT_EQ(times[1].stages, (QStringList{"To float", "Speckle median"}));
    EXPECT_EQ(times[1].ms.last, 1.0);
    EXPECT_EQ(times[1].ms.mean, 2.0);
    EXPECT_EQ(times[1].apart, "") << "it runs with others";
    EXPECT_TRUE(times[2].stages.isEmpty());
    EXPECT_EQ(times[2].apart, "It runs apart.");
    EXPECT_EQ(times[3].apart, "");
    EXPECT_EQ(times[2].label, "Speckle median");
    EXPECT_EQ(times[3].label, "Speckle median (again)");
}

/// While playback is frozen nothing is played, and a frame or two after a change tell no speed.
TEST(RealTime, IsToldOfFramesInARowAlone) {
    const FrameSpec recorded = test::codesSpec(3, 64, 1000);
    Statistics now;
    now.frame = {2000.0, 2000.0, 2000.0, 1};
    now.processedPerS = 0.4;
    const auto frozen = realTimeOf(recorded, now, false);
    ASSERT_TRUE(frozen);
    EXPECT_EQ(frozen->computing, 0.0);
    EXPECT_EQ(frozen->playing, 0.0);
    EXPECT_EQ(frozen->cards, 0);
    now.frame = {10.0, 10.0, 10.0, 8};
    now.processedPerS = 50.0;
    const auto playing = realTimeOf(recorded, now, true);
    ASSERT_TRUE(playing);
    EXPECT_NEAR(playing->computing / playing->playing, 2.0, 1e-12);
    EXPECT_GT(playing->cards, 0);
    EXPECT_GT(realTimeOf(recorded, now, false)->computing, 0.0) << "as it was timed";
    EXPECT_EQ(realTimeOf(recorded, now, false)->playing, 0.0);
}

TEST(StageTimes, AreSeparateOnlyWhereSomethingRunsAsOne) {
    Statistics now;
    EXPECT_TRUE(whyNotSeparately(now, Backend::Cpu).contains("CPU"));
    EXPECT_FALSE(whyNotSeparately(now, Backend::Cuda).contains("CPU"));
    now.hasFusions = true;
    EXPECT_EQ(whyNotSeparately(now, Backend::Cuda), "");
    now.hasFusions = false;
    now.isSeparate = true; // and can be switched off
    EXPECT_EQ(whyNotSeparately(now, Backend::Cuda), "");
}

TEST(StageTimes, AsJson) {
    Statistics now;
    now.frame = {4.0, 5.0, 6.0};
    now.stages = {{{"to_float", "median"}, {1.0, 2.0, 3.0}}};
    now.isSeparate = true;
    const QJsonObject json = timesJson(now);
    EXPECT_EQ(json["unit"], "ms");
    EXPECT_EQ(json["frame"]["mean"], 5.0);
    const QJsonObject step = json["steps"].toArray().at(0).toObject();
    EXPECT_EQ(step["last"], 1.0);
    EXPECT_EQ(step["percentile_99"], 3.0);
    EXPECT_EQ(step["stages"].toArray(), (QJsonArray{"to_float", "median"}));
    EXPECT_EQ(json["separately"], true);
}

TEST(Timeline, HasARowPerStreamAndTheDisplayBelow) {
    const Clock::time_point start = Clock::now();
    std::vector<FrameTrace> traces{traceOf(6, 0, start), traceOf(7, 1, start + 5ms)};
    traces[0].shown = start + 20ms;
    const Timeline rows = timelineOf(*twins(), traces);
    QStringList names;
    for (const TimelineRow& row : rows) names << row.name;
    ASSERT_EQ(names, (QStringList{"slot 1", "lane 2", "slot 2", "lane 2", "display"}));
    ASSERT_EQ(rows[0].bars.size(), 3U);
    EXPECT_EQ(rows[0].bars[0].label, "Upload");
    EXPECT_EQ(rows[0].bars[0].frame, 7) << "counted from 1";
    EXPECT_NEAR(rows[0].bars[0].startMs, 0.0, 1e-9);
    EXPECT_EQ(rows[0].bars[2].label, "Speckle median (again)");
    EXPECT_EQ(rows[0].bars[2].stage, 3);
    ASSERT_EQ(rows[3].bars.size(), 1U);
    EXPECT_NEAR(rows[3].bars[0].startMs, 5.0 + 3.0, 1e-6);
    EXPECT_EQ(rows[3].bars[0].ms, 4.0);
    ASSERT_EQ(rows[4].bars.size(), 1U) << "the other has not been shown";
    EXPECT_NEAR(rows[4].bars[0].startMs, 8.0, 1e-6);
    EXPECT_NEAR(rows[4].bars[0].ms, 12.0, 1e-6);
}

TEST(Timeline, BeginsAfterTheLastPause) {
    const Clock::time_point start = Clock::now();
    EXPECT_TRUE(timelineOf(*twins(), {}).empty());
    const Timeline rows = timelineOf(*twins(), {traceOf(0, 0, start), traceOf(1, 0, start + 5s),
                                                traceOf(2, 0, start + 5s + 40ms)});
    ASSERT_EQ(rows[0].name, "slot 1");
    ASSERT_EQ(rows[0].bars.front().frame, 2);
    EXPECT_NEAR(rows[0].bars.front().startMs, 0.0, 1e-9);
    EXPECT_NEAR(rows[0].bars.back().startMs, 43.5, 1e-6);
}

} // namespace
} // namespace echolux
