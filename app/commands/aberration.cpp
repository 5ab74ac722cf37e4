// SPDX-License-Identifier: GPL-3.0-or-later
// echolux aberration: estimates the screen before a recording, or before a cube of aligned
// channels, as a filter.
#include "app/aberration/beam_peak.hpp"
#include "app/aberration/channel_frames.hpp"
#include "app/aberration/filter_file.hpp"
#include "app/aberration/step_strip.hpp"
#include "app/command_line/options.hpp"
#include "app/commands/aberration_options.hpp"
#include "app/commands/aberration_report.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/dataset/formats/aligned_cube.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/export/film.hpp"
#include "gpu/core/aligned_channels.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/picture_bytes.hpp"

#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {
namespace {

using aberration::Estimate;
using aberration::FocusParams;
using aberration::SolveParams;
using aberration::Spectra;

struct AberrationOptions {
    ImagingOptions imaging;
    OutputOptions output;
    AberrationEstimateOptions estimate;
    std::string naming = "plain";
    std::string json;
    std::string steps; ///< picture or cine
};

/// All files that are written at the end. Files that cannot be written are refused before the work.
struct Outputs {
    explicit Outputs(const AberrationOptions& options) {
        const std::filesystem::path recording = options.imaging.file;
        if (!options.output.path.empty()) {
            aberration::checkFilterName(options.output.path);
            filter =
                std::make_unique<OutputFiles>(options.output.path, recording, options.output.force);
        }
        const auto open = [&](const std::string& path) -> std::optional<PartialFile> {
            if (path.empty()) return std::nullopt;
            refuseRecording(path, recording);
            options.output.refuseExisting(path);
            return std::make_optional<PartialFile>(path);
        };
        if (auto file = open(options.json)) json.emplace(std::move(*file));
        if (options.steps.ends_with(".png")) {
            if (auto file = open(options.steps)) strip.emplace(std::move(*file));
        } else if (isFilmName(options.steps)) {
            film = std::make_unique<OutputFiles>(options.steps, recording, options.output.force);
        } else if (!options.steps.empty()) {
            throw Error(fmt::format("'{}' names no kind of picture or cine; end it in .png, .gif, "
                                    ".mp4 or .webm.",
                                    options.steps));
        }
    }
    std::unique_ptr<OutputFiles> filter;
    std::optional<PartialFile> json;
    std::optional<PartialFile> strip;
    std::unique_ptr<OutputFiles> film;
};

struct Found {
    AberrationReport report;
    std::vector<Point> elements; ///< empty for a cube
};

Found foundIn(const AberrationOptions& options, const Spectra& spectra, const SolveParams& solve) {
    Found found;
    AberrationReport& report = found.report;
    if (spectra.grid.elements() < 2)
        throw Error(fmt::format("'{}' has one element: there is no neighbour to compare it with.",
                                options.imaging.file));
    report.file = std::filesystem::path(options.imaging.file).filename().string();
    report.method = options.estimate.method;
    report.grid = spectra.grid;
    report.points = spectra.points;
    report.binsHz = spectra.binsHz;
    report.estimate = aberration::estimate(spectra, solve, true);
    // Where an iteration stops early, the remaining steps repeat its last filter.
    std::vector<aberration::Step>& steps = report.estimate.steps;
    while (steps.size() > 1 && steps.back().change == 0.0) steps.pop_back();
    report.rmsDelayS = aberration::rootMeanSquare(
        aberration::withoutPistonAndTilt(spectra.grid, report.estimate.filter.delayS));
    return found;
}

/// Empty where nothing was estimated.
std::optional<AberrationReport::Residual> residualOf(const AberrationReport& report,
                                                     const AberrationTruth& truth) {
    if (!report.estimate.valid) return std::nullopt;
    std::vector<double> left = truth.delayS;
    for (std::size_t e = 0; e < left.size(); ++e) left[e] -= report.estimate.filter.delayS[e];
    const auto rms = [&](const std::vector<double>& delays) {
        return aberration::rootMeanSquare(aberration::withoutPistonAndTilt(report.grid, delays));
    };
    return AberrationReport::Residual{rms(truth.delayS), rms(left)};
}

/// The peak in the first frame that was used.
AberrationReport::Peak peakOf(const aberration::ChannelFrames& channels, const FocusParams& focus,
                              const Estimate& estimate,
                              const std::optional<AberrationTruth>& truth) {
    constexpr std::size_t kPoints = 3;
    const auto* samples = reinterpret_cast<const Complex*>(channels.frames.front().data());
    const aberration::BeamSums sums(channels.spec, samples, focus);
    const std::vector<double>& delays = estimate.filter.delayS;
    AberrationReport::Peak peak;
    for (const aberration::BrightPoint& point : sums.brightest(kPoints, delays)) {
        ++peak.points;
        peak.uncorrected += sums.peakNear(point, {}).magnitude;
        peak.corrected += sums.peakNear(point, delays).magnitude;
        if (truth) peak.withTruth += sums.peakNear(point, truth->delayS).magnitude;
    }
    return peak;
}

Found inRecording(const AberrationOptions& options, Recording& recording) {
    printWarnings(recording.info().warnings);
    const FrameSpec& raw = recording.info().frame;
    if (raw.acquisition != nullptr && raw.acquisition->probe.elements.size() < 2)
        throw fileError(recording.info().path,
                        "its array has one element: there is no neighbour to compare it with; "
                        "choose a recording of an array");
    const auto [first, last] = options.estimate.framesAsked();
    if (options.estimate.centreBin)
        throw fileError(recording.info().path,
                        "--centre-bin counts the bins of a cube 'u_z', and this is no such cube; "
                        "give --centre in MHz");
    const Backend backend = chooseBackend(options.imaging.backend, options.imaging.gpu).backend;
    const aberration::ChannelFrames channels =
        aberration::channelFrames(recording, options.imaging.config(raw), backend, first, last);
    const FocusParams focus = options.estimate.focus(channels.spec);
    Spectra spectra = aberration::spectraOf(channels, focus);
    const SolveParams solve = options.estimate.solve();
    if (aberration::isIterated(solve.method)) aberration::toUsualScale(spectra);

    Found found = foundIn(options, spectra, solve);
    AberrationReport& report = found.report;
    report.firstFrame = first + 1;
    report.lastFrame = last + 1;
    report.focus = focus;
    found.elements = channels.spec.acquisition->probe.elements;
    std::optional<AberrationTruth> truth =
        knownScreen(channels.screens, recording.info().aberration.get());
    if (truth && truth->delayS.size() != spectra.grid.elements()) truth = std::nullopt;
    if (truth) report.residual = residualOf(report, *truth);
    if (report.estimate.valid && isComplex(channels.spec.dtype))
        report.peak = peakOf(channels, focus, report.estimate, truth);
    return found;
}

/// Compares the channels as Herikstad does: all samples, no taper, the file's scale. Where neither
/// the options nor the file give the frequencies, it takes those of his data, with a warning.
Found inCube(const AberrationOptions& options, const AlignedCube& cube) {
    constexpr std::int64_t kBins = 15;
    double samplingHz = options.estimate.samplingMHz ? 1e6 * *options.estimate.samplingMHz
                                                     : cube.samplingFrequencyHz;
    double centreHz =
        options.estimate.centreMHz ? 1e6 * *options.estimate.centreMHz : cube.centreFrequencyHz;
    if (samplingHz == 0.0) {
        samplingHz = herikstad::kSamplingHz;
        printWarnings({fmt::format("The file does not say its sampling frequency; {:g} MHz is "
                                   "taken, as of Herikstad's data; give --fs.",
                                   1e-6 * herikstad::kSamplingHz)});
    }
    if (centreHz == 0.0 && !options.estimate.centreBin) {
        centreHz = herikstad::kCentreHz;
        printWarnings({fmt::format("The file does not say its centre frequency; {:g} MHz is taken, "
                                   "as of Herikstad's data; give --centre.",
                                   1e-6 * herikstad::kCentreHz)});
    }
    if (options.estimate.centreBin)
        centreHz = static_cast<double>(*options.estimate.centreBin) * samplingHz /
                   static_cast<double>(cube.samples);
    const std::int64_t bins =
        options.estimate.bandwidthMHz
            ? aberration::binsWithin(1e6 * *options.estimate.bandwidthMHz, samplingHz, cube.samples)
            : options.estimate.bins.value_or(kBins);
    const Spectra spectra = aberration::spectraOfAligned(
        aberration::denseGrid(cube.rows, cube.columns), cube.values,
        static_cast<std::size_t>(cube.samples), samplingHz,
        aberration::binsRound(centreHz, samplingHz, cube.samples, bins));
    Found found = foundIn(options, spectra, options.estimate.solve());
    found.report.isCube = true;
    if (cube.truth) found.report.residual = residualOf(found.report, *cube.truth);
    return found;
}

Found findIn(const AberrationOptions& options) {
    const auto recording = openRecording(options.imaging.file, options.imaging.openOptions());
    const auto& acquisition = recording->info().frame.acquisition;
    if (acquisition != nullptr && alignedOn(*acquisition))
        if (const auto cube = loadAlignedCube(options.imaging.file)) return inCube(options, *cube);
    return inRecording(options, *recording);
}

void estimateAberration(const AberrationOptions& options) {
    Outputs outputs(options);
    const Found found = findIn(options);
    const AberrationReport& report = found.report;
    const Estimate& estimate = report.estimate;
    print(report);
    if (outputs.json) outputs.json->finish(asJson(report));
    if (outputs.strip) {
        const auto fonts = offscreenFonts();
        const QImage strip = aberration::stepStrip(report.grid, estimate.steps, estimate.centreHz);
        outputs.strip->finish(pictureBytes(strip, "PNG"));
    }
    if (outputs.film) {
        const auto fonts = offscreenFonts();
        aberration::writeStepFilm(*outputs.film, report.grid, estimate.steps, estimate.centreHz);
        outputs.film->commit();
    }
    if (!outputs.filter) return;
    if (!estimate.valid)
        throw Error(fmt::format("'{}' is not written: {}; choose another region or other frames, "
                                "or lower --min-coherence.",
                                options.output.path, whyNotValid(report)));
    const bool plain = options.naming == "plain";
    // Amplitudes in the filter itself exist only for iterated methods. Other methods estimate them
    // separately.
    const bool own =
        aberration::isIterated(options.estimate.solve().method) && !estimate.steps.empty();
    aberration::saveFilter(
        *outputs.filter, {estimate.filter, estimate.centreHz, found.elements, report.grid},
        plain ? aberration::FilterNaming::Plain : aberration::FilterNaming::Herikstad,
        "Echolux " ECHOLUX_VERSION, own ? estimate.steps.back().filter : std::vector<Complex>{});
    outputs.filter->commit();
    fmt::print("{} written.\n", options.output.path);
}

} // namespace

void addAberration(CLI::App& app) {
    auto options = std::make_shared<AberrationOptions>();
    CLI::App& command = *app.add_subcommand(
        "aberration",
        "Estimate the aberrating screen before the array of a recording; write it as a filter");
    options->imaging.addTo(command);
    command.add_option("-o,--output", options->output.path, "Filter to write, .mat or .npz");
    command.add_flag("--force", options->output.force, "Replace files where they exist");
    command
        .add_option("--naming", options->naming,
                    "plain: delay_s, amplitude, ...; herikstad: amplitude and phase hold real and "
                    "imaginary part")
        ->check(CLI::IsMember({"plain", "herikstad"}))
        ->capture_default_str();
    options->estimate.addTo(command);
    command.add_option("--json", options->json, "OUT.json with all figures and the filter");
    command.add_option(
        "--steps", options->steps,
        "Maps or curves of the iteration: STRIP.png after 1, 2, 4, 7, 10, 14, 18, 21, or all of "
        "them as a cine, CINE.gif, .mp4 or .webm");
    command.callback([options] { estimateAberration(*options); });
}

} // namespace echolux
