// SPDX-License-Identifier: GPL-3.0-or-later
// echolux join: makes one file of parts that several processes have exported.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/part_context.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

struct JoinOptions {
    std::vector<std::string> parts;
    std::string recording;
    OutputOptions output;
    std::string frames;
    LookOptions look;
    int gpu = 0;
};

void join(const JoinOptions& options) {
    JoinRequest request;
    request.parts.assign(options.parts.begin(), options.parts.end());
    if (!options.recording.empty()) request.recording = options.recording;
    request.frames = framesIn(options.frames);
    request.target = options.output.path;
    request.replace = options.output.force;
    request.look = options.look.value();
    request.framesPerSecond = options.look.framesPerSecond;
    request.columnM = options.look.columnM();
    request.program = "Echolux " ECHOLUX_VERSION;
    for (const auto& plugin : pluginsOfPart(request.parts.front())) usePlugin(plugin);
    const auto fonts = options.look.fonts();
    printResult(joinParts(request, partContext(options.gpu), shownProgress()));
}

} // namespace

void addJoin(CLI::App& app) {
    auto options = std::make_shared<JoinOptions>();
    CLI::App* command = app.add_subcommand(
        "join", "Make one file of parts that 'echolux export -o NAME.part' wrote");
    command->footer("The file is to the byte the one that 'echolux export' writes for all frames. "
                    "Parts of other recordings, pipelines, values or machines are refused, and so "
                    "are gaps and overlaps. 'echolux help output' shows more.");
    command->add_option("PARTS", options->parts, "Parts of one recording, in any order")
        ->required();
    options->output.addTo(
        *command, fmt::format("File to write; its ending is one of {}", exportEndingNames()));
    command->add_option("--frames", options->frames,
                        "Frames that the parts hold together, as first:last (default: all of the "
                        "recording)");
    command->add_option("--recording", options->recording,
                        "The recording, where it is no longer at the place that the parts name");
    options->look.addTo(*command);
    command
        ->add_option("--backend",
                     "auto, cuda or cpu; without effect here: parts say on what they were computed")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}));
    addDeviceTo(*command, options->gpu);
    command->callback([options] { join(*options); });
}

} // namespace echolux
