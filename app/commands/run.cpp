// SPDX-License-Identifier: GPL-3.0-or-later
// echolux run: runs a pipeline file over a recording, measures times, and writes its views.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/picture.hpp"
#include "app/commands/run_timing.hpp"
#include "app/dataset/recording/ensemble.hpp"
#include "app/pipeline/runner.hpp"
#include "app/pipeline/view_number.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/environment.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/prepared_engine.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "gpu/memory/transfer.hpp"

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

struct RunOptions {
    ImagingOptions imaging;
    std::int64_t frames = 0; ///< 0: all frames of the recording
    int inFlight = EnginePlace::kUsualInFlight;
    std::optional<int> device;
    std::string timing;
    std::vector<std::string> writes; ///< VIEW=OUT
    std::string colourMapName = "gray";
    bool separately = false;
    bool force = false;
};

/// A file that --write names.
struct ViewFile {
    std::size_t view = 0;
    std::filesystem::path path;
};

std::vector<ViewFile> filesOf(const RunOptions& options, const Snapshot& snapshot) {
    std::vector<ViewFile> files;
    for (const std::string& text : options.writes) {
        const auto equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const std::filesystem::path path =
            equals == std::string::npos ? "" : text.substr(equals + 1);
        if (path.extension() != ".png" && path.extension() != ".npy")
            throw Error(fmt::format(
                "'{}' names no view and file; write VIEW=OUT.png or VIEW=OUT.npy.", text));
        const std::size_t number = viewNumber(snapshot, name);
        const OutputOptions output{path.string(), options.force};
        for (const std::filesystem::path& file : filesOfImage(path)) output.refuseExisting(file);
        files.push_back({number, path});
    }
    return files;
}

/// Called before the work. Throws Error where two outputs have the same file, or where one is the
/// recording: not even --force replaces the recording.
void refuseSameFiles(const RunOptions& options, const std::vector<ViewFile>& views) {
    std::vector<std::filesystem::path> written;
    const auto add = [&](const std::filesystem::path& path) {
        refuseRecording(path, options.imaging.file);
        const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
        if (std::ranges::find(written, place) != written.end())
            throw Error(fmt::format("'{}' would be written twice; choose another name for one.",
                                    path.string()));
        written.push_back(place);
    };
    if (!options.timing.empty()) add(options.timing);
    for (const ViewFile& view : views)
        for (const std::filesystem::path& file : filesOfImage(view.path)) add(file);
}

void writeView(const Runner& runner, int slot, const ViewFile& file, const ColourMap& map) {
    const ConstTensorView image = runner.viewOutput(slot, file.view);
    HostFrameData frame{*image.spec, std::vector<std::byte>(image.spec->bytes())};
    download(runner.exec(slot), frame.bytes.data(), image.data, frame.bytes.size());
    runner.drain();
    writeImage(file.path, std::move(frame), map);
}

void writeTiming(const RunTiming& timing, const std::string& path) {
    const bool json = std::filesystem::path(path).extension() == ".json";
    writeWhole(path, json ? timing.json() : timing.csv());
}

void run(const RunOptions& options) {
    const ColourMap& map = colourMap(options.colourMapName);
    const OutputOptions timingFile{options.timing, options.force};
    if (!options.timing.empty()) {
        const std::string kind = std::filesystem::path(options.timing).extension().string();
        if (kind != ".csv" && kind != ".json")
            throw Error(fmt::format(
                "Times are written as .csv or .json, not as '{}'; write --timing OUT.csv.",
                options.timing));
        timingFile.refuseExisting(options.timing);
    }
    const auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    printWarnings(recording->info().warnings);
    findInitialLevels(*recording);
    const FrameSpec& raw = recording->info().frame;
    const SnapshotPtr snapshot = imagingSnapshot(raw, options.imaging.config(raw));
    printWarnings(snapshot->warnings());
    const EnsembleWindows windows =
        windowsOf(recording->info(), snapshot->ensemble(), snapshot->name);
    const std::vector<ViewFile> files = filesOf(options, *snapshot);
    refuseSameFiles(options, files);
    std::string warning;
    const BackendChoice choice =
        chooseBackend(options.imaging.backend, options.device, snapshot->environment, warning);
    if (!warning.empty()) printWarnings({warning});

    Runner runner(choice.backend, options.inFlight,
                  options.separately ? Fusing::Never : Fusing::Allowed);
    runner.timeEveryFrame();
    runner.apply(snapshot);
    std::vector<Buffer> staging;
    for (int i = 0; i < runner.slotCount(); ++i)
        staging.emplace_back(stagingMemory(choice.backend), snapshot->input.bytes());
    RunTiming timing(runner);
    const std::int64_t count = windows.count();
    const std::int64_t asked = (options.frames + windows.each - 1) / windows.each;
    const std::int64_t images = options.frames > 0 ? asked : count;
    const std::int64_t frames = images * windows.each;
    const auto begin = std::chrono::steady_clock::now();
    // Slots are used in turn. The times of a frame are read when its slot is used again.
    int slot = -1;
    for (std::int64_t n = 0; n < images; ++n) {
        slot = static_cast<int>(n % runner.slotCount());
        runner.wait(slot);
        if (n >= runner.slotCount()) timing.add(runner.timing(slot));
        const Buffer& raws = staging[static_cast<std::size_t>(slot)];
        const std::int64_t index = n % count * windows.each;
        if (index == 0) runner.reset();
        readFrames(*recording, index, {raws.as<std::byte>(), raws.bytes()});
        runner.enqueue({.raw = raws.as<std::byte>(), .frame = index});
    }
    runner.drain();
    for (std::int64_t n = std::max<std::int64_t>(images - runner.slotCount(), 0); n < images; ++n)
        timing.add(runner.timing(static_cast<int>(n % runner.slotCount())));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (const ViewFile& file : files) writeView(runner, slot, file, map);
    if (!options.timing.empty()) writeTiming(timing, options.timing);
    std::printf("%s on %s, %lld frames, %.1f frames/s, reading included\n%s",
                snapshot->name.c_str(), choice.device.c_str(), static_cast<long long>(frames),
                static_cast<double>(frames) / took.count(), timing.table().c_str());
}

} // namespace

void addRun(CLI::App& app) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run a pipeline over a recording, print the time "
                                                  "that each stage takes, and write its views");
    command->footer("For one frame that you choose: 'echolux render'.\nFor several frames, cines "
                    "and files for other programs: 'echolux export'.\n'echolux help output' "
                    "compares them. Frames, transmits and channels are counted from 1.");
    options->imaging.addPipelineArgumentTo(*command);
    options->imaging.addFileTo(*command, true);
    options->imaging.addEditsTo(*command);
    options->imaging.addBackendTo(*command, options->device);
    command
        ->add_option("--frames", options->frames,
                     "Number of frames to run, in whole ensembles; after its end the recording "
                     "begins again (default: all frames)")
        ->check(CLI::Range(1, 100000000));
    addSlotsTo(*command, options->inFlight);
    command->add_option("--timing", options->timing,
                        "OUT.csv, one row per frame or ensemble, or OUT.json; milliseconds");
    command->add_option("--write", options->writes,
                        "VIEW=OUT.png or VIEW=OUT.npy: write the last frame of this view "
                        "(repeatable); a pipeline that names no view has 'image'");
    command->add_flag(
        "--time-stages-separately", options->separately,
        "Run each stage by itself, so that each has its own time; the pipeline is slower this way");
    command->add_option("--colour-map", options->colourMapName, "Colour map of pictures")
        ->capture_default_str();
    command->add_flag("--force", options->force, "Replace files where they exist");
    command->callback([options] { run(*options); });
}

} // namespace echolux
