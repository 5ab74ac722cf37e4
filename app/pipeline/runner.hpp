// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a planned graph on a backend, several frames in flight.
#pragma once

#include "app/pipeline/frame_program.hpp"
#include "app/pipeline/frame_series.hpp"
#include "app/pipeline/frame_slot.hpp"
#include "app/pipeline/frame_timer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

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
    /// snapshot and fusing are in force then. `kept` names outputs, see keptSource(), that stay
    /// readable after the frame.
    void apply(SnapshotPtr next, const std::vector<std::string>& kept = {},
               std::size_t besidesBytes = 0);
    /// While frames are in flight: plans the frames of `next`, so that the device is idle for a
    /// shorter time during apply(). Errors are left to apply().
    void foresee(const SnapshotPtr& next, const std::vector<std::string>& kept, Fusing fusing);
    /// Null before the first apply.
    const SnapshotPtr& snapshot() const { return m_program.snapshot; }
    const std::vector<Step>& steps() const { return m_program.steps; }
    Crossings crossings() const { return m_program.crossings(); }
    std::size_t laneOf(std::size_t step) const { return m_program.schedule.tasks[step].lane; }
    /// Takes effect with the next apply(); fusing() tells what is in force.
    void setFusing(Fusing fusing) { m_nextFusing = fusing; }
    Fusing fusing() const { return m_program.fusing; }
    /// Some stages run as one, or would run as one with Fusing::Allowed.
    bool hasFusions() const { return m_couldFuse; }
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
    /// Enqueues a frame in the next slot, which must have finished, and returns the slot. Throws
    /// Error where a stage fails; the next frame then takes the place of this one.
    int enqueue(const FrameJob& job);
    /// Waits until the slot's frame has ended. Throws Error where a stage failed that runs on the
    /// host between stages on CUDA.
    void wait(int slot) const { slotAt(slot).wait(); }
    /// Waits until the views and the kept outputs are complete. On CUDA steps that only later
    /// frames need may still run; wait() must be called for them all the same.
    void waitShown(int slot) const { slotAt(slot).waitShown(); }
    /// Whether there are steps that only later frames need.
    bool hasAsides() const { return m_program.schedule.hasAsides(); }
    void drain() const;
    /// Of the finished frame.
    const FrameTiming& timing(int slot) { return m_timer.read(slotAt(slot), m_program.schedule); }
    /// A kept output, see keptSource(), or the first output of a shown stage, in compute memory;
    /// null for others.
    ConstTensorView keptOutput(int slot, std::string_view name) const;
    ConstTensorView viewOutput(int slot, std::size_t view) const;
    /// See motionOf(): images in compute memory; null where the view has no motion.
    std::array<const float*, 2> viewMotion(int slot, std::size_t view) const;
    /// Waits for the frame enqueued last, then copies the state that the stage left to the next
    /// frame. Frames aside do not count. Empty where the stage has no state or runs as part of a
    /// fusion.
    std::vector<std::byte> stateOf(std::string_view stage) const;
    /// Work enqueued here runs after the work that waitShown() waits for.
    Exec exec(int slot) const { return slotAt(slot).exec(); }
    /// The next frame has no previous one (after a seek). Frames aside have resetAside() for it.
    void reset() { framesOf(Series::Shown) = 0; }
    void resetAside() { framesOf(Series::Aside) = 0; }
    bool hasPast() const { return m_program.hasPast; } ///< see FrameProgram

private:
    static constexpr std::size_t kUsuallyTimed = 8;
    /// The object that runs a step, with its states.
    struct Worker {
        std::unique_ptr<Stage> stage;       ///< or
        std::unique_ptr<FusedStages> fused; ///< a fusion
        SeriesBuffers states;
        Event order; ///< end of the step in the last frame, where a later frame waits for it
    };
    /// Copies of an output of the previous frame, for steps that read it.
    struct Past {
        SeriesBuffers onDevice;
        SeriesBuffers onHost; ///< for steps on the host
    };

    FrameSlot& slotAt(int index) { return m_slots[static_cast<std::size_t>(index)]; }
    const FrameSlot& slotAt(int index) const { return m_slots[static_cast<std::size_t>(index)]; }
    std::size_t& framesOf(Series series) { return m_frames[static_cast<std::size_t>(series)]; }
    SeriesPlace lastOf(Series series) const {
        return {series, m_frames[static_cast<std::size_t>(series)]};
    }
    FrameProgram programOf(SnapshotPtr next, const std::vector<std::string>& kept);
    void build(FrameProgram program);
    Worker makeWorker(const Exec& exec, const Snapshot& snapshot, const Step& step) const;
    void updateChanged(const Snapshot& next);
    void checkMemory(const FrameProgram& next, std::size_t besidesBytes) const;
    Workspace workspaceOf(const FrameSlot& slot, std::size_t lane, const Worker& worker) const;
    void fetch(FrameSlot& slot, const FrameJob& job) const;
    void aim(FrameSlot& slot, const FrameJob& job) const;
    FrameKey keyOf(const FrameSlot& slot, const FrameJob& job) const;
    void awaitTargets(const FrameSlot& slot, const FrameJob& job) const;
    void fillTargets(const FrameSlot& slot, const FrameJob& job) const;
    bool launchCaptured(FrameSlot& slot, const FrameJob& job);
    CapturedWork capture(FrameSlot& slot, const FrameJob& job, CapturedWork former);
    void enqueueIn(FrameSlot& slot, Series series, const FrameJob& job);
    void enqueueTasks(FrameSlot& slot, const FrameJob& job);
    void runTask(FrameSlot& slot, std::size_t task);
    void prepareHostTasks(FrameSlot& slot, const FrameJob& job);
    const void* hostInputOf(const FrameSlot& slot, const FrameJob& job,
                            const TaskInput& input) const;
    const void* inputOf(const FrameSlot& slot, const TaskInput& input) const;
    void allocatePasts(const FrameProgram& program);
    void keepForNext(const Exec& exec, const FrameSlot& slot, const Task& task) const;
    void copyAcross(const Exec& exec, const FrameSlot& slot, const Task& task) const;
    void countCrossings() const;
    Exec execOf(const Step& step) const { return step.onHost ? Exec{} : exec(0); }
    Workspace statesOf(const FrameSlot& slot, const Worker& worker) const;
    void joinLanes(const FrameSlot& slot) const;
    Exec endOf(const FrameSlot& slot) const;
    void forgetCaptured();
    void markCapturedStale();
    const void* outputOf(const FrameSlot& slot, std::size_t output) const;

    Backend m_backend;
    Fusing m_nextFusing;
    FrameProgram m_program;  ///< in force; without a snapshot before apply() and after release()
    FrameProgram m_foreseen; ///< see foresee()
    bool m_couldFuse = false;
    std::uint64_t m_builds = 0;
    std::vector<Worker> m_workers; ///< one per step
    std::vector<Past> m_pasts;     ///< per output of the schedule
    Buffer m_noPast;               ///< zeros: what the first frame reads of the previous one
    Buffer m_noPastOnHost;
    std::array<std::size_t, kAllSeries.size()> m_frames{}; ///< per series, since reset
    std::array<bool, kAllSeries.size()> m_failed{};        ///< per series: its last frame
    std::vector<FrameSlot> m_slots;
    int m_next = 0;
    bool m_mayCapture = true;     ///< see setCapturing()
    bool m_captureFailed = false; ///< frames of the program in force cannot be captured
    std::size_t m_capturedFrames = 0;
    std::size_t m_captures = 0;
    std::size_t m_timedEvery = kUsuallyTimed;
    std::size_t m_enqueued = 0;
    FrameTimer m_timer;
};

} // namespace echolux
