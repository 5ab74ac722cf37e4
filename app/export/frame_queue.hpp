// SPDX-License-Identifier: GPL-3.0-or-later
// Passes frames to a writer on a thread of its own.
#pragma once

#include "app/export/subject.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace echolux {

/// Holds up to kMostWaiting frames; push() waits while it is full. The writer's thread ends with
/// finish() or the destructor.
class FrameQueue {
public:
    explicit FrameQueue(FrameWriter& writer);
    FrameQueue(const FrameQueue&) = delete;
    FrameQueue& operator=(const FrameQueue&) = delete;
    ~FrameQueue();

    /// False where the writer failed.
    bool push(std::vector<std::byte> frame);
    /// Waits until all frames are written. With `whole` it also calls the writer's finish(). Throws
    /// what the writer threw.
    void finish(bool whole);

private:
    void write();
    void end(bool whole);

    static constexpr std::size_t kMostWaiting = 4;
    FrameWriter& m_writer;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::vector<std::byte>> m_frames;
    bool m_ended = false;
    bool m_whole = false;
    std::exception_ptr m_failure;
    std::thread m_thread;
};

} // namespace echolux
