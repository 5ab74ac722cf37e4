// SPDX-License-Identifier: GPL-3.0-or-later
// The ring's slots and their states.
#include "app/session/stream/ring.hpp"

#include <utility>

namespace echolux {

RawRef::RawRef(Ring* ring, RawFrame* frame, bool forConsumer)
    : m_ring(ring), m_frame(frame), m_forConsumer(forConsumer) {
    if (m_frame == nullptr) return;
    ++m_frame->holders;
    if (m_forConsumer) ++m_frame->consumers;
}

RawRef::~RawRef() {
    if (m_frame != nullptr) m_ring->letGo(m_frame, m_forConsumer);
}

void RawRef::swap(RawRef& other) noexcept {
    std::swap(m_ring, other.m_ring);
    std::swap(m_frame, other.m_frame);
    std::swap(m_forConsumer, other.m_forConsumer);
}

Ring::Ring(int slots, int room) : m_room(room), m_frames(static_cast<std::size_t>(slots)) {
    m_free.reserve(m_frames.size());
    for (RawFrame& frame : m_frames) m_free.push_back(&frame);
}

RawFrame* Ring::beginFill() {
    std::unique_lock lock(m_mutex);
    m_freed.wait(lock, [this] { return m_closed || !m_free.empty(); });
    if (m_closed) return nullptr;
    RawFrame* frame = m_free.back();
    m_free.pop_back();
    return frame;
}

void Ring::waitForRoom() {
    std::unique_lock lock(m_mutex);
    m_freed.wait(lock, [this] { return m_closed || (m_ready.empty() && m_inUse < m_room); });
}

void Ring::publish(RawFrame* frame) {
    const std::lock_guard lock(m_mutex);
    frame->arrived = frame->loan ? frame->loan.arrived() : Clock::now();
    m_ready.push_back(frame);
}

RawRef Ring::tryTake() {
    RawRef taken;
    {
        const std::lock_guard lock(m_mutex);
        if (m_ready.empty()) return {};
        taken = RawRef(this, m_ready.front(), true);
        m_ready.pop_front();
        ++m_inUse;
    }
    m_freed.notify_one(); // no frame is ready now: wakes waitForRoom()
    return taken;
}

void Ring::abandonFill(RawFrame* frame) {
    const std::lock_guard lock(m_mutex);
    m_free.push_back(frame); // for the producer, which does not wait
}

void Ring::letGo(RawFrame* frame, bool forConsumer) {
    const bool consumed = forConsumer && --frame->consumers == 0;
    const bool isFree = --frame->holders == 0;
    if (!consumed && !isFree) return;
    if (isFree) frame->loan = {};
    {
        const std::lock_guard lock(m_mutex);
        if (consumed) --m_inUse;
        if (isFree) m_free.push_back(frame);
    }
    m_freed.notify_one();
}

bool Ring::empty() const {
    const std::lock_guard lock(m_mutex);
    return m_ready.empty();
}

bool Ring::discardReady() {
    bool any = false;
    {
        const std::lock_guard lock(m_mutex);
        any = !m_ready.empty();
        for (RawFrame* frame : m_ready) {
            frame->loan = {};
            m_free.push_back(frame);
        }
        m_ready.clear();
    }
    m_freed.notify_one();
    return any;
}

void Ring::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_freed.notify_all();
}

} // namespace echolux
