// SPDX-License-Identifier: GPL-3.0-or-later
// echolux export: writes frames of a recording to files of other programs, or as a part of such a
// file.
#include "app/export/export.hpp"

#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/export_options.hpp"
#include "app/commands/part_context.hpp"
#include "app/export/part_file.hpp"
#include "app/session/environment.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>

namespace echolux {
namespace {

struct ExportOptions {
    ImagingOptions imaging;
    OutputOptions output;
    std::string frames;
    std::string outputOf;
    LookOptions look;
    std::int64_t split = 0; ///< frames of a part; 0: frames are written
};

ExportRequest requestOf(const ExportOptions& options) {
    ExportRequest request;
    request.file = options.imaging.file;
    request.open = options.imaging.openOptions();
    request.choosePipeline = [imaging = options.imaging](const FrameSpec& raw) {
        return imaging.config(raw);
    };
    request.frames = framesIn(options.frames);
    request.outputOf = options.outputOf;
    request.target = options.output.path;
    request.replace = options.output.force;
    request.look = options.look.value();
    request.framesPerSecond = options.look.framesPerSecond;
    request.columnM = options.look.columnM();
    request.program = "Echolux " ECHOLUX_VERSION;
    return request;
}

void writeRequest(const ExportOptions& options) {
    if (options.split == 0 && options.output.path.empty())
        throw Error("There is no name for the file; give it with -o.");
    ExportRequest request = requestOf(options);
    request.backend = chooseBackend(options.imaging.backend, options.imaging.gpu).backend;
    if (options.split > 0) {
        for (const ExportFrames& range : partRanges(request, options.split))
            fmt::print("{}:{}\n", range.first + 1, range.last + 1);
    } else if (isPartName(request.target)) {
        printResult(exportPart(request, partContext(options.imaging.gpu), shownProgress()));
    } else {
        const auto fonts = options.look.fonts();
        printResult(exportRecording(request, shownProgress()));
    }
}

} // namespace

void addExport(CLI::App& app) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* command =
        app.add_subcommand("export", "Write frames of a recording as pictures, cines, or files for "
                                     "other programs, by the name's ending");
    command->footer(
        "For one frame as .png or .npy, on a grid of your own: 'echolux render'.\nFor several "
        "views of one pipeline, or the time of each stage: 'echolux run --write'.\n'echolux help "
        "output' compares them. Frames, transmits and channels are counted from 1.");
    options->imaging.addTo(*command);
    options->output.addTo(*command,
                          fmt::format("File to write; its ending is one of {}, or .part for a part "
                                      "that 'echolux join' puts together with others",
                                      exportEndingNames()));
    command->get_option("--output")->required(false);
    command->add_option("--frames", options->frames,
                        "One frame or first:last, counted from 1 (default: the first for pictures "
                        "and curves, the first volume for .nrrd and .nii, all for others)");
    command
        ->add_option("--split", options->split,
                     "Write nothing; print ranges of about this many frames that can be exported "
                     "as parts, a line each")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
    command->add_option("--output-of", options->outputOf,
                        "'recording' for raw frames, or a stage or view whose output is written, "
                        "or one of a stage's outputs as in transmits@beamform");
    options->look.addTo(*command);
    command->callback([options] { writeRequest(*options); });
}

} // namespace echolux
