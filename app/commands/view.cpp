// SPDX-License-Identifier: GPL-3.0-or-later
// echolux view: opens the window.
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/desktop/run_window.hpp"
#include "app/session/environment.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>

namespace echolux {
namespace {

struct ViewOptions {
    ImagingOptions imaging;
    std::optional<int> device;
    WindowRun window;
    bool force = false;
};

void view(const ViewOptions& options) {
    for (const std::string& file : {options.window.screenshot, options.window.stats}) {
        if (!file.empty()) OutputOptions{file, options.force}.refuseExisting(file);
    }
    WindowRun run = options.window;
    OpenRequest& recording = run.recording;
    recording.file = options.imaging.file;
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
    command->add_flag("--force", options->force, "Replace these files where they exist")
        ->needs(exitAfter);
    command->add_option("--size", options->window.size, "Size of the window, WIDTHxHEIGHT");
    command
        ->add_option("--speed", options->window.speed,
                     "Times the recorded rate; 0 = as fast as possible")
        ->check(CLI::NonNegativeNumber);
    command->callback([options] { view(*options); });
}

} // namespace echolux
