// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, memory and events of one frame in flight.
#pragma once

#include "app/pipeline/frame_program.hpp"
#include "app/pipeline/frame_series.hpp"
#include "gpu/stage/stage.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace echolux {

inline constexpr std::size_t kMostPorts = 8;

/// Times of one frame's way through the graph.
struct FrameTiming {
    double uploadMs = 0.0;
    std::vector<double> stepMs; ///< one per step; see Runner::timeEveryFrame()
    double totalMs = 0.0;
    bool isStepwise = false; ///< false: the steps' times are those of the last frame that was timed
                             ///< step by step
    /// When the upload began. On CUDA it is computed from times between events, and limited to the
    /// time between enqueueing and end of the frame.
    std::chrono::steady_clock::time_point startedAt;
    std::vector<double> stepStartMs; ///< one per step, since startedAt; with stepMs
};

/// A step on the host. The stream calls it on a thread of its own when it reaches the step.
struct HostTask {
    Stage* stage = nullptr; ///< null: the step runs on CUDA
    std::array<ConstTensorView, kMostPorts> inputs{};
    std::array<TensorView, kMostPorts> outputs{};
    std::array<void*, kMostPorts> pasts{}; ///< copies of the outputs for the next frame, or null
    std::size_t inputCount = 0;
    std::size_t outputCount = 0;
    Workspace workspace;
    std::exception_ptr failure;
    static void run(void* task) noexcept;
};

/// Frames of one slot with the same key enqueue the same work.
struct FrameKey {
    std::array<void*, kMostViews> targets{};
    Series series = Series::Shown;
    std::size_t parity = 0; ///< which of its two states a stage writes
    bool hasPast = false;
    bool isTimed = false;
    bool operator==(const FrameKey&) const = default;
};

struct SeenFrame {
    FrameKey key;
    CapturedWork work;    ///< empty: seen once
    bool isStale = false; ///< `work` holds constants from before an edit
};

/// Used by one frame at a time.
struct FrameSlot {
    explicit FrameSlot(Backend on);

    void allocate(const FrameProgram& program);
    void release(); ///< memory and events; streams stay
    Exec lane(std::size_t index) const { return {backend, lanes[index].get()}; }
    /// Work enqueued here runs after the work that shown images wait for.
    Exec exec() const { return lane(0); }
    void drain() const;
    void giveUp(); ///< waits for what was enqueued of the frame, and forgets its failures
    void mark(std::size_t index, const Exec& exec);
    double msBetween(std::size_t from, std::size_t to) const; ///< from mark to mark
    /// Waits until the frame has ended. Throws Error where a step on the host failed.
    void wait() const;
    /// Waits until the views and the kept outputs are complete.
    void waitShown() const;

    Backend backend;
    std::vector<Stream> lanes; ///< the first one runs the upload and ends with what is shown
    Buffer raw;
    std::vector<Buffer> buffers;        ///< see Schedule
    std::vector<Buffer> workspaces;     ///< per lane
    std::vector<Buffer> hostOutputs;    ///< per output; empty where only CUDA has it
    std::vector<Buffer> hostWorkspaces; ///< per task on the host
    std::vector<HostTask> hostTasks;    ///< per task
    std::vector<void*> outputs;         ///< see Schedule, of the last frame
    std::vector<Event> passed;          ///< per task; empty where no other lane waits for it
    std::vector<Event> marks;
    std::vector<std::chrono::steady_clock::time_point> cpuMarks;
    Event written; ///< a raw frame in device memory
    Event fetched; ///< from there
    Event uploaded;
    Event shown; ///< of lane 0
    Event done;
    std::vector<SeenFrame> seen;

    // Of the last frame:
    std::int64_t frame = 0; ///< number in the recording
    SeriesPlace place;
    bool isTimed = true;     ///< step by step
    bool isRead = false;     ///< `timing` is that of the frame
    bool isCaptured = false; ///< its work is being captured at the moment
    std::chrono::steady_clock::time_point enqueuedAt;
    FrameTiming timing;
};

} // namespace echolux
