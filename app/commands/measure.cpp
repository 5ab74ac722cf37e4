// SPDX-License-Identifier: GPL-3.0-or-later
// echolux measure: widths, contrast and speckle of frames, as a table, CSV or JSON.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/histogram_rows.hpp"
#include "app/commands/measured_frames.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/measure/over_frames.hpp"
#include "gpu/core/csv_text.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

struct MeasureCommand {
    ImagingOptions imaging;
    MeasureOptions measure;
    FigureOutput output;
    FrameOption frame;
    bool everyFrame = false;
    std::string kept;       ///< file for the measurements; empty: none
    std::string histograms; ///< file for the histograms of regions; empty: none
};

struct MeasuredFrame {
    std::int64_t number = 1;
    std::vector<measure::Measured> measured;
    std::string histograms; ///< rows of CSV
};

/// What is measured on one view.
struct MeasuredView {
    MeasuredView(const std::string& view, const std::vector<measure::Measurement>& all,
                 const std::string& viewOfOthers, const OpenedRecording& opened,
                 const BackendChoice& backend, bool phasors)
        : name(view), measurements(onView(all, view, view == viewOfOthers)), over(measurements),
          frames(*opened.recording, backend, opened.snapshot, view, phasors) {}

    void measure(const SnapshotPtr& snapshot, bool withHistograms, MeasuredFrame& frame) {
        const measure::MeasuredImage image = frames.image(snapshot, frame.number - 1);
        const std::vector<measure::Measured> found = measureAll(image, measurements);
        over.add(image, found);
        frame.measured.insert(frame.measured.end(), found.begin(), found.end());
        if (withHistograms) frame.histograms += histogramRows(frame.number, image, measurements);
    }

    std::string name; ///< empty: the first one
    std::vector<measure::Measurement> measurements;
    measure::OverFrames over;
    MeasuredFrames frames;
};

std::string numberText(double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
}

std::string orNone(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : std::string("none");
}

std::string tableOf(const MeasuredFrame& frame) {
    std::string text;
    for (const measure::Measured& each : frame.measured) {
        text += fmt::format("{} ({})\n", each.name, nameOf(each.kind));
        if (!each.problem.empty()) text += fmt::format("  {}\n", each.problem);
        for (const measure::Figure& figure : each.figures)
            text += fmt::format("  {:<28} {:>12} {}\n", figure.label, orNone(figure.value),
                                figure.unit);
        if (!each.note.empty()) text += fmt::format("  {}\n", each.note);
    }
    return text;
}

std::string tableOf(const std::vector<measure::MeasuredSpread>& spreads) {
    std::string text = "All frames: mean, standard deviation\n";
    for (const measure::MeasuredSpread& each : spreads) {
        text += fmt::format("{} ({})\n", each.name, nameOf(each.kind));
        for (const measure::SpreadFigure& figure : each.figures)
            text +=
                fmt::format("  {:<28} {:>12} {:>12} {}\n", figure.mean.label,
                            orNone(figure.mean.value), orNone(figure.deviation), figure.mean.unit);
        for (const measure::Figure& figure : each.together)
            text += fmt::format("  {:<28} {:>12} {:>12} {}\n", figure.label, orNone(figure.value),
                                "", figure.unit);
    }
    return text;
}

std::string csvOf(const std::vector<MeasuredFrame>& frames) {
    std::string text = "frame,measurement,kind,figure,value,unit,problem\n";
    for (const MeasuredFrame& frame : frames) {
        for (const measure::Measured& each : frame.measured) {
            const std::string begin =
                fmt::format("{},{},{}", frame.number, csvText(each.name), nameOf(each.kind));
            for (const std::string& sentence : {each.problem, each.note})
                if (!sentence.empty()) text += fmt::format("{},,,,{}\n", begin, csvText(sentence));
            for (const measure::Figure& figure : each.figures)
                text += fmt::format("{},{},{},{},\n", begin, figure.id, numberText(figure.value),
                                    figure.unit);
        }
    }
    return text;
}

std::string histogramsOf(const std::vector<MeasuredFrame>& frames) {
    std::string text = kHistogramHead;
    for (const MeasuredFrame& frame : frames) text += frame.histograms;
    return text;
}

nlohmann::ordered_json jsonOf(const std::vector<measure::MeasuredSpread>& spreads) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const measure::MeasuredSpread& each : spreads) {
        nlohmann::ordered_json one{{"measurement", each.name}, {"kind", nameOf(each.kind)}};
        for (const measure::SpreadFigure& figure : each.figures)
            one["figures"][figure.mean.id] = {{"mean", figure.mean.value},
                                              {"standard_deviation", figure.deviation},
                                              {"frames", figure.frames},
                                              {"unit", figure.mean.unit}};
        for (const measure::Figure& figure : each.together)
            one["together"][figure.id] = {{"value", figure.value}, {"unit", figure.unit}};
        list.push_back(std::move(one));
    }
    return list;
}

std::string jsonOf(const std::vector<MeasuredFrame>& frames,
                   const std::vector<measure::MeasuredSpread>& spreads, const Snapshot& snapshot,
                   const std::string& file) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const MeasuredFrame& frame : frames) {
        for (const measure::Measured& each : frame.measured) {
            nlohmann::ordered_json one{
                {"frame", frame.number}, {"measurement", each.name}, {"kind", nameOf(each.kind)}};
            if (!each.problem.empty()) one["problem"] = each.problem;
            if (!each.note.empty()) one["note"] = each.note;
            for (const measure::Figure& figure : each.figures)
                one["figures"][figure.id] = {{"value", figure.value}, {"unit", figure.unit}};
            list.push_back(std::move(one));
        }
    }
    nlohmann::ordered_json report{
        {"recording", file}, {"pipeline", snapshot.name}, {"measured", std::move(list)}};
    if (frames.size() > 1) report["all_frames"] = jsonOf(spreads);
    return report.dump(2) + '\n';
}

void measureRecording(const MeasureCommand& options) {
    options.output.check(options.imaging.file);
    const std::vector<measure::Measurement> measurements =
        options.measure.measurements(options.imaging.file);
    for (const std::string& path : {options.kept, options.histograms}) {
        if (path.empty()) continue;
        refuseRecording(path, options.imaging.file);
        options.output.refuseExisting(path);
    }
    if (!options.kept.empty()) writeWhole(options.kept, measure::toToml(measurements));
    const BackendChoice backend = chooseBackend(options.imaging.backend, options.imaging.gpu);
    const OpenedRecording opened(options.imaging);
    const SnapshotPtr& snapshot = opened.snapshot;
    std::vector<std::unique_ptr<MeasuredView>> views;
    for (const measure::Measurement& each : measurements) {
        const std::string& name = each.view.empty() ? options.measure.view : each.view;
        auto view = std::ranges::find(views, name, [](const auto& made) { return made->name; });
        if (view == views.end())
            view = views.insert(view, std::make_unique<MeasuredView>(name, measurements,
                                                                     options.measure.view, opened,
                                                                     backend, options.everyFrame));
    }
    const std::int64_t each = snapshot->ensemble();
    const std::int64_t first = options.everyFrame ? 0 : options.frame.index();
    const std::int64_t end =
        options.everyFrame ? opened.recording->info().frameCount / each * each : first + 1;
    std::vector<MeasuredFrame> measured;
    for (std::int64_t n = first; n < end; n += each) {
        measured.emplace_back().number = n + 1;
        for (const auto& view : views)
            view->measure(snapshot, !options.histograms.empty(), measured.back());
    }
    if (!options.histograms.empty()) writeWhole(options.histograms, histogramsOf(measured));
    std::vector<measure::MeasuredSpread> spreads;
    for (const auto& view : views)
        for (measure::MeasuredSpread& spread : view->over.result())
            spreads.push_back(std::move(spread));
    if (!options.output.isGiven()) {
        for (const MeasuredFrame& frame : measured)
            std::printf("Frame %lld\n%s", static_cast<long long>(frame.number),
                        tableOf(frame).c_str());
        if (measured.size() > 1) std::printf("%s", tableOf(spreads).c_str());
        return;
    }
    options.output.write(options.output.isJson()
                             ? jsonOf(measured, spreads, *snapshot, options.imaging.file)
                             : csvOf(measured));
}

} // namespace

void addMeasure(CLI::App& app) {
    auto options = std::make_shared<MeasureCommand>();
    CLI::App* command = app.add_subcommand(
        "measure", "Measure a frame: widths of points, contrast, speckle, lengths, profiles");
    command->footer(
        "'echolux help measure' shows how measurements are written and how each figure is "
        "defined.\nFor the figures over a parameter: 'echolux sweep'. Frames are counted "
        "from 1.");
    options->imaging.addTo(*command);
    options->measure.addTo(*command);
    options->frame.addTo(*command, "Frame");
    command->add_flag("--every-frame", options->everyFrame, "Measure all frames, not one");
    options->output.addTo(*command, "OUT.csv or OUT.json; otherwise a table is printed");
    command->add_option("--write-measurements", options->kept,
                        "Write what is measured to a file (.toml), for example the targets of a "
                        "phantom where they lie here");
    command->add_option("--histograms", options->histograms,
                        "Write the histograms of regions, with the distribution of speckle, to a "
                        "file (.csv)");
    command->callback([options] { measureRecording(*options); });
}

} // namespace echolux
