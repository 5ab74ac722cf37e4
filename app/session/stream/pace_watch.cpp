// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the reached frame rate with the wanted one.
#include "app/session/stream/pace_watch.hpp"

#include <chrono>

namespace echolux {
namespace {

constexpr double kSlowShare = 0.92;
constexpr double kMetShare = 0.97;
constexpr auto kCountedFor = std::chrono::seconds(2);

} // namespace

void PaceWatch::want(double framesPerS) {
    m_wantedPerS = framesPerS;
    m_slow = false;
    restart();
}

void PaceWatch::add(std::int64_t frames, Clock::time_point now) {
    if (!m_counting) {
        m_counting = true;
        m_begin = now;
        m_frames = 0;
        return;
    }
    m_frames += frames;
    if (now - m_begin < kCountedFor) return;
    const double reachedPerS =
        static_cast<double>(m_frames) / std::chrono::duration<double>(now - m_begin).count();
    m_slow = reachedPerS < (m_slow ? kMetShare : kSlowShare) * m_wantedPerS;
    m_begin = now;
    m_frames = 0;
}

} // namespace echolux
