// SPDX-License-Identifier: GPL-3.0-or-later
// What a planned pipeline would take on a device: each step by the models of gpu/model, then
// copies, latency, frame rate and memory.
#pragma once

#include "app/pipeline/steps.hpp"
#include "app/prediction/work_file.hpp"
#include "gpu/exec/planned_device.hpp"
#include "gpu/model/prediction.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace echolux {

/// A step's kernels. Where its stages declare nothing, one kernel that reads the step's inputs and
/// writes its output.
struct StepWork {
    std::vector<model::Kernel> kernels;
    bool isDeclared = true;
};
StepWork workOf(const Snapshot& snapshot, const Step& step, Backend backend);

/// While it lives, kernels are those that run on `device` (device::PlannedDevice).
device::PlannedDevice plannedFor(const model::Device& device);

/// Kernels that are alike and follow each other.
struct StepKernel {
    std::string name;
    model::Launch launch;
    model::KernelPrediction predicted; ///< of one
    std::size_t count = 1;
};

/// Seconds.
struct StepPrediction {
    std::string label;
    bool isDeclared = true;
    model::Interval plain;      ///< van Bavel's model
    double roofline = 0.0;      ///< the utilisation roofline
    model::RooflineTimes roofs; ///< of all kernels: arithmetic alone, memory alone
    model::Interval improved;   ///< the model of Echolux; none of the three includes launches
    double launch = 0.0;        ///< of all kernels of the step
    model::Bound bound = model::Bound::Memory; ///< of its longest kernel
    model::Interval likely;                    ///< time() with the known error of the model
    std::size_t kernels = 0;
    std::vector<StepKernel> differing; ///< of these kernels
    double operations = 0.0;  ///< of floating point, an FFMA counts as two; with special functions
    double globalBytes = 0.0; ///< accesses to global memory
    std::vector<std::string> warnings; ///< sentences

    model::Interval time() const { return improved + launch; }
    const StepKernel* longest() const; ///< null without kernels
};

/// Adds up the kernels of a step. Throws Error where a kernel needs more of a multiprocessor than
/// the device has.
StepPrediction predictStep(std::string label, const StepWork& work, const model::Device& device);

struct PipelinePrediction {
    std::vector<StepPrediction> steps;
    double upload = 0.0;      ///< of a raw frame; 0 on a CPU
    model::Interval plain;    ///< of all steps, without launches and upload
    double roofline = 0.0;    ///< likewise
    model::Interval improved; ///< likewise
    double launch = 0.0;      ///< of all kernels
    model::Interval latency;  ///< one frame alone: upload, then the steps with their launches
    /// Time per frame. Uploads overlap the steps of other frames where the device can do that.
    model::Interval frame;
    model::Interval likely; ///< of all steps, as in StepPrediction
    model::Interval likelyFrame;
    model::Bound bound = model::Bound::Memory; ///< of `frame`
    std::size_t bytes = 0;                     ///< memory that it needs, without that of FFT plans
    bool fits = true;                          ///< `bytes` are not more than the device has

    double framesPerSecond() const { return frame.middle() > 0.0 ? 1.0 / frame.middle() : 0.0; }
};

/// What is asked.
struct PredictionTask {
    Fusing fusing = Fusing::Allowed;
    std::size_t inFlight = 1;             ///< frames in flight
    std::vector<CountedStep> counts = {}; ///< in place of what stages declare
};

/// The steps and kernels are those that run on the device, or on the CPU for a CPU. Throws Error
/// where a kernel needs more of a multiprocessor than the device has, and where `counts` name steps
/// that do not exist.
PipelinePrediction predictPipeline(const SnapshotPtr& snapshot, const model::Device& device,
                                   const PredictionTask& task);

} // namespace echolux
