// SPDX-License-Identifier: GPL-3.0-or-later
// echolux calibrate: estimates a spectrometer's calibration from its own spectra.
#include "app/calibration/line_mean.hpp"
#include "app/calibration/sharpness_probe.hpp"
#include "app/command_line/options.hpp"
#include "app/command_line/voice.hpp"
#include "app/commands/commands.hpp"
#include "app/dataset/calibration/calibration.hpp"
#include "app/session/offline/mirror_recording.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

namespace {

const char* const kOutputHelp =
    "Calibration to write: .toml or .npz, or .npy or .csv for the curve alone";

/// Checks before the work that the output can be written and replaces no file.
void check(const OutputOptions& output, const std::string& part = {}) {
    checkCalibrationName(output.path, part);
    output.refuseExisting(output.path);
    const PartialFile probe(output.path); // leaves no file
}

struct MirrorCommand {
    std::string mirror;
    std::string mirror2;
    FrameOption frame;
    MirrorOptions fit;
    OutputOptions output;
};

struct DispersionCommand {
    ImagingOptions imaging;
    std::string region;
    std::string metric = sharpnessMetrics().front().first;
    bool quartic = false;
    FrameOption frame;
    std::int64_t frames = 1;
    OutputOptions output;
};

struct BackgroundCommand {
    ImagingOptions imaging;
    FrameOption frame;
    std::optional<std::int64_t> lines; ///< empty: all from the frame on
    OutputOptions output;
};

/// The facts of the device that recorded spectra. Throws Error for channel data.
const Spectrometer& deviceOf(const Recording& recording) {
    const RecordingInfo& info = recording.info();
    if (info.frame.spectrometer) return *info.frame.spectrometer;
    throw Error(fmt::format("'{}' holds no OCT spectra; choose a recording of a spectrometer or a "
                            "swept source.",
                            info.path.string()));
}

void printCurve(const MirrorEstimate& estimate) {
    constexpr std::size_t kRows = 8;
    fmt::print("{:>10}{:>14}{:>14}\n", "output", "raw sample", "from linear");
    const std::size_t last = estimate.resampling.size() - 1;
    for (std::size_t row = 0; row <= kRows; ++row) {
        const std::size_t m = last * row / kRows;
        fmt::print("{:>10}{:>14.3f}{:>+14.3f}\n", m, estimate.resampling[m],
                   estimate.resampling[m] - static_cast<double>(m));
    }
}

void calibrateK(const MirrorCommand& command) {
    check(command.output);
    std::vector<std::filesystem::path> files{command.mirror};
    if (!command.mirror2.empty()) files.emplace_back(command.mirror2);
    const MirrorMeasurement measured = measureMirrors(files, command.fit, command.frame.index());
    const MirrorEstimate& estimate = measured.estimate;
    saveCalibration(command.output.path, measured.calibration);

    printCurve(estimate);
    fmt::print("Fringe of {:.0f} periods, phase within {:.3f} rad of a polynomial of order {}; up "
               "to {:.2f} samples from linear.\n",
               measured.fringeBins.front(), estimate.residualRad, command.fit.order,
               estimate.largestDeviation);
    if (command.mirror2.empty())
        fmt::print("{}\n", kOneMirror);
    else if (!estimate.dispersionRad.empty())
        fmt::print("Dispersion near c1 = {:.4g}, c2 = {:.4g}, c3 = {:.4g}, for a sample on the "
                   "side of the first mirror.\n",
                   estimate.dispersion[0], estimate.dispersion[1], estimate.dispersion[2]);
    fmt::print("{} written.\n", command.output.path);
}

/// Reads "first:last", where either may be missing.
void parseSpan(const std::string& text, std::int64_t& first, std::int64_t& last) {
    const auto colon = text.find(':');
    const auto number = [&](std::string_view part, std::int64_t& value) {
        if (part.empty()) return true;
        const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
        return code == std::errc() && end == part.data() + part.size();
    };
    const std::string_view all = text;
    if (colon == std::string::npos || !number(all.substr(0, colon), first) ||
        !number(all.substr(colon + 1), last))
        throw Error(fmt::format(
            "'{}' is no span of --region; write first:last, for example 40:200.", text));
}

ImageRegion regionOf(const std::string& text) {
    ImageRegion region;
    if (text.empty()) return region;
    const auto comma = text.find(',');
    parseSpan(text.substr(0, comma), region.firstBin, region.lastBin);
    if (comma != std::string::npos)
        parseSpan(text.substr(comma + 1), region.firstLine, region.lastLine);
    return region;
}

/// Adds whole frames from `command.frame` on, spread over the rest of the recording.
void addFrames(SharpnessProbe& probe, Recording& recording, const DispersionCommand& command) {
    const RecordingInfo& info = recording.info();
    const std::int64_t first = command.frame.index();
    const std::int64_t left = info.frameCount - first;
    if (first < 0 || command.frames < 1 || command.frames > left)
        throw Error(fmt::format("{} has frames 1 to {}, but {} from frame {} on were asked for; "
                                "choose fewer.",
                                info.path.filename().string(), info.frameCount, command.frames,
                                command.frame.number));
    std::vector<std::byte> raw(info.frame.bytes());
    for (std::int64_t i = 0; i < command.frames; ++i) {
        recording.readFrame(first + left * i / command.frames, raw);
        probe.addFrame(raw);
    }
}

/// Prints a line on stderr about once a second.
class SearchProgress {
public:
    bool show(const DispersionTrial& trial) {
        const auto now = std::chrono::steady_clock::now();
        if (isQuiet() || now - m_last < std::chrono::seconds(1)) return true;
        m_last = now;
        std::fprintf(stderr, "echolux: trial %lld, c1 %.4g, c2 %.4g, c3 %.4g, sharpness %.5g\n",
                     static_cast<long long>(trial.number), trial.best[0], trial.best[1],
                     trial.best[2], trial.bestSharpness);
        return true;
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

/// What a calibration says of the device besides dispersion.
Calibration calibrationOf(const Spectrometer& device) {
    Calibration calibration;
    calibration.resampling = device.resampling;
    calibration.background = device.background;
    calibration.centreWavelengthM = device.centreWavelengthM;
    calibration.bandwidthM = device.bandwidthM;
    return calibration;
}

void calibrateDispersion(const DispersionCommand& command) {
    check(command.output, "dispersion");
    const ImageRegion region = regionOf(command.region);
    const BackendChoice backend = chooseBackend(command.imaging.backend, command.imaging.gpu);
    const auto recording = openRecording(command.imaging.file, command.imaging.openOptions());
    const Spectrometer& device = deviceOf(*recording);
    const FrameSpec& raw = recording->info().frame;
    SharpnessProbe probe(backend.backend, *instantiate(command.imaging.config(raw), raw), region,
                         sharpnessMetric(command.metric));
    addFrames(probe, *recording, command);
    SearchProgress progress;
    const DispersionSearchOptions search{.quartic = command.quartic,
                                         .largest = probe.largestTerms()};
    const DispersionFound found = searchDispersion(
        probe, search, [&](const DispersionTrial& trial) { return progress.show(trial); });

    Calibration calibration = calibrationOf(device);
    calibration.title =
        "dispersion found in " + std::filesystem::path(command.imaging.file).filename().string();
    calibration.dispersionTerms = found.terms;
    saveCalibration(command.output.path, calibration);
    fmt::print("c1 = {:.2f}, c2 = {:.2f}, c3 = {:.2f}: {} sharpness {:.5g}, {:.5g} without; {} "
               "trials.\n{} written.\n",
               found.terms[0], found.terms[1], found.terms[2], command.metric, found.sharpness,
               found.sharpnessWithout, found.trials, command.output.path);
    for (const std::size_t term : termsNearLimit(found, search))
        fmt::print("c{} ends near its limit of {:g}, so that the sharpest image may lie beyond: "
                   "check the resampling curve, the region and the sense of the wavelengths.\n",
                   term + 1, search.largest[term]);
}

void calibrateBackground(const BackgroundCommand& command) {
    check(command.output, "background");
    const auto recording = openRecording(command.imaging.file, command.imaging.openOptions());
    const Spectrometer& device = deviceOf(*recording);
    const RecordingInfo& info = recording->info();
    const std::int64_t each = info.frame.count() / info.frame.sizeOf(AxisName::Sample);
    const std::int64_t first = command.frame.index();
    const std::int64_t there = (info.frameCount - first) * each;
    const std::int64_t lines = command.lines.value_or(std::max<std::int64_t>(there, 1));
    if (first < 0 || lines < 1 || lines > there)
        throw Error(fmt::format("{} has frames 1 to {} of {} A-scans, but {} A-scans from frame {} "
                                "on were asked for; choose fewer with --lines.",
                                info.path.filename().string(), info.frameCount, each, lines,
                                command.frame.number));
    LineMean mean(info.frame);
    std::vector<std::byte> raw(info.frame.bytes());
    for (std::int64_t frame = first; mean.lines() < lines; ++frame) {
        recording->readFrame(frame, raw);
        mean.add(raw, lines - mean.lines());
    }
    Calibration calibration = calibrationOf(device);
    calibration.title = "background captured from " + info.path.filename().string();
    calibration.background = mean.mean();
    calibration.dispersionRad = device.dispersionRad;
    saveCalibration(command.output.path, calibration);
    const auto [low, high] = std::ranges::minmax(calibration.background);
    fmt::print("Mean of {} A-scans: codes {:.1f} to {:.1f}.\n{} written.\n", mean.lines(), low,
               high, command.output.path);
}

void addK(CLI::App& calibrate) {
    auto options = std::make_shared<MirrorCommand>();
    CLI::App& command = *calibrate.add_subcommand(
        "k", "Find the resampling to equal wavenumber steps from the fringe of a mirror");
    acceptBackend(command);
    command.add_option("--mirror", options->mirror, "Recording of a mirror")->required();
    command.add_option("--mirror2", options->mirror2,
                       "Recording of a mirror on the other side of zero delay, to separate "
                       "dispersion from sampling; the sample lies on the side of --mirror");
    options->frame.addTo(command, "Frame of the recordings");
    command
        .add_option("--order", options->fit.order,
                    "Order of the polynomial fitted to the fringe's phase")
        ->capture_default_str();
    options->output.addTo(command, kOutputHelp);
    command.callback([options] { calibrateK(*options); });
}

void addDispersion(CLI::App& calibrate) {
    auto options = std::make_shared<DispersionCommand>();
    CLI::App& command = *calibrate.add_subcommand(
        "dispersion", "Find the terms c1, c2 of the dispersion stage that make the image sharpest");
    options->imaging.addTo(command);
    command.add_option("--region", options->region,
                       "z0:z1,x0:x1 in depth bins and lines, without z1 and x1 themselves "
                       "(default: from bin 16 on, all lines)");
    std::string metrics;
    for (const auto& [name, metric] : sharpnessMetrics())
        metrics += (metrics.empty() ? "" : ", ") + name;
    command.add_option("--metric", options->metric, "Sharpness: " + metrics)->capture_default_str();
    command.add_flag("--quartic", options->quartic,
                     "Search c3, too; needs points or sharp layers: in tissue the terms can "
                     "compensate each other");
    options->frame.addTo(command, "First frame to look at");
    command
        .add_option("--frames", options->frames,
                    "Number of frames, spread over the rest of the recording; more frames give a "
                    "more exact result")
        ->capture_default_str();
    options->output.addTo(command, kOutputHelp);
    command.callback([options] { calibrateDispersion(*options); });
}

void addBackground(CLI::App& calibrate) {
    auto options = std::make_shared<BackgroundCommand>();
    CLI::App& command = *calibrate.add_subcommand(
        "background", "Average A-scans into the background that the stage background_subtract "
                      "subtracts; record them without a sample");
    options->imaging.addFileTo(command, true);
    acceptBackend(command);
    options->frame.addTo(command, "Frame whose A-scans are averaged first");
    command.add_option("--lines", options->lines,
                       "Number of A-scans to average (default: all from that frame on)");
    options->output.addTo(command, kOutputHelp);
    command.callback([options] { calibrateBackground(*options); });
}

} // namespace

void addCalibrate(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("calibrate", "Estimate a device's calibration from its spectra");
    command.require_subcommand(1);
    addK(command);
    addDispersion(command);
    addBackground(command);
}

} // namespace echolux
