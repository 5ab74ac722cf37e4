// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the command and reports its errors.
#include "app/commands/commands.hpp"

#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

namespace echolux {

int runCommand(int argc, char** argv) {
    CLI::App app("Echolux: real-time imaging of ultrasound channel data and raw OCT spectra",
                 "echolux");
    app.set_version_flag("--version", ECHOLUX_VERSION);
    app.require_subcommand(1);
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        std::string words = error.what();
        while (words.ends_with('.') || words.ends_with('\n')) words.pop_back();
        std::ranges::replace(words, '\n', ' ');
        return "echolux: " + words + "; --help tells how it is used.\n";
    });
    addStages(app);
    addRender(app);
    addInfo(app);
    addBench(app);
    addSimulate(app);
    addCalibrate(app);
    addView(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "echolux: %s\n", error.what());
        return 2;
    }
    return 0;
}

} // namespace echolux
