// SPDX-License-Identifier: GPL-3.0-or-later
// echolux record: records a live source without a window.
#include "app/commands/commands.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/options.hpp"
#include "app/commands/simulated_recording.hpp"
#include "app/live/open_live.hpp"
#include "app/live/recorder.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <thread>

namespace echolux {
namespace {

struct RecordOptions {
    std::string address;
    OutputOptions output;
    RecorderSetup setup;
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

void recordLive(const RecordOptions& options) {
    checkLiveAddress(options.address);
    const RecorderSetup setup = setupOf(options);
    checkWritable(setup.file, {setup.overwrite, setup.inUse, setup.deflateLevel});
    const StopOnInterrupt guard;
    const Backend backend = chooseBackend(options.backend, options.gpu).backend;
    const auto live =
        openLive(options.address, backend,
                 {.memory = stagingMemory(backend),
                  .mostBytes = static_cast<std::size_t>(options.keptMegabytes * 1e6)});
    RecorderState state;
    {
        Recorder recorder(*live, setup);
        while (!recorder.state().finished) {
            if (StopOnInterrupt::isRequested()) recorder.stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        state = recorder.state();
    }
    const LiveCounters counted = live->counters();
    fmt::print("{}: {} frames, {:.3f} s, {:.1f} MB; missing {}, lost at the source {}, without "
               "room {}, malformed {}\n",
               setup.file.string(), state.frames, state.seconds,
               static_cast<double>(state.bytes) * 1e-6, state.missing, counted.lostAtSource,
               counted.withoutRoom, counted.malformed);
    if (!state.failure.empty()) throw Error(state.failure);
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
