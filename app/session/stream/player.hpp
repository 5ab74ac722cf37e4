// SPDX-License-Identifier: GPL-3.0-or-later
// The source thread. It reads a recording into the ring, paced or as fast as possible, and obeys
// play, step, seek and loop. While frozen it reads the frames of a sweep. Live frames have no pace:
// each is delivered as it comes.
#pragma once

#include "app/dataset/recording/ensemble.hpp"
#include "app/dataset/recording/live_frames.hpp"
#include "app/session/stream/frame_reader.hpp"
#include "app/session/stream/pace_watch.hpp"
#include "app/session/stream/ring.hpp"

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
    double speed = 1.0;          ///< times the recorded rate; 0 = as fast as possible
    std::int64_t position = 0;   ///< frame delivered last
    std::int64_t frameCount = 0; ///< live: one more than the newest frame's number
    std::int64_t first = 0;      ///< first frame of the range that is played
    std::int64_t last = 0;       ///< last frame of that range, included
    double frameRateHz = 0.0;    ///< pace at speed 1
    std::int64_t ensemble = 1;   ///< frames that are delivered together, as one window
    bool slow = false;           ///< plays slower than the recording's rate, see PaceWatch
    bool live = false; ///< frames come by themselves; `first` to `last` are kept in memory
};

class Player {
public:
    struct Callbacks {
        std::function<void()> published; ///< source thread: a frame is ready in the ring
        std::function<void(const std::string&)>
            failed; ///< source thread: reading failed, playback is frozen
        std::function<void(const std::string&)> warned =
            {}; ///< source thread: one sentence about the first frame with a flaw
        std::function<void()> rested =
            {}; ///< source thread: everything that is to be shown has been published
        std::function<void()> began = {}; ///< source thread, called before anything else
    };

    /// Frames are kept in `memory` where the recording has no more than `mostKept` bytes.
    Player(Recording& recording, Ring& ring, MemoryKind memory, std::size_t mostKept,
           Callbacks callbacks, std::int64_t ensemble = 1);
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    void stop(); ///< joins the source thread; playback is over

    // Any thread.
    void play();   ///< live: from the newest frame on
    void freeze(); ///< live: the kept frames stay, to be looked at
    /// Delivers the frame, or the window that holds it, also while frozen. `frame` is clamped to
    /// the recording, or to the last whole window.
    void seek(std::int64_t frame);
    /// From now on a frame or window that was sought comes behind so many before it, which are not
    /// to be shown (RawFrame::isPast): the pipeline's states need them. Those that the recording
    /// lacks or that cannot be read do not come.
    void setPast(std::int64_t images);
    /// Delivers the frame or window of the current position again, behind its past. Nothing while
    /// playback runs or where there is no past.
    void refill();
    /// Freezes and moves by `frames` frames, or windows. Wraps round where looping is on.
    void step(std::int64_t frames);
    /// Delivers `frames` frames together from now on, beginning with the window of the current
    /// position. Frames that wait in the ring are discarded. Precondition: the recording has that
    /// many frames.
    void setEnsemble(std::int64_t frames);
    void setLoop(bool loop);
    /// Plays only these frames, both included, or the windows that hold them. Steps and seeks may
    /// leave the range.
    void setRange(std::int64_t first, std::int64_t last);
    void setSpeed(double speed);
    PlayState state() const;
    /// While playback is as fast as possible, delivers runs of `frames` frames where that many are
    /// left. `frames` is a power of two; a run has at most kRunBytes. 1: each frame alone.
    void setRun(std::int64_t frames);
    bool hurries() const; ///< plays as fast as possible
    /// Bytes of raw frames that stay in staging memory.
    std::size_t keptBytes() const { return m_reader.keptBytes(); }
    /// Starts a sweep: delivers these frames, or the windows that begin with them, in order,
    /// without a pace, marked with the returned number. Position and counters do not change. A
    /// sweep replaces the sweep before it. It ends when something is to be shown (play, step, seek)
    /// or a frame cannot be read. Returns 0 where nothing will come, because playback runs or a
    /// frame is still to be shown.
    std::uint64_t sweep(std::vector<std::int64_t> frames);
    void endSweep();
    /// Number of the current sweep. Frames of other sweeps are no longer wanted.
    std::uint64_t sweepNumber() const { return m_sweepNumber; }
    std::uint64_t framesRead() const; ///< live: frames that came into memory
    std::uint64_t bytesRead() const;
    /// Live frames that came while the pipeline was busy with earlier ones, and were left out.
    std::uint64_t framesLeftOut() const { return m_leftOut; }
    /// Frames delivered more than one period after they were due.
    std::uint64_t framesLate() const { return m_late; }

private:
    /// What to read next.
    struct Due {
        std::int64_t frame = 0;
        std::int64_t count = 1;
        std::int64_t ensemble = 1;
        std::uint64_t sweep = 0;
        bool paced = false;
        bool isPast = false;
        bool isAgain = false;
    };

    void loop();
    bool waitForWork(Due& due);
    bool isShownDue(std::unique_lock<std::mutex>& lock, Due& due);
    bool isLiveDue(std::unique_lock<std::mutex>& lock, Due& due);
    std::int64_t mostBehind() const;
    void forgetSweep();
    std::int64_t framesDue() const;
    EnsembleWindows windows() const { return {m_state.ensemble, m_state.frameCount}; }
    void goTo(std::int64_t frame, bool follows);
    Due soughtDue();
    void watchPace();
    bool deliver(const Due& due);
    bool deliverSingly(const Due& run);
    void stopAfterFailure(const Due& due);
    Clock::duration period() const;

    Ring& m_ring;
    Callbacks m_callbacks;
    LiveFrames* m_live; ///< null: a file
    FrameReader m_reader;
    const double m_recordedHz; ///< 0: unknown
    const std::size_t m_frameBytes;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    PlayState m_state;
    std::int64_t m_next = 0;
    std::int64_t m_run = 1;
    PaceWatch m_pace;
    bool m_deliverOne = true;  ///< one frame is delivered even while frozen; at first the first one
    std::int64_t m_target = 0; ///< this one; what comes before it is its past
    std::int64_t m_past = 0;   ///< images before a target
    bool m_again = false;      ///< the target was shown before
    bool m_stop = false;
    Clock::time_point m_due;
    bool m_rebase = true;   ///< the next frame starts the pace again
    bool m_restless = true; ///< something was to be shown since `rested` was called
    std::vector<std::int64_t> m_sweep;
    std::size_t m_swept = 0; ///< how many of m_sweep have been started
    std::atomic<std::uint64_t> m_sweepNumber{0};
    std::atomic<std::uint64_t> m_read{0};
    std::atomic<std::uint64_t> m_bytes{0};
    std::atomic<std::uint64_t> m_late{0};
    std::atomic<std::uint64_t> m_leftOut{0};
    std::thread m_thread;
};

} // namespace echolux
