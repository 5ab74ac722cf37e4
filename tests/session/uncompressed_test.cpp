// SPDX-License-Identifier: GPL-3.0-or-later
// Amplitudes behind levels.
#include "app/session/uncompressed.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace echolux {
namespace {

SnapshotPtr snapshotOf(const char* file) {
    const auto recording = openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + file);
    return imagingSnapshot(recording->info().frame, std::nullopt);
}

TEST(Uncompressed, IsTheStageBeforeLogCompression) {
    const SnapshotPtr echoes = snapshotOf("phantom_cine.echolux.h5");
    const auto stage = stageBeforeLevels(*echoes, 0);
    ASSERT_TRUE(stage);
    EXPECT_EQ(echoes->stage(*stage).plan.outputs[0].axes, echoes->output().axes);
    EXPECT_FALSE(echoes->stage(*stage).plan.outputs[0].valueRange &&
                 echoes->stage(*stage).plan.outputs[0].valueRange->unit == "dB");
    EXPECT_FALSE(stageBeforeLevels(*snapshotOf("retina_cine.echolux.h5"), 0)) << "complex A-scans";
    EXPECT_FALSE(stageBeforeLevels(*snapshotOf("sector.h5"), 0)) << "scan conversion of levels";
}

TEST(Uncompressed, LinesAreWhatScanConversionTakes) {
    const SnapshotPtr sector = snapshotOf("sector.h5");
    const auto behind = linesBehind(*sector, 0);
    ASSERT_TRUE(behind);
    EXPECT_EQ(behind->lines, "log_compression");
    EXPECT_EQ(behind->amplitudes, "persistence") << "the last stage before log_compression";
    EXPECT_NE(behind->spec.sector, nullptr);
    EXPECT_FALSE(linesBehind(*snapshotOf("phantom_cine.echolux.h5"), 0)) << "no sector";
}

TEST(Uncompressed, WhatIsNoDataStaysSo) {
    const float gap = std::nanf("");
    std::array<float, 4> levels{gap, -20.0F, 0.0F, -40.0F};
    ASSERT_TRUE(restoreLevels(levels, std::array<float, 4>{gap, 5.0F, 50.0F, 0.05F}));
    EXPECT_TRUE(std::isnan(levels[0]));
    EXPECT_EQ(levels[2], 0.0F);
    EXPECT_NEAR(levels[3], -60.0F, 1e-4F);
}

TEST(Uncompressed, PhasorsAreThoseOfTheLastComplexImage) {
    EXPECT_EQ(stageWithPhasors(*snapshotOf("retina_cine.echolux.h5"), 0), "inverse_fft");
    EXPECT_EQ(stageWithPhasors(*snapshotOf("phantom_cine.echolux.h5"), 0), "beamform");
    EXPECT_FALSE(stageWithPhasors(*snapshotOf("sector.h5"), 0)) << "other axes";
}

TEST(Uncompressed, LevelsBelowTheRangeComeBack) {
    std::array<float, 4> levels{0.0F, -20.0F, -40.0F, -40.0F};
    const std::array<float, 4> amplitudes{50.0F, 5.0F, 0.5F, 0.05F};
    ASSERT_TRUE(restoreLevels(levels, amplitudes));
    EXPECT_NEAR(levels[3], -60.0F, 1e-4F);
    EXPECT_NEAR(levels[1], -20.0F, 1e-4F);
}

TEST(Uncompressed, LevelsOfOtherPixelsStay) {
    std::array<float, 4> levels{0.0F, -7.0F, -40.0F, -40.0F};
    const std::array<float, 4> former = levels;
    EXPECT_FALSE(restoreLevels(levels, std::array<float, 4>{50.0F, 5.0F, 0.5F, 0.05F}));
    EXPECT_EQ(levels, former);
    EXPECT_FALSE(restoreLevels(levels, std::array<float, 4>{}));
    EXPECT_FALSE(restoreLevels(levels, {}));
}

} // namespace
} // namespace echolux
