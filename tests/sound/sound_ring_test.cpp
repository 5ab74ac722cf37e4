// SPDX-License-Identifier: GPL-3.0-or-later
// The ring between the window and the sound device.
#include "app/sound/sound_ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace echolux {
namespace {

std::vector<StereoSample> counted(std::size_t from, std::size_t count) {
    std::vector<StereoSample> samples;
    for (std::size_t i = 0; i < count; ++i)
        samples.push_back({static_cast<float>(from + i), -static_cast<float>(from + i)});
    return samples;
}

std::vector<StereoSample> readFrom(SoundRing& ring, std::size_t count) {
    std::vector<StereoSample> samples(count, {7.0F, 7.0F});
    ring.read(samples);
    return samples;
}

TEST(SoundRing, IsSilentUntilEnoughWaitsAndThenKeepsTheOrder) {
    SoundRing ring(100, 20);
    EXPECT_EQ(ring.write(counted(1, 19)), 19U);
    for (const StereoSample& each : readFrom(ring, 5)) EXPECT_EQ(each.left, 0.0F);
    ring.write(counted(20, 1));
    const auto heard = readFrom(ring, 20);
    for (std::size_t i = 0; i < heard.size(); ++i) {
        EXPECT_EQ(heard[i].left, static_cast<float>(i + 1));
        EXPECT_EQ(heard[i].right, -static_cast<float>(i + 1));
    }
    EXPECT_EQ(ring.gaps(), 0U);
}

TEST(SoundRing, AGapIsCountedOnceFadesAndEndsWhenEnoughWaits) {
    SoundRing ring(100, 10);
    ring.write(counted(1, 10));
    const auto heard = readFrom(ring, 2000);
    EXPECT_EQ(ring.gaps(), 1U);
    EXPECT_EQ(heard[9].left, 10.0F);
    EXPECT_LT(heard[10].left, 10.0F);
    EXPECT_GT(heard[10].left, 9.0F) << "no click";
    EXPECT_NEAR(heard.back().left, 0.0F, 1e-6F);
    ring.write(counted(1, 9));
    EXPECT_NEAR(readFrom(ring, 1)[0].left, 0.0F, 1e-6F);
    ring.write(counted(10, 1));
    EXPECT_EQ(readFrom(ring, 1)[0].left, 1.0F);
    EXPECT_EQ(ring.gaps(), 1U);
}

TEST(SoundRing, WhatDoesNotFitIsDropped) {
    SoundRing ring(8, 1);
    EXPECT_EQ(ring.write(counted(1, 20)), 8U);
    EXPECT_EQ(ring.waiting(), 8U);
    EXPECT_EQ(ring.write(counted(1, 1)), 0U);
    EXPECT_EQ(readFrom(ring, 3)[2].left, 3.0F);
    EXPECT_EQ(ring.write(counted(9, 9)), 3U);
}

TEST(SoundRing, SilenceIsNoGap) {
    SoundRing ring(100, 10);
    ring.write(counted(1, 50));
    readFrom(ring, 5);
    ring.silence();
    EXPECT_NEAR(readFrom(ring, 2000).back().left, 0.0F, 1e-6F);
    EXPECT_EQ(ring.waiting(), 0U);
    EXPECT_EQ(ring.gaps(), 0U);
}

TEST(SoundRing, VolumeScales) {
    SoundRing ring(100, 1);
    ring.setVolume(0.25F);
    ring.write(counted(8, 2));
    EXPECT_EQ(readFrom(ring, 1)[0].left, 2.0F);
}

TEST(SoundRing, TwoThreadsLoseNothing) {
    SoundRing ring(64, 1);
    constexpr std::size_t kAll = 20000;
    std::atomic<bool> stop{false};
    std::thread writer([&] {
        for (std::size_t at = 1; at <= kAll && !stop;) {
            const auto piece = counted(at, std::min<std::size_t>(13, kAll + 1 - at));
            at += ring.write(piece);
        }
    });
    std::size_t next = 1;
    bool inOrder = true;
    while (next <= kAll) {
        for (const StereoSample& each : readFrom(ring, 16)) {
            if (each.left == std::floor(each.left) && each.left == static_cast<float>(next))
                ++next;
            else if (each.left > static_cast<float>(next))
                inOrder = false;
        }
        if (!inOrder) break;
    }
    stop = true;
    writer.join();
    EXPECT_TRUE(inOrder);
}

} // namespace
} // namespace echolux
