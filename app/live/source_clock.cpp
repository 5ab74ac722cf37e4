// SPDX-License-Identifier: GPL-3.0-or-later
// Due times, one period after the other.
#include "app/live/source_clock.hpp"

#include <algorithm>

namespace echolux {

bool SourceClock::waitDue(const std::stop_token& stop) {
    const double rate = m_rateHz;
    if (!(rate > 0.0)) return !stop.stop_requested();
    const auto period =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / rate));
    const auto now = Clock::now();
    m_due = std::min(m_due, now + period); // the rate may have become faster
    if (m_due > now) {
        std::unique_lock lock(m_mutex);
        m_wake.wait_until(lock, stop, std::min(m_due, now + kPatience), [] { return false; });
        if (stop.stop_requested() || Clock::now() < m_due) return false;
    }
    m_due = std::max(m_due, Clock::now() - period) + period;
    return true;
}

} // namespace echolux
