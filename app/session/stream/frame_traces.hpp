// SPDX-License-Identifier: GPL-3.0-or-later
// When each part of the latest frames ran, from the upload to the screen.
#pragma once

#include "app/pipeline/runner.hpp"
#include "app/session/stream/ring.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// One frame, or a run of several that were imaged at once; on the host's clock.
struct FrameTrace {
    struct Step {
        std::size_t lane = 0; ///< of the slot, see Schedule
        double startMs = 0.0; ///< since startedAt
        double ms = 0.0;
    };
    std::int64_t frame = 0; ///< in the recording, the last of a run
    std::int64_t count = 1;
    std::uint64_t serial = 0; ///< of the image
    int slot = 0;             ///< of those in flight; runs have slots of their own
    Clock::time_point startedAt;
    double uploadMs = 0.0; ///< from there on
    std::vector<Step> steps;
    std::vector<std::vector<std::string>> ids; ///< per step: of its stages
    Clock::time_point published;
    std::optional<Clock::time_point> shown; ///< swapped to the screen; null: not, or not yet
};

/// Any thread; its lock is held for a copy.
class FrameTraces {
public:
    static constexpr std::size_t kMost = 8;

    /// Of a frame that was timed step by step and is about to be published. The vectors' room is
    /// used again.
    void add(const FrameTrace& trace);
    void presented(std::uint64_t serial, Clock::time_point at);
    std::vector<FrameTrace> latest() const; ///< oldest first, at most kMost

private:
    mutable std::mutex m_mutex;
    std::array<FrameTrace, kMost> m_traces;
    std::size_t m_count = 0; ///< added so far
};

/// Of the finished frame in the runner's slot; its place in the recording and on the screen are the
/// caller's. Keeps the vectors' room.
void readTrace(Runner& runner, int slot, FrameTrace& trace);

} // namespace echolux
