// SPDX-License-Identifier: GPL-3.0-or-later
// echolux render: writes one frame of a recording as a picture or an array.
#include "app/command_line/options.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/picture.hpp"
#include "app/export/frame_flow.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/registry.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace echolux {
namespace {

struct RenderOptions {
    ImagingOptions imaging;
    OutputOptions output;
    FrameOption frame;
    std::string outputOf;
    std::string grid;
    std::string colourMapName = "gray";
};

/// One span of --grid: "x0:x1:nx" in mm.
struct GridSpan {
    double firstMm = 0.0;
    double lastMm = 0.0;
    std::int64_t count = 0;
};

GridSpan parseSpan(const std::string& text) {
    GridSpan span;
    const char* at = text.data();
    const char* end = at + text.size();
    const auto first = std::from_chars(at, end, span.firstMm);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == ':') {
        const auto last = std::from_chars(first.ptr + 1, end, span.lastMm);
        if (last.ec == std::errc() && last.ptr != end && *last.ptr == ':') {
            const auto count = std::from_chars(last.ptr + 1, end, span.count);
            if (count.ec == std::errc() && count.ptr == end && span.count >= 2 &&
                span.lastMm > span.firstMm)
                return span;
        }
    }
    throw Error(fmt::format(
        "'{}' is no grid span; write first:last:points in mm with at least 2 points, for example "
        "-15:15:301.",
        text));
}

/// The beamformer's settings in the pipeline of these options, and its stage.
struct Beamformer {
    std::string id;
    BeamformParams params; ///< as set, else the defaults for the recording
    bool hasGrid = false;  ///< `grid` is set
    bool hasAperture = false;
};

Beamformer beamformerOf(const PipelineConfig& config, const FrameSpec& raw) {
    const StageType& type = stageTypeWith<BeamformParams>();
    const auto stage = std::ranges::find(config.stages, type.id, &StageConfig::type);
    if (stage == config.stages.end()) {
        throw Error(fmt::format("--grid sets the grid of the stage 'beamform', but the pipeline "
                                "'{}' has none; leave --grid out.",
                                config.name));
    }
    Params params = type.defaultsFor(raw);
    Beamformer found{.id = stage->id, .params = {}};
    for (const auto& [key, value] : stage->values) {
        params.set(stage->id, key, value);
        found.hasGrid = found.hasGrid || key == "grid";
        found.hasAperture = found.hasAperture || key == "transmit_aperture";
    }
    found.params = params.as<BeamformParams>();
    return found;
}

/// Chooses a grid of points in the plane instead of the recording's default beams.
void leaveBeams(ImagingOptions& imaging, const Beamformer& beamformer) {
    if (beamformer.hasGrid) {
        throw Error(fmt::format("--grid names points in x and z, but {0}.grid is set to beams, "
                                "which has ranges along lines; leave one of the two out.",
                                beamformer.id));
    }
    imaging.settings.push_back(beamformer.id + ".grid=image");
    if (beamformer.params.transmitAperture != TransmitAperture::OwnLines) return;
    if (beamformer.hasAperture) {
        throw Error(fmt::format("--grid names points in x and z, but {0}.transmit_aperture is set "
                                "to lines, which images lines alone; leave one of the two out.",
                                beamformer.id));
    }
    imaging.settings.push_back(beamformer.id + ".transmit_aperture=shadow");
    printWarnings({"--grid: the recording's lines are usually imaged each by its own transmit; the "
                   "points of the grid are imaged by every transmit whose wave passes them "
                   "(transmit_aperture=shadow)."});
}

/// Sets the beamformer so that pixel centres lie on the ends of the spans.
void addGrid(ImagingOptions& imaging, const std::string& grid, const FrameSpec& raw) {
    const auto comma = grid.find(',');
    if (comma == std::string::npos) {
        throw Error(fmt::format(
            "'{}' is no grid; write x0:x1:nx,z0:z1:nz in mm, for example -15:15:301,5:40:701.",
            grid));
    }
    const std::array spans{parseSpan(grid.substr(0, comma)), parseSpan(grid.substr(comma + 1))};
    const Beamformer beamformer = beamformerOf(imaging.config(raw), raw);
    if (beamformer.params.grid == PixelGrid::Beams) leaveBeams(imaging, beamformer);
    const std::array names{"lateral", "depth"};
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const GridSpan& span = spans[i];
        const double pixelMm = (span.lastMm - span.firstMm) / static_cast<double>(span.count - 1);
        const auto set = [&](const std::string& key, double metres) {
            imaging.settings.push_back(fmt::format("{}.{}={}", beamformer.id, key, metres));
        };
        set(fmt::format("{}_min", names[i]), span.firstMm * 1e-3);
        set(fmt::format("{}_max", names[i]), span.lastMm * 1e-3);
        set(fmt::format("pixel_{}", names[i]), pixelMm * 1e-3);
    }
}

void render(const RenderOptions& options) {
    if (options.outputOf == kRecording)
        throw Error(fmt::format("'render' writes what a pipeline makes of a frame; raw frames are "
                                "written by 'echolux export {} --output-of {} -o OUT.npy'.",
                                options.imaging.file, kRecording));
    const std::filesystem::path out = options.output.path;
    const std::string kind = out.extension().string();
    if (kind != ".png" && kind != ".npy") {
        throw Error(fmt::format("'{}' names no kind of output; end it in .png or .npy.",
                                options.output.path));
    }
    refuseRecording(out, options.imaging.file);
    for (const std::filesystem::path& file : filesOfImage(out)) options.output.refuseExisting(file);
    const ColourMap& map = colourMap(options.colourMapName);
    const BackendChoice backend = chooseBackend(options.imaging.backend, options.imaging.gpu);
    const auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    printWarnings(recording->info().warnings);
    findInitialLevels(*recording);
    const FrameSpec& raw = recording->info().frame;
    ImagingOptions imaging = options.imaging;
    if (!options.grid.empty()) addGrid(imaging, options.grid, raw);
    const PipelineConfig config = imaging.config(raw);
    const SnapshotPtr snapshot = options.outputOf.empty()
                                     ? imagingSnapshot(raw, config)
                                     : snapshotOf(config, raw, options.outputOf);
    printWarnings(snapshot->warnings());
    const HostFrameData frame =
        processFrame(*recording, snapshot, backend.backend, options.frame.index());
    const bool told = options.frame.index() == 0; // the recording has given this warning
    if (frame.warning && !told) printWarnings({*frame.warning});
    writeImage(out, frame, map);
}

} // namespace

void addRender(CLI::App& app) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command =
        app.add_subcommand("render", "Process one frame to a picture (.png) or an array (.npy)");
    command->footer(
        "For several frames, cines and files for other programs: 'echolux export'.\nFor several "
        "views of one pipeline, or the time of each stage: 'echolux run --write'.\n'echolux help "
        "output' compares them. Frames, transmits and channels are counted from 1.");
    options->imaging.addTo(*command);
    options->output.addTo(*command, "OUT.png, or OUT.npy with a JSON of its axes beside it");
    options->frame.addTo(*command, "Frame");
    command->add_option("--output-of", options->outputOf,
                        "Stage or view whose output is written, or one of a stage's outputs as in "
                        "quality@displacement");
    command->add_option(
        "--grid", options->grid,
        "Points to image in place of the usual grid: x0:x1:nx,z0:z1:nz, positions in mm");
    command->add_option("--colour-map", options->colourMapName, "Colour map of the picture")
        ->capture_default_str();
    command->callback([options] { render(*options); });
}

} // namespace echolux
