// SPDX-License-Identifier: GPL-3.0-or-later
// What every frame of a snapshot does on a backend: steps, order and memory. Holds no memory
// itself.
#pragma once

#include "app/pipeline/frame_job.hpp"
#include "app/pipeline/schedule.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// Copies between host and device per frame. Stages that run on the host between stages on CUDA
/// need them.
struct Crossings {
    std::size_t toHost = 0;
    std::size_t toDevice = 0;
    std::size_t bytesToHost = 0;
    std::size_t bytesToDevice = 0;
    bool operator==(const Crossings&) const = default;
};

/// Immutable once it is made.
struct FrameProgram {
    SnapshotPtr snapshot;
    Backend backend = Backend::Cpu;
    std::vector<std::string> kept; ///< outputs that stay readable after the frame
    Fusing fusing = Fusing::Allowed;
    std::vector<Step> steps;
    Schedule schedule;
    /// Some step carries a state from frame to frame, or reads an output of the previous frame.
    bool hasPast = false;
    /// On CUDA: the work of a frame is determined by its slot, its targets and the states that it
    /// uses, and it ends as a whole. Such work can be captured.
    bool isRepeated = false;
    bool copiesImages = false; ///< images are copied to all targets; no step writes there

    /// Compute memory for a runner with `slots` frames in flight, without that of FFT plans.
    std::size_t bytes(std::size_t slots) const;
    Crossings crossings() const;
    /// A step writes the image of the view directly to this target.
    bool writesTo(const ViewTarget& target, std::size_t view) const {
        return target.pixels != nullptr && schedule.views[view].isDirect && !copiesImages;
    }
    std::size_t copiesToHost(const TaskOutput& output) const; ///< per frame
    std::size_t copiesToDevice(const TaskOutput& output) const;
};

/// Throws Error where a stage refuses, see planSteps().
FrameProgram makeFrameProgram(SnapshotPtr snapshot, Backend backend, std::vector<std::string> kept,
                              Fusing fusing);

/// Some stages run as one in the program, or would with Fusing::Allowed.
bool couldFuse(const FrameProgram& program);

} // namespace echolux
