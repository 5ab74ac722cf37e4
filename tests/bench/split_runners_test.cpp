// SPDX-License-Identifier: GPL-3.0-or-later
// Frames and B-scans shared by runners: the images are those of one runner; what depends on other
// frames or B-scans is refused.
#include "tests/bench/split_run.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

TEST(SplitRunners, SharesAreEvenAndInOrder) {
    EXPECT_EQ(sharesOf(7, 3), (std::vector<Share>{{0, 3}, {3, 2}, {5, 2}}));
    EXPECT_EQ(sharesOf(8, 2), (std::vector<Share>{{0, 4}, {4, 4}}));
    EXPECT_EQ(sharesOf(1, 2), (std::vector<Share>{{0, 1}, {1, 0}}));
    EXPECT_EQ(sharesOf(0, 2), (std::vector<Share>{{0, 0}, {0, 0}}));
}

TEST(SplitRunners, FramesAreThoseOfOneRunner) {
    const SnapshotPtr bscans = octVolumes(0);
    for (const std::size_t frames : {1U, 2U, 7U}) {
        const auto one = imagesBy(bscans, Backend::Cpu, {0}, SplitBy::Frames, frames);
        ASSERT_EQ(one.size(), frames * bscans->output().bytes());
        EXPECT_EQ(imagesBy(bscans, Backend::Cpu, {0, 0}, SplitBy::Frames, frames), one) << frames;
        EXPECT_EQ(imagesBy(bscans, Backend::Cpu, {0, 1, 2}, SplitBy::Frames, frames), one);
    }
}

TEST(SplitRunners, VolumesAreThoseOfOneRunner) {
    for (const std::int64_t bscans : {2, 5}) {
        const SnapshotPtr volumes = octVolumes(bscans);
        const auto one = imagesBy(volumes, Backend::Cpu, {0}, SplitBy::Elevations, 4);
        EXPECT_EQ(one, imagesBy(volumes, Backend::Cpu, {0}, SplitBy::Frames, 4));
        EXPECT_EQ(imagesBy(volumes, Backend::Cpu, {0, 0}, SplitBy::Elevations, 4), one) << bscans;
        const std::size_t half = one.size() / 8;
        EXPECT_NE(std::vector(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(half)),
                  std::vector(one.end() - static_cast<std::ptrdiff_t>(half), one.end()))
            << "the parts differ, so a wrong order would show";
    }
}

TEST(SplitRunners, RefuseWhatLooksBeyondAFrame) {
    const auto said = [](const SnapshotPtr& snapshot, SplitBy by, std::vector<int> gpus) {
        return refusal([&] { SplitRunners(snapshot, Backend::Cpu, std::move(gpus), by); });
    };
    EXPECT_EQ(said(octVolumes(4), SplitBy::Elevations, {0, 0}), "accepted");
    EXPECT_THAT(
        said(instantiate(chainOf({"persistence"}), imageSpec(8, 6)), SplitBy::Frames, {0, 0}),
        HasSubstr("'persistence' takes over something from the frame before"));
    EXPECT_THAT(said(octVolumes(0), SplitBy::Elevations, {0, 0}),
                HasSubstr("no B-scans side by side"));
    EXPECT_THAT(said(octVolumes(2), SplitBy::Elevations, {0, 1, 2}),
                HasSubstr("2 B-scans cannot be shared by 3"));
    PipelineConfig config =
        chainOf({"spectrum_to_float", "window", "inverse_fft", "fixed_pattern", "magnitude_log"});
    const SnapshotPtr mixing = instantiate(config, octVolumes(4)->input);
    EXPECT_THAT(said(mixing, SplitBy::Elevations, {0, 0}),
                HasSubstr("'fixed_pattern' images a B-scan with the help of others"));
    EXPECT_EQ(said(withBypass(*mixing, "fixed_pattern", true), SplitBy::Elevations, {0, 0}),
              "accepted");
}

} // namespace
} // namespace echolux::test
