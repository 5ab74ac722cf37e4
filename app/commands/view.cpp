// SPDX-License-Identifier: GPL-3.0-or-later
// echolux view: opens the window.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/desktop/run_window.hpp"
#include "app/live/open_live.hpp"
#include "app/session/environment.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

namespace echolux {
namespace {

struct ViewOptions {
    ImagingOptions imaging;
    std::optional<int> device;
    WindowRun window;
    std::string source;
    double keptSeconds = LivePlace{}.seconds;
    double keptMegabytes = static_cast<double>(LivePlace{}.mostBytes) * 1e-6;
    bool force = false;
};

void view(const ViewOptions& options) {
    for (const std::string& file :
         {options.window.screenshot, options.window.stats, options.window.session}) {
        if (file.empty()) continue;
        OutputOptions{file, options.force}.refuseExisting(file);
        if (!options.imaging.file.empty()) refuseRecording(file, options.imaging.file);
    }
    WindowRun run = options.window;
    OpenRequest& recording = run.recording;
    if (!options.source.empty() && !options.imaging.file.empty())
        throw Error("Give a FILE or a --source, not both.");
    if (!options.source.empty()) checkLiveAddress(options.source);
    recording.file = options.source.empty() ? options.imaging.file : options.source;
    recording.keptSeconds = options.keptSeconds;
    recording.mostKeptBytes = static_cast<std::size_t>(options.keptMegabytes * 1e6);
    recording.options = options.imaging.openOptions();
    if (options.imaging.choosesPipeline()) {
        recording.choosePipeline = [imaging = options.imaging](const FrameSpec& raw) {
            return imaging.config(raw);
        };
    }
    run.version = ECHOLUX_VERSION;
    std::string warning;
    run.backend = chooseBackend(options.imaging.backend, options.device,
                                options.imaging.environment(), warning);
    if (!warning.empty()) printWarnings({warning});
    runWindow(run);
}

} // namespace

void addView(CLI::App& app) {
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command = app.add_subcommand("view", "Open the window, playing a recording live");
    options->imaging.addFileTo(*command, false);
    std::string kinds;
    for (const auto& [address, what] : liveAddressKinds())
        kinds += fmt::format("{}{} ({})", kinds.empty() ? "" : ", ", address, what);
    auto* source = command->add_option("--source", options->source,
                                       "Show a live source instead of a file: " + kinds);
    command
        ->add_option("--keep-seconds", options->keptSeconds,
                     "Of a live source: seconds that are kept in memory, to look at while frozen")
        ->check(CLI::Range(0.1, 86400.0))
        ->needs(source);
    command
        ->add_option("--keep-megabytes", options->keptMegabytes,
                     "Of a live source: the most memory of kept frames")
        ->check(CLI::Range(1.0, 1e7))
        ->needs(source);
    command
        ->add_option("--publish", options->window.publish,
                     "Send each image to other programs, at igtl:PORT (OpenIGTLink) or zmq:PORT "
                     "(ZeroMQ); repeatable (echolux help live)")
        ->allow_extra_args(false);
    options->imaging.addPipelineTo(*command);
    options->imaging.addEditsTo(*command);
    options->imaging.addBackendTo(*command, options->device);
    addSlotsTo(*command, options->window.inFlight);
    auto* exitAfter =
        command
            ->add_option("--exit-after", options->window.exitAfterS, "Close after so many seconds")
            ->check(CLI::PositiveNumber);
    command
        ->add_option("--screenshot", options->window.screenshot,
                     "On closing: PNG of the window, with all settings")
        ->needs(exitAfter);
    command->add_option("--stats", options->window.stats, "On closing: JSON of the readouts")
        ->needs(exitAfter);
    command
        ->add_option("--listen", options->window.listen,
                     "Let programs on this machine send lines of a session: NAME for 'echolux send "
                     "NAME', igtl:PORT for OpenIGTLink; repeatable (echolux help sessions)")
        ->allow_extra_args(false);
    command->add_option("--session", options->window.session,
                        "Record what is done as a session (echolux help sessions)");
    command->add_flag("--force", options->force, "Replace these files where they exist");
    command
        ->add_option("--command", options->window.commands,
                     "Do what a line of a session says, after the first image: a command such as "
                     "view.full_screen (Help > Commands lists them), or a value such as "
                     "'parameters.beamform.f_number 1.5' (echolux help sessions); repeatable")
        ->allow_extra_args(false);
    command->add_option("--size", options->window.size, "Size of the window, WIDTHxHEIGHT");
    command
        ->add_option("--speed", options->window.speed,
                     "Times the recorded rate; 0 = as fast as possible")
        ->check(CLI::NonNegativeNumber);
    command->callback([options] { view(*options); });
}

} // namespace echolux
