// SPDX-License-Identifier: GPL-3.0-or-later
// echolux info: what is known of a recording, for people or as JSON.
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/wave_name.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/volume_image.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <optional>

namespace echolux {

namespace {

constexpr double kDegPerRad = 180.0 / std::numbers::pi;

/// Depths straight below the array's centre that the samples of every transmit cover: there the
/// echo returns after about 2 z / c. [m]
struct DepthRange {
    double min = 0.0;
    double max = 0.0;
};
DepthRange depthRange(const FrameSpec& frame) {
    const Acquisition& acquisition = *frame.acquisition;
    const double fs = frame.samplingFrequencyHz();
    const double length = static_cast<double>(frame.sizeOf(AxisName::Sample) - 1) / fs;
    DepthRange range{0.0, INFINITY};
    for (const Transmit& transmit : acquisition.transmits) {
        const double half = 0.5 * acquisition.soundSpeedMps;
        range.min = std::max(range.min, half * transmit.firstSampleS);
        range.max = std::min(range.max, half * (transmit.firstSampleS + length));
    }
    range.max = std::max(range.min, range.max);
    return range;
}

nlohmann::json converterRange(const FrameSpec& frame) {
    if (!frame.converterRange) return nullptr;
    return {frame.converterRange->lowest, frame.converterRange->highest};
}

nlohmann::json pointsJson(const std::vector<Point>& points) {
    nlohmann::json list = nlohmann::json::array();
    for (const Point& p : points) list.push_back({p.x, p.y, p.z});
    return list;
}

nlohmann::json transmitJson(const Transmit& t, const FrameSpec& frame) {
    nlohmann::json entry{{"wave", nameOf(t.wave)},
                         {"first_sample_s", t.firstSampleS},
                         {"origin_m", {t.origin.x, t.origin.y, t.origin.z}}};
    if (t.wave == Wave::Plane) {
        entry["angle_rad"] = t.angleRad;
        entry["elevation_rad"] = t.elevationRad;
    } else {
        entry["source_m"] = {t.source.x, t.source.y, t.source.z};
    }
    if (!t.apodization.empty()) entry["apodization"] = t.apodization;
    if (frame.demodulationFrequencyHz > 0.0) entry["iq_phase_zero_s"] = t.iqPhaseZeroS;
    return entry;
}

nlohmann::json probeJson(const Acquisition& acquisition) {
    const Probe& probe = acquisition.probe;
    const ArrayKind kind = arrayKindOf(probe, acquisition.soundSpeedMps);
    nlohmann::json entry{{"name", probe.name},
                         {"array", nameOf(kind.shape)},
                         {"pitch_m", probe.pitchM},
                         {"element_width_m", probe.elementWidthM},
                         {"element_height_m", probe.elementHeightM},
                         {"elevation_focus_m", probe.elevationFocusM},
                         {"fractional_bandwidth", probe.fractionalBandwidth},
                         {"elements_m", pointsJson(probe.elements)}};
    if (kind.columns > 0) {
        entry["columns"] = kind.columns;
        entry["rows"] = kind.rows;
    }
    if (kind.radiusM > 0.0) entry["radius_m"] = kind.radiusM;
    if (!probe.normals.empty()) entry["normals"] = pointsJson(probe.normals);
    if (kind.shape == ArrayShape::RowColumn) {
        nlohmann::json axes = nlohmann::json::array();
        for (const LongAxis axis : probe.longAxes)
            axes.push_back(axis == LongAxis::None      ? "none"
                           : axis == LongAxis::Lateral ? "lateral"
                                                       : "elevation");
        entry["long_axes"] = std::move(axes);
    }
    return entry;
}

void addAcquisition(nlohmann::json& into, const FrameSpec& frame) {
    const Acquisition& acquisition = *frame.acquisition;
    nlohmann::json transmits = nlohmann::json::array();
    for (const Transmit& t : acquisition.transmits) transmits.push_back(transmitJson(t, frame));
    const DepthRange depth = depthRange(frame);
    into["sampling_frequency_hz"] = frame.samplingFrequencyHz();
    into["centre_frequency_hz"] = frame.centreFrequencyHz;
    into["demodulation_frequency_hz"] = frame.demodulationFrequencyHz;
    into["sound_speed_mps"] = acquisition.soundSpeedMps;
    into["depth_range_m"] = {depth.min, depth.max};
    into["probe"] = probeJson(acquisition);
    into["transmits"] = std::move(transmits);
    into["steering"] = acquisition.steering == Steering::Tilts ? "tilts" : "projections";
    if (const auto& heard = acquisition.receiveElements; !heard.empty()) {
        const auto channels = static_cast<std::ptrdiff_t>(frame.sizeOf(AxisName::Channel));
        for (auto row = heard.begin(); row != heard.end(); row += channels)
            into["receive_elements"].push_back(std::vector<std::int32_t>(row, row + channels));
    }
    if (const RangeWeights& weights = acquisition.rangeWeights; !weights.values.empty()) {
        nlohmann::json& table = into["receive_weights_over_range"];
        table = {{"first_range_m", weights.firstM}, {"range_step_m", weights.stepM}};
        const auto steps = std::ssize(weights.values) / frame.sizeOf(AxisName::Channel);
        for (auto row = weights.values.begin(); row != weights.values.end(); row += steps)
            table["weights"].push_back(std::vector<float>(row, row + steps));
    }
    into["partial_matrix"] = !acquisition.receiveWeights.empty();
}

/// 0 = unknown.
double lineSpacingM(const FrameSpec& frame) {
    const Axis* lateral = frame.find(AxisName::Lateral);
    return lateral != nullptr && lateral->unit == "m" ? lateral->spacing : 0.0;
}

void addSpectrometer(nlohmann::json& into, const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    const Spectrometer& facts = *frame.spectrometer;
    into["spectrometer"] = {{"centre_wavelength_m", facts.centreWavelengthM},
                            {"bandwidth_m", facts.bandwidthM},
                            {"refractive_index", facts.refractiveIndex},
                            {"background", facts.background},
                            {"resampling", facts.resampling},
                            {"dispersion_rad", facts.dispersionRad}};
    into["line_spacing_m"] = lineSpacingM(frame);
}

void addStack(nlohmann::json& into, const VolumeStack& stack) {
    into["bscans_per_volume"] = stack.bscansPerVolume;
    into["bscan_spacing_m"] = stack.spacingM;
}

nlohmann::json toJson(const RecordingInfo& info) {
    const FrameSpec& frame = info.frame;
    nlohmann::json axes = nlohmann::json::array();
    for (const Axis& axis : frame.axes)
        axes.push_back({{"name", nameOf(axis.name)}, {"size", axis.size}});
    nlohmann::json notes = nlohmann::json::object();
    for (const auto& [name, text] : info.notes) notes[name] = text;
    nlohmann::json result{
        {"path", info.path.string()},
        {"format", info.format},
        {"frames", info.frameCount},
        {"frame_rate_hz", info.frameRateHz},
        {"dtype", nameOf(frame.dtype)},
        {"axes", std::move(axes)},
        {"code_offset", frame.codeOffset},
        {"code_scale", frame.codeScale},
        {"converter_range", converterRange(frame)},
        {"notes", std::move(notes)},
        {"warnings", info.warnings},
    };
    if (frame.spectrometer)
        addSpectrometer(result, info);
    else
        addAcquisition(result, frame);
    if (frame.spectrometer || frame.stack.bscansPerVolume > 1) addStack(result, frame.stack);
    return result;
}

/// Four digits, and 0 for what is 0 but for rounding.
std::string tidy(double value) {
    constexpr double kNothing = 1e-9;
    return fmt::format("{:.4g}", std::abs(value) < kNothing ? 0.0 : value);
}

/// "3 x plane waves"
std::string countOf(std::ptrdiff_t count, Wave wave) {
    return fmt::format("{} x {} wave{}", count,
                       wave == Wave::Element ? "single-element" : nameOf(wave),
                       count == 1 ? "" : "s");
}

/// Whether waves leave the x-z plane.
bool leavesPlane(const std::vector<Transmit>& transmits) {
    return std::ranges::any_of(
        transmits, [](const Transmit& t) { return t.elevationRad != 0.0 || t.source.y != 0.0; });
}

std::string anglesOf(const Transmit& t, bool space) {
    const std::string angle = tidy(t.angleRad * kDegPerRad);
    return space ? fmt::format("({}, {})", angle, tidy(t.elevationRad * kDegPerRad)) : angle;
}

std::string placeOf(const Point& p, bool space) {
    const std::string x = tidy(p.x * 1e3);
    const std::string z = tidy(p.z * 1e3);
    return space ? fmt::format("({}, {}, {})", x, tidy(p.y * 1e3), z)
                 : fmt::format("({}, {})", x, z);
}

std::string unitsOf(const Acquisition& acquisition, Wave wave, bool space) {
    if (wave == Wave::Plane && space)
        return acquisition.steering == Steering::Tilts ? "deg (in x-z, then out of it)"
                                                       : "deg (as seen in x-z, as seen in y-z)";
    if (wave == Wave::Plane) return "deg";
    return fmt::format("{} {} mm", wave == Wave::Focused ? "to" : "from",
                       space ? "(x, y, z)" : "(x, z)");
}

std::string describeTransmits(const Acquisition& acquisition) {
    const auto& transmits = acquisition.transmits;
    const Wave wave = transmits.front().wave;
    std::string kinds;
    for (const Wave kind : {Wave::Plane, Wave::Diverging, Wave::Focused, Wave::Element}) {
        const auto count = std::ranges::count(transmits, kind, &Transmit::wave);
        if (count > 0) kinds += (kinds.empty() ? "" : ", ") + countOf(count, kind);
        if (count == std::ssize(transmits)) break;
    }
    if (!std::ranges::all_of(transmits, [&](const Transmit& t) { return t.wave == wave; }))
        return kinds;
    constexpr std::size_t kMostListed = 15;
    const bool space = leavesPlane(transmits);
    std::string list;
    for (std::size_t i = 0; i < std::min(transmits.size(), kMostListed); ++i) {
        const Transmit& t = transmits[i];
        list += " " + (wave == Wave::Plane ? anglesOf(t, space) : placeOf(t.source, space));
    }
    if (transmits.size() > kMostListed) list += " ...";
    return fmt::format("{}, {}:{}", kinds, unitsOf(acquisition, wave, space), list);
}

/// "32 of 128 elements fire", where the recording says so.
std::string describeFiring(const Acquisition& acquisition) {
    std::size_t least = acquisition.probe.elements.size();
    std::size_t most = 0;
    for (const Transmit& t : acquisition.transmits) {
        if (t.apodization.empty()) return {};
        const auto silent = std::ranges::count(t.apodization, 0.0F);
        const std::size_t firing = t.apodization.size() - static_cast<std::size_t>(silent);
        least = std::min(least, firing);
        most = std::max(most, firing);
    }
    return fmt::format("{} of {} elements fire",
                       least == most ? fmt::format("{}", least)
                                     : fmt::format("{} to {}", least, most),
                       acquisition.probe.elements.size());
}

/// "32 channels hear elements 0 to 31 first, 96 to 127 last", where channels are not the elements.
std::string describeHearing(const Acquisition& acquisition, std::int64_t channels) {
    const auto& heard = acquisition.receiveElements;
    if (heard.empty()) return {};
    const auto range = [&](auto first) {
        const auto [least, most] = std::minmax_element(first, first + channels);
        return fmt::format("{} to {}", *least, *most);
    };
    return fmt::format("{} channels hear elements {} first, {} last", channels,
                       range(heard.begin()), range(heard.end() - channels));
}

/// "at 50 ranges, 0 to 49 mm", where a table of them came with the recording.
std::string describeRangeWeights(const RangeWeights& weights, std::int64_t channels) {
    if (weights.values.empty()) return {};
    const std::int64_t steps = std::ssize(weights.values) / channels;
    const double last = weights.firstM + static_cast<double>(steps - 1) * weights.stepM;
    return fmt::format("at {} ranges, {} to {} mm", steps, tidy(1e3 * weights.firstM),
                       tidy(1e3 * last));
}

std::string describeFirstSample(const Acquisition& acquisition) {
    const auto [least, most] =
        std::ranges::minmax(acquisition.transmits, {}, &Transmit::firstSampleS);
    if (most.firstSampleS - least.firstSampleS < 5e-11)
        return fmt::format("{:.4f} us", least.firstSampleS * 1e6);
    return fmt::format("{:.4f} to {:.4f} us", least.firstSampleS * 1e6, most.firstSampleS * 1e6);
}

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
    const DepthRange depth = depthRange(frame);
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
    printVolume(frame);
    printStack(info);
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
    if (frame.spectrometer)
        printSpectrometer(info);
    else
        printAcquisition(info);
    for (const auto& [name, text] : info.notes) printLine(name, text);
    for (const std::string& warning : info.warnings) printLine("Warning", warning);
}

struct InfoOptions {
    std::string file;
    std::string sidecar;
    std::string calibration;
    bool json = false;
};

void runInfo(const InfoOptions& options) {
    OpenOptions open;
    if (!options.sidecar.empty()) open.sidecar = options.sidecar;
    if (!options.calibration.empty()) open.calibration = options.calibration;
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
    command->callback([options] { runInfo(*options); });
}

} // namespace echolux
