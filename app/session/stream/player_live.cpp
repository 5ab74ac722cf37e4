// SPDX-License-Identifier: GPL-3.0-or-later
// Which live frame is delivered next.
#include "app/session/stream/player.hpp"

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

/// How far the pipeline may fall behind the newest frame before frames are left out: it absorbs
/// short delays, and no image becomes much older.
constexpr double kBehindS = 8e-3;
constexpr std::int64_t kFewestBehind = 4; ///< windows

} // namespace

std::uint64_t Player::framesRead() const {
    return m_live != nullptr ? m_live->counters().kept : m_read.load();
}

std::uint64_t Player::bytesRead() const {
    return m_live != nullptr ? m_live->counters().kept * m_frameBytes : m_bytes.load();
}

std::int64_t Player::mostBehind() const {
    return std::max(kFewestBehind * m_state.ensemble,
                    static_cast<std::int64_t>(kBehindS * m_recordedHz));
}

/// False where it waited: the caller must look again. The frame is chosen when the pipeline can
/// start it at once.
bool Player::isLiveDue(std::unique_lock<std::mutex>& lock, Due& due) {
    if (!m_deliverOne) {
        lock.unlock();
        m_ring.waitForRoom();
        lock.lock();
        if (m_stop || (!m_state.playing && !m_deliverOne)) return false;
    }
    const std::int64_t each = m_state.ensemble;
    const KeptFrames kept = m_live->kept();
    const std::int64_t oldest = (kept.first + each - 1) / each * each; // of whole windows
    const std::int64_t newest = (kept.last + 1) / each * each - each;
    const bool none = newest < oldest;
    if (none || (!m_deliverOne && !m_rebase && m_next > newest)) {
        m_wake.wait(lock);
        return false;
    }
    if (m_deliverOne) {
        m_target = std::clamp(m_target, oldest, newest);
        m_next = std::clamp(m_next, oldest, m_target);
        due = soughtDue();
        return true;
    }
    if (std::exchange(m_rebase, false)) {
        m_next = newest;
    } else if (m_next < oldest || newest - m_next > mostBehind()) {
        m_leftOut += static_cast<std::uint64_t>(newest - m_next);
        // Windows of `gather` would begin anew with each frame that is left out and never be full,
        // so the newest frame comes behind those before it.
        m_next = std::max({oldest, m_next, newest - m_past * each});
        if (m_next < newest) {
            m_target = newest;
            m_again = false;
            due = soughtDue();
            return true;
        }
    }
    due = {.frame = m_next, .count = each, .ensemble = each};
    return true;
}

} // namespace echolux
