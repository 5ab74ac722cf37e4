// SPDX-License-Identifier: GPL-3.0-or-later
// Collects what the threads report and computes the current statistics from it.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/mailbox.hpp"
#include "app/session/stream/player.hpp"
#include "app/session/stream/ring.hpp"
#include "app/session/stream/statistics.hpp"

#include <mutex>
#include <vector>

namespace echolux {

/// Any thread may use it. Its lock is held for a few additions only.
class LiveStatistics {
public:
    LiveStatistics() { resetCounters(); }
    /// Pipeline thread: the slot has finished; it held `frames` frames.
    void processed(Runner& runner, int slot, std::int64_t frames);
    /// Pipeline thread: the steps or the way they run have changed. Times start from zero.
    void restartTimes(const Runner& runner);
    /// GL thread: the image is on the screen now.
    void presented(const ImageOrigin& origin, Clock::time_point now);
    Statistics statistics(const Player& player);
    void resetCounters(); ///< counters of copies and allocations start from zero

private:
    void follow(const Runner& runner);

    std::mutex m_mutex;
    Statistics m_statistics;
    LatencyWindow m_latency;
    LatencyWindow m_processing; ///< parts of m_latency
    LatencyWindow m_waiting;
    LatencyWindow m_drawing;
    StepWindow m_frame;
    StepWindow m_upload;
    std::vector<StepWindow> m_steps; ///< per entry of m_statistics.stages
    RateMeter m_readRate;
    RateMeter m_processedRate;
    RateMeter m_shownRate;
    RateMeter m_byteRate;
    MemoryCounters m_baseline;
};

} // namespace echolux
