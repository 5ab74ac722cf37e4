// SPDX-License-Identifier: GPL-3.0-or-later
// A live source as a recording: its thread puts frames into memory, from which all others read.
#pragma once

#include "app/live/frame_history.hpp"
#include "app/live/live_source.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace echolux {

/// Where frames are kept, and how much memory they may take.
struct LivePlace {
    MemoryKind memory = MemoryKind::Host;
    double seconds = 10.0; ///< of frames that are kept, at the rate of the source
    std::size_t mostBytes = std::size_t{512} << 20;
    std::function<void()> began = {}; ///< called on the source's thread before anything else
};

/// Reads a source on a thread "echolux-live" until it is destroyed. The calls of Recording come
/// from one thread, those of LiveFrames and below from any.
class LiveRecording final : public Recording, public LiveFrames {
public:
    /// How long an opening waits for the first frame.
    static constexpr double kPatienceS = 5.0;
    /// After this time without a frame, or 5 periods of a slower source, a source counts as silent.
    static constexpr double kSilenceS = 1.0;

    /// Returns when the first frame is there. Throws Error where none comes within `patienceS`,
    /// where the source fails, and where memory does not suffice for two frames.
    LiveRecording(std::unique_ptr<LiveSource> source, const LivePlace& place,
                  double patienceS = kPatienceS);
    ~LiveRecording() override;

    void readFrame(std::int64_t index, std::span<std::byte> out) override;
    LiveFrames* live() override { return this; }

    KeptFrames kept() const override { return m_history->kept(); }
    FrameLoan lend(std::int64_t number) override { return m_history->lend(number, *this); }
    void listen(std::function<void()> came) override;
    void hold(bool held) override { m_held = held; }
    LiveCounters counters() const override;

    LiveSource& source() { return *m_source; }
    /// Waits at most `seconds` until frame `number` has come. False where it has not, or where no
    /// frame will come.
    bool waitFor(std::int64_t number, double seconds);
    std::optional<FrameStamp> stampOf(std::int64_t number) const {
        return m_history->stampOf(number);
    }
    /// While somebody records, frames are kept although the user holds them.
    void addRecorder() { ++m_recorders; }
    void removeRecorder() { --m_recorders; }

private:
    void giveBack(std::size_t slot) override { m_history->giveBack(slot); }
    void loop(const std::stop_token& stop);
    void readOne(const std::stop_token& stop);
    void count(LiveSource::Outcome outcome, const FrameStamp& stamp);
    void tell();

    std::unique_ptr<LiveSource> m_source;
    std::unique_ptr<FrameHistory> m_history;
    std::vector<std::byte> m_spare; ///< for frames that are not kept
    std::atomic<bool> m_held{false};
    std::atomic<int> m_recorders{0};

    mutable std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_came;
    LiveCounters m_counters;
    std::int64_t m_lastNumber = -1; ///< of the source
    FrameLoan::TimePoint m_lastCame;

    std::mutex m_listening; ///< held while the listener is called
    std::function<void()> m_listener;
    std::jthread m_thread; ///< last member
};

} // namespace echolux
