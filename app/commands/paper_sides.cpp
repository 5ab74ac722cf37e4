// SPDX-License-Identifier: GPL-3.0-or-later
// Options, and one side after the other.
#include "app/commands/paper_sides.hpp"

#include "app/commands/number_span.hpp"
#include "app/measure/measurement_file.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/volume_image.hpp"
#include "render/view/colour_map.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

namespace echolux {
namespace {

std::vector<measure::Measurement> measurementsOf(const PaperOptions& options,
                                                 const std::string& file) {
    const bool any =
        options.measure.isNamed() || std::filesystem::exists(measure::measurementsBeside(file));
    return any ? onView(options.measure.measurements(file), {}, true)
               : std::vector<measure::Measurement>{};
}

ValueRange rangeOf(const std::string& text, const HostFrameData& image) {
    ValueRange range = shownRange(image);
    if (text.empty()) return range;
    const auto ends = numbersIn(text, ':');
    if (!ends || ends->size() != 2 || !(ends->at(0) < ends->at(1)))
        throw Error(fmt::format("'{}' is no range; write black:white, for example -60:0.", text));
    range.min = ends->at(0);
    range.max = ends->at(1);
    return range;
}

/// Those that lie on the middle plane of a volume, which is shown.
std::vector<measure::Measurement> onMiddlePlane(std::vector<measure::Measurement> shapes,
                                                const Axis& elevation) {
    constexpr double kMmPerM = 1e3;
    const double shown =
        (elevation.origin + elevation.spacing * static_cast<double>(elevation.size / 2)) * kMmPerM;
    std::erase_if(shapes, [&](const measure::Measurement& each) {
        return !each.places.empty() && std::abs(each.places.front().elevation - shown) >
                                           0.51 * std::abs(elevation.spacing) * kMmPerM;
    });
    return shapes;
}

ReportSide sideOf(const PaperOptions& options, const ImagingOptions& imaging) {
    const std::vector<measure::Measurement> shapes = measurementsOf(options, imaging.file);
    const BackendChoice backend = chooseBackend(imaging.backend, imaging.gpu);
    const OpenedRecording opened(imaging);
    HostFrameData image =
        processFrame(*opened.recording, opened.snapshot, backend.backend, options.frame.index());
    std::optional<Axis> elevation;
    if (isWholeVolume(image.spec)) {
        elevation = *image.spec.find(AxisName::Elevation);
        image = middleSlice(image);
    }
    image = depthDown(std::move(image));
    ReportSide side;
    side.facts = recordingFacts(opened.recording->info());
    side.snapshot = opened.snapshot;
    if (!shapes.empty()) {
        MeasuredFrames frames(*opened.recording, backend, opened.snapshot, {});
        side.measured =
            measure::measureAll(frames.image(opened.snapshot, options.frame.index()), shapes);
    }
    const ValueRange range = rangeOf(options.range, image);
    std::vector<measure::Measurement> drawn = asDrawn(shapes, side.measured);
    if (elevation) drawn = onMiddlePlane(std::move(drawn), *elevation);
    side.panel = {std::move(image), range, {}, std::move(drawn)};
    side.recording = imaging.file;
    side.heading = fmt::format("{}, {}", side.recording.filename().string(), opened.snapshot->name);
    return side;
}

} // namespace

void PaperOptions::addTo(CLI::App& command, const std::string& what) {
    imaging.addTo(command);
    measure.addTo(command);
    output.addTo(command, what);
    frame.addTo(command, "Frame");
    command.add_option("--beside", beside, "Further recordings, to be compared with FILE");
    command.add_option("--and-pipeline", pipelines, "Further pipelines, to be compared");
    command.add_option("--width", style.widthMm, "Width of the figure in mm")
        ->capture_default_str();
    command.add_option("--most-height", style.mostHeightMm, "Largest height of an image in mm")
        ->capture_default_str();
    command.add_option("--columns", style.columns, "Panels side by side; default: all");
    command.add_option("--dpi", style.dpi, "Resolution of pictures")->capture_default_str();
    command.add_option("--font", style.font, "Family of the font; default: Helvetica");
    command.add_option("--font-size", style.fontPt, "Size of the font in points")
        ->capture_default_str();
    command.add_flag("--dark", style.dark, "Light text on black");
    command.add_flag("--letters", style.letters, "Mark the panels (a), (b), ...");
    command.add_flag("--no-colour-bar", noColourBar, "Leave out the colour bar");
    command.add_flag("--scale-bar", style.look.scaleBar, "Draw a scale bar into the images");
    command.add_flag("--no-names", noNames, "Leave out the names of the shapes");
    command.add_option("--colour-map", style.look.colourMap, "Colour map")->capture_default_str();
    command.add_option("--range", range, "Values of black and white: -60:0");
}

std::vector<std::string> PaperOptions::recordings() const {
    std::vector<std::string> files{imaging.file};
    files.insert(files.end(), beside.begin(), beside.end());
    return files;
}

void PaperOptions::refuseOutput(const std::filesystem::path& file) const {
    for (const std::string& recording : recordings()) refuseRecording(file, recording);
    output.refuseExisting(file);
}

FigureStyle PaperOptions::checkedStyle() const {
    constexpr double kMostMm = 2000.0;
    const auto check = [](double value, double most, const char* option) {
        if (!(value > 0.0 && value <= most))
            throw Error(fmt::format("{} {:g} cannot be drawn; choose more than 0 and at most {:g}.",
                                    option, value, most));
    };
    check(style.widthMm, kMostMm, "--width");
    check(style.mostHeightMm, kMostMm, "--most-height");
    check(style.dpi, 4800.0, "--dpi");
    check(style.fontPt, 72.0, "--font-size");
    colourMap(style.look.colourMap);
    FigureStyle checked = style;
    checked.colourBar = !noColourBar;
    checked.names = !noNames;
    return checked;
}

std::vector<ReportSide> sidesOf(const PaperOptions& options) {
    const std::vector<std::string> files = options.recordings();
    std::vector<std::string> pipelines{options.imaging.pipeline};
    pipelines.insert(pipelines.end(), options.pipelines.begin(), options.pipelines.end());
    std::vector<ReportSide> sides;
    for (const std::string& file : files)
        for (const std::string& pipeline : pipelines) {
            ImagingOptions imaging = options.imaging;
            imaging.file = file;
            imaging.pipeline = pipeline;
            sides.push_back(sideOf(options, imaging));
        }
    for (ReportSide& side : sides)
        if (sides.size() > 1)
            side.panel.title = files.size() == 1       ? side.snapshot->name
                               : pipelines.size() == 1 ? side.recording.filename().string()
                                                       : side.heading;
    return sides;
}

} // namespace echolux
