// SPDX-License-Identifier: GPL-3.0-or-later
// En face angiograms of a simulated scan: each place is a row, slabs tell the depths of vessels
// apart, and tails below vessels are subtracted.
#include "tests/session/scanned_plexus.hpp"

namespace echolux {
namespace {

using test::Below;
using test::PlexusVolume;
using test::ScannedPlexus;

TEST(AngiogramVolume, SlabsTellVesselsOfTwoDepthsApart) {
    PlexusVolume scan(Backend::Cpu);
    const FrameSpec spec = *scan.live.engine->volume().spec();
    EXPECT_EQ(spec.axes[0], (Axis{AxisName::Elevation, ScannedPlexus::kPlaces, 24e-6, 0.0, "m"}));
    const std::vector<float> shallow = scan.slab(50e-6, 110e-6, false);
    const std::vector<float> deep = scan.slab(195e-6, 265e-6, false);
    const std::vector<float> deepAlone = scan.slab(195e-6, 265e-6, true);
    const double shallowVessels = scan.mean(shallow, Below::ShallowVessel);
    EXPECT_LT(scan.mean(shallow, Below::Tissue), 0.05 * shallowVessels);
    EXPECT_LT(scan.mean(shallow, Below::DeepVessel), 0.05 * shallowVessels);
    const double deepVessels = scan.mean(deep, Below::DeepVessel);
    EXPECT_LT(scan.mean(deep, Below::Tissue), 0.05 * deepVessels);
    const double tails = scan.mean(deep, Below::ShallowVessel);
    EXPECT_GT(tails, 0.02);
    EXPECT_LT(scan.mean(deepAlone, Below::ShallowVessel), 0.4 * tails);
    EXPECT_GT(scan.mean(deepAlone, Below::DeepVessel), 0.8 * deepVessels);
    EXPECT_EQ(scan.live.failures, 0);
}

TEST(AngiogramVolume, RowsComeWhileTheScanProceeds) {
    PlexusVolume scan(Backend::Cpu);
    Engine& engine = *scan.live.engine;
    engine.player().setLoop(false);
    engine.player().setSpeed(0.0);
    engine.player().play();
    const auto frames =
        static_cast<std::uint64_t>(ScannedPlexus::kPlaces * ScannedPlexus::kRepeats);
    EXPECT_TRUE(test::waitUntil([&] { return engine.statistics().framesProcessed >= frames; }));
    EXPECT_TRUE(test::waitUntil([&] { return engine.volume().volumesDone() == 1U; }));
    EXPECT_EQ(engine.volume().newestBscan(), ScannedPlexus::kPlaces - 1);
}

} // namespace
} // namespace echolux
