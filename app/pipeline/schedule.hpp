// SPDX-License-Identifier: GPL-3.0-or-later
// Where each step of a frame runs and leaves its outputs: lanes, buffers, what waits for what.
#pragma once

#include "app/pipeline/steps.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// What a task takes at a port.
struct TaskInput {
    std::size_t output = 0;     ///< one of Schedule::outputs, or Task::kRecording
    bool ofFrameBefore = false; ///< what it was there
    bool operator==(const TaskInput&) const = default;
};

/// A step at its place. Tasks run in their order; those of one lane after each other, of several
/// beside each other.
struct Task {
    static constexpr std::size_t kRecording = static_cast<std::size_t>(-1);
    static constexpr std::size_t kUnread = static_cast<std::size_t>(-2);
    std::size_t lane = 0;
    std::vector<TaskInput> inputs;    ///< per port
    std::vector<std::size_t> outputs; ///< per port: one of Schedule::outputs, or kUnread
    std::vector<std::size_t> waits;   ///< tasks of other lanes, or kRecording: the upload
    /// Tasks, itself among them, whose run for the frame before must have ended, where something
    /// goes from frame to frame: a state, or what is fed back.
    std::vector<std::size_t> follows;
    bool isAwaited = false;    ///< by a task of another lane, or by the frame's end
    bool isAside = false;      ///< see Step
    std::size_t startMark = 0; ///< of the frame's marks
    std::size_t endMark = 0;
    bool marksStart = false; ///< false: the mark is the end of what ran before
    bool onHost = false;     ///< between others on CUDA
};

/// What a task makes that somebody reads.
struct TaskOutput {
    std::size_t task = 0;
    std::size_t port = 0;
    std::size_t buffer = 0; ///< that takes it, unless a view does
    std::size_t bytes = 0;
    // Where some steps run on the host and others on CUDA:
    bool toHost = false;   ///< it is copied to the host once it is there
    bool toDevice = false; ///< the reverse
    // Where the next frame takes it:
    bool feedsDevice = false; ///< in compute memory
    bool feedsHost = false;   ///< by a step on the host between others on CUDA

    bool isFedBack() const { return feedsDevice || feedsHost; }
};

/// What a view shows. The first of those that show one output may have it written to where it is
/// shown; the others copy it.
struct ViewData {
    std::size_t output = Task::kRecording; ///< one of Schedule::outputs
    bool isDirect = false;
};

struct Schedule {
    static constexpr std::size_t kStartMark = 0;
    static constexpr std::size_t kUploadMark = 1;
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-2);

    std::vector<Task> tasks; ///< one per step
    /// Last tasks of the lanes but lane 0, and the last ones there that are not aside.
    std::vector<std::size_t> ends;
    std::vector<std::size_t> shownEnds;
    std::vector<TaskOutput> outputs;
    std::vector<ViewData> views;
    std::vector<std::size_t> stageOutputs; ///< per stage: where its first output stands when the
                                           ///< frame is done: of `outputs`, kRecording, or kNowhere
    std::vector<std::size_t> bufferBytes;
    std::vector<std::size_t> workspaceBytes; ///< per lane, at least one
    std::size_t marks = 2;
    std::size_t endMark = kUploadMark; ///< of the frame

    bool needsHostCopy(const TaskOutput& output) const {
        return tasks[output.task].onHost || output.toHost;
    }
    std::size_t lanes() const { return workspaceBytes.size(); }
    bool hasAsides() const { return ends != shownEnds; } ///< in a lane of their own
    std::size_t bytes() const;     ///< of buffers and workspaces, per frame in flight
    std::size_t pastBytes() const; ///< of what is fed back in compute memory, for all frames
};

/// Outputs of the views and of the `kept` stages stay until the frame's end; the others' memory is
/// used again by their own lane as soon as all that read it have run. What is aside runs beside
/// lane 0, so that what is shown need not wait for it. `lanes`: 1 runs all in order.
Schedule makeSchedule(const Snapshot& snapshot, const std::vector<Step>& steps,
                      const std::vector<std::string>& kept, std::size_t lanes);

} // namespace echolux
