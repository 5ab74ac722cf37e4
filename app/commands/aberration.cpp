// SPDX-License-Identifier: GPL-3.0-or-later
// echolux aberration: the screen before a recording or a cube of aligned channels, as a filter.
#include "app/aberration/beam_peak.hpp"
#include "app/aberration/channel_frames.hpp"
#include "app/aberration/cube_file.hpp"
#include "app/aberration/filter_file.hpp"
#include "app/aberration/step_strip.hpp"
#include "app/commands/aberration_report.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/offscreen_fonts.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output_file.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "gpu/core/error.hpp"

#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using aberration::Estimate;
using aberration::FocusParams;
using aberration::Method;
using aberration::SolveParams;
using aberration::Spectra;

struct AberrationOptions {
    ImagingOptions imaging;
    OutputOptions output;
    std::string frames;
    std::string region;
    std::string method = "least-squares";
    std::string naming = "plain";
    std::string json;
    std::string strip;
    std::optional<std::int64_t> kernel;
    std::optional<std::int64_t> iterations;
    std::optional<std::int64_t> passes;
    std::optional<double> mu;
    std::optional<double> epsilon;
    std::optional<double> minCoherence;
    std::optional<double> centreMHz;
    std::optional<double> bandwidthMHz;
    std::optional<double> gateUs;
    std::optional<double> samplingMHz;
    std::optional<std::int64_t> bins;
    std::optional<std::int64_t> points;
};

/// What Herikstad's programs ran with (2009, appendices E and F); of ours, what they are made for.
struct MethodChoice {
    const char* name;
    SolveParams params;
};
const std::array<MethodChoice, 6>& methods() {
    static const std::array<MethodChoice, 6> kMethods{{
        {"least-squares", {.method = Method::LeastSquares}},
        {"beam-sum", {.method = Method::BeamSum}},
        {"conjugate",
         {.method = Method::Conjugate, .radius = 2, .iterations = 300, .epsilon = 1e-4}},
        {"matlab",
         {.method = Method::Matlab, .radius = 2, .iterations = 30, .mu = 0.3, .epsilon = 0.0}},
        {"gpu", {.method = Method::Gpu, .radius = 2, .iterations = 50, .mu = 0.1, .epsilon = 0.01}},
        {"cpu", {.method = Method::Cpu, .radius = 2, .iterations = 50, .mu = 0.1, .epsilon = 0.01}},
    }};
    return kMethods;
}

std::vector<std::string> methodNames() {
    std::vector<std::string> names;
    for (const MethodChoice& each : methods()) names.emplace_back(each.name);
    return names;
}

SolveParams solveParams(const AberrationOptions& options) {
    SolveParams params = std::ranges::find(methods(), options.method, &MethodChoice::name)->params;
    if (options.kernel) {
        if (*options.kernel % 2 == 0)
            throw Error(fmt::format("--kernel {} has no middle; choose an odd number, for example "
                                    "{}.",
                                    *options.kernel, *options.kernel + 1));
        params.radius = *options.kernel / 2;
    }
    params.iterations = options.iterations.value_or(params.iterations);
    params.passes = options.passes.value_or(params.passes);
    params.mu = options.mu.value_or(params.mu);
    params.epsilon = options.epsilon.value_or(params.epsilon);
    params.minCoherence = options.minCoherence.value_or(params.minCoherence);
    return params;
}

std::pair<std::int64_t, std::int64_t> framesAsked(const std::string& text) {
    std::int64_t first = 1;
    std::int64_t last = 1;
    if (text.empty()) return {0, 0};
    const char* const end = text.data() + text.size();
    const auto one = std::from_chars(text.data(), end, first);
    bool good = one.ec == std::errc();
    last = first;
    if (good && one.ptr != end) {
        const auto two = std::from_chars(one.ptr + 1, end, last);
        good = *one.ptr == ':' && two.ec == std::errc() && two.ptr == end;
    }
    if (!good || first < 1 || last < first)
        throw Error(fmt::format("'{}' names no frames; write one number or first:last, counted "
                                "from 1, for example --frames 1:8.",
                                text));
    return {first - 1, last - 1};
}

void applyRegion(FocusParams& params, const std::string& text) {
    std::array<double, 4> mm{};
    const char* at = text.data();
    const char* const end = at + text.size();
    bool good = true;
    for (std::size_t i = 0; i < mm.size() && good; ++i) {
        const auto [next, code] = std::from_chars(at, end, mm[i]);
        const bool isLast = i + 1 == mm.size();
        good = code == std::errc() && (isLast ? next == end : next != end && *next == ',');
        at = next + (isLast ? 0 : 1);
    }
    if (!good || !(mm[2] > 0.0) || !(mm[3] > 0.0))
        throw Error(fmt::format("'{}' is no region; write x,z,width,height in mm, x and z of its "
                                "centre, for example --region=0,30,20,20.",
                                text));
    params.lateralM = 1e-3 * mm[0];
    params.depthM = 1e-3 * mm[1];
    params.widthM = 1e-3 * mm[2];
    params.heightM = 1e-3 * mm[3];
}

void refuseOutside(const FocusParams& region, const FocusParams& image) {
    const auto beyond = [](double centre, double size, double imageCentre, double imageSize) {
        return std::abs(centre - imageCentre) > 0.5 * (size + imageSize);
    };
    if (region.depthM - 0.5 * region.heightM > 0.0 &&
        !beyond(region.depthM, region.heightM, image.depthM, image.heightM) &&
        !beyond(region.lateralM, region.widthM, image.lateralM, image.widthM))
        return;
    throw Error(fmt::format(
        "The region, x {:.1f} to {:.1f} mm and depth {:.1f} to {:.1f} mm, lies outside of what was "
        "recorded, x {:.1f} to {:.1f} mm and depth {:.1f} to {:.1f} mm; move it there.",
        1e3 * (region.lateralM - 0.5 * region.widthM),
        1e3 * (region.lateralM + 0.5 * region.widthM), 1e3 * (region.depthM - 0.5 * region.heightM),
        1e3 * (region.depthM + 0.5 * region.heightM), 1e3 * (image.lateralM - 0.5 * image.widthM),
        1e3 * (image.lateralM + 0.5 * image.widthM), 1e3 * (image.depthM - 0.5 * image.heightM),
        1e3 * (image.depthM + 0.5 * image.heightM)));
}

FocusParams focusParams(const AberrationOptions& options, const FrameSpec& spec) {
    const FocusParams image = aberration::wholeImage(spec);
    FocusParams params = image;
    if (options.centreMHz) params.centreHz = 1e6 * *options.centreMHz;
    if (!(params.centreHz > 0.0))
        throw Error("The recording does not say its centre frequency; give --centre in MHz.");
    params.bandwidthHz = options.bandwidthMHz ? 1e6 * *options.bandwidthMHz : 0.5 * params.centreHz;
    params.gateS = options.gateUs ? 1e-6 * *options.gateUs : 12.0 / params.centreHz;
    params.bins = options.bins.value_or(params.bins);
    if (!options.region.empty()) {
        applyRegion(params, options.region);
        refuseOutside(params, image);
    }
    params.points = options.points.value_or(aberration::pointsFor(params));
    return params;
}

/// Everything that is written at the end, and refused before the work.
struct Outputs {
    explicit Outputs(const AberrationOptions& options) {
        const std::filesystem::path recording = options.imaging.file;
        if (!options.output.path.empty()) {
            aberration::checkFilterName(options.output.path);
            filter =
                std::make_unique<OutputFiles>(options.output.path, recording, options.output.force);
        }
        const auto open = [&](const std::string& path) -> std::unique_ptr<OutputFile> {
            if (path.empty()) return nullptr;
            refuseRecording(path, recording);
            options.output.refuseExisting(path);
            return std::make_unique<OutputFile>(path);
        };
        if (!options.strip.empty() && !options.strip.ends_with(".png"))
            throw Error(
                fmt::format("'{}' names no kind of picture; end it in .png.", options.strip));
        json = open(options.json);
        strip = open(options.strip);
    }
    std::unique_ptr<OutputFiles> filter;
    std::unique_ptr<OutputFile> json;
    std::unique_ptr<OutputFile> strip;
};

/// `write` says whether it could.
template <class Write> void writeWith(OutputFile& file, const Write& write) {
    if (!write(file.device())) file.refuse();
    file.commit();
}

struct Found {
    AberrationReport report;
    std::vector<Point> elements; ///< empty: of a cube
};

Found foundIn(const AberrationOptions& options, const Spectra& spectra, const SolveParams& solve) {
    Found found;
    AberrationReport& report = found.report;
    if (spectra.grid.elements() < 2)
        throw Error(fmt::format("'{}' has one element: there is no neighbour to compare it with.",
                                options.imaging.file));
    report.file = std::filesystem::path(options.imaging.file).filename().string();
    report.method = options.method;
    report.grid = spectra.grid;
    report.points = spectra.points;
    report.binsHz = spectra.binsHz;
    report.estimate = aberration::estimate(spectra, solve, true);
    // Of an iteration that stopped early the rest repeats its last filter.
    std::vector<aberration::Step>& steps = report.estimate.steps;
    while (steps.size() > 1 && steps.back().change == 0.0) steps.pop_back();
    report.rmsDelayS = aberration::rootMeanSquare(
        aberration::withoutPistonAndTilt(spectra.grid, report.estimate.filter.delayS));
    return found;
}

/// Of the recording's first frame that was looked at.
AberrationReport::Peak peakOf(const aberration::ChannelFrames& channels, const FocusParams& focus,
                              const Estimate& estimate,
                              const std::shared_ptr<const AberrationTruth>& truth) {
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
    const auto [first, last] = framesAsked(options.frames);
    const Backend backend = chooseBackend(options.imaging.backend).backend;
    const aberration::ChannelFrames channels =
        aberration::channelFrames(recording, options.imaging.config(raw), backend, first, last);
    const FocusParams focus = focusParams(options, channels.spec);
    const Spectra spectra = aberration::spectraOf(channels, focus);

    Found found = foundIn(options, spectra, solveParams(options));
    AberrationReport& report = found.report;
    report.firstFrame = first + 1;
    report.lastFrame = last + 1;
    report.focus = focus;
    found.elements = channels.spec.acquisition->probe.elements;
    std::shared_ptr<const AberrationTruth> truth = recording.info().aberration;
    if (truth && truth->delayS.size() != spectra.grid.elements()) truth = nullptr;
    if (truth && report.estimate.valid) {
        std::vector<double> left = truth->delayS;
        for (std::size_t e = 0; e < left.size(); ++e) left[e] -= report.estimate.filter.delayS[e];
        const auto rms = [&](const std::vector<double>& delays) {
            return aberration::rootMeanSquare(
                aberration::withoutPistonAndTilt(spectra.grid, delays));
        };
        report.residual = AberrationReport::Residual{rms(truth->delayS), rms(left)};
    }
    if (report.estimate.valid && isComplex(channels.spec.dtype))
        report.peak = peakOf(channels, focus, report.estimate, truth);
    return found;
}

/// A cube does not say its frequencies, unless they lie beside it: Herikstad's then (2009, 5.1.2).
Found inCube(const AberrationOptions& options, const aberration::AlignedCube& cube) {
    constexpr double kSamplingHz = 70.248e6;
    constexpr double kCentreHz = 3.5e6;
    constexpr std::int64_t kBins = 15;
    double samplingHz = options.samplingMHz ? 1e6 * *options.samplingMHz : cube.samplingFrequencyHz;
    double centreHz = options.centreMHz ? 1e6 * *options.centreMHz : cube.centreFrequencyHz;
    if (samplingHz == 0.0) {
        samplingHz = kSamplingHz;
        printWarnings({fmt::format("The file does not say its sampling frequency; {:g} MHz is "
                                   "taken, as of Herikstad's data; give --fs.",
                                   1e-6 * kSamplingHz)});
    }
    if (centreHz == 0.0) {
        centreHz = kCentreHz;
        printWarnings({fmt::format("The file does not say its centre frequency; {:g} MHz is taken, "
                                   "as of Herikstad's data; give --centre.",
                                   1e-6 * kCentreHz)});
    }
    const double binHz = samplingHz / static_cast<double>(cube.samples);
    std::int64_t bins = options.bins.value_or(kBins);
    if (options.bandwidthMHz)
        bins = static_cast<std::int64_t>(std::lround(1e6 * *options.bandwidthMHz / binHz)) + 1;
    const std::int64_t middle = std::lround(centreHz / binHz);
    const std::int64_t first = middle - bins / 2;
    if (bins < 1 || first < 0 || first + bins > static_cast<std::int64_t>(cube.samples) / 2)
        throw Error(fmt::format(
            "{} bins of {:.3f} MHz round {:.3f} MHz leave the spectrum of {} samples, 0 to {:.3f} "
            "MHz; choose fewer with --bins, or another --centre.",
            bins, 1e-6 * binHz, 1e-6 * centreHz, cube.samples, 0.5e-6 * samplingHz));
    const Spectra spectra =
        aberration::spectraOfAligned(cube.grid, cube.values, cube.samples, samplingHz, first, bins);
    Found found = foundIn(options, spectra, solveParams(options));
    found.report.isCube = true;
    return found;
}

Found findIn(const AberrationOptions& options) {
    std::unique_ptr<Recording> recording;
    try {
        recording = openRecording(options.imaging.file, options.imaging.openOptions());
    } catch (const UndescribedData&) {
        const auto cube = aberration::loadAlignedCube(options.imaging.file);
        if (!cube) throw;
        return inCube(options, *cube);
    }
    return inRecording(options, *recording);
}

void estimateAberration(const AberrationOptions& options) {
    const Outputs outputs(options);
    const Found found = findIn(options);
    const AberrationReport& report = found.report;
    const Estimate& estimate = report.estimate;
    print(report);
    if (outputs.json)
        writeWith(*outputs.json, [&](QIODevice& device) {
            const std::string text = asJson(report);
            return device.write(text.data(), static_cast<qint64>(text.size())) ==
                   static_cast<qint64>(text.size());
        });
    if (outputs.strip) {
        const auto fonts = offscreenFonts();
        const QImage strip = aberration::stepStrip(report.grid, estimate.steps, estimate.centreHz);
        writeWith(*outputs.strip, [&](QIODevice& device) { return strip.save(&device, "PNG"); });
    }
    if (!outputs.filter) return;
    if (!estimate.valid)
        throw Error(fmt::format("'{}' is not written: {}; choose another region or other frames, "
                                "or lower --min-coherence.",
                                options.output.path, whyNotValid(report)));
    const bool plain = options.naming == "plain";
    aberration::saveFilter(
        *outputs.filter, {estimate.filter, estimate.centreHz, found.elements, report.grid},
        plain ? aberration::FilterNaming::Plain : aberration::FilterNaming::Herikstad,
        "Echolux " ECHOLUX_VERSION,
        estimate.steps.empty() ? std::vector<Complex>{} : estimate.steps.back().filter);
    outputs.filter->commit();
    fmt::print("{} written.\n", options.output.path);
}

} // namespace

void addAberration(CLI::App& app) {
    auto options = std::make_shared<AberrationOptions>();
    CLI::App& command = *app.add_subcommand(
        "aberration", "Estimate the aberrating screen before a recording, as a filter");
    options->imaging.addTo(command);
    command.add_option("-o,--output", options->output.path, "Filter to write, .mat or .npz");
    command.add_flag("--force", options->output.force, "Replace files where they exist");
    command
        .add_option("--naming", options->naming,
                    "plain: delay_s, amplitude, ...; herikstad: amplitude and phase hold real and "
                    "imaginary part")
        ->check(CLI::IsMember({"plain", "herikstad"}))
        ->capture_default_str();
    command.add_option("--frames", options->frames,
                       "One frame or first:last, counted from 1; else the first");
    command.add_option("--region", options->region,
                       "x,z,width,height in mm of what channels are focused on; else all that is "
                       "imaged from 10 mm on");
    command.add_option("--points", options->points, "Points of the region, at most")
        ->check(CLI::Range(1, 65536));
    command
        .add_option("--method", options->method, fmt::format("{}", fmt::join(methodNames(), ", ")))
        ->check(CLI::IsMember(methodNames()))
        ->capture_default_str();
    command.add_option("--kernel", options->kernel, "Neighbours compared, with the element itself")
        ->check(CLI::Range(3, 15));
    command.add_option("--iterations", options->iterations, "Of a pass, or at most in all")
        ->check(CLI::Range(1, 10000));
    command.add_option("--passes", options->passes, "Of least-squares: weighing points anew")
        ->check(CLI::Range(1, 20));
    command.add_option("--mu", options->mu, "Share of the new value")->check(CLI::Range(0.0, 1.0));
    command.add_option("--epsilon", options->epsilon, "The iteration ends below it")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("--min-coherence", options->minCoherence,
                    "Of neighbours; below it there is no filter")
        ->check(CLI::Range(0.0, 1.0));
    command.add_option("--centre", options->centreMHz, "Middle of the bins, MHz")
        ->check(CLI::PositiveNumber);
    command.add_option("--bandwidth", options->bandwidthMHz, "From the first bin to the last, MHz")
        ->check(CLI::PositiveNumber);
    command.add_option("--bins", options->bins, "Frequencies compared")->check(CLI::Range(1, 127));
    command.add_option("--gate", options->gateUs, "Time gate round each point, us")
        ->check(CLI::PositiveNumber);
    command.add_option("--fs", options->samplingMHz, "Sampling frequency of a cube 'u_z', MHz")
        ->check(CLI::PositiveNumber);
    command.add_option("--json", options->json, "OUT.json with all figures and the filter");
    command.add_option(
        "--steps", options->strip,
        "STRIP.png of the iteration: maps or curves after 1, 2, 4, 7, 10, 14, 18, 21");
    command.callback([options] { estimateAberration(*options); });
}

} // namespace echolux
