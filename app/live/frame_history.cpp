// SPDX-License-Identifier: GPL-3.0-or-later
// Slots of frames, from the oldest to the newest.
#include "app/live/frame_history.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;
constexpr std::size_t kAlignment = 64;

} // namespace

FrameHistory::FrameHistory(MemoryKind memory, std::size_t frameBytes, std::int64_t frames)
    : m_stride((frameBytes + kAlignment - 1) / kAlignment * kAlignment),
      m_slots(static_cast<std::size_t>(frames) + 1),
      // Once, so that arrivals keep their distances where somebody sets the clock of the computer.
      m_since1970(std::chrono::system_clock::now().time_since_epoch() -
                  std::chrono::steady_clock::now().time_since_epoch()) {
    const std::size_t perBlock = std::max<std::size_t>(kBlockBytes / m_stride, 1);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (i % perBlock == 0)
            m_blocks.emplace_back(memory, std::min(perBlock, m_slots.size() - i) * m_stride);
        m_slots[i].samples = m_blocks.back().as<std::byte>() + i % perBlock * m_stride;
    }
    for (std::size_t i = m_slots.size(); i > 0; --i) m_free.push_back(i - 1);
}

std::byte* FrameHistory::beginWrite() {
    const std::lock_guard lock(m_mutex);
    if (m_free.empty()) forgetOldest(); // readers held more when the latest frame came
    if (m_free.empty()) return nullptr;
    m_writing = m_free.back();
    m_free.pop_back();
    return m_slots[m_writing].samples;
}

void FrameHistory::publish(const FrameStamp& stamp) {
    const std::lock_guard lock(m_mutex);
    Slot& slot = m_slots[m_writing];
    slot.number = m_next++;
    slot.stamp = stamp;
    slot.arrived = std::chrono::steady_clock::now();
    slot.stamp.arrivalNs =
        std::chrono::nanoseconds(m_since1970 + slot.arrived.time_since_epoch()).count();
    m_kept.push_back(m_writing);
    if (m_free.empty()) forgetOldest();
}

/// Call it under the lock. Does nothing where readers hold all frames but the newest.
void FrameHistory::forgetOldest() {
    const auto unread = std::ranges::find_if(
        m_kept, [this](std::size_t slot) { return m_slots[slot].readers == 0; });
    if (unread == m_kept.end() || *unread == m_kept.back()) return;
    m_free.push_back(*unread);
    m_slots[*unread].number = -1;
    m_kept.erase(unread);
}

void FrameHistory::abandonWrite() {
    const std::lock_guard lock(m_mutex);
    m_free.push_back(m_writing);
}

KeptFrames FrameHistory::kept() const {
    const std::lock_guard lock(m_mutex);
    if (m_kept.empty()) return {m_next, m_next - 1};
    return {m_slots[m_kept.front()].number, m_slots[m_kept.back()].number};
}

/// Call it under the lock.
std::optional<std::size_t> FrameHistory::slotOf(std::int64_t number) const {
    const auto found = std::ranges::lower_bound(
        m_kept, number, {}, [this](std::size_t slot) { return m_slots[slot].number; });
    if (found == m_kept.end() || m_slots[*found].number != number) return std::nullopt;
    return *found;
}

FrameLoan FrameHistory::lend(std::int64_t number, LiveFrames& owner) {
    const std::lock_guard lock(m_mutex);
    const auto slot = slotOf(number);
    if (!slot) return {};
    ++m_slots[*slot].readers;
    return {owner, *slot, m_slots[*slot].samples, m_slots[*slot].arrived};
}

void FrameHistory::giveBack(std::size_t slot) {
    const std::lock_guard lock(m_mutex);
    --m_slots[slot].readers;
}

std::optional<FrameStamp> FrameHistory::stampOf(std::int64_t number) const {
    const std::lock_guard lock(m_mutex);
    const auto slot = slotOf(number);
    return slot ? std::optional(m_slots[*slot].stamp) : std::nullopt;
}

} // namespace echolux
