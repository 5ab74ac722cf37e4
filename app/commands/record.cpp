// SPDX-License-Identifier: GPL-3.0-or-later
// echolux record: records a live source without a window.
#include "app/command_line/interrupt.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/simulated_recording.hpp"
#include "app/export/image_recorder.hpp"
#include "app/live/open_live.hpp"
#include "app/live/recorder.hpp"
#include "app/session/prepared_engine.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace echolux {
namespace {

struct RecordOptions {
    std::string address;
    OutputOptions output;
    RecorderSetup setup;
    bool images = false;
    ImagingOptions imaging;         ///< of the images
    std::vector<std::string> views; ///< empty: all
    std::string backend = "auto";
    int gpu = 0;
    double keptMegabytes = static_cast<double>(LivePlace{}.mostBytes) * 1e-6;
};

RecorderSetup setupOf(const RecordOptions& options) {
    RecorderSetup setup = options.setup;
    setup.file = options.output.path;
    setup.overwrite = options.output.force;
    setup.program = "Echolux " ECHOLUX_VERSION;
    setup.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    if (const auto played = replayedFile(options.address)) setup.inUse.push_back(*played);
    return setup;
}

std::size_t keptBytes(const RecordOptions& options) {
    return static_cast<std::size_t>(options.keptMegabytes * 1e6);
}

/// Plays a live source through a pipeline, and records the images.
class Imaging {
public:
    Imaging(const RecordOptions& options, Backend backend) : m_backend(backend) {
        OpenRequest request{options.address};
        request.mostKeptBytes = keptBytes(options);
        request.choosePipeline = [&](const FrameSpec& raw) { return options.imaging.config(raw); };
        m_prepared = prepareEngine(request, EnginePlace(backend, options.gpu));
        m_views = options.views;
    }
    LiveRecording& live() { return *m_prepared.engine->live(); }
    void check(const RecorderSetup& setup) {
        ImageRecorder::check(*m_prepared.engine->snapshot(), {setup, m_views});
    }
    std::unique_ptr<ImageRecorder> begin(const Recorder& recorder, const RecorderSetup& setup) {
        auto images = std::make_unique<ImageRecorder>(*m_prepared.engine, m_backend, recorder,
                                                      ImageRecorderSetup{setup, m_views});
        m_prepared.engine->player().play();
        return images;
    }

private:
    Backend m_backend;
    PreparedEngine m_prepared;
    std::vector<std::string> m_views;
};

/// Waits until the pipeline has passed the last recorded frame, or for a second.
void awaitLastImages(const ImageRecorder& images) {
    constexpr std::chrono::milliseconds kLook{10};
    for (int i = 0; i < 100 && !images.isComplete(); ++i) std::this_thread::sleep_for(kLook);
}

void report(const std::vector<RecordedImages>& views) {
    std::string failures;
    for (const RecordedImages& view : views) {
        for (const std::filesystem::path& file : view.files) fmt::print("{}\n", file.string());
        fmt::print("{}: {} images, without room {}\n", view.view, view.images, view.leftOut);
        failures += (failures.empty() ? "" : " ") + view.failure;
    }
    if (!failures.empty()) throw Error(failures);
}

void recordLive(const RecordOptions& options) {
    if (!options.images && (options.imaging.choosesPipeline() || !options.views.empty()))
        throw Error("--pipeline, --set, --use, --bypass and --view choose images; write --images, "
                    "too.");

    checkLiveAddress(options.address);
    const RecorderSetup setup = setupOf(options);
    checkWritable(setup.file, {setup.overwrite, setup.inUse, setup.deflateLevel});
    const Backend backend = chooseBackend(options.backend, options.gpu).backend;
    std::optional<Imaging> imaging;
    std::unique_ptr<LiveRecording> own;
    if (options.images) {
        imaging.emplace(options, backend);
        imaging->check(setup);
    } else {
        own = openLive(options.address, backend,
                       {.memory = stagingMemory(backend), .mostBytes = keptBytes(options)});
    }
    const StopOnInterrupt guard; // before, Ctrl-C ends the program: there is nothing to complete
    LiveRecording& live = imaging ? imaging->live() : *own;
    RecorderState state;
    std::vector<RecordedImages> recorded;
    {
        Recorder recorder(live, setup);
        std::unique_ptr<ImageRecorder> images;
        if (imaging) images = imaging->begin(recorder, setup);
        while (!recorder.state().finished) {
            if (StopOnInterrupt::isRequested()) recorder.stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        state = recorder.state();
        if (images) {
            awaitLastImages(*images);
            recorded = images->finish();
        }
    }
    if (!state.failure.empty()) throw Error(state.failure);
    const LiveCounters counted = live.counters();
    fmt::print("{}: {} frames, {:.3f} s, {:.1f} MB; missing {}, lost at the source {}, without "
               "room {}, malformed {}\n",
               setup.file.string(), state.frames, state.seconds,
               static_cast<double>(state.bytes) * 1e-6, state.missing, counted.lostAtSource,
               counted.withoutRoom, counted.malformed);
    if (counted.state == LiveState::Ended || counted.state == LiveState::Changed)
        fmt::print("The source has ended: {}\n", counted.reason);
    report(recorded);
    if (state.frames == 0) throw Error("Nothing was recorded: no frame came.");
}

} // namespace

void addRecord(CLI::App& app) {
    auto options = std::make_shared<RecordOptions>();
    CLI::App* command = app.add_subcommand(
        "record", "Record a live source without a window; Ctrl-C ends it (echolux help live)");
    command->add_option("SOURCE", options->address, "Address of the source: shared:NAME, ...")
        ->required();
    options->output.addTo(*command, kRecordingHelp);
    command->add_option("--frames", options->setup.mostFrames, "End after so many frames")
        ->check(CLI::PositiveNumber);
    command->add_option("--seconds", options->setup.mostSeconds, "End after so many seconds")
        ->check(CLI::PositiveNumber);
    command->add_flag("--images", options->images,
                      "Record the images of the views, too, in files of their own");
    command
        ->add_option("--view", options->views,
                     "With --images: this view alone (repeatable; default: all)")
        ->type_name("NAME");
    options->imaging.addPipelineTo(*command);
    options->imaging.addEditsTo(*command);
    command
        ->add_option("--compression", options->setup.deflateLevel,
                     "Deflate level, 0 (none, fastest) to 9")
        ->check(CLI::Range(0, 9))
        ->capture_default_str();
    command
        ->add_option("--keep-megabytes", options->keptMegabytes,
                     "Most memory for frames that wait for the disk")
        ->check(CLI::Range(1.0, 1e7))
        ->capture_default_str();
    command
        ->add_option("--backend", options->backend, "Where a simulator computes: auto, cuda, cpu")
        ->capture_default_str();
    addDeviceTo(*command, options->gpu);
    addPluginsTo(*command);
    command->callback([options] { recordLive(*options); });
}

} // namespace echolux
