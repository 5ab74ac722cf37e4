// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded queue with one reader.
#include "app/export/frame_queue.hpp"

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/thread_name.hpp"

#include <utility>

namespace echolux {

FrameQueue::FrameQueue(FrameWriter& writer) : m_writer(writer), m_thread([this] { write(); }) {}

FrameQueue::~FrameQueue() { end(false); }

bool FrameQueue::push(std::vector<std::byte> frame) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_failure || m_frames.size() < kMostWaiting; });
    if (m_failure) return false;
    m_frames.push_back(std::move(frame));
    m_changed.notify_all();
    return true;
}

void FrameQueue::end(bool whole) {
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
        m_whole = whole;
        m_changed.notify_all();
    }
    if (m_thread.joinable()) m_thread.join();
}

void FrameQueue::finish(bool whole) {
    end(whole);
    if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void FrameQueue::write() {
    nameThisThread("echolux-export");
    quietHdf5();
    try {
        for (;;) {
            std::vector<std::byte> frame;
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [this] { return m_ended || !m_frames.empty(); });
                if (m_ended && (!m_whole || m_frames.empty())) break;
                frame = std::move(m_frames.front());
                m_frames.pop_front();
                m_changed.notify_all();
            }
            m_writer.add(frame);
        }
        if (m_whole) m_writer.finish();
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

} // namespace echolux
