// SPDX-License-Identifier: GPL-3.0-or-later
// When each part of the latest frames ran, from the upload to the screen.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Times of one frame, or of a run of frames that were imaged at once, on the host's clock.
struct FrameTrace {
    struct Step {
        std::size_t lane = 0; ///< of the slot, see Schedule
        double startMs = 0.0; ///< since startedAt
        double ms = 0.0;
    };
    std::int64_t frame = 0; ///< number in the recording; of a run the last one's
    std::int64_t count = 1;
    std::uint64_t serial = 0; ///< of the image
    int slot = 0;             ///< slot of the runner; runs have a runner of their own
    Clock::time_point startedAt;
    double uploadMs = 0.0; ///< length of the upload, which begins at startedAt
    std::vector<Step> steps;
    std::vector<std::vector<std::string>> ids; ///< per step: ids of its stages
    Clock::time_point published;
    std::optional<Clock::time_point> shown; ///< when it was swapped to the screen; null: not yet,
                                            ///< or never
};

/// Any thread may use it. Its lock is held for one copy only. While it is on, every frame is timed
/// step by step.
class FrameTraces {
public:
    static constexpr std::size_t kMost = 8;

    void turn(bool on) { m_on = on; }
    bool isOn() const { return m_on; }
    /// Adds a frame that was timed step by step and will be published next. The memory of the
    /// oldest trace's vectors is used again.
    void add(const FrameTrace& trace);
    void presented(std::uint64_t serial, Clock::time_point at);
    std::vector<FrameTrace> latest() const; ///< oldest first, at most kMost

private:
    std::atomic<bool> m_on{false};
    mutable std::mutex m_mutex;
    std::array<FrameTrace, kMost> m_traces;
    std::size_t m_count = 0; ///< added so far
};

/// Fills in the times of the finished frame in the runner's slot. The caller fills in its number,
/// count, serial and when it was published and shown. The memory of the vectors is used again.
void readTrace(Runner& runner, int slot, FrameTrace& trace);

} // namespace echolux
