// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts steps and adds them up.
#include "app/prediction/pipeline_prediction.hpp"

#include "app/pipeline/frame_program.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/nearest_word.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

void addKernel(const model::Kernel& kernel, model::KernelPrediction predicted,
               std::vector<StepKernel>& kernels) {
    if (!kernels.empty()) {
        StepKernel& last = kernels.back();
        if (last.name == kernel.name && last.launch.blocks == kernel.launch.blocks &&
            last.launch.threads == kernel.launch.threads &&
            last.predicted.improved == predicted.improved) {
            ++last.count;
            return;
        }
    }
    kernels.push_back({kernel.name, kernel.launch, std::move(predicted)});
}

/// Throws Error where a counted step is none of these.
void checkCounted(const std::vector<CountedStep>& counts, const FrameProgram& program,
                  const Snapshot& snapshot) {
    std::vector<std::string> names;
    for (const Step& step : program.steps) {
        names.push_back(step.label(snapshot));
        if (step.first() != step.last()) names.push_back(snapshot.stages[step.first()].id);
    }
    for (const CountedStep& counted : counts)
        if (std::ranges::find(names, counted.step) == names.end())
            throw Error(fmt::format("The work file counts kernels of the step '{}', which this "
                                    "pipeline does not have{}; its steps are {}.",
                                    counted.step, didYouMean(counted.step, names),
                                    fmt::join(names, ", ")));
}

StepWork countedOrDeclared(const std::vector<CountedStep>& counts, const Snapshot& snapshot,
                           const Step& step, Backend backend) {
    for (const CountedStep& counted : counts)
        if (counted.step == step.label(snapshot) ||
            counted.step == snapshot.stages[step.first()].id)
            return {counted.kernels};
    return workOf(snapshot, step, backend);
}

} // namespace

device::PlannedDevice plannedFor(const model::Device& device) {
    return device::PlannedDevice(
        device.isCpu ? 0 : static_cast<std::size_t>(std::max(device.limits.mostShared(), 0.0)));
}

StepWork workOf(const Snapshot& snapshot, const Step& step, Backend backend) {
    if (step.fusion != nullptr && step.fusion->work != nullptr)
        return {step.fusion->work(step.chain(snapshot))};
    const StageState& stage = snapshot.stages[step.first()];
    if (step.fusion == nullptr && stage.type->work != nullptr)
        return {stage.type->work({backend, stage.inputs, stage.plan, stage.params, step.wanted})};
    return {{undeclared(snapshot, step)}, false};
}

const StepKernel* StepPrediction::longest() const {
    const auto found = std::ranges::max_element(
        differing, {}, [](const StepKernel& each) { return each.predicted.improved.middle(); });
    return found == differing.end() ? nullptr : &*found;
}

StepPrediction predictStep(std::string label, const StepWork& work, const model::Device& device) {
    StepPrediction result;
    result.label = std::move(label);
    result.isDeclared = work.isDeclared;
    result.kernels = work.kernels.size();
    double longest = -1.0;
    for (const model::Kernel& kernel : work.kernels) {
        model::KernelPrediction one = model::predict(kernel, device);
        if (one.occupancy.blocks < 1.0)
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
        if (one.improved.middle() > longest) {
            longest = one.improved.middle();
            result.bound = one.bound;
        }
        addKernel(kernel, std::move(one), result.differing);
    }
    if (result.launch > result.improved.high) result.bound = Bound::Launch;
    result.likely = model::withKnownError(result.time(), result.bound, device);
    return result;
}

PipelinePrediction predictPipeline(const SnapshotPtr& snapshot, const model::Device& device,
                                   const PredictionTask& task) {
    const Backend backend = device.isCpu ? Backend::Cpu : Backend::Cuda;
    const device::PlannedDevice planned = plannedFor(device);
    const FrameProgram program = makeFrameProgram(snapshot, backend, {}, task.fusing);
    checkCounted(task.counts, program, *snapshot);
    PipelinePrediction result;
    const StepPrediction* longest = nullptr;
    for (const Step& step : program.steps)
        result.steps.push_back(predictStep(step.label(*snapshot),
                                           countedOrDeclared(task.counts, *snapshot, step, backend),
                                           device));
    for (const StepPrediction& step : result.steps) {
        result.plain = result.plain + step.plain;
        result.roofline += step.roofline;
        result.improved = result.improved + step.improved;
        result.launch += step.launch;
        result.likely = result.likely + step.likely;
        if (longest == nullptr || step.time().middle() > longest->time().middle()) longest = &step;
    }
    const double toDevice = device.isCpu ? 0.0 : reachedRates(device).toDevice;
    if (toDevice > 0.0)
        result.upload =
            model::transferSeconds(static_cast<double>(snapshot->input.bytes()), toDevice);
    const Interval computed = result.improved + result.launch;
    result.latency = computed + result.upload;
    const double upload = result.upload;
    const auto frameOf = [&](const Interval& steps) {
        return device.overlapsCopies
                   ? Interval{std::max(steps.low, upload), std::max(steps.high, upload)}
                   : steps + upload;
    };
    result.frame = frameOf(computed);
    result.likelyFrame = frameOf(result.likely);
    if (upload > computed.middle()) {
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
