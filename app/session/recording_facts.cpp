// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the facts of a recording, line by line.
#include "app/session/recording_facts.hpp"

#include "app/dataset/facts/facts.hpp"
#include "app/dataset/recording/estimated.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/session/acquisition_words.hpp"
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/firing.hpp"
#include "gpu/core/posed.hpp"
#include "gpu/core/sector.hpp"
#include "gpu/core/volume_image.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <utility>

namespace echolux {
namespace {

/// The image that beamform makes of a frame by default; null where beamform would refuse.
std::optional<FrameSpec> usualImage(const FrameSpec& frame) {
    try {
        return das::imageSpec(frame, das::defaultParams(frame));
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Largest distance of the curve from the straight line 0 .. n - 1, in samples.
double bendOf(const std::vector<double>& resampling) {
    double most = 0.0;
    for (std::size_t m = 0; m < resampling.size(); ++m)
        most = std::max(most, std::abs(resampling[m] - static_cast<double>(m)));
    return most;
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

/// "LPS, origin at 1.00, 0.00, 2.00 mm" and whether it is mirrored.
std::string describePose(const Pose& pose) {
    return fmt::format("{}, origin at {:.2f}, {:.2f}, {:.2f} mm{}",
                       pose.isPatient() ? "LPS (left, back, head)" : "space '" + pose.space + "'",
                       1e3 * pose.origin.x, 1e3 * pose.origin.y, 1e3 * pose.origin.z,
                       isLeftHanded(pose) ? ", left-handed" : "");
}

/// "towards L (1, 0, 0)"
std::string describeDirection(const Pose& pose, const Point& along) {
    const std::string side = sideOf(pose, along);
    return fmt::format("towards {}{}({:.4g}, {:.4g}, {:.4g})", side, side.empty() ? "" : " ",
                       along.x, along.y, along.z);
}

class Facts {
public:
    explicit Facts(const RecordingInfo& info) { putAll(info); }
    std::vector<RecordingFact> take() { return std::move(m_facts); }

private:
    void put(const std::string& name, const std::string& text) { m_facts.push_back({name, text}); }
    void put(const FrameSpec& frame, std::initializer_list<const Fact*> facts) {
        for (const Fact* fact : facts)
            put(labelOf(*fact), shownValue(*fact, fact->place.get(frame)));
    }
    void putKnown(const FrameSpec& frame, std::initializer_list<const Fact*> facts) {
        for (const Fact* fact : facts)
            if (fact->place.get(frame) != 0.0) put(frame, {fact});
    }

    /// For recordings whose frames make volumes.
    void putStack(const RecordingInfo& info) {
        const VolumeStack& stack = info.frame.stack;
        if (stack.bscansPerVolume < 2) {
            if (stack.repeats > 1) put("B-scans at each place", std::to_string(stack.repeats));
            return;
        }
        std::string each = fmt::format("of {} B-scans", stack.bscansPerVolume);
        if (stack.repeats > 1)
            each += fmt::format(", {} at each of {} places", stack.repeats, stack.places());
        put("Volumes",
            info.live ? each : fmt::format("{} {}", info.frameCount / stack.bscansPerVolume, each));
        put(info.frame, {&fact::kBscanSpacing});
    }

    void putVolume(const FrameSpec& frame) {
        const std::optional<FrameSpec> image = usualImage(frame);
        if (!image || !isWholeVolume(*image)) return;
        const auto extent = [](const Axis& axis) {
            return 1e3 * static_cast<double>(axis.size - 1) * axis.spacing;
        };
        const Axis& elevation = image->axes[0];
        const Axis& depth = image->axes[1];
        const Axis& lateral = image->axes[2];
        put("Images", fmt::format("a volume per frame: {} x {} x {} voxels, {:.1f} x {:.1f} x "
                                  "{:.1f} mm (lateral, elevation, depth)",
                                  lateral.size, elevation.size, depth.size, extent(lateral),
                                  extent(elevation), extent(depth)));
    }

    void putPose(const Pose& pose) {
        put("Pose", describePose(pose));
        put("Lateral axis", describeDirection(pose, pose.along[0]));
        put("Elevation axis", describeDirection(pose, pose.along[1]));
        put("Depth axis", describeDirection(pose, pose.along[2]));
    }

    void putAcquisition(const RecordingInfo& info) {
        const FrameSpec& frame = info.frame;
        const Acquisition& acquisition = *frame.acquisition;
        const Probe& probe = acquisition.probe;
        const CoveredDepths depth = coveredDepths(frame);
        put("Transmits", describeTransmits(acquisition));
        if (const auto firing = describeFiring(acquisition); !firing.empty())
            put("Apertures", firing);
        if (const auto hearing = describeHearing(acquisition, frame.sizeOf(AxisName::Channel));
            !hearing.empty())
            put("Channels", hearing);
        if (const auto weights =
                describeRangeWeights(acquisition.rangeWeights, frame.sizeOf(AxisName::Channel));
            !weights.empty())
            put("Receive weights", weights);
        put("Array", describe(arrayKindOf(probe, acquisition.soundSpeedMps)));
        if (const auto origin = describeOrigin(probe); !origin.empty()) put("Origin", origin);
        put("Elements", fmt::format("{}{}{}", probe.elements.size(), probe.name.empty() ? "" : ", ",
                                    probe.name));
        put(frame, {&fact::kPitch});
        putKnown(frame, {&fact::kElementWidth, &fact::kElementHeight, &fact::kElevationFocus,
                         &fact::kFractionalBandwidth});
        put(frame, {&fact::kSamplingFrequency, &fact::kCentreFrequency});
        if (isCentreEstimated(info)) m_facts.back().text += ", estimated";
        putKnown(frame, {&fact::kDemodulation});
        put("First sample at", describeFirstSample(acquisition));
        put(frame, {&fact::kSoundSpeed});
        if (transmitSpeedOf(acquisition) != acquisition.soundSpeedMps)
            put(frame, {&fact::kTransmitSpeed});
        put("Depth range", fmt::format("{:.1f} to {:.1f} mm", depth.min * 1e3, depth.max * 1e3));
        if (info.aberration) put("Screen", describeAberration(*info.aberration, probe));
        putVolume(frame);
        putStack(info);
    }

    void putImages(const FrameSpec& frame) {
        put("Recorded as", std::string(nameOf(frame.recordedForm)));
        for (const Axis& axis : frame.axes) {
            const std::string name(nameOf(axis.name));
            const double last = axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
            const bool lines = frame.sector != nullptr && axis.name == AxisName::Lateral;
            put(name, lines              ? describeLines(*frame.sector)
                      : axis.unit == "m" ? fmt::format("{} from {:.2f} to {:.2f} mm", axis.size,
                                                       axis.origin * 1e3, last * 1e3)
                                         : fmt::format("{}, scale unknown", axis.size));
        }
        putKnown(frame, {&fact::kCentreFrequency, &fact::kDemodulation});
        if (frame.valueRange)
            put("Shown from", fmt::format("{:g} to {:g} {}", frame.valueRange->min,
                                          frame.valueRange->max, frame.valueRange->unit));
    }

    void putSpectrometer(const RecordingInfo& info) {
        const Spectrometer& facts = *info.frame.spectrometer;
        put(info.frame, {&fact::kCentreWavelength, &fact::kBandwidth, &fact::kRefractiveIndex,
                         &fact::kLineSpacing});
        putStack(info);
        put("Background", facts.background.empty() ? "none" : "one spectrum");
        put("Resampling",
            facts.resampling.empty()
                ? std::string("none")
                : fmt::format("curve, {:.3g} samples from straight", bendOf(facts.resampling)));
        put("Dispersion", facts.dispersionRad.empty() ? "none" : "one phase per sample");
    }

    void putMarks(const std::vector<RecordingMark>& marks) {
        constexpr std::size_t kMost = 20;
        for (std::size_t i = 0; i < std::min(marks.size(), kMost); ++i)
            put("Mark", fmt::format("frame {}, {:.2f} s{}{}", marks[i].frame + 1, marks[i].seconds,
                                    marks[i].text.empty() ? "" : ": ", marks[i].text));
        if (marks.size() > kMost) put("Mark", fmt::format("and {} more", marks.size() - kMost));
    }

    void putAll(const RecordingInfo& info) {
        const FrameSpec& frame = info.frame;
        put(info.live ? "Source" : "File", info.path.string());
        put("Format", info.format);
        if (!info.live)
            put(frame.spectrometer ? "B-scans" : "Frames", fmt::format("{}", info.frameCount));
        const Fact& rate = frame.spectrometer ? fact::kBscanRate : fact::kFrameRate;
        put(labelOf(rate), shownValue(rate, info.frameRateHz));
        put("Frame", frame.describe());
        if (info.tracks.size() > 1)
            put("Track", fmt::format("{} of {} ({}): {}", info.track + 1, info.tracks.size(),
                                     fmt::join(info.tracks, ", "), info.tracks[info.track]));
        if (frame.spectrometer)
            putSpectrometer(info);
        else if (frame.recordedForm != RecordedForm::Signals)
            putImages(frame);
        else
            putAcquisition(info);
        if (frame.pose) putPose(*frame.pose);
        for (const auto& [name, text] : info.notes) put(name, text);
        putMarks(info.marks);
        for (const std::string& warning : info.warnings) put("Warning", warning);
    }

    std::vector<RecordingFact> m_facts;
};

} // namespace

CoveredDepths coveredDepths(const FrameSpec& frame) {
    const Acquisition& acquisition = *frame.acquisition;
    const double fs = frame.samplingFrequencyHz();
    const double length = static_cast<double>(frame.sizeOf(AxisName::Sample) - 1) / fs;
    CoveredDepths range{0.0, INFINITY};
    for (const Transmit& transmit : acquisition.transmits) {
        const double fall = acquisition.soundSpeedMps / waysOf(acquisition); // depth per second
        range.min = std::max(range.min, fall * transmit.firstSampleS);
        range.max = std::min(range.max, fall * (transmit.firstSampleS + length));
    }
    range.max = std::max(range.min, range.max);
    return range;
}

std::vector<RecordingFact> recordingFacts(const RecordingInfo& info) { return Facts(info).take(); }

} // namespace echolux
