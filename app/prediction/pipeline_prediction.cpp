// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts steps and adds them up.
#include "app/prediction/pipeline_prediction.hpp"

#include "app/pipeline/frame_program.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

using model::Bound;
using model::Interval;

/// Reads the inputs of the first stage and writes the wanted outputs of the last.
model::Kernel undeclared(const Snapshot& snapshot, const Step& step) {
    const StageState& first = snapshot.stages[step.first()];
    const StageState& last = snapshot.stages[step.last()];
    double read = 0.0;
    for (const FrameSpec& input : first.inputs) read += static_cast<double>(input.bytes());
    double written = 0.0;
    for (std::size_t port = 0; port < step.wanted.size(); ++port)
        if (step.wanted[port]) written += static_cast<double>(last.plan.outputs[port].bytes());
    constexpr double kThreads = 256.0;
    return {last.id,
            {std::max(1.0, written / 4.0 / kThreads), kThreads},
            {{.name = "fetch", .globalBytes = read}, {.name = "store", .globalBytes = written}}};
}

/// Shared stores that follow each load are hidden only up to a number (figure 5.4).
void warnOfStores(const model::Kernel& kernel, StepPrediction& step) {
    for (const model::Part& part : kernel.parts) {
        if (part.storesPerLoad <= model::kMostHiddenStores) continue;
        step.warnings.push_back(fmt::format(
            "{}: its part '{}' stores {:.0f} times to shared memory per load; more than {:.0f} are "
            "not hidden by the load, so its memory takes longer than predicted.",
            step.label, part.name, part.storesPerLoad, model::kMostHiddenStores));
    }
}

} // namespace

StepWork workOf(const Snapshot& snapshot, const Step& step, Backend backend) {
    if (step.fusion != nullptr && step.fusion->work != nullptr)
        return {step.fusion->work(step.chain(snapshot))};
    const StageState& stage = snapshot.stages[step.first()];
    if (step.fusion == nullptr && stage.type->work != nullptr)
        return {stage.type->work({backend, stage.inputs, stage.plan, stage.params, step.wanted})};
    return {{undeclared(snapshot, step)}, false};
}

StepPrediction predictStep(std::string label, const StepWork& work, const model::Device& device) {
    StepPrediction result;
    result.label = std::move(label);
    result.isDeclared = work.isDeclared;
    result.kernels = work.kernels.size();
    double longest = -1.0;
    for (const model::Kernel& kernel : work.kernels) {
        const model::KernelPrediction one = model::predict(kernel, device);
        if (one.activeBlocks < 1.0)
            throw Error(fmt::format(
                "The kernel '{}' of the step '{}' needs {:.0f} B of shared memory and {:.0f} "
                "registers per block, more than a multiprocessor of {} has; choose another device.",
                kernel.name, result.label, kernel.launch.sharedBytes,
                kernel.launch.registers * kernel.launch.threads, device.name));
        result.plain = result.plain + one.plain;
        result.roofline += one.roofline;
        const model::RooflineTimes roofs = model::rooflineTimes(kernel, device);
        result.roofs.compute += roofs.compute;
        result.roofs.memory += roofs.memory;
        result.improved = result.improved + one.improved;
        result.launch += one.launch;
        const model::Part total = kernel.total();
        result.operations += total.operations() + total.special;
        result.globalBytes += total.globalBytes;
        warnOfStores(kernel, result);
        if (one.improved.middle() <= longest) continue;
        longest = one.improved.middle();
        result.bound = one.bound;
    }
    if (result.launch > result.improved.high) result.bound = Bound::Launch;
    return result;
}

PipelinePrediction predictPipeline(const SnapshotPtr& snapshot, const model::Device& device,
                                   const PredictionTask& task) {
    const Backend backend = device.isCpu ? Backend::Cpu : Backend::Cuda;
    const FrameProgram program = makeFrameProgram(snapshot, backend, {}, task.fusing);
    PipelinePrediction result;
    const StepPrediction* longest = nullptr;
    for (const Step& step : program.steps)
        result.steps.push_back(
            predictStep(step.label(*snapshot), workOf(*snapshot, step, backend), device));
    for (const StepPrediction& step : result.steps) {
        result.plain = result.plain + step.plain;
        result.roofline += step.roofline;
        result.improved = result.improved + step.improved;
        result.launch += step.launch;
        if (longest == nullptr || step.time().middle() > longest->time().middle()) longest = &step;
    }
    const double toDevice = device.isCpu ? 0.0 : reachedRates(device).toDevice;
    if (toDevice > 0.0)
        result.upload =
            model::transferSeconds(static_cast<double>(snapshot->input.bytes()), toDevice);
    const Interval computed = result.improved + result.launch;
    result.latency = computed + result.upload;
    result.frame = {std::max(computed.low, result.upload), std::max(computed.high, result.upload)};
    if (result.upload > computed.middle()) {
        result.bound = Bound::Pcie;
    } else if (result.launch > result.improved.middle()) {
        result.bound = Bound::Launch;
    } else if (longest != nullptr) {
        result.bound = longest->bound;
    }
    result.bytes = program.bytes(device.isCpu ? 1 : task.inFlight);
    result.fits = device.limits.memoryBytes <= 0.0 ||
                  static_cast<double>(result.bytes) <= device.limits.memoryBytes;
    return result;
}

} // namespace echolux
