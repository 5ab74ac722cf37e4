// SPDX-License-Identifier: GPL-3.0-or-later
// echolux sweep: figures of one frame over the values of a parameter, and the best value.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/measured_frames.hpp"
#include "app/commands/number_span.hpp"
#include "app/session/checked_image.hpp"
#include "app/sweep/same_echoes.hpp"
#include "app/sweep/swept.hpp"
#include "gpu/core/csv_text.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace echolux {
namespace {

constexpr double kMostValues = 100000.0;

struct SweepCommand {
    ImagingOptions imaging;
    MeasureOptions measure;
    FigureOutput output;
    FrameOption frame;
    std::string over;
    std::string lowest;
    std::string highest;
};

struct Course {
    std::string parameter;           ///< "beamform.f_number"
    std::vector<std::string> values; ///< as --set takes them
};

std::vector<std::string> divided(const std::string& text, char mark) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == mark)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// "stage.key=first:last:step", or "stage.key=a,b,c".
Course courseOf(const std::string& text) {
    const auto equals = text.find('=');
    const auto refuse = [&]() -> Course {
        throw Error(
            fmt::format("'{}' names no course of values; write stage.key=first:last:step or "
                        "stage.key=a,b,c, for example beamform.f_number=0.5:3:0.1.",
                        text));
    };
    if (equals == std::string::npos || equals + 1 == text.size()) return refuse();
    Course course{text.substr(0, equals), {}};
    const std::string values = text.substr(equals + 1);
    if (values.find(':') == std::string::npos) {
        course.values = divided(values, ',');
        return course;
    }
    const auto parts = numbersIn(values, ':');
    if (!parts || parts->size() != 3) return refuse();
    const NumberSpan span{parts->at(0), parts->at(1), parts->at(2)};
    if (!span.arrives()) return refuse();
    if (!(span.count() <= kMostValues))
        throw Error(fmt::format("'{}' has {:.0f} values; take a larger step.", text, span.count()));
    for (double n = 0.0; n < span.count(); ++n)
        course.values.push_back(fmt::format("{:.12g}", span.at(n)));
    return course;
}

std::string csvOf(const Course& course, const std::vector<Swept>& all) {
    const auto figures = figuresOf(all);
    std::string text = course.parameter;
    for (const SweptFigure& figure : figures) text += ',' + csvText(figure.title);
    text += '\n';
    for (const Swept& each : all) {
        text += each.value;
        for (const SweptFigure& figure : figures) {
            const double value = figureOf(each, figure.name);
            text += std::isfinite(value) ? fmt::format(",{:.6g}", value) : ",";
        }
        text += '\n';
    }
    return text;
}

std::string jsonOf(const Course& course, const std::vector<Swept>& all) {
    const auto figures = figuresOf(all);
    nlohmann::ordered_json report{{"parameter", course.parameter},
                                  {"values", nlohmann::json::array()}};
    for (const Swept& each : all) {
        report["values"].push_back(each.value);
        for (const auto& [name, title, label, unit] : figures)
            report["figures"][name].push_back(figureOf(each, name)); // NaN becomes null
    }
    for (const auto& [name, title, label, unit] : figures) report["units"][name] = unit;
    return report.dump(2) + '\n';
}

/// One sentence: where a figure is lowest or highest.
std::string bestText(const Course& course, const std::vector<Swept>& all, const std::string& figure,
                     Best best) {
    if (const auto [found, doubt] = bestValueOf(all, figure, best); found != nullptr)
        return fmt::format("{} of {}: {:.6g} at {} = {}{}\n",
                           best == Best::Lowest ? "lowest" : "highest", figure,
                           figureOf(*found, figure), course.parameter, found->value,
                           doubt.empty() ? "" : fmt::format(". {}", doubt));
    std::vector<std::string> names;
    for (const SweptFigure& each : figuresOf(all)) names.push_back(each.name);
    throw Error(
        fmt::format("There is no figure '{}'; choose one of {}.", figure, fmt::join(names, ", ")));
}

std::vector<Swept> swept(const SweepCommand& options, const Course& course, double* seconds) {
    const std::vector<measure::Measurement> measurements =
        onView(options.measure.measurements(options.imaging.file), options.measure.view, true);
    const BackendChoice backend = chooseBackend(options.imaging.backend, options.imaging.gpu);
    const OpenedRecording opened(options.imaging);
    const FrameSpec& raw = opened.recording->info().frame;
    MeasuredFrames frames(*opened.recording, backend, opened.snapshot, options.measure.view);
    frames.image(opened.snapshot, options.frame.index()); // reads the frame and takes memory
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Swept> all;
    for (const std::string& value : course.values) {
        PipelineConfig edited = opened.config;
        applySetting(edited, fmt::format("{}={}", course.parameter, value));
        Swept one = sweptAt(value, measurements, [&] {
            const SameEchoes same = onSameEchoes(*opened.snapshot, imagingSnapshot(raw, edited));
            return same.inReference(frames.image(same.snapshot, options.frame.index()));
        });
        if (!one.problem.empty())
            printWarnings({fmt::format("{} = {}: {}", course.parameter, value, one.problem)});
        all.push_back(std::move(one));
    }
    *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return all;
}

void sweep(const SweepCommand& options) {
    const Course course = courseOf(options.over);
    if (!options.output.isGiven())
        throw Error("Say where the figures go: -o OUT.csv or OUT.json, or --json to print them.");
    options.output.check(options.imaging.file);
    double seconds = 0.0;
    const std::vector<Swept> all = swept(options, course, &seconds);
    if (figuresOf(all).empty())
        throw Error("Nothing could be measured at any of the values; 'echolux measure' says why.");
    std::string best;
    if (!options.lowest.empty()) best += bestText(course, all, options.lowest, Best::Lowest);
    if (!options.highest.empty()) best += bestText(course, all, options.highest, Best::Highest);
    options.output.write(options.output.isJson() ? jsonOf(course, all) : csvOf(course, all));
    if (options.output.isPrinted()) return;
    std::printf("%zu values in %.2f s\n%s", all.size(), seconds, best.c_str());
}

} // namespace

void addSweep(CLI::App& app) {
    auto options = std::make_shared<SweepCommand>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Measure a frame at many values of a parameter, and find the best value");
    command->footer("'echolux help measure' shows how measurements are written. Frames are counted "
                    "from 1. Over the speed of sound, shapes stay on the same echoes.");
    options->imaging.addTo(*command);
    options->measure.addTo(*command);
    options->output.addTo(*command, "OUT.csv or OUT.json: a row per value, a column per figure");
    options->frame.addTo(*command, "Frame");
    command
        ->add_option("--over", options->over,
                     "stage.key=first:last:step or stage.key=a,b,c, in units as with --set")
        ->required();
    command->add_option("--lowest", options->lowest,
                        "Print where this figure is lowest, for example wire.lateral_width");
    command->add_option("--highest", options->highest, "Print where this figure is highest");
    command->callback([options] { sweep(*options); });
}

} // namespace echolux
