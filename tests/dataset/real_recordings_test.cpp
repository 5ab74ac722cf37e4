// SPDX-License-Identifier: GPL-3.0-or-later
// Real recordings open with correct geometry, and their targets appear where they are.
#include "delay_and_sum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace echolux {
namespace {

std::filesystem::path realFile(const char* name) {
    return std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/us" / name;
}

#define NEED_FILE(path)                                                                            \
    if (!std::filesystem::exists(path)) GTEST_SKIP() << (path) << " is not here"

constexpr double kDeg = std::numbers::pi / 180.0;

TEST(RealRecordings, GammexPlaneWaves) {
    const auto path = realFile("gammex_plane_waves.mat");
    NEED_FILE(path);
    const auto recording = openRecording(path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u8 [transmit 7][channel 128][sample 2688]");
    EXPECT_EQ(info.frameCount, 1);
    const Acquisition& acquisition = *info.frame.acquisition;
    for (int i = 0; i < 7; ++i) {
        const double angle = (-1.5 + 0.5 * i) * kDeg;
        EXPECT_NEAR(acquisition.transmits[i].angleRad, angle, 1e-6);
        EXPECT_NEAR(acquisition.transmits[i].firstSampleS,
                    -63.5 * 0.298e-3 * std::abs(std::sin(angle)) / 1540.0, 1e-9);
    }
    EXPECT_NEAR(acquisition.probe.elements.front().x, -63.5 * 0.298e-3, 1e-9);
    EXPECT_NEAR(info.frame.centreFrequencyHz, 5e6, 1.0);
}

} // namespace
} // namespace echolux
