// SPDX-License-Identifier: GPL-3.0-or-later
// echolux export: writes frames of a recording to files of other programs.
#include "app/export/export.hpp"

#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/commands/options.hpp"
#include "app/session/environment.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

namespace echolux {
namespace {

struct ExportOptions {
    ImagingOptions imaging;
    OutputOptions output;
    std::string frames;
    std::string outputOf;
    std::string range;
    ExportLook look;
    double framesPerSecond = 0.0;
    std::optional<double> columnMm;
};

template <class T> std::optional<std::pair<T, T>> pairOf(const std::string& text, bool mayBeOne) {
    const char* const end = text.data() + text.size();
    T first{};
    const auto one = std::from_chars(text.data(), end, first);
    if (one.ec != std::errc()) return std::nullopt;
    if (one.ptr == end && mayBeOne) return std::pair{first, first};
    if (one.ptr == end || *one.ptr != ':') return std::nullopt;
    T last{};
    const auto two = std::from_chars(one.ptr + 1, end, last);
    if (two.ec != std::errc() || two.ptr != end) return std::nullopt;
    return std::pair{first, last};
}

std::optional<ExportFrames> framesOf(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto numbers = pairOf<std::int64_t>(text, true);
    if (!numbers || numbers->first < 1 || numbers->second < numbers->first)
        throw Error(fmt::format("'{}' names no frames; write one number or first:last, counted "
                                "from 1, for example --frames 1:40.",
                                text));
    return ExportFrames{numbers->first - 1, numbers->second - 1};
}

std::optional<std::pair<double, double>> rangeOf(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto range = pairOf<double>(text, false);
    if (!range || !(range->first < range->second))
        throw Error(fmt::format("'{}' is no range; write the values that are black and white, for "
                                "example --range=-60:0.",
                                text));
    return range;
}

std::shared_ptr<QGuiApplication> fontsFor(const ExportLook& look) {
    return look.axes || look.scaleBar || look.colourBar ? offscreenFonts() : nullptr;
}

ExportRequest requestOf(const ExportOptions& options) {
    ExportRequest request;
    request.file = options.imaging.file;
    request.open = options.imaging.openOptions();
    request.choosePipeline = [imaging = options.imaging](const FrameSpec& raw) {
        return imaging.config(raw);
    };
    request.frames = framesOf(options.frames);
    request.outputOf = options.outputOf;
    request.target = options.output.path;
    request.replace = options.output.force;
    request.look = options.look;
    request.look.range = rangeOf(options.range);
    request.framesPerSecond = options.framesPerSecond;
    if (options.columnMm) request.columnM = 1e-3 * *options.columnMm;
    request.program = "Echolux " ECHOLUX_VERSION;
    return request;
}

void exportFrames(const ExportOptions& options) {
    const ExportRequest asked = requestOf(options);
    const auto fonts = fontsFor(options.look);
    ExportRequest request = asked;
    request.backend = chooseBackend(options.imaging.backend, options.imaging.gpu).backend;
    const bool watched = isatty(STDERR_FILENO) != 0;
    const ExportResult result = exportRecording(request, [&](std::int64_t done, std::int64_t of) {
        if (watched && of > 1)
            fmt::print(stderr, "\r{} of {} frames{}", done, of, done == of ? "\n" : "");
        return true;
    });
    printWarnings(result.remarks);
    for (const std::filesystem::path& file : result.files) fmt::print("{}\n", file.string());
}

} // namespace

void addExport(CLI::App& app) {
    auto options = std::make_shared<ExportOptions>();
    std::vector<std::string> endings;
    for (const ExportEnding& each : exportEndings()) endings.push_back(each.ending);
    CLI::App* command =
        app.add_subcommand("export", "Write frames of a recording as pictures, cines, or files for "
                                     "other programs, by the name's ending");
    command->footer(
        "For one frame as .png or .npy, on a grid of your own: 'echolux render'.\nFor several "
        "views of one pipeline, or the time of each stage: 'echolux run --write'.\n'echolux help "
        "output' compares them. Frames, transmits and channels are counted from 1.");
    options->imaging.addTo(*command);
    options->output.addTo(
        *command, fmt::format("File to write; its ending is one of {}", fmt::join(endings, ", ")));
    command->add_option("--frames", options->frames,
                        "One frame or first:last, counted from 1 (default: the first for pictures "
                        "and curves, the first volume for .nrrd and .nii, all for others)");
    command->add_option("--output-of", options->outputOf,
                        "'recording' for raw frames, or a stage or view whose output is written, "
                        "or one of a stage's outputs as in transmits@beamform");
    command->add_option("--colour-map", options->look.colourMap, "Colour map of pictures")
        ->capture_default_str();
    command->add_option("--range", options->range,
                        "Values shown black and white, for example --range=-60:0");
    command
        ->add_option("--gamma", options->look.gamma,
                     "Exponent between black and white; below 1 brightens dark values")
        ->check(CLI::Range(0.1, 10.0))
        ->capture_default_str();
    command->add_flag("--invert", options->look.inverted, "Swap the ends of the colour map");
    command->add_flag("--scale-bar", options->look.scaleBar, "Draw a scale bar into pictures");
    command->add_flag("--colour-bar", options->look.colourBar,
                      "Draw a colour bar with its values beside the picture");
    command->add_flag("--axes", options->look.axes, "Draw axes with their labels around pictures");
    command
        ->add_option("--depth", options->look.depthBits,
                     "Bits of .png and .tif: 8 = colours, 16 = grey, 32 = the values (.tif)")
        ->check(CLI::IsMember({8, 16, 32}))
        ->capture_default_str();
    command
        ->add_option("--fps", options->framesPerSecond,
                     "Frames per second of a cine (default: those of the recording)")
        ->check(CLI::Range(0.01, 1000.0));
    command->add_option("--column", options->columnMm,
                        "Lateral position of a .csv curve, mm (default: the middle column)");
    command->callback([options] { exportFrames(*options); });
}

} // namespace echolux
