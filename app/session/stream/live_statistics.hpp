// SPDX-License-Identifier: GPL-3.0-or-later
// Gathers what the threads report and answers with the statistics of the moment.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/mailbox.hpp"
#include "app/session/stream/player.hpp"
#include "app/session/stream/ring.hpp"
#include "app/session/stream/statistics.hpp"

#include <mutex>
#include <vector>

namespace echolux {

/// Any thread. Its lock is held for a few additions.
class LiveStatistics {
public:
    LiveStatistics() { resetCounters(); }
    /// Pipeline thread: the slot has finished, with so many frames at once.
    void processed(Runner& runner, int slot, std::int64_t frames);
    /// Pipeline thread: other steps run, or the same otherwise; times count from here.
    void restartTimes(const Runner& runner);
    /// GL thread: the image is on the screen now.
    void presented(const ImageOrigin& origin, Clock::time_point now);
    Statistics statistics(const Player& player, const Ring& ring);
    void resetCounters(); ///< copies and allocations count from here

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
