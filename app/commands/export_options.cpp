// SPDX-License-Identifier: GPL-3.0-or-later
// Declares and reads the options of exports.
#include "app/commands/export_options.hpp"

#include "app/command_line/voice.hpp"

#include "app/command_line/options.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace echolux {
namespace {

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

} // namespace

std::optional<ExportFrames> framesIn(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto numbers = pairOf<std::int64_t>(text, true);
    if (!numbers || numbers->first < 1 || numbers->second < numbers->first)
        throw Error(fmt::format("'{}' names no frames; write one number or first:last, counted "
                                "from 1, for example --frames 1:40.",
                                text));
    return ExportFrames{numbers->first - 1, numbers->second - 1};
}

ExportLook LookOptions::value() const {
    ExportLook result = look;
    if (range.empty()) return result;
    result.range = pairOf<double>(range, false);
    if (!result.range || !(result.range->first < result.range->second))
        throw Error(fmt::format("'{}' is no range; write the values that are black and white, for "
                                "example --range=-60:0.",
                                range));
    return result;
}

std::optional<double> LookOptions::columnM() const {
    if (!columnMm) return std::nullopt;
    return 1e-3 * *columnMm;
}

std::shared_ptr<QGuiApplication> LookOptions::fonts() const {
    return look.axes || look.scaleBar || look.colourBar ? offscreenFonts() : nullptr;
}

void LookOptions::addTo(CLI::App& command) {
    command.add_option("--colour-map", look.colourMap, "Colour map of pictures")
        ->capture_default_str();
    command.add_option("--range", range, "Values shown black and white, for example --range=-60:0");
    command
        .add_option("--gamma", look.gamma,
                    "Exponent between black and white; below 1 brightens dark values")
        ->check(CLI::Range(0.1, 10.0))
        ->capture_default_str();
    command.add_flag("--invert", look.inverted, "Swap the ends of the colour map");
    command.add_flag("--scale-bar", look.scaleBar, "Draw a scale bar into pictures");
    command.add_flag("--colour-bar", look.colourBar,
                     "Draw a colour bar with its values beside the picture");
    command.add_flag("--axes", look.axes, "Draw axes with their labels around pictures");
    command
        .add_option("--width", look.width,
                    "Pixels across the image in pictures (default: its own, made square)")
        ->check(CLI::Range(16, 16384));
    command
        .add_option("--dpi", look.dpi,
                    "Resolution that pictures state (default: the image is to scale)")
        ->check(CLI::Range(1.0, 10000.0));
    command
        .add_option("--labels", look.labelsPx,
                    "Height of labels in pixels (default: in proportion to the picture)")
        ->check(CLI::Range(4, 400));
    command
        .add_option("--depth", look.depthBits,
                    "Bits of .png and .tif: 8 = colours, 16 = grey, 32 = the values (.tif)")
        ->check(CLI::IsMember({8, 16, 32}))
        ->capture_default_str();
    command
        .add_option("--fps", framesPerSecond,
                    "Frames per second of a cine (default: those of the recording)")
        ->check(CLI::Range(0.01, 1000.0));
    command.add_option("--column", columnMm,
                       "Lateral position of a .csv curve, mm (default: the middle column)");
}

std::string exportEndingNames() {
    std::vector<std::string> endings;
    for (const ExportEnding& each : exportEndings()) endings.push_back(each.ending);
    return fmt::format("{}", fmt::join(endings, ", "));
}

ExportProgress shownProgress() {
    return
        [watched = isatty(STDERR_FILENO) != 0 && !isQuiet()](std::int64_t done, std::int64_t of) {
            if (watched && of > 1)
                fmt::print(stderr, "\r{} of {} frames{}", done, of, done == of ? "\n" : "");
            return true;
        };
}

void printResult(const ExportResult& result) {
    printWarnings(result.remarks);
    for (const std::filesystem::path& file : result.files) fmt::print("{}\n", file.string());
}

} // namespace echolux
