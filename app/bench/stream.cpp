// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a recording, counts frames, and reports.
#include "app/bench/stream.hpp"

#include "app/bench/split.hpp"
#include "app/command_line/options.hpp"
#include "app/session/checked_image.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace echolux {
namespace {

/// Wakes a waiting thread for each new image, and keeps the first failure.
class Progress {
public:
    Engine::Callbacks callbacks() {
        return {[this](std::size_t) { note({}); },
                [this](const std::string& sentence) { note(sentence); }, [] {}};
    }

    /// Waits until `done` is true, which is checked after every image, or until `end`.
    template <class Done> void waitFor(const Done& done, std::optional<Clock::time_point> end) {
        std::unique_lock lock(m_mutex);
        const auto over = [&] { return m_failure.has_value() || done(); };
        while (!over()) {
            if (!end) {
                m_news.wait(lock);
            } else if (m_news.wait_until(lock, *end) == std::cv_status::timeout) {
                break;
            }
        }
        if (m_failure) throw Error(*m_failure);
    }

private:
    void note(const std::string& failure) {
        {
            const std::lock_guard lock(m_mutex);
            if (!failure.empty() && !m_failure) m_failure = failure;
        }
        m_news.notify_one();
    }

    std::mutex m_mutex;
    std::condition_variable m_news;
    std::optional<std::string> m_failure;
};

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

Clock::duration lengthOf(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Frames per second while both snapshots are posted in turn, as often as a screen refreshes.
void measureEdited(Engine& engine, Progress& progress, const std::array<SnapshotPtr, 2>& posted,
                   double seconds, StreamResult& result) {
    constexpr double kEditsPerS = 60.0;
    const std::uint64_t before = engine.statistics().framesProcessed;
    const auto begin = Clock::now();
    std::size_t edits = 0;
    while (secondsSince(begin) < seconds) {
        engine.post(posted[++edits % 2]);
        progress.waitFor([] { return false; },
                         begin + lengthOf(static_cast<double>(edits) / kEditsPerS));
    }
    const double length = secondsSince(begin);
    const std::uint64_t frames = engine.statistics().framesProcessed - before;
    result.framesPerSEdited = static_cast<double>(frames) / length;
    result.editsPerS = static_cast<double>(edits) / length;
}

} // namespace

StreamResult streamRecording(std::unique_ptr<Recording> recording, SnapshotPtr snapshot,
                             Backend backend, double seconds, SnapshotPtr edited) {
    Progress progress;
    const SnapshotPtr first = snapshot;
    Engine engine(std::move(recording), std::move(snapshot), backend, progress.callbacks());
    // The first pass reads from the disk, allocates memory, and begins to image whole runs of
    // frames.
    const auto once = static_cast<std::uint64_t>(engine.info().frameCount) + 1;
    engine.player().setSpeed(0.0);
    engine.player().play();
    progress.waitFor([&] { return engine.statistics().framesProcessed > 2 * once; }, {});
    engine.resetCounters();
    const Statistics before = engine.statistics();
    const auto begin = Clock::now();
    progress.waitFor([] { return false; }, begin + lengthOf(seconds));
    const Statistics after = engine.statistics();
    StreamResult result;
    result.seconds = secondsSince(begin);
    const auto frames = static_cast<double>(after.framesProcessed - before.framesProcessed);
    const FrameSpec& raw = engine.info().frame;
    result.framesPerS = frames / result.seconds;
    if (raw.spectrometer != nullptr) {
        result.ascansPerS =
            result.framesPerS *
            static_cast<double>(raw.sizeOf(AxisName::Lateral) * raw.sizeOf(AxisName::Elevation));
    }
    result.gigabytesPerS = result.framesPerS * static_cast<double>(raw.bytes()) / 1e9;
    result.framesPerRun = engine.framesPerRun();
    result.keptBytes = after.recordingBytesKept;
    result.copiesToHost = after.deviceToHostCopies;
    result.allocations = after.allocations;
    result.frameMs = after.frame.mean;
    result.uploadMs = after.upload.mean;
    result.stages = after.stages;
    if (edited) measureEdited(engine, progress, {first, std::move(edited)}, seconds, result);
    return result;
}

namespace {

struct StreamOptions {
    ImagingOptions imaging;
    double seconds = 5.0;
    std::string edit; ///< stage.key=value; empty: nothing is edited
    std::string json;
    std::vector<int> gpus; ///< that share the stream; empty: plays on one
};

/// The pipeline with the other value of the edit; null where nothing is edited.
SnapshotPtr editedSnapshot(const StreamOptions& options, const FrameSpec& raw) {
    if (options.edit.empty()) return nullptr;
    PipelineConfig config = options.imaging.config(raw);
    applySetting(config, options.edit);
    return imagingSnapshot(raw, config);
}

void runStream(const StreamOptions& options) {
    std::optional<PartialFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const BackendChoice choice = chooseBackend(options.imaging.backend, options.imaging.gpu);
    auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    const FrameSpec raw = recording->info().frame;
    const std::int64_t frames = recording->info().frameCount;
    SnapshotPtr snapshot = imagingSnapshot(raw, options.imaging.config(raw));
    std::printf("%s\n", fmt::format("{} frames of {} on {} ({}), played as fast as possible.",
                                    frames, raw.describe(), choice.device, nameOf(choice.backend))
                            .c_str());
    SnapshotPtr edited = editedSnapshot(options, raw);
    const StreamResult result = streamRecording(std::move(recording), std::move(snapshot),
                                                choice.backend, options.seconds, std::move(edited));
    std::printf("%s\n",
                fmt::format("  {:.1f} frames/s, {:.2f} GB/s{}; {} at once; {:.0f} MB kept in "
                            "{} memory",
                            result.framesPerS, result.gigabytesPerS,
                            result.ascansPerS > 0.0
                                ? fmt::format(", {:.2f} million A-scans/s", result.ascansPerS / 1e6)
                                : "",
                            result.framesPerRun, static_cast<double>(result.keptBytes) / 1e6,
                            choice.backend == Backend::Cuda ? "pinned" : "plain")
                    .c_str());
    std::printf("  %-40s %10.4f ms\n", "one frame", result.frameMs);
    std::printf("  %-40s %10.4f ms\n", "upload", result.uploadMs);
    nlohmann::ordered_json stages;
    for (const StageDuration& stage : result.stages) {
        const std::string label = labelOf(stage.ids);
        std::printf("  %-40s %10.4f ms\n", label.c_str(), stage.ms.mean);
        stages[label] = stage.ms.mean;
    }
    std::printf("  %llu copies to the host, %llu allocations in %.1f s\n",
                static_cast<unsigned long long>(result.copiesToHost),
                static_cast<unsigned long long>(result.allocations), result.seconds);
    if (result.editsPerS > 0.0 && result.framesPerS > 0.0)
        std::printf("  %.1f frames/s while %s changes %.0f times per second (%+.1f %%)\n",
                    result.framesPerSEdited, options.edit.c_str(), result.editsPerS,
                    100.0 * (result.framesPerSEdited / result.framesPerS - 1.0));
    if (!json) return;
    const nlohmann::ordered_json report{{"bench", "stream"},
                                        {"backend", nameOf(choice.backend)},
                                        {"device", choice.device},
                                        {"input", raw.describe()},
                                        {"frames", frames},
                                        {"seconds", result.seconds},
                                        {"frames_per_second", result.framesPerS},
                                        {"frames_per_second_edited", result.framesPerSEdited},
                                        {"edits_per_second", result.editsPerS},
                                        {"ascans_per_second", result.ascansPerS},
                                        {"gigabytes_per_second", result.gigabytesPerS},
                                        {"frames_per_run", result.framesPerRun},
                                        {"kept_bytes", result.keptBytes},
                                        {"frame_ms", result.frameMs},
                                        {"upload_ms", result.uploadMs},
                                        {"stage_ms", stages},
                                        {"copies_to_host", result.copiesToHost},
                                        {"allocations", result.allocations}};
    json->finish(report.dump(2) + '\n');
}

} // namespace

void addBenchStream(CLI::App& bench) {
    auto options = std::make_shared<StreamOptions>();
    CLI::App* stream = bench.add_subcommand(
        "stream", "Play a recording as fast as possible, from host memory to images");
    options->imaging.addTo(*stream);
    stream->add_option("--seconds", options->seconds, "How long to measure, after one pass")
        ->check(CLI::Range(0.1, 3600.0))
        ->capture_default_str();
    auto* gpus = stream->add_option(
        "--gpus", options->gpus,
        "GPUs that share the stream, such as 0,1: each images its part of the frames, or of the "
        "B-scans of each volume, and the images are gathered on the host");
    gpus->delimiter(',')->excludes(stream->get_option("--device"));
    auto* edit = stream->add_option(
        "--edit", options->edit,
        "stage.key=value: measure again while the value changes to this one and back, "
        "60 times per second");
    edit->excludes(gpus);
    stream->add_option("--json", options->json, "Write the figures to this file");
    stream->callback([options] {
        if (options->gpus.empty()) return runStream(*options);
        runSplitStream(options->imaging, options->gpus, options->seconds, options->json);
    });
}

} // namespace echolux
