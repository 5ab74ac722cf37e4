// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a planned graph on a backend, several frames in flight: owns stages, buffers, streams,
// order, timing.
#pragma once

#include "app/pipeline/schedule.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/memory/buffer.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace echolux {

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

/// Copies between host and device per frame. Stages that run on the host between stages on CUDA
/// need them.
struct Crossings {
    std::size_t toHost = 0;
    std::size_t toDevice = 0;
    std::size_t bytesToHost = 0;
    std::size_t bytesToDevice = 0;
    bool operator==(const Crossings&) const = default;
};

/// Which frame counts as the previous one, for stages that carry a state from frame to frame.
enum class Turn {
    Next,  ///< the frame enqueued last
    Again, ///< the one before that: this frame replaces the frame enqueued last
    Aside, ///< the last frame aside: frames aside form a series of their own, and shown frames do
           ///< not see their states
};

/// Where a view's image goes.
struct ViewTarget {
    void* pixels = nullptr;      ///< compute memory; null: a buffer of the slot
    const Event* free = nullptr; ///< if given: the pixels may be written once this event has passed
};

using ViewTargets = std::array<ViewTarget, kMostViews>; ///< one per view of the snapshot

struct FrameJob {
    /// One raw frame, pinned for overlap, valid until the slot has finished.
    const std::byte* raw = nullptr;
    ViewTargets targets = {};
    Turn turn = Turn::Next;
    std::int64_t frame = 0; ///< number in the recording
};

/// Used by one thread at a time. On CUDA several slots are in flight at once. The CPU has one slot,
/// and enqueue() returns when the frame is done. On CUDA the work of a frame repeats where
/// snapshot, slot and targets are the same. The second time the work after the upload is captured;
/// from then on it is launched as one.
class Runner {
public:
    Runner(Backend backend, int slots, Fusing fusing = Fusing::Allowed);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    /// Waits for all frames in flight, then puts `next` in force. For live edits it calls update();
    /// for others it prepares anew and forgets earlier frames. Throws Error where a stage refuses,
    /// and OutOfMemory where `next` and the caller's own `besidesBytes` do not fit. The former
    /// snapshot and fusing are in force then. `kept` names stages whose outputs stay readable after
    /// the frame.
    void apply(SnapshotPtr next, const std::vector<std::string>& kept = {},
               std::size_t besidesBytes = 0);
    const SnapshotPtr& snapshot() const { return m_snapshot; } ///< null before the first apply
    const std::vector<Step>& steps() const { return m_steps; }
    Crossings crossings() const;
    /// Compute memory that apply() takes for a snapshot, without that of FFT plans.
    std::size_t bytesFor(const Snapshot& snapshot, const std::vector<std::string>& kept = {}) const;
    std::size_t laneOf(std::size_t step) const { return m_schedule.tasks[step].lane; }
    /// Takes effect with the next apply(); fusing() tells what is in force.
    void setFusing(Fusing fusing) { m_nextFusing = fusing; }
    Fusing fusing() const { return m_fusing; }
    /// Some stages run as one, or would run as one with Fusing::Allowed.
    bool hasFusions() const { return m_hasFusions; }
    /// How many times apply() has prepared anew.
    std::uint64_t builds() const { return m_builds; }
    /// In captured frames the marks between the steps cost more than the launch. So usually one
    /// captured frame in eight has them, and the others report the steps' times of that one.
    void timeEveryFrame(bool every = true) { m_timedEvery = every ? 1 : kUsuallyTimed; }
    /// Whether frames may be captured; they may at first. For comparisons.
    void setCapturing(bool allowed);
    std::size_t capturedFrames() const { return m_capturedFrames; } ///< launched as one so far
    std::size_t captures() const { return m_captures; } ///< kinds of frames captured so far
    /// Drains and gives all compute memory back; apply() starts anew.
    void release();

    int slotCount() const { return static_cast<int>(m_slots.size()); }
    /// Enqueues a frame in the next slot, which must have finished, and returns the slot.
    int enqueue(const FrameJob& job);
    /// Waits until the slot's frame has ended. Throws Error where a stage failed that runs on the
    /// host between stages on CUDA.
    void wait(int slot) const;
    /// Waits until the views and the kept outputs are complete. On CUDA steps that only later
    /// frames need may still run; wait() must be called for them all the same.
    void waitShown(int slot) const;
    /// Whether there are steps that only later frames need.
    bool hasAsides() const { return m_schedule.hasAsides(); }
    void drain() const;
    const FrameTiming& timing(int slot); ///< of the finished frame
    /// Output of a kept or shown stage in compute memory; null for other stages.
    ConstTensorView keptOutput(int slot, std::string_view stage) const;
    ConstTensorView viewOutput(int slot, std::size_t view) const;
    /// Waits for the frame enqueued last, then copies the state that the stage left to the next
    /// frame. Frames aside do not count. Empty where the stage has no state or runs as part of a
    /// fusion.
    std::vector<std::byte> stateOf(std::string_view stage) const;
    /// Work enqueued here runs after the work that waitShown() waits for.
    Exec exec(int slot) const;
    /// The next frame has no previous one (after a seek). Frames aside have resetAside() for it.
    void reset() { m_frames[kShown] = 0; }
    void resetAside() { m_frames[kAside] = 0; }
    /// Some stage carries a state from frame to frame, or reads an output of the previous frame.
    bool hasPast() const;

private:
    using Series = std::size_t; ///< frames that follow one another
    static constexpr Series kShown = 0;
    static constexpr Series kAside = 1;
    static constexpr std::size_t kMostPorts = 8;
    static constexpr std::size_t kUsuallyTimed = 8;
    /// Frames of one slot with the same key enqueue the same work.
    struct FrameKey {
        std::array<void*, kMostViews> targets{};
        Series series = kShown;
        std::size_t parity = 0; ///< which of its two states a stage writes
        bool hasPast = false;
        bool isTimed = false;
        bool operator==(const FrameKey&) const = default;
    };
    struct SeenFrame {
        FrameKey key;
        CapturedWork work; ///< empty: seen once
    };
    /// A step on the host. The stream calls it on a thread of its own when it reaches the step.
    struct HostTask {
        Stage* stage = nullptr; ///< null: the step runs on CUDA
        std::array<ConstTensorView, kMostPorts> inputs{};
        std::array<TensorView, kMostPorts> outputs{};
        std::array<void*, kMostPorts> pasts{}; ///< copies of the outputs for the next frame, or
                                               ///< null
        std::size_t inputCount = 0;
        std::size_t outputCount = 0;
        Workspace workspace;
        std::exception_ptr failure;
        static void run(void* task) noexcept;
    };
    struct Slot {
        std::vector<Stream> lanes; ///< the first one runs the upload and ends with what is shown
        Buffer raw;
        std::vector<Buffer> buffers;        ///< see Schedule
        std::vector<Buffer> workspaces;     ///< per lane
        std::vector<Buffer> hostOutputs;    ///< per output; empty where only CUDA has it
        std::vector<Buffer> hostWorkspaces; ///< per task on the host
        std::vector<HostTask> hostTasks;    ///< per task
        std::int64_t frame = 0;             ///< number in the recording
        Series series = kShown;
        bool isTimed = true; ///< step by step
        bool isRead = false; ///< `timing` is that of the frame
        std::chrono::steady_clock::time_point enqueuedAt;
        std::vector<void*> outputs; ///< see Schedule, of the last frame
        std::vector<Event> passed;  ///< per task; empty where no other lane waits for it
        Event uploaded;
        std::vector<Event> marks;
        std::vector<std::chrono::steady_clock::time_point> cpuMarks;
        Event shown; ///< of lane 0
        Event done;
        FrameTiming timing;
        std::vector<SeenFrame> seen;
    };
    /// The object that runs a step, with its states.
    struct Worker {
        std::unique_ptr<Stage> stage;       ///< or
        std::unique_ptr<FusedStages> fused; ///< a fusion
        std::array<Buffer, 2> states[2];    ///< per series, written by odd and by even frames
        Event order; ///< end of the step in the last frame, where a later frame waits for it
    };
    /// Copies of an output of the previous frame, for steps that read it.
    struct Past {
        std::array<Buffer, 2> onDevice[2]; ///< per series, written by odd and by even frames
        std::array<Buffer, 2> onHost[2];   ///< the same for steps on the host
    };

    std::vector<Step> stepsOf(const Snapshot& snapshot, const std::vector<std::string>& kept) const;
    Schedule scheduleOf(const Snapshot& snapshot, const std::vector<Step>& steps,
                        const std::vector<std::string>& kept) const;
    std::size_t bytesOf(const Snapshot& snapshot, const std::vector<Step>& steps,
                        const Schedule& schedule) const;
    Slot& slotAt(int index) { return m_slots[static_cast<std::size_t>(index)]; }
    const Slot& slotAt(int index) const { return m_slots[static_cast<std::size_t>(index)]; }
    void build(SnapshotPtr next, const std::vector<std::string>& kept, std::vector<Step> steps,
               Schedule schedule);
    Worker makeWorker(const Exec& exec, const Snapshot& snapshot, const Step& step) const;
    void updateChanged(const Snapshot& next);
    void checkMemory(const Snapshot& next, std::size_t needed) const;
    Exec laneOf(const Slot& slot, std::size_t lane) const;
    void mark(Slot& slot, std::size_t index, const Exec& exec) const;
    double msBetween(const Slot& slot, std::size_t from, std::size_t to) const;
    std::chrono::steady_clock::time_point startOf(Slot& slot);
    Workspace workspaceOf(const Slot& slot, std::size_t lane, const Worker& worker) const;
    void aim(Slot& slot, const FrameJob& job) const;
    FrameKey keyOf(const Slot& slot, const FrameJob& job) const;
    bool writesToTarget(std::size_t view, const ViewTarget& target) const;
    void awaitTargets(const Slot& slot, const FrameJob& job) const;
    void fillTargets(const Slot& slot, const FrameJob& job) const;
    bool launchCaptured(Slot& slot, const FrameJob& job);
    void enqueueTasks(Slot& slot, const FrameJob& job);
    void runTask(Slot& slot, std::size_t task);
    void allocateForHost(Slot& slot, const std::vector<Step>& steps) const;
    void prepareHostTasks(Slot& slot, const FrameJob& job);
    const void* hostInputOf(const Slot& slot, const FrameJob& job, const TaskInput& input) const;
    const void* inputOf(const Slot& slot, const TaskInput& input) const;
    void allocatePasts();
    const Buffer& pastOf(const Slot& slot, const std::array<Buffer, 2> (&states)[2],
                         const Buffer& none) const;
    const Buffer& nextOf(const Slot& slot, const std::array<Buffer, 2> (&states)[2]) const;
    void keepForNext(const Exec& exec, const Slot& slot, const Task& task) const;
    void copyAcross(const Exec& exec, const Slot& slot, const Task& task) const;
    void countCrossings() const;
    std::size_t copiesToHost(const TaskOutput& output) const; ///< per frame
    std::size_t copiesToDevice(const TaskOutput& output) const;
    Exec execOf(const Step& step) const;
    Workspace statesOf(const Slot& slot, const Worker& worker) const;
    void joinLanes(const Slot& slot) const;
    Exec endOf(const Slot& slot) const;
    void forgetCaptured();
    const void* outputOf(const Slot& slot, std::size_t output) const;

    Backend m_backend;
    Fusing m_fusing;
    Fusing m_nextFusing;
    bool m_hasFusions = false;
    std::uint64_t m_builds = 0;
    SnapshotPtr m_snapshot;
    std::vector<std::string> m_kept;
    std::vector<Step> m_steps;
    Schedule m_schedule;
    std::vector<Worker> m_workers; ///< one per step
    std::vector<Past> m_pasts;     ///< per output of the schedule
    Buffer m_noPast;               ///< zeros: what the first frame reads of the previous one
    Buffer m_noPastOnHost;
    std::array<std::size_t, 2> m_frames{}; ///< per series, since reset
    std::vector<Slot> m_slots;
    int m_next = 0;
    bool m_mayCapture = true;  ///< see setCapturing()
    bool m_canCapture = false; ///< frames of the snapshot in force repeat their work
    bool m_isCapturing = false;
    bool m_copiesImages = false; ///< images are copied to all targets; no step writes there
    std::size_t m_capturedFrames = 0;
    std::size_t m_captures = 0;
    std::size_t m_timedEvery = kUsuallyTimed;
    std::size_t m_enqueued = 0;
    std::vector<double> m_stepMs; ///< of the frame timed last
    std::vector<double> m_stepStartMs;
    Event m_reference; ///< on CUDA: the begin of the frame whose timing was read last
    std::optional<std::chrono::steady_clock::time_point> m_referenceAt;
};

} // namespace echolux
