// SPDX-License-Identifier: GPL-3.0-or-later
// Whether playback keeps up with the rate that a recording was made at.
#pragma once

#include "app/session/stream/ring.hpp"

#include <cstdint>

namespace echolux {

/// Counts frames over at least two seconds at a time. Playback is slow from below 92 % of the
/// wanted rate on, until it reaches 97 % again.
class PaceWatch {
public:
    /// Frames per second; 0: no rate is wanted. Playback is not slow, as far as is known.
    void want(double framesPerS);
    /// What was counted since the last result is forgotten: playback paused or jumped.
    void restart() { m_counting = false; }
    /// `frames` more have begun at `now`; the first ones after restart() begin the count.
    void add(std::int64_t frames, Clock::time_point now);
    bool isSlow() const { return m_slow; }

private:
    double m_wantedPerS = 0.0;
    bool m_slow = false;
    bool m_counting = false;
    Clock::time_point m_begin;
    std::int64_t m_frames = 0; ///< after the first ones
};

} // namespace echolux
