// SPDX-License-Identifier: GPL-3.0-or-later
// echolux render: one frame of a recording to a picture or an array.
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output_file.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/session.hpp"
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"

#include <CLI/CLI.hpp>
#include <QImage>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
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

/// Sets the beamformer's grid so that pixel centres lie on the span's ends.
void applyGrid(PipelineConfig& config, const std::string& grid) {
    const auto comma = grid.find(',');
    if (comma == std::string::npos) {
        throw Error(fmt::format(
            "'{}' is no grid; write x0:x1:nx,z0:z1:nz in mm, for example -15:15:301,5:40:701.",
            grid));
    }
    const std::array spans{parseSpan(grid.substr(0, comma)), parseSpan(grid.substr(comma + 1))};
    const std::array names{"lateral", "depth"};
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const GridSpan& span = spans[i];
        const double pixelMm = (span.lastMm - span.firstMm) / static_cast<double>(span.count - 1);
        applySetting(config, fmt::format("beamform.{}_min={}", names[i], span.firstMm * 1e-3));
        applySetting(config, fmt::format("beamform.{}_max={}", names[i], span.lastMm * 1e-3));
        applySetting(config, fmt::format("beamform.pixel_{}={}", names[i], pixelMm * 1e-3));
    }
}

/// Images as [depth][lateral] whichever way they were computed.
HostFrameData depthDown(HostFrameData frame) {
    std::vector<Axis>& axes = frame.spec.axes;
    if (axes.size() != 2 || axes[0].name != AxisName::Lateral || axes[1].name != AxisName::Depth)
        return frame;
    const auto lines = static_cast<std::size_t>(axes[0].size);
    const auto depths = static_cast<std::size_t>(axes[1].size);
    const std::size_t pixel = bytesOf(frame.spec.dtype, 1);
    std::vector<std::byte> turned(frame.bytes.size());
    for (std::size_t line = 0; line < lines; ++line) {
        for (std::size_t z = 0; z < depths; ++z) {
            std::copy_n(frame.bytes.data() + (line * depths + z) * pixel, pixel,
                        turned.data() + (z * lines + line) * pixel);
        }
    }
    frame.bytes = std::move(turned);
    std::swap(axes[0], axes[1]);
    return frame;
}

ValueRange shownRange(const HostFrameData& frame) {
    if (frame.spec.valueRange) return *frame.spec.valueRange;
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    ValueRange range{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(), "",
                     ""};
    for (std::int64_t i = 0; i < frame.spec.count(); ++i) {
        if (!std::isfinite(values[i])) continue;
        range.min = std::min<double>(range.min, values[i]);
        range.max = std::max<double>(range.max, values[i]);
    }
    return range;
}

/// From black to white: "-8 to 32 dB re 1 code".
std::string levelsOf(const HostFrameData& frame) {
    const ValueRange range = shownRange(frame);
    std::string text = fmt::format("{:g} to {:g}", range.min, range.max);
    if (!range.unit.empty()) text += " " + range.unit;
    if (!range.reference.empty()) text += " re " + range.reference;
    return text;
}

QRgb colourOf(double value, const ValueRange& range, const ColourMap& map) {
    if (!std::isfinite(value)) return kNotANumberColour;
    const double span = range.max - range.min;
    const double unit = span > 0.0 ? std::clamp((value - range.min) / span, 0.0, 1.0) : 0.0;
    return map.colour[static_cast<std::size_t>(std::lround(unit * (ColourMap::kEntries - 1)))];
}

/// Pixels of a picture's side; more than what picture files take is refused.
int sideOf(const Axis& axis, double pixelM) {
    constexpr double kMostPixels = 32767.0;
    const double pixels = std::round(static_cast<double>(axis.size) * axis.spacing / pixelM);
    if (pixels > kMostPixels) {
        throw Error(
            fmt::format("The {} axis would be {:.0f} pixels long at the true aspect, with {} "
                        "points {:g} m apart; correct the spacing, or write .npy.",
                        nameOf(axis.name), pixels, axis.size, axis.spacing));
    }
    return std::max(static_cast<int>(pixels), 1);
}

/// At the true aspect: the coarser axis is stretched, so that pixels of the picture are square.
QImage toPicture(const HostFrameData& frame, const ColourMap& map) {
    if (frame.spec.dtype != DType::F32 || frame.spec.axes.size() != 2) {
        throw Error(fmt::format("{} cannot be drawn as a picture; write it as .npy.",
                                frame.spec.describe()));
    }
    const Axis& rows = frame.spec.axes[0];
    const Axis& columns = frame.spec.axes[1];
    const ValueRange range = shownRange(frame);
    const auto* values = reinterpret_cast<const float*>(frame.bytes.data());
    QImage picture(static_cast<int>(columns.size), static_cast<int>(rows.size),
                   QImage::Format_RGB32);
    for (std::int64_t row = 0; row < rows.size; ++row) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(static_cast<int>(row)));
        for (std::int64_t column = 0; column < columns.size; ++column) {
            const double value = values[row * columns.size + column];
            line[column] = 0xff000000U | colourOf(value, range, map);
        }
    }
    if (rows.unit != "m" || columns.unit != "m") return picture;
    const double finest = std::min(rows.spacing, columns.spacing);
    return picture.scaled(sideOf(columns, finest), sideOf(rows, finest), Qt::IgnoreAspectRatio,
                          Qt::SmoothTransformation);
}

/// Before the work; the recording itself is not replaced even by force.
void refuseWhatStandsThere(const RenderOptions& options, const std::string& kind) {
    const std::filesystem::path out = options.output.path;
    std::error_code none;
    if (std::filesystem::equivalent(out, options.imaging.file, none)) {
        throw Error(fmt::format("Cannot write '{}': it is the recording itself; choose another "
                                "name.",
                                out.string()));
    }
    options.output.refuseExisting(out);
    if (kind == ".npy") {
        options.output.refuseExisting(std::filesystem::path(out).replace_extension(".json"));
    }
}

void render(const RenderOptions& options) {
    const std::filesystem::path out = options.output.path;
    const std::string kind = out.extension().string();
    if (kind != ".png" && kind != ".npy") {
        throw Error(fmt::format("'{}' names no kind of output; end it in .png or .npy.",
                                options.output.path));
    }
    refuseWhatStandsThere(options, kind);
    const ColourMap& map = colourMap(options.colourMapName);
    const BackendChoice backend = chooseBackend(options.imaging.backend);
    const auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    for (const std::string& warning : recording->info().warnings) {
        std::fprintf(stderr, "echolux: warning: %s\n", warning.c_str());
    }
    findInitialLevels(*recording);
    const FrameSpec& raw = recording->info().frame;
    PipelineConfig config = options.imaging.config(raw);
    if (!options.grid.empty()) applyGrid(config, options.grid);
    const SnapshotPtr snapshot =
        options.outputOf.empty() ? imagingSnapshot(raw, config) : instantiate(config, raw);
    for (const std::string& warning : snapshot->warnings())
        std::fprintf(stderr, "echolux: warning: %s\n", warning.c_str());
    std::optional<std::string> stage;
    if (!options.outputOf.empty()) stage = options.outputOf;
    const HostFrameData frame = depthDown(
        processFrame(*recording, snapshot, backend.backend, options.frame.index(), stage));
    const bool told = options.frame.index() == 0; // by the recording
    if (frame.warning && !told)
        std::fprintf(stderr, "echolux: warning: %s\n", frame.warning->c_str());
    if (kind == ".npy") {
        writeNpy(out, frame.spec, frame.bytes);
    } else {
        OutputFile file(options.output.path);
        QImage picture = toPicture(frame, map);
        picture.setText("Description", QString::fromStdString(levelsOf(frame)));
        if (!picture.save(&file.device(), "PNG")) file.refuse();
        file.commit();
    }
}

} // namespace

void addRender(CLI::App& app) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command =
        app.add_subcommand("render", "Process one frame to a picture (.png) or an array (.npy)");
    options->imaging.addTo(*command);
    options->output.addTo(*command, "OUT.png, or OUT.npy with a JSON of its axes beside it");
    options->frame.addTo(*command, "Frame");
    command->add_option("--output-of", options->outputOf,
                        "Stage whose output is written instead of the last one's");
    command->add_option("--grid", options->grid, "Image grid x0:x1:nx,z0:z1:nz in mm");
    command->add_option("--colour-map", options->colourMapName, "Colour map of the picture")
        ->capture_default_str();
    command->callback([options] { render(*options); });
}

} // namespace echolux
