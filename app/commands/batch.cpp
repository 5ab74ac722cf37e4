// SPDX-License-Identifier: GPL-3.0-or-later
// echolux batch: pictures, values, figures and reports of many recordings.
#include "app/commands/batch_job.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output_file.hpp"
#include "app/commands/run_program.hpp"
#include "app/pipeline/plugin_file.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

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
    std::vector<int> gpus;
    bool list = false;
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
    return words;
}

BatchJob jobOf(const BatchOptions& options, const std::string& file) {
    const std::filesystem::path folder(options.folder);
    const std::string name = std::filesystem::path(file).filename().string();
    BatchJob job;
    job.recording = file;
    job.result = folder / (name + ".json");
    const auto add = [&](const char* command, const std::string& ending,
                         const std::vector<std::string>& more) {
        job.outputs.push_back(folder / (name + ending));
        std::vector<std::string> step{command};
        const std::vector<std::string> shared = sharedWords(options, file);
        step.insert(step.end(), shared.begin(), shared.end());
        step.insert(step.end(), more.begin(), more.end());
        step.insert(step.end(), {"-o", job.outputs.back().string(), "--force"});
        job.steps.push_back(std::move(step));
    };
    for (const std::string& ending : options.write) {
        std::vector<std::string> frames;
        if (!options.frames.empty()) frames = {"--frames", options.frames};
        add("export", ending.starts_with('.') ? ending : "." + ending, frames);
    }
    if (!options.measure.empty())
        add("measure", ".measured.json", {"--measure", options.measure, "--every-frame"});
    if (options.report) {
        std::vector<std::string> measured;
        if (!options.measure.empty()) measured = {"--measure", options.measure};
        add("report", ".html", measured);
    }
    std::vector<std::filesystem::path> named{options.pipeline, options.measure};
    named.insert(named.end(), options.plugins.begin(), options.plugins.end());
    setKey(job, named);
    return job;
}

/// Throws Error where two recordings would have the same result.
std::vector<BatchJob> jobsOf(const BatchOptions& options) {
    std::vector<BatchJob> jobs;
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

/// Gives the jobs to as many threads as are wanted, and counts.
class Course {
public:
    Course(const BatchOptions& options, std::vector<BatchJob> jobs)
        : m_options(options), m_jobs(std::move(jobs)),
          m_program(options.program.empty() ? thisProgram()
                                            : std::filesystem::path(options.program)) {}

    void run() {
        {
            std::vector<std::jthread> workers;
            const auto count = std::min(static_cast<std::size_t>(m_options.jobs), m_jobs.size());
            for (std::size_t n = 0; n < count; ++n) workers.emplace_back([this, n] { work(n); });
        }
        std::printf("%zu done, %zu kept, %zu failed\n", m_done, m_kept, m_failed);
        if (m_failed > 0)
            throw Error(fmt::format("{} of {} recordings failed; their files in '{}' say why. The "
                                    "same command tries these again.",
                                    m_failed, m_jobs.size(), m_options.folder));
    }

private:
    void work(std::size_t worker) {
        std::vector<std::string> more;
        if (!m_options.gpus.empty()) {
            const int gpu = m_options.gpus[worker % m_options.gpus.size()];
            more = {"--backend", "cuda", "--device", std::to_string(gpu)};
        }
        for (;;) {
            std::size_t n = 0;
            {
                const std::lock_guard lock(m_mutex);
                if (m_next == m_jobs.size()) return;
                n = m_next++;
            }
            const BatchJob& job = m_jobs[n];
            if (!m_options.again && isDone(job)) {
                tell(m_kept, "kept", job, "");
                continue;
            }
            const nlohmann::ordered_json result = runJob(job, m_program, more);
            std::string error = result.value("error", "");
            try {
                writeText(job.result.string(), result.dump(2) + '\n');
            } catch (const Error& refused) {
                error = refused.what();
            }
            if (error.empty())
                tell(m_done, "done", job,
                     fmt::format(" {:.2f} s", result["seconds"].get<double>()));
            else
                tell(m_failed, "failed", job, ": " + error);
        }
    }

    void tell(std::size_t& count, const char* what, const BatchJob& job, const std::string& more) {
        const std::lock_guard lock(m_mutex);
        ++count;
        std::printf("[%zu/%zu] %s %s%s\n", m_done + m_kept + m_failed, m_jobs.size(), what,
                    job.recording.filename().c_str(), more.c_str());
        std::fflush(stdout);
    }

    const BatchOptions& m_options;
    std::vector<BatchJob> m_jobs;
    std::filesystem::path m_program;
    std::mutex m_mutex; ///< guards what follows
    std::size_t m_next = 0;
    std::size_t m_done = 0;
    std::size_t m_kept = 0;
    std::size_t m_failed = 0;
};

void runBatch(BatchOptions options) {
    if (options.write.empty() && options.measure.empty() && !options.report)
        options.write = {"png"};
    std::vector<BatchJob> jobs = jobsOf(options);
    if (options.list) {
        for (const BatchJob& job : jobs)
            for (const auto& step : job.steps) {
                std::vector<std::string> words{"echolux"};
                words.insert(words.end(), step.begin(), step.end());
                std::printf("%s\n", shellText(words).c_str());
            }
        return;
    }
    std::error_code failed;
    std::filesystem::create_directories(options.folder, failed);
    if (failed)
        throw Error(
            fmt::format("The folder '{}' cannot be made: {}.", options.folder, failed.message()));
    Course(options, std::move(jobs)).run();
}

} // namespace

void addBatch(CLI::App& app) {
    auto options = std::make_shared<BatchOptions>();
    CLI::App* command = app.add_subcommand(
        "batch", "Image, measure and report many recordings; resume where it was interrupted");
    command->footer(
        "Each recording has a file NAME.json in the folder that says how it ended. What "
        "is done is kept unless the recording, the pipeline, the measurements or the "
        "options changed.\n'echolux help output' shows more.");
    acceptBackend(*command);
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
    command->add_option("--jobs", options->jobs, "Recordings at once")
        ->check(CLI::Range(1, kMostJobs))
        ->capture_default_str();
    command->add_option("--gpus", options->gpus, "Numbers of the GPUs that the jobs share: 0,1")
        ->delimiter(',');
    command->add_flag("--list", options->list, "Print the commands instead of running them");
    command->add_flag("--again", options->again, "Do again what is done");
    command->add_option("--program", options->program)->group("");
    command->callback([options] { runBatch(*options); });
}

} // namespace echolux
