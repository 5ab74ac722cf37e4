// SPDX-License-Identifier: GPL-3.0-or-later
// echolux batch: pictures, values, figures and reports of many recordings.
#include "app/command_line/options.hpp"
#include "app/commands/batch_course.hpp"
#include "app/commands/batch_inputs.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/part_context.hpp"
#include "app/commands/run_program.hpp"
#include "app/pipeline/plugin_file.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr int kMostJobs = 256;

struct BatchOptions {
    std::string pipeline;
    std::vector<std::string> files;
    std::string folder;
    std::vector<std::string> write; ///< endings
    std::string measure;
    std::string frames;
    bool report = false;
    std::vector<std::string> settings;
    std::vector<std::filesystem::path> plugins; ///< libraries whose readers may open the recordings
    int jobs = 1;
    std::string backend; ///< of all jobs; empty: that of the pipeline
    std::optional<int> device;
    std::vector<int> gpus;
    std::int64_t framesPerJob = 0; ///< 0: a recording is one job
    bool list = false;
    bool json = false;
    bool again = false;
    std::string program; ///< for tests
};

std::vector<std::string> sharedWords(const BatchOptions& options, const std::string& file) {
    std::vector<std::string> words{file};
    if (options.pipeline != "auto") words.insert(words.end(), {"--pipeline", options.pipeline});
    for (const std::string& setting : options.settings)
        words.insert(words.end(), {"--set", setting});
    for (const std::filesystem::path& plugin : options.plugins)
        words.insert(words.end(), {"--plugin", plugin.string()});
    if (!options.backend.empty()) words.insert(words.end(), {"--backend", options.backend});
    if (options.device) words.insert(words.end(), {"--device", std::to_string(*options.device)});
    return words;
}

BatchNames namesOf(const BatchOptions& options, const std::string& file) {
    BatchNames names{.recording = file,
                     .named = {options.pipeline, options.measure},
                     .measuresBeside = options.report && options.measure.empty()};
    names.named.insert(names.named.end(), options.plugins.begin(), options.plugins.end());
    for (const std::string& setting : options.settings)
        names.named.emplace_back(setting.substr(setting.find('=') + 1));
    return names;
}

PlannedJob jobOf(const BatchOptions& options, const std::string& file) {
    const std::filesystem::path folder(options.folder);
    const std::string name = std::filesystem::path(file).filename().string();
    PlannedJob planned;
    BatchJob& job = planned.job;
    planned.shares = {.frames = options.framesPerJob,
                      .base = sharedWords(options, file),
                      .range = options.frames,
                      .steps = {},
                      .targets = {}};
    job.recording = file;
    job.result = folder / (name + ".batch.json");
    const auto add = [&](const char* command, const std::string& ending,
                         const std::vector<std::string>& more) {
        job.outputs.push_back(folder / (name + ending));
        std::vector<std::string> step{command};
        step.insert(step.end(), planned.shares.base.begin(), planned.shares.base.end());
        step.insert(step.end(), more.begin(), more.end());
        step.insert(step.end(), {"-o", job.outputs.back().string(), "--force"});
        job.steps.push_back(std::move(step));
    };
    for (const std::string& word : options.write) {
        const std::string ending = word.starts_with('.') ? word : "." + word;
        std::vector<std::string> frames;
        if (!options.frames.empty()) frames = {"--frames", options.frames};
        add("export", ending, frames);
        if (ending == ".npy") job.outputs.push_back(folder / (name + ".json")); // its axes
        if (!takesParts(ending, !frames.empty())) continue;
        planned.shares.steps.push_back(job.steps.size() - 1);
        planned.shares.targets.push_back(folder / (name + ending));
    }
    if (!options.measure.empty())
        add("measure", ".measured.json", {"--measure", options.measure, "--every-frame"});
    if (options.report) {
        std::vector<std::string> measured;
        if (!options.measure.empty()) measured = {"--measure", options.measure};
        add("report", ".html", measured);
    }
    if (!options.gpus.empty()) job.backend = "cuda";
    job.inputFiles = inputsOf(namesOf(options, file));
    return planned;
}

/// Throws Error where two recordings would have the same result.
std::vector<PlannedJob> jobsOf(const BatchOptions& options) {
    std::vector<PlannedJob> jobs;
    std::map<std::string, std::string> names;
    for (const std::string& file : options.files) {
        const std::string name = std::filesystem::path(file).filename().string();
        const auto [known, fresh] = names.emplace(name, file);
        if (!fresh)
            throw Error(fmt::format("'{}' and '{}' have the same name, so their results would "
                                    "overwrite each other; run them into different folders.",
                                    known->second, file));
        jobs.push_back(jobOf(options, file));
    }
    return jobs;
}

BatchSetup setupOf(const BatchOptions& options) {
    BatchSetup setup;
    setup.program =
        options.program.empty() ? thisProgram() : std::filesystem::path(options.program);
    setup.version = partContext(0).program;
    setup.folder = options.folder;
    setup.atOnce = options.jobs;
    setup.gpus = options.gpus;
    setup.again = options.again;
    return setup;
}

void printLines(const std::vector<PlannedJob>& jobs) {
    for (const auto& [job, shares] : jobs) {
        if (!job.parts.empty())
            std::printf("%s\n",
                        shellText({"mkdir", "-p", job.parts.front().output.parent_path().string()})
                            .c_str());
        for (const BatchPart& part : job.parts) std::printf("%s\n", commandLine(part.step).c_str());
        for (const auto& step : job.steps) std::printf("%s\n", commandLine(step).c_str());
    }
}

void printJson(const std::vector<PlannedJob>& jobs) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& [job, shares] : jobs) {
        nlohmann::ordered_json entry{{"recording", job.recording.string()},
                                     {"result", job.result.string()},
                                     {"inputs", nlohmann::ordered_json::array()},
                                     {"parts", nlohmann::ordered_json::array()}};
        for (const std::filesystem::path& input : job.inputFiles)
            if (std::filesystem::exists(input)) entry["inputs"].push_back(input.string());
        for (const BatchPart& part : job.parts)
            entry["parts"].push_back(
                {{"output", part.output.string()}, {"command", commandLine(part.step)}});
        for (const auto& step : job.steps) entry["commands"].push_back(commandLine(step));
        list.push_back(std::move(entry));
    }
    std::printf("%s\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

void runBatch(BatchOptions options) {
    if (options.write.empty() && options.measure.empty() && !options.report)
        options.write = {"png"};
    if (options.json && !options.list)
        throw Error("--json is the form of a list; add --list, or leave it out.");
    const BatchSetup setup = setupOf(options);
    std::vector<PlannedJob> jobs = jobsOf(options);
    if (options.list) {
        shareAll(jobs, setup);
        return options.json ? printJson(jobs) : printLines(jobs);
    }
    std::error_code failed;
    std::filesystem::create_directories(options.folder, failed);
    if (failed)
        throw Error(
            fmt::format("The folder '{}' cannot be made: {}.", options.folder, failed.message()));
    BatchCourse(setup, std::move(jobs)).run();
}

} // namespace

void addBatch(CLI::App& app) {
    auto options = std::make_shared<BatchOptions>();
    CLI::App* command = app.add_subcommand(
        "batch", "Image, measure and report many recordings; resume where it was interrupted");
    command->footer(
        "Each recording has a file NAME.batch.json in the folder that says how it ended. What "
        "is done is kept while the files, the program, and all that they depend on stay "
        "as they are.\n'echolux help output' shows more.");
    command
        ->add_option("PIPELINE", options->pipeline,
                     "Pipeline or its file; auto: suited to each recording")
        ->required();
    command->add_option("FILES", options->files, "Recordings")->required();
    command->add_option("-o,--output", options->folder, "Folder of the results")->required();
    command
        ->add_option("--write", options->write,
                     "Endings of files to export: png, tif, mp4, npz, mat, nrrd, ...")
        ->delimiter(',');
    command->add_option("--frames", options->frames, "Frames that are exported, as first:last");
    command->add_option("--measure", options->measure,
                        "Measurements, for the figures of every frame ('echolux help measure')");
    command->add_flag("--report", options->report, "Write a page per recording");
    command->add_option("--set", options->settings, "stage.key=value, for all recordings");
    command
        ->add_option_function<std::vector<std::string>>(
            "--plugin",
            [options](const std::vector<std::string>& libraries) {
                for (const std::string& each : libraries)
                    options->plugins.push_back(findPlugin(each, {}));
            },
            "Library whose readers may open the recordings (repeatable; 'echolux help plugins')")
        ->allow_extra_args(false);
    command->add_option("--jobs", options->jobs, "Recordings, or parts of them, at once")
        ->check(CLI::Range(1, kMostJobs))
        ->capture_default_str();
    CLI::Option* backend =
        command
            ->add_option("--backend", options->backend,
                         "auto, cuda or cpu, in place of the pipeline's environment")
            ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    CLI::Option* device =
        command->add_option("--device", options->device, "Number of the GPU, from 0, for all jobs")
            ->check(CLI::NonNegativeNumber);
    command->add_option("--gpus", options->gpus, "Numbers of the GPUs that the jobs share: 0,1")
        ->delimiter(',')
        ->excludes(backend, device);
    command
        ->add_option("--frames-per-job", options->framesPerJob,
                     "Share the frames of a recording between jobs of about this many frames; the "
                     "files stay the same to the byte")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
    command->add_flag("--list", options->list, "Print the commands instead of running them");
    command->add_flag("--json", options->json, "With --list: print jobs, inputs and parts as JSON");
    command->add_flag("--again", options->again, "Do again what is done");
    command->add_option("--program", options->program)->group("");
    command->callback([options] { runBatch(*options); });
}

} // namespace echolux
