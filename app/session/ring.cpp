// SPDX-License-Identifier: GPL-3.0-or-later
// The ring's slots and their travels.
#include "app/session/ring.hpp"

namespace echolux {

Ring::Ring(RingPolicy policy, MemoryKind memory, int slots, std::size_t frameBytes)
    : m_policy(policy) {
    m_frames.resize(static_cast<std::size_t>(slots));
    m_free.reserve(m_frames.size());
    for (RawFrame& frame : m_frames) {
        frame.data = Buffer(memory, frameBytes);
        m_free.push_back(&frame);
    }
}

RawFrame* Ring::beginFill() {
    std::unique_lock lock(m_mutex);
    if (m_policy == RingPolicy::DropOldest && m_free.empty() && !m_ready.empty()) {
        m_free.push_back(m_ready.front());
        m_ready.pop_front();
        ++m_dropped;
    }
    m_freed.wait(lock, [this] { return m_closed || !m_free.empty(); });
    if (m_closed) return nullptr;
    RawFrame* frame = m_free.back();
    m_free.pop_back();
    return frame;
}

void Ring::publish(RawFrame* frame) {
    const std::lock_guard lock(m_mutex);
    frame->arrived = Clock::now();
    m_ready.push_back(frame);
}

RawFrame* Ring::tryTake() {
    const std::lock_guard lock(m_mutex);
    if (m_ready.empty()) return nullptr;
    RawFrame* frame = m_ready.front();
    m_ready.pop_front();
    return frame;
}

void Ring::giveBack(RawFrame* frame) {
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(frame);
    }
    m_freed.notify_one();
}

bool Ring::empty() const {
    const std::lock_guard lock(m_mutex);
    return m_ready.empty();
}

void Ring::discardReady() {
    {
        const std::lock_guard lock(m_mutex);
        for (RawFrame* frame : m_ready) m_free.push_back(frame);
        m_ready.clear();
    }
    m_freed.notify_one();
}

void Ring::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_freed.notify_all();
}

std::uint64_t Ring::dropped() const {
    const std::lock_guard lock(m_mutex);
    return m_dropped;
}

} // namespace echolux
