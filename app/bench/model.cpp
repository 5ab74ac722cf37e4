// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts the problems of `bench das`, `front` and `oct`, and runs them where the device is here.
#include "app/bench/model.hpp"

#include "app/bench/das.hpp"
#include "app/bench/front.hpp"
#include "app/bench/oct.hpp"
#include "app/bench/problems.hpp"
#include "app/command_line/options.hpp"
#include "app/prediction/device_file.hpp"
#include "app/prediction/device_here.hpp"
#include "app/prediction/pipeline_prediction.hpp"
#include "app/prediction/predict_report.hpp"
#include "gpu/beamform/beamform_work.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct ModelOptions {
    std::string device;
    std::string backend = "auto";
    std::vector<std::string> problems;
    bool withoutMeasuring = false;
};

/// A problem of another bench.
struct ModelProblem {
    std::string id;
    std::function<std::vector<model::Kernel>(Backend)> work;
    std::function<double(const Exec&, int repeat)> seconds;
};

ModelProblem modelProblem(const DasProblem& problem) {
    const auto work = [problem](Backend backend) {
        constexpr std::size_t kPlenty = std::size_t{1} << 40;
        const das::Model sums = problem.model();
        das::SumTask task{.backend = backend,
                          .complex = isComplex(problem.input.dtype),
                          .frames = problem.frames};
        if (backend == Backend::Cuda)
            task.chosen = das::chooseCudaSum(sums, task.complex, problem.frames,
                                             das::tunedPitch(sums), kPlenty);
        return das::sumWork(sums, task);
    };
    const auto seconds = [problem](const Exec& exec, int repeat) {
        const DasResult result = DasBench(exec, repeat).run(problem, false).front();
        return (result.sumMs + result.packMs) * 1e-3;
    };
    return {problem.id, work, seconds};
}

/// All kernels of a chain of stages.
std::vector<model::Kernel> workOfSteps(const SnapshotPtr& snapshot, Backend backend) {
    std::vector<model::Kernel> all;
    const FrameProgram program = makeFrameProgram(snapshot, backend, {}, Fusing::Allowed);
    for (const Step& step : program.steps) {
        const StepWork work = workOf(*snapshot, step, backend);
        all.insert(all.end(), work.kernels.begin(), work.kernels.end());
    }
    return all;
}

double secondsOf(const FrontProblem& problem, Backend backend, int repeat) {
    return runFrontProblem(problem, backend, repeat).fusedMs * 1e-3;
}
double secondsOf(const OctProblem& problem, Backend backend, int repeat) {
    return runOctProblem(problem, backend, Fusing::Allowed, repeat).processingMs * 1e-3;
}

/// Of a chain of stages.
template <class Problem> ModelProblem modelProblem(const Problem& problem) {
    return {problem.id,
            [problem](Backend backend) { return workOfSteps(problem.snapshot(), backend); },
            [problem](const Exec& exec, int repeat) {
                return secondsOf(problem, exec.backend, repeat);
            }};
}

std::vector<ModelProblem> modelProblems(bool reduced) {
    std::vector<ModelProblem> all;
    for (const DasProblem& problem : dasProblems(reduced)) all.push_back(modelProblem(problem));
    for (const FrontProblem& problem : frontProblems(reduced)) all.push_back(modelProblem(problem));
    for (const OctProblem& problem : octProblems(reduced)) all.push_back(modelProblem(problem));
    return all;
}

PredictedRow rowOf(const ModelProblem& problem, const model::Device& device, double measured) {
    const Backend backend = device.isCpu ? Backend::Cpu : Backend::Cuda;
    const device::PlannedDevice planned = plannedFor(device);
    const StepPrediction all = predictStep(problem.id, {problem.work(backend)}, device);
    return {problem.id,
            measured,
            all.time(),
            all.likely,
            all.plain,
            all.roofline,
            std::string(nameOf(all.bound))};
}

void runModel(const ModelOptions& options) {
    constexpr int kRepeat = 21;
    constexpr int kHostRepeat = 3;
    const BackendChoice here = chooseBackend(options.backend, 0);
    const model::Device device =
        options.device.empty() ? deviceHere(here.backend) : deviceBy(options.device);
    std::optional<BackendChoice> place;
    if (!options.withoutMeasuring) place = placeOf(device);
    const Stream stream(place ? place->backend : Backend::Cpu, "bench");
    const auto problems = chosenProblems(modelProblems(device.isCpu), options.problems, "model");
    std::printf("The models on %s; times without uploads, those measured are medians.\n",
                device.name.c_str());
    constexpr std::size_t kWidth = 6;
    std::fputs(headOfPredictions(kWidth).c_str(), stdout);
    for (const ModelProblem& problem : problems) {
        const double measured = place ? problem.seconds({place->backend, stream.get()},
                                                        device.isCpu ? kHostRepeat : kRepeat)
                                      : 0.0;
        try {
            std::fputs(lineOf(rowOf(problem, device, measured), kWidth).c_str(), stdout);
        } catch (const Error& error) { // its kernels do not fit the device
            printWarnings({error.what()});
        }
        std::fflush(stdout);
    }
}

} // namespace

void addBenchModel(CLI::App& bench) {
    auto options = std::make_shared<ModelOptions>();
    CLI::App* command = bench.add_subcommand(
        "model", "Predict the problems of das, front and oct, measured beside predicted where the "
                 "device is here");
    command->add_option("--device", options->device,
                        "Device file, or the name of one that 'echolux predict' knows (default: "
                        "what this machine has)");
    command
        ->add_option("--backend", options->backend,
                     "auto, cuda or cpu: without --device, which device of this machine")
        ->capture_default_str();
    command->add_option("--problem", options->problems, "Only these, for example D1,O1m")
        ->delimiter(',');
    command->add_flag("--no-measuring", options->withoutMeasuring,
                      "Do not run the problems, where the device is here");
    command->callback([options] { runModel(*options); });
}

} // namespace echolux
