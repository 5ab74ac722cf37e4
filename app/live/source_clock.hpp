// SPDX-License-Identifier: GPL-3.0-or-later
// The pace of a source that makes its own frames.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace echolux {

class SourceClock {
public:
    /// Longest wait in one call.
    static constexpr std::chrono::milliseconds kPatience{100};

    explicit SourceClock(double rateHz) : m_rateHz(rateHz) {}
    /// Any thread. 0: as fast as possible.
    void setRate(double rateHz) { m_rateHz = rateHz; }
    double rate() const { return m_rateHz; }
    /// Waits until the next frame is due. False where it is not due within kPatience, or `stop`
    /// came. A late frame does not make the following ones come faster.
    bool waitDue(const std::stop_token& stop);

private:
    using Clock = std::chrono::steady_clock;

    std::atomic<double> m_rateHz;
    Clock::time_point m_due = Clock::now();
    std::mutex m_mutex;
    std::condition_variable_any m_wake; ///< `stop` alone wakes it
};

} // namespace echolux
