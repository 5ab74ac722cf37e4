// SPDX-License-Identifier: GPL-3.0-or-later
// Tells whether playback keeps up with the recorded frame rate.
#pragma once

#include "app/session/stream/ring.hpp"

#include <cstdint>

namespace echolux {

/// Counts frames over at least two seconds at a time. Playback becomes slow below 92 % of the
/// wanted rate, and stops being slow at 97 %.
class PaceWatch {
public:
    /// Sets the wanted rate; 0: none. Until the next count ends, playback is not slow.
    void want(double framesPerS);
    /// Drops the count since the last result, because playback paused or jumped.
    void restart() { m_counting = false; }
    /// `frames` more frames have begun at `now`. The first call after restart() begins the count.
    void add(std::int64_t frames, Clock::time_point now);
    bool isSlow() const { return m_slow; }

private:
    double m_wantedPerS = 0.0;
    bool m_slow = false;
    bool m_counting = false;
    Clock::time_point m_begin;
    std::int64_t m_frames = 0; ///< counted since m_begin
};

} // namespace echolux
