// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench bubbles: the bundled recording, and bounds of what it reports.
#include "app/bench/bubbles.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/support/bench_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

namespace echolux::test {
namespace {

TEST(BenchBubbles, TheFirstProblemIsTheBundledRecording) {
    const BubbleProblem problem = bubbleProblems().front();
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/bubbles.echolux.h5");
    EXPECT_EQ(recording->info().frameCount, problem.frames);
    const BubbleScene scene(problem);
    for (const std::int64_t frame : {std::int64_t{0}, problem.frames - 1}) {
        const auto simulated = scene.samples(frame);
        std::vector<std::int16_t> stored(simulated.size());
        ASSERT_EQ(recording->info().frame.bytes(), stored.size() * sizeof stored[0]);
        recording->readFrame(frame, std::as_writable_bytes(std::span(stored)));
        EXPECT_TRUE(std::ranges::equal(stored, simulated)) << frame;
    }
}

/// Bubbles move at 0 to 50 mm/s.
TEST(BenchBubbles, TracksHaveThePlacesAndVelocitiesOfTheBubbles) {
    const BubbleScene scene(bubbleProblems()[1]);
    for (const std::string& method : bubbleMethods()) {
        SCOPED_TRACE(method);
        const BubbleResult result = scene.score(method, Backend::Cpu);
        EXPECT_GT(result.places.jaccard(), 0.6);
        EXPECT_GT(result.tracks.precision(), 0.85);
        EXPECT_GT(result.tracks.precision(), result.places.precision()) << "noise has no tracks";
        EXPECT_GT(result.tracks.recall(), 0.65);
        EXPECT_LT(result.tracks.speedRmseMps(), 6e-3) << "RMS of the true velocities: 34 mm/s";
        EXPECT_GT(result.saturation, 0.01);
    }
}

TEST(BenchBubbles, ReportsScoresAndTimes) {
    const TemporaryFolder folder;
    const auto path = folder / "bench_bubbles.json";
    const CommandResult result = runBenches({"bubbles", "--backend", "cpu", "--problem", "B1",
                                             "--repeat", "1", "--json", path.string()});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, testing::HasSubstr("Jaccard"));
    const auto report = nlohmann::json::parse(std::ifstream(path));
    ASSERT_EQ(report["results"].size(), 3U) << "one per method";
    for (const auto& each : report["results"]) {
        EXPECT_GT(each["places"]["jaccard"], 0.5);
        EXPECT_LT(each["places"]["axial_rmse_wavelengths"], 0.25);
        EXPECT_GT(each["tracks"]["count"], 5);
    }
    EXPECT_GT(report["chain"]["frames_per_second"], 0.0);
    EXPECT_NEAR(report["chain"]["tracked_bubbles"].get<double>(), 50.0, 1.0);
}

} // namespace
} // namespace echolux::test
