// SPDX-License-Identifier: GPL-3.0-or-later
// echolux info: what is known of a recording, for people or as JSON.
#include "app/commands/acquisition_words.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/info_json.hpp"
#include "app/commands/options.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/sector.hpp"
#include "gpu/core/volume_image.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

namespace echolux {

namespace {

void printLine(std::string_view name, const std::string& text) {
    fmt::print("{:<20}{}\n", name, text);
}

std::string known(double value, const std::string& text) {
    return value > 0.0 ? text : std::string("unknown");
}

/// Of recordings whose frames make volumes.
void printStack(const RecordingInfo& info) {
    const VolumeStack& stack = info.frame.stack;
    if (stack.bscansPerVolume < 2) return;
    printLine("Volumes", fmt::format("{} of {} B-scans", info.frameCount / stack.bscansPerVolume,
                                     stack.bscansPerVolume));
    printLine("B-scan spacing",
              known(stack.spacingM, fmt::format("{:.4g} um", stack.spacingM * 1e6)));
}

/// What beamform makes of a frame unless it is told otherwise; null where it would refuse.
std::optional<FrameSpec> usualImage(const FrameSpec& frame) {
    try {
        return das::imageSpec(frame, das::defaultParams(frame));
    } catch (const Error&) {
        return std::nullopt;
    }
}

void printVolume(const FrameSpec& frame) {
    const std::optional<FrameSpec> image = usualImage(frame);
    if (!image || !isWholeVolume(*image)) return;
    const auto extent = [](const Axis& axis) {
        return 1e3 * static_cast<double>(axis.size - 1) * axis.spacing;
    };
    const Axis& elevation = image->axes[0];
    const Axis& depth = image->axes[1];
    const Axis& lateral = image->axes[2];
    printLine("Images", fmt::format("a volume per frame: {} x {} x {} voxels, {:.1f} x {:.1f} x "
                                    "{:.1f} mm (lateral, elevation, depth)",
                                    lateral.size, elevation.size, depth.size, extent(lateral),
                                    extent(elevation), extent(depth)));
}

void printAcquisition(const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    const Acquisition& acquisition = *frame.acquisition;
    const Probe& probe = acquisition.probe;
    const CoveredDepths depth = coveredDepths(frame);
    printLine("Transmits", describeTransmits(acquisition));
    if (const auto firing = describeFiring(acquisition); !firing.empty())
        printLine("Apertures", firing);
    if (const auto hearing = describeHearing(acquisition, frame.sizeOf(AxisName::Channel));
        !hearing.empty())
        printLine("Channels", hearing);
    if (const auto weights =
            describeRangeWeights(acquisition.rangeWeights, frame.sizeOf(AxisName::Channel));
        !weights.empty())
        printLine("Receive weights", weights);
    printLine("Array", describe(arrayKindOf(probe, acquisition.soundSpeedMps)));
    printLine("Elements", fmt::format("{}{}{}", probe.elements.size(),
                                      probe.name.empty() ? "" : ", ", probe.name));
    printLine("Pitch", known(probe.pitchM, fmt::format("{:.4g} mm", probe.pitchM * 1e3)));
    if (probe.elementHeightM > 0.0)
        printLine("Element height", fmt::format("{:.4g} mm", probe.elementHeightM * 1e3));
    if (probe.elevationFocusM > 0.0)
        printLine("Elevation focus", fmt::format("{:.4g} mm", probe.elevationFocusM * 1e3));
    printLine("Sampling", fmt::format("{:.6g} MHz", frame.samplingFrequencyHz() * 1e-6));
    printLine("Centre frequency", known(frame.centreFrequencyHz,
                                        fmt::format("{:.6g} MHz", frame.centreFrequencyHz * 1e-6)));
    if (frame.demodulationFrequencyHz > 0.0)
        printLine("Demodulated at",
                  fmt::format("{:.6g} MHz", frame.demodulationFrequencyHz * 1e-6));
    printLine("First sample at", describeFirstSample(acquisition));
    printLine("Speed of sound", fmt::format("{:g} m/s", acquisition.soundSpeedMps));
    printLine("Depth range", fmt::format("{:.1f} to {:.1f} mm", depth.min * 1e3, depth.max * 1e3));
    if (info.aberration) printLine("Screen", describeAberration(*info.aberration, probe));
    printVolume(frame);
    printStack(info);
}

std::string describeLines(const Sector& sector) {
    constexpr double kDegree = std::numbers::pi / 180.0;
    std::string text =
        fmt::format("{} lines of a sector, {:.2f} to {:.2f} deg", sector.lines(),
                    sector.anglesRad.front() / kDegree, sector.anglesRad.back() / kDegree);
    if (!sector.hasOneApex())
        text += fmt::format(", that start at x = {:.2f} to {:.2f} mm",
                            sector.starts.front().x * 1e3, sector.starts.back().x * 1e3);
    return text;
}

void printImages(const FrameSpec& frame) {
    printLine("Recorded as", std::string(nameOf(frame.recordedForm)));
    for (const Axis& axis : frame.axes) {
        const std::string name(nameOf(axis.name));
        const double last = axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
        const bool lines = frame.sector != nullptr && axis.name == AxisName::Lateral;
        printLine(name, lines              ? describeLines(*frame.sector)
                        : axis.unit == "m" ? fmt::format("{} from {:.2f} to {:.2f} mm", axis.size,
                                                         axis.origin * 1e3, last * 1e3)
                                           : fmt::format("{}, scale unknown", axis.size));
    }
    if (frame.centreFrequencyHz > 0.0)
        printLine("Centre frequency", fmt::format("{:.6g} MHz", frame.centreFrequencyHz * 1e-6));
    if (frame.demodulationFrequencyHz > 0.0)
        printLine("Demodulated at",
                  fmt::format("{:.6g} MHz", frame.demodulationFrequencyHz * 1e-6));
    if (frame.valueRange)
        printLine("Shown from", fmt::format("{:g} to {:g} {}", frame.valueRange->min,
                                            frame.valueRange->max, frame.valueRange->unit));
}

/// Farthest place from the straight curve 0 .. n - 1, in samples.
double bendOf(const std::vector<double>& resampling) {
    double most = 0.0;
    for (std::size_t m = 0; m < resampling.size(); ++m)
        most = std::max(most, std::abs(resampling[m] - static_cast<double>(m)));
    return most;
}

void printSpectrometer(const RecordingInfo& info) {
    const Spectrometer& facts = *info.frame.spectrometer;
    const auto nanometres = [](double metres) {
        return known(metres, fmt::format("{:.5g} nm", metres * 1e9));
    };
    const auto micrometres = [](double metres) {
        return known(metres, fmt::format("{:.4g} um", metres * 1e6));
    };
    printLine("Centre wavelength", nanometres(facts.centreWavelengthM));
    printLine("Bandwidth", nanometres(facts.bandwidthM));
    printLine("Refractive index",
              known(facts.refractiveIndex, fmt::format("{:.4g}", facts.refractiveIndex)));
    printLine("Line spacing", micrometres(lineSpacingM(info.frame)));
    printStack(info);
    printLine("Background", facts.background.empty() ? "none" : "one spectrum");
    printLine("Resampling",
              facts.resampling.empty()
                  ? std::string("none")
                  : fmt::format("curve, {:.3g} samples from straight", bendOf(facts.resampling)));
    printLine("Dispersion", facts.dispersionRad.empty() ? "none" : "one phase per sample");
}

void printText(const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    printLine("File", info.path.string());
    printLine("Format", info.format);
    printLine(frame.spectrometer ? "B-scans" : "Frames", fmt::format("{}", info.frameCount));
    printLine(frame.spectrometer ? "B-scan rate" : "Frame rate",
              known(info.frameRateHz, fmt::format("{:g} Hz", info.frameRateHz)));
    printLine("Frame", frame.describe());
    if (info.tracks.size() > 1)
        printLine("Track", fmt::format("{} of {} ({}): {}", info.track + 1, info.tracks.size(),
                                       fmt::join(info.tracks, ", "), info.tracks[info.track]));
    if (frame.spectrometer)
        printSpectrometer(info);
    else if (frame.recordedForm != RecordedForm::Signals)
        printImages(frame);
    else
        printAcquisition(info);
    for (const auto& [name, text] : info.notes) printLine(name, text);
    for (const std::string& warning : info.warnings) printLine("Warning", warning);
}

struct InfoOptions {
    int track = 0;
    std::string file;
    std::string sidecar;
    std::string calibration;
    bool json = false;
};

void runInfo(const InfoOptions& options) {
    OpenOptions open;
    if (!options.sidecar.empty()) open.sidecar = options.sidecar;
    if (!options.calibration.empty()) open.calibration = options.calibration;
    open.track = trackIndex(options.track);
    const auto recording = openRecording(options.file, open);
    if (options.json)
        fmt::print("{}\n", toJson(recording->info())
                               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    else
        printText(recording->info());
}

} // namespace

void addInfo(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand("info", "Say what is known of a recording");
    acceptBackend(*command);
    command->add_option("FILE", options->file, "Recording")->required();
    command->add_flag("--json", options->json, "Print JSON, in SI units");
    command->add_option("--sidecar", options->sidecar,
                        "TOML file that describes FILE ('echolux help sidecar')");
    command->add_option("--calibration", options->calibration,
                        "Calibration of the spectrometer, in place of the recording's own");
    addTrackTo(*command, options->track);
    command->callback([options] { runInfo(*options); });
}

} // namespace echolux
