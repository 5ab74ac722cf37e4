// SPDX-License-Identifier: GPL-3.0-or-later
// echolux predict: what a pipeline would take on a device, and what bounds it.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/pipeline/runner.hpp"
#include "app/prediction/device_file.hpp"
#include "app/prediction/device_here.hpp"
#include "app/prediction/predict_report.hpp"
#include "app/prediction/timed_work.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/environment.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/prepared_engine.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct PredictOptions {
    ImagingOptions imaging;
    std::vector<std::string> devices;
    std::string work;
    bool allDevices = false;
    bool withoutMeasuring = false;
    bool separately = false;
    bool json = false;
    int inFlight = EnginePlace::kUsualInFlight;

    Fusing fusing() const { return separately ? Fusing::Never : Fusing::Allowed; }
};

/// The device that the pipeline would run on here.
model::Device deviceFor(const PredictOptions& options, const Snapshot& snapshot) {
    std::string warning;
    const BackendChoice choice =
        chooseBackend(options.imaging.backend, std::nullopt, snapshot.environment, warning);
    if (!warning.empty()) printWarnings({warning});
    return deviceHere(choice.backend);
}

std::vector<model::Device> devicesOf(const PredictOptions& options, const Snapshot& snapshot) {
    if (options.allDevices) return {shippedDevices().begin(), shippedDevices().end()};
    std::vector<model::Device> devices;
    for (const std::string& name : options.devices) devices.push_back(deviceBy(name));
    if (devices.empty()) devices.push_back(deviceFor(options, snapshot));
    return devices;
}

/// Median time of each step over frames of about half a second, in seconds. The same frame is run
/// again and again. Less what a GPU needs to mark the time between two steps.
std::vector<double> measure(const PredictOptions& options, const BackendChoice& place,
                            Recording& recording, const SnapshotPtr& snapshot) {
    constexpr std::chrono::milliseconds kTime(500);
    constexpr int kMarks = 101;
    Runner runner(place.backend, 1, options.fusing());
    runner.apply(snapshot);
    const Buffer raw(stagingMemory(place.backend), snapshot->input.bytes());
    readFrames(recording, 0, {raw.as<std::byte>(), raw.bytes()});
    std::vector<double> seconds = stepMedians(runner, {.raw = raw.as<std::byte>()}, kTime).stepMs;
    const bool cuda = place.backend == Backend::Cuda;
    const double markMs = cuda ? medianWorkMs(runner.exec(0), kMarks, 1, [] {}) : 0.0;
    for (double& time : seconds) time = std::max(time - markMs, 0.0) * 1e-3;
    return seconds;
}

void predict(const PredictOptions& options) {
    const auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    printWarnings(recording->info().warnings);
    findInitialLevels(*recording);
    const FrameSpec& raw = recording->info().frame;
    const SnapshotPtr snapshot = imagingSnapshot(raw, options.imaging.config(raw));
    PredictionTask task{options.fusing(), static_cast<std::size_t>(options.inFlight)};
    if (!options.work.empty()) task.counts = readWork(options.work);
    std::vector<PredictedDevice> predicted;
    for (model::Device& device : devicesOf(options, *snapshot)) {
        PredictedDevice each{std::move(device), {}, {}};
        try {
            each.prediction = predictPipeline(snapshot, each.device, task);
        } catch (const Error& error) {
            if (!options.allDevices) throw;
            printWarnings({error.what()});
            continue;
        }
        const auto place = placeOf(each.device);
        if (place && !options.withoutMeasuring)
            each.measured = measure(options, *place, *recording, snapshot);
        predicted.push_back(std::move(each));
    }
    std::string text;
    if (options.json) {
        text = jsonOf(snapshot->name, predicted);
    } else if (options.allDevices) {
        text = summaryOf(snapshot->name, predicted);
    } else {
        for (const PredictedDevice& each : predicted)
            text += (text.empty() ? "" : "\n") + tableOf(snapshot->name, each);
    }
    std::fputs(text.c_str(), stdout);
}

} // namespace

void addPredict(CLI::App& app) {
    auto options = std::make_shared<PredictOptions>();
    CLI::App* command = app.add_subcommand(
        "predict",
        "Predict how long each stage of a pipeline takes on a device, and what bounds it");
    command->footer(
        "Each stage is predicted by three models: that of Echolux, that of van Bavel (2013), and "
        "his utilisation roofline. Where the device is here, measured times stand beside them; the "
        "error is |measured - middle| / measured.\n'echolux microbench' writes device files.");
    options->imaging.addPipelineArgumentTo(*command);
    options->imaging.addFileTo(*command, true);
    options->imaging.addEditsTo(*command);
    options->imaging.backend.clear();
    std::vector<std::string> names;
    for (const model::Device& device : shippedDevices()) names.push_back(device.id);
    auto* all = command->add_flag("--all-devices", options->allDevices,
                                  "All devices that come with the program, a line for each");
    command
        ->add_option("--device", options->devices,
                     fmt::format("Device file, or one of: {} (repeatable; without it: what this "
                                 "machine has)",
                                 fmt::join(names, ", ")))
        ->excludes(all);
    command->add_option("--backend", options->imaging.backend,
                        "auto, cuda or cpu: without --device, which device of this machine");
    command->add_option("--work", options->work,
                        "Work file (.toml): kernels with counts of your own, in place of those of "
                        "steps; 'echolux help predictions' says what it holds");
    command->add_flag("--no-measuring", options->withoutMeasuring,
                      "Do not run the pipeline, where the device is here");
    command->add_flag("--time-stages-separately", options->separately,
                      "Predict each stage by itself, not several as one kernel");
    addSlotsTo(*command, options->inFlight);
    command->add_flag("--json", options->json, "As JSON, in seconds and bytes");
    command->callback([options] { predict(*options); });
}

} // namespace echolux
