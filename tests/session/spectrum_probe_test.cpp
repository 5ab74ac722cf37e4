// SPDX-License-Identifier: GPL-3.0-or-later
// The remapped spectrum of a picked A-scan follows edits, and live ones cost no new buffers.
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/column/spectrum_probe.hpp"
#include "gpu/memory/buffer.hpp"

#include <gtest/gtest.h>

#include <span>

namespace echolux {
namespace {

struct Probed : testing::Test {
    std::unique_ptr<Recording> recording =
        openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5");
    std::vector<std::byte> frame = std::vector<std::byte>(recording->info().frame.bytes());
    SnapshotPtr snapshot = withValue(*imagingSnapshot(recording->info().frame, {}), "k_linearize",
                                     "curve", std::string("polynomial"));
    SpectrumProbe probe;

    Probed() { recording->readFrame(0, frame); }
    std::vector<float> line(const SnapshotPtr& of) { return probe.remapped(of, frame.data(), 70); }
    std::vector<float> fresh(const SnapshotPtr& of) const {
        return SpectrumProbe().remapped(of, frame.data(), 70);
    }
};

TEST_F(Probed, LiveEditsReachItWithoutAllocation) {
    const std::vector<float> before = line(snapshot);
    ASSERT_FALSE(before.empty());
    const SnapshotPtr bent = withValue(*snapshot, "k_linearize", "c2", 5.0);
    const SnapshotPtr later = withBypass(*bent, "dispersion", true);
    const auto allocations = memoryCounters().allocations;
    const std::vector<float> after = line(bent);
    EXPECT_EQ(line(later), after) << "what comes after k_linearize changes nothing";
    EXPECT_EQ(memoryCounters().allocations, allocations);
    EXPECT_NE(after, before);
    EXPECT_EQ(after, fresh(bent));
}

TEST_F(Probed, WhatItMakesOnceIsNotCountedAsWhatFramesAllocate) {
    const auto allocations = memoryCounters().allocations;
    ASSERT_FALSE(line(snapshot).empty());
    EXPECT_EQ(memoryCounters().allocations, allocations);
    const Buffer other(MemoryKind::Host, 8);
    EXPECT_EQ(memoryCounters().allocations, allocations + 1);
}

TEST_F(Probed, StructuralEditsReachItAndWithoutResamplingThereIsNothing) {
    line(snapshot);
    const SnapshotPtr lanczos =
        withValue(*snapshot, "k_linearize", "method", std::string("lanczos"));
    EXPECT_EQ(line(lanczos), fresh(lanczos));
    EXPECT_TRUE(line(withBypass(*lanczos, "k_linearize", true)).empty());
    EXPECT_EQ(line(snapshot), fresh(snapshot));
}

TEST(SpectrumProbeOfEnsembles, ReadsNothingBehindTheFrame) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/vessels_oct.echolux.h5");
    const SnapshotPtr snapshot =
        imagingSnapshot(recording->info().frame, shippedPipeline("oct_angiography"));
    ASSERT_TRUE(snapshot->input.isEnsemble());
    const auto remapped = [&](std::byte behind) {
        std::vector<std::byte> memory(snapshot->input.bytes(), behind);
        recording->readFrame(0, std::span(memory).first(recording->info().frame.bytes()));
        return SpectrumProbe().remapped(snapshot, memory.data(), 3);
    };
    const std::vector<float> line = remapped(std::byte{0});
    ASSERT_FALSE(line.empty());
    EXPECT_EQ(line, remapped(std::byte{0x5a}));
}

} // namespace
} // namespace echolux
