// SPDX-License-Identifier: GPL-3.0-or-later
// Picks the command and reports its errors.
#include "app/commands/commands.hpp"

#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace echolux {

int runCommand(int argc, char** argv) {
    CLI::App app("Echolux: real-time imaging of ultrasound channel data and raw OCT spectra",
                 "echolux");
    app.set_version_flag("--version", ECHOLUX_VERSION);
    app.require_subcommand(1);
    addStages(app);
    addRender(app);
    addInfo(app);
    addBench(app);
    addSimulate(app);
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
