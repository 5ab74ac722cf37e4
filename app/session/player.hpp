// SPDX-License-Identifier: GPL-3.0-or-later
// The source thread: reads a recording into the ring, paced or as fast as possible; play, step,
// seek, loop.
#pragma once

#include "app/dataset/recording.hpp"
#include "app/session/ring.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace echolux {

struct PlayState {
    bool playing = false;
    bool loop = true;
    double speed = 1.0;        ///< times the recorded rate; 0 = as fast as possible
    std::int64_t position = 0; ///< frame delivered last
    std::int64_t frameCount = 0;
    double frameRateHz = 0.0; ///< pace at speed 1
};

class Player {
public:
    struct Callbacks {
        std::function<void()> published; ///< source thread: a frame is ready in the ring
        std::function<void(const std::string&)>
            failed; ///< source thread: reading failed, playback is frozen
        std::function<void(const std::string&)> warned =
            {}; ///< source thread: one sentence about the first frame that is not sound
    };

    /// `frameRateHz`: the pace where the recording does not say its own.
    Player(Recording& recording, Ring& ring, Callbacks callbacks);
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    void stop(); ///< joins the source thread; playback is over

    // Any thread.
    void play();
    void freeze();
    void
    seek(std::int64_t frame); ///< delivers that frame, also while frozen; clamped to the recording
    void step(std::int64_t frames); ///< freezes and moves by so many frames, wrapping if looping
    void setLoop(bool loop);
    void setSpeed(double speed);
    PlayState state() const;
    std::uint64_t framesRead() const { return m_read; }
    std::uint64_t bytesRead() const { return m_bytes; }
    /// Frames delivered more than one period after they were due.
    std::uint64_t framesLate() const { return m_late; }

private:
    void loop();
    bool waitForWork(std::int64_t& frame);
    void deliver(std::int64_t frame);
    const std::byte* cached(std::int64_t frame);
    void read(std::int64_t frame, std::span<std::byte> out);
    Clock::duration period() const;

    Recording& m_recording;
    Ring& m_ring;
    Callbacks m_callbacks;
    const std::size_t m_frameBytes;
    std::vector<std::vector<std::byte>> m_cache; ///< decoded frames, where all fit into kCacheBytes
    bool m_watches;                              ///< until the first frame that is not sound

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    PlayState m_state;
    std::int64_t m_next = 0;
    bool m_deliverOne = true; ///< the first frame shows at once
    bool m_stop = false;
    Clock::time_point m_due;
    bool m_rebase = true; ///< the pace starts anew with the next frame
    std::atomic<std::uint64_t> m_read{0};
    std::atomic<std::uint64_t> m_bytes{0};
    std::atomic<std::uint64_t> m_late{0};
    std::thread m_thread;
};

} // namespace echolux
