// SPDX-License-Identifier: GPL-3.0-or-later
// When playback counts as slower than recorded.
#include "app/session/stream/pace_watch.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

class PaceWatchTest : public testing::Test {
protected:
    PaceWatchTest() { m_watch.want(25.0); }
    /// Plays so many frames, evenly.
    bool isSlowAfter(int frames, double perS) {
        for (int i = 0; i < frames; ++i) {
            m_now += std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(1.0 / perS));
            m_watch.add(1, m_now);
        }
        return m_watch.isSlow();
    }
    PaceWatch m_watch;
    Clock::time_point m_now;
};

TEST_F(PaceWatchTest, IsSlowFromTwoSecondsOnAndUntilTheRateIsMetAgain) {
    EXPECT_FALSE(isSlowAfter(30, 20.0)) << "for one second and a half";
    EXPECT_TRUE(isSlowAfter(15, 20.0));
    EXPECT_TRUE(isSlowAfter(60, 20.0));
    EXPECT_FALSE(isSlowAfter(120, 25.0));
}

TEST_F(PaceWatchTest, DoesNotWaver) {
    EXPECT_FALSE(isSlowAfter(200, 23.75)) << "95 % is no reason to begin";
    EXPECT_TRUE(isSlowAfter(200, 20.0));
    EXPECT_TRUE(isSlowAfter(200, 23.75)) << "and none to end";
    EXPECT_FALSE(isSlowAfter(200, 24.5));
}

TEST_F(PaceWatchTest, PausesAreNoSlowness) {
    EXPECT_FALSE(isSlowAfter(60, 25.0));
    m_watch.restart();
    m_now += std::chrono::seconds(10);
    EXPECT_FALSE(isSlowAfter(120, 25.0));
}

TEST_F(PaceWatchTest, KnowsNothingOfAnotherRate) {
    EXPECT_TRUE(isSlowAfter(60, 20.0));
    m_watch.restart();
    EXPECT_TRUE(m_watch.isSlow()) << "a jump within the recording changes no rate";
    m_watch.want(10.0);
    EXPECT_FALSE(m_watch.isSlow());
    EXPECT_FALSE(isSlowAfter(120, 20.0));
    m_watch.want(0.0);
    EXPECT_FALSE(isSlowAfter(20, 1.0)) << "no rate is wanted";
}

/// Of an ensemble all frames count.
TEST_F(PaceWatchTest, CountsFramesNotImages) {
    for (int i = 0; i < 40; ++i) m_watch.add(8, m_now += std::chrono::milliseconds(320));
    EXPECT_FALSE(m_watch.isSlow()) << "8 frames in 0.32 s are 25 in a second";
    for (int i = 0; i < 40; ++i) m_watch.add(8, m_now += std::chrono::milliseconds(400));
    EXPECT_TRUE(m_watch.isSlow());
}

} // namespace
} // namespace echolux
