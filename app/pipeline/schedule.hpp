// SPDX-License-Identifier: GPL-3.0-or-later
// Where each step of a frame runs, where its outputs go, and what it waits for: lanes and buffers.
#pragma once

#include "app/pipeline/steps.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// What a task reads at a port.
struct TaskInput {
    std::size_t output = 0;     ///< one of Schedule::outputs, or Task::kRecording
    bool ofFrameBefore = false; ///< the previous frame's
    bool operator==(const TaskInput&) const = default;
};

/// A step with its place in the schedule. Tasks of one lane run one after the other; tasks of
/// different lanes may run at the same time.
struct Task {
    static constexpr std::size_t kRecording = static_cast<std::size_t>(-1);
    static constexpr std::size_t kUnread = static_cast<std::size_t>(-2);
    std::size_t lane = 0;
    std::vector<TaskInput> inputs;    ///< per port
    std::vector<std::size_t> outputs; ///< per port: one of Schedule::outputs, or kUnread
    std::vector<std::size_t> waits;   ///< tasks of other lanes, or kRecording: the upload
    /// Tasks whose run for the previous frame must have ended before this task begins, because of a
    /// state or a fed-back output. May name the task itself.
    std::vector<std::size_t> follows;
    bool isAwaited = false;    ///< a task of another lane or the frame's end waits for it
    bool isAside = false;      ///< see Step::isAside
    std::size_t startMark = 0; ///< one of the frame's marks
    std::size_t endMark = 0;
    bool marksStart = false; ///< false: startMark is the end mark of the task before
    bool onHost = false;     ///< on the CPU, while other tasks run on CUDA
};

/// An output of a task that somebody reads.
struct TaskOutput {
    std::size_t task = 0;
    std::size_t port = 0;
    std::size_t buffer = 0; ///< where it is written, unless a view's target takes it
    std::size_t bytes = 0;
    // Where some steps run on the host and others on CUDA:
    bool toHost = false;   ///< it is copied to the host once it is complete
    bool toDevice = false; ///< the reverse
    // Where the next frame reads it:
    bool feedsDevice = false; ///< in compute memory
    bool feedsHost = false;   ///< by a step on the host between others on CUDA

    bool isFedBack() const { return feedsDevice || feedsHost; }
};

/// What a view shows. Where several views show one output, the first may have it written straight
/// into its target; the others copy it.
struct ViewData {
    std::size_t output = Task::kRecording; ///< one of Schedule::outputs
    bool isDirect = false;
    /// See motionOf(): of Schedule::outputs, or kRecording where it has none.
    std::array<std::size_t, 2> motion{Task::kRecording, Task::kRecording};
};

struct Schedule {
    static constexpr std::size_t kStartMark = 0;
    static constexpr std::size_t kUploadMark = 1;
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-2);

    std::vector<Task> tasks; ///< one per step
    /// The last task of each lane but lane 0; in `shownEnds` the last one that is not aside.
    std::vector<std::size_t> ends;
    std::vector<std::size_t> shownEnds;
    std::vector<TaskOutput> outputs;
    std::vector<ViewData> views;
    std::vector<std::size_t> stageOutputs; ///< per stage: where its first output is when the frame
                                           ///< is done: one of `outputs`, kRecording, or kNowhere
    std::vector<std::size_t> kept;         ///< likewise, per kept output
    std::vector<std::size_t> bufferBytes;
    std::vector<std::size_t> workspaceBytes; ///< per lane, at least one
    std::size_t marks = 2;
    std::size_t endMark = kUploadMark; ///< the mark at the end of the frame

    bool needsHostCopy(const TaskOutput& output) const {
        return tasks[output.task].onHost || output.toHost;
    }
    std::size_t lanes() const { return workspaceBytes.size(); }
    bool hasAsides() const { return ends != shownEnds; } ///< there are steps aside
    std::size_t bytes() const;     ///< of buffers and workspaces, per frame in flight
    std::size_t pastBytes() const; ///< copies of fed-back outputs in compute memory, for all frames
};

/// Outputs of the views and the `kept` outputs, see keptSource(), stay until the frame's end. The
/// memory of other outputs is used again, by the same lane, as soon as all their readers have run.
/// Steps aside run in lanes other than lane 0, so that the shown image does not wait for them. With
/// `lanes` = 1 all steps run in order.
Schedule makeSchedule(const Snapshot& snapshot, const std::vector<Step>& steps,
                      const std::vector<std::string>& kept, std::size_t lanes);

} // namespace echolux
