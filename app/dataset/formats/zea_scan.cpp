// SPDX-License-Identifier: GPL-3.0-or-later
// The scan group of zea, compared with the samples that it describes.
#include "app/dataset/formats/zea_scan.hpp"

#include "app/dataset/formats/zea_pose.hpp"
#include "app/dataset/formats/zea_waves.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace echolux {

namespace {

constexpr double kSoftTissue = 1540.0; // zea's default, m/s

double decibels(double gain) { return 20.0 * std::log10(gain); }

class ScanReader {
public:
    ScanReader(const std::shared_ptr<Hdf5File>& tree, const ZeaTrack& track, RecordingInfo info)
        : m_tree(tree), m_track(track), m_scan(tree, track.scan),
          m_probe(tree, probeOf(*tree, track)), m_info(std::move(info)) {}

    std::unique_ptr<Recording> build(const ZeaTracks& all) {
        auto source = m_tree->open(m_track.array);
        const std::vector<std::int64_t> shape = source->layout().shape;
        if (shape.size() != 5 || (shape[4] != 1 && shape[4] != 2) ||
            source->layout().type.components != 1)
            throw error(fmt::format("'{}' is {}, but channel data of zea are frames x transmits x "
                                    "samples x channels x 1 (RF) or 2 (IQ); correct it",
                                    m_track.array, source->layout().describe()));
        m_frames = static_cast<std::size_t>(shape[0]);
        m_transmits = static_cast<std::size_t>(shape[1]);
        m_samples = static_cast<std::size_t>(shape[2]);
        m_channels = static_cast<std::size_t>(shape[3]);
        const bool iq = shape[4] == 2;
        if (!m_tree->isGroup(m_track.scan))
            throw error(fmt::format("'{}' has no '{}', which says how it was recorded; write the "
                                    "file again with its scan, or describe the array in a sidecar "
                                    "('echolux help sidecar')",
                                    m_track.array, m_track.scan));
        std::vector<ArrayAxis> axes{ArrayAxis::Frame, ArrayAxis::Transmit, ArrayAxis::Sample,
                                    ArrayAxis::Channel};
        if (iq)
            axes.push_back(ArrayAxis::Iq);
        else
            source = withoutAxes(m_info.path, std::move(source), {4});
        const ArrayMapping mapping{.axes = axes};
        readFacts(iq);
        readProbe();
        readReception();
        readTransmits();
        m_info.frameRateHz = frameRate(all);
        const ArrayExtents extents = extentsOf(m_info.path, source->layout(), mapping);
        m_info.frameCount = extents.frames;
        FrameSpec frame = frameSpecOf(source->layout(), extents, m_fs);
        frame.centreFrequencyHz = m_info.frame.centreFrequencyHz;
        frame.demodulationFrequencyHz = m_info.frame.demodulationFrequencyHz;
        frame.acquisition = std::make_shared<const Acquisition>(std::move(m_acquisition));
        m_info.frame = std::move(frame);
        takeZeaPose(m_tree, m_info);
        noteFacts();
        auto recording = makeArrayRecording(std::move(m_info), std::move(source), mapping);
        readFirst(*recording);
        return recording;
    }

private:
    /// Refuses a damaged first frame at once. Frames of floating point are read later anyway.
    static void readFirst(Recording& recording) {
        const FrameSpec& frame = recording.info().frame;
        if (frame.dtype == DType::F32 || frame.dtype == DType::ComplexF32) return;
        std::vector<std::byte> first(frame.bytes());
        recording.readFrame(0, first);
    }

    Error error(const std::string& what) const { return fileError(m_info.path, what); }
    void warn(std::string text) { m_info.warnings.push_back(std::move(text)); }

    /// The newest files have a group for the probe. Older ones keep its facts in the scan.
    static std::string probeOf(const Hdf5File& tree, const ZeaTrack& track) {
        const std::string own = track.base.empty() ? "probe" : track.base + "/probe";
        for (const std::string& group : {std::string("probe"), own})
            if (tree.isDataset(group + "/probe_geometry")) return group;
        return track.scan;
    }

    double positive(const ZeaFields& fields, const std::string& name,
                    std::optional<double> fallback) const {
        auto value = fields.number(name);
        if (!value) value = fallback;
        if (!value)
            throw error(
                fmt::format("'{}' is missing; write the file again with it", fields.nameOf(name)));
        if (*value <= 0.0)
            throw error(fmt::format("'{}' is {:g}, but must be positive; correct it",
                                    fields.nameOf(name), *value));
        return *value;
    }

    /// One value for each transmit. A single value counts for all.
    std::vector<double> perTransmit(const std::string& name, double otherwise) const {
        const ZeaFields::Table table = m_scan.table(name);
        if (table.empty()) return std::vector<double>(m_transmits, otherwise);
        if (table.values.size() == 1) return std::vector<double>(m_transmits, table.values.front());
        if (table.values.size() != m_transmits)
            throw error(fmt::format("'{}' has {} entries, but '{}' has {} transmits; correct the "
                                    "one that is wrong",
                                    m_scan.nameOf(name), table.values.size(), m_track.array,
                                    m_transmits));
        return table.values;
    }

    /// [transmit][column]; empty where it is missing.
    std::vector<double> rows(const std::string& name, std::size_t columns,
                             const std::string& what) const {
        ZeaFields::Table table = m_scan.table(name);
        if (table.empty()) return {};
        const auto& shape = table.shape;
        if (shape.size() != 2 || shape[0] != static_cast<std::int64_t>(m_transmits) ||
            shape[1] != static_cast<std::int64_t>(columns))
            throw error(fmt::format("'{}' is {}, but there are {} transmits and {} {}; correct "
                                    "the one that is wrong",
                                    m_scan.nameOf(name), fmt::join(shape, " x "), m_transmits,
                                    columns, what));
        return std::move(table.values);
    }

    void readFacts(bool iq) {
        m_fs = positive(m_scan, "sampling_frequency", std::nullopt);
        m_acquisition.soundSpeedMps = positive(m_scan, "sound_speed", kSoftTissue);
        const ZeaFrequencies frequencies = zeaFrequencies(m_scan, m_info);
        if (!(frequencies.centreHz > 0.0))
            throw error(fmt::format("'{}' is missing or 0; write the file again with the "
                                    "frequency of its pulse",
                                    m_scan.nameOf("center_frequency")));
        m_pulseHz = frequencies.centreHz;
        m_info.frame.centreFrequencyHz = frequencies.bandHz(iq);
        if (iq) m_info.frame.demodulationFrequencyHz = frequencies.demodulationHz;
        if (m_info.frame.centreFrequencyHz != m_pulseHz)
            m_info.notes.emplace_back(
                "Band", fmt::format("echoes of {:.6g} MHz (demodulation_frequency) are imaged; the "
                                    "pulse was sent at {:.6g} MHz",
                                    m_info.frame.centreFrequencyHz * 1e-6, m_pulseHz * 1e-6));
    }

    void readProbe() {
        const ZeaFields::Table geometry = m_probe.table("probe_geometry");
        if (geometry.empty())
            throw error(fmt::format("nothing says where its elements are (probe/probe_geometry, "
                                    "'{}'); write the file again with the probe's geometry",
                                    m_scan.nameOf("probe_geometry")));
        if (geometry.shape.size() != 2 || geometry.shape[1] != 3)
            throw error(fmt::format("'{}' is {}, but must be elements x 3; correct it",
                                    m_probe.nameOf("probe_geometry"),
                                    fmt::join(geometry.shape, " x ")));
        Probe& probe = m_acquisition.probe;
        for (std::size_t i = 0; i + 2 < geometry.values.size(); i += 3)
            probe.elements.push_back(
                {geometry.values[i], geometry.values[i + 1], geometry.values[i + 2]});
        probe.name = m_probe.text("name").value_or("");
        for (const char* attribute : {"probe_name", "probe"})
            if (probe.name.empty()) probe.name = m_tree->textAttribute("", attribute).value_or("");
        probe.pitchM = medianPitch(probe.elements);
        probe.elementWidthM = length("element_width", probe.pitchM);
        probe.elementHeightM = length("element_height", 0.0);
        probe.longAxes = crossedLines(probe);
        probe.centreFrequencyHz = m_probe.number("probe_center_frequency").value_or(m_pulseHz);
        auto percent = m_probe.number("probe_bandwidth_percent");
        if (!percent) percent = m_scan.number("bandwidth_percent");
        probe.fractionalBandwidth = percent.value_or(0.0) / 100.0;
    }

    /// A length of the elements in m; 0 where the file does not give a plausible one.
    /// NOTE: some older files give the width in wavelengths. Elements are not wider than twice the
    /// pitch, so a larger value is not used.
    double length(const std::string& name, double pitch) {
        const double value = m_probe.number(name).value_or(0.0);
        const bool plausible = value >= 0.0 && (pitch <= 0.0 || value <= 2.0 * pitch);
        if (plausible) return value;
        warn(fmt::format("'{}' is {:g} m, which no element of this probe has; it is not used.",
                         m_probe.nameOf(name), value));
        return 0.0;
    }

    void readReception() {
        const std::size_t elements = m_acquisition.probe.elements.size();
        const std::vector<double> heard = rows("rx_aperture_indices", m_channels, "channels");
        if (heard.empty()) {
            if (elements != m_channels)
                throw error(fmt::format(
                    "'{}' has {} channels, but the probe {} elements, and nothing says which "
                    "element each channel listened to ('{}'); write the file again with it",
                    m_track.array, m_channels, elements, m_scan.nameOf("rx_aperture_indices")));
            return;
        }
        bool same = elements == m_channels;
        for (std::size_t i = 0; i < heard.size(); ++i) {
            const double element = heard[i];
            if (!(element >= 0.0) || element >= static_cast<double>(elements) ||
                element != std::floor(element))
                throw error(fmt::format("'{}' holds {}, but elements are counted from 0 to {}; "
                                        "correct it",
                                        m_scan.nameOf("rx_aperture_indices"), element,
                                        elements - 1));
            m_acquisition.receiveElements.push_back(static_cast<std::int32_t>(element));
            same = same && element == static_cast<double>(i % m_channels);
        }
        if (same) m_acquisition.receiveElements.clear();
    }

    void readTransmits() {
        const std::size_t elements = m_acquisition.probe.elements.size();
        constexpr double kPlane = std::numeric_limits<double>::infinity();
        ZeaShots shots;
        shots.count = m_transmits;
        shots.soundSpeedMps = m_acquisition.soundSpeedMps;
        shots.periodS = 1.0 / m_pulseHz;
        shots.halfLengthS = 0.5 * static_cast<double>(m_samples) / m_fs;
        if (!m_scan.has("initial_times"))
            warn(fmt::format("'{}' is missing; samples are taken to start when the first element "
                             "fires.",
                             m_scan.nameOf("initial_times")));
        shots.initialTimesS = perTransmit("initial_times", 0.0);
        shots.focusM = perTransmit("focus_distances", kPlane);
        shots.polarRad = perTransmit("polar_angles", 0.0);
        shots.azimuthRad = perTransmit("azimuth_angles", 0.0);
        for (const auto* angles : {&shots.polarRad, &shots.azimuthRad})
            if (!std::ranges::all_of(*angles, [](double a) { return std::isfinite(a); }))
                throw error("an angle of its transmits is no finite number; correct it");
        shots.delaysS = rows("t0_delays", elements, "elements");
        if (shots.delaysS.empty())
            warn(fmt::format("'{}' is missing; the first element of each transmit is taken to fire "
                             "when its angles and focus distance ask for it.",
                             m_scan.nameOf("t0_delays")));
        shots.weights = rows("tx_apodizations", elements, "elements");
        shots.origins.resize(m_transmits);
        const char* origin = m_scan.has("transmit_origins") ? "transmit_origins" : "origin";
        const std::vector<double> places = rows(origin, 3, "coordinates of an origin");
        for (std::size_t i = 0; i + 2 < places.size(); i += 3)
            shots.origins[i / 3] = {places[i], places[i + 1], places[i + 2]};
        inMetres(shots.focusM);
        ZeaWaves waves = zeaWaves(m_info.path, shots, m_acquisition.probe.elements);
        m_acquisition.transmits = std::move(waves.transmits);
        std::ranges::move(waves.warnings, std::back_inserter(m_info.warnings));
    }

    /// Converts focus distances to metres. Older files give them in wavelengths, as values of 1 or
    /// more.
    void inMetres(std::vector<double>& focus) {
        const auto wavelengths = [](double f) { return std::isfinite(f) && f >= 1.0; };
        if (std::ranges::none_of(focus, wavelengths)) return;
        const double wavelength = m_acquisition.soundSpeedMps / m_pulseHz;
        for (double& f : focus) f *= wavelength;
        warn("Its focus distances are 1 m or more and taken as wavelengths, as older files have "
             "them.");
    }

    /// Sum of all intervals between transmits, and how many there are.
    std::pair<double, std::size_t> intervalsOf(const ZeaFields& scan) const {
        const ZeaFields::Table table = scan.table("time_to_next_transmit");
        std::pair<double, std::size_t> sum{0.0, 0};
        for (const double interval : table.values)
            if (std::isfinite(interval) && interval > 0.0) {
                sum.first += interval;
                ++sum.second;
            }
        return sum;
    }

    /// NOTE: the last interval of a file may be missing or 0.
    double frameRate(const ZeaTracks& all) const {
        const auto [time, count] = intervalsOf(m_scan);
        if (count == 0) return 0.0;
        const auto own = static_cast<double>(m_transmits);
        if (!m_tree->isDataset("track_schedule")) return static_cast<double>(count) / (time * own);
        // Tracks alternate: an interval goes to the next transmit of any track.
        double total = 0.0;
        for (const auto* group : {&all.tracks, &all.without})
            for (const ZeaTrack& track : *group) {
                if (!track.map.empty() || track.kind != ZeaKind::Channels) continue;
                const auto [others, number] = intervalsOf(ZeaFields(m_tree, track.scan));
                if (number == 0) return 0.0;
                total += others;
            }
        return static_cast<double>(m_frames) / total;
    }

    void noteFacts() {
        auto& notes = m_info.notes;
        if (const auto type = m_probe.text("type")) notes.emplace_back("Probe type", *type);
        const auto thickness = m_probe.number("lens_thickness");
        const auto speed = m_probe.number("lens_sound_speed");
        if (thickness && *thickness > 0.0)
            notes.emplace_back("Lens", fmt::format("{:.3g} mm thick{}; its delay is not taken off",
                                                   *thickness * 1e3,
                                                   speed ? fmt::format(", {:g} m/s", *speed) : ""));
        else if (const auto lens = m_scan.number("lens_correction"); lens && *lens != 0.0)
            notes.emplace_back("Lens",
                               fmt::format("correction of {:g} wavelengths; not taken off", *lens));
        const ZeaFields::Table gain = m_scan.table("tgc_gain_curve");
        const auto positive = [](double g) { return std::isfinite(g) && g > 0.0; };
        if (!gain.empty() && std::ranges::all_of(gain.values, positive)) {
            const auto [low, high] = std::ranges::minmax(gain.values);
            if (high > low)
                notes.emplace_back("Time gain",
                                   fmt::format("{:.1f} to {:.1f} dB, still in the samples",
                                               decibels(low), decibels(high)));
        }
        if (const auto peak = pulsePeak())
            notes.emplace_back(
                "Pulse",
                fmt::format("its maximum comes {:.3g} us after its start "
                            "(waveforms_two_way): echoes lie {:.2g} mm "
                            "deeper than what reflects",
                            *peak * 1e6, 0.5e3 * *peak * m_info.frame.acquisition->soundSpeedMps));
    }

    /// Time from the start of the first transmit's two-way waveform to its maximum. [s]
    std::optional<double> pulsePeak() const {
        constexpr double kWaveformHz = 250e6;
        const ZeaFields::Table waves = m_scan.table("waveforms_two_way");
        if (waves.shape.size() != 2 || waves.shape[1] < 2) return std::nullopt;
        const auto end = waves.values.begin() + waves.shape[1];
        const auto peak = std::max_element(waves.values.begin(), end, [](double a, double b) {
            return std::abs(a) < std::abs(b);
        });
        if (!(std::abs(*peak) > 0.0)) return std::nullopt;
        return static_cast<double>(peak - waves.values.begin()) / kWaveformHz;
    }

    const std::shared_ptr<Hdf5File>& m_tree;
    const ZeaTrack& m_track;
    ZeaFields m_scan;
    ZeaFields m_probe;
    RecordingInfo m_info;
    Acquisition m_acquisition;
    double m_fs = 0.0;
    double m_pulseHz = 0.0;
    std::size_t m_frames = 0;
    std::size_t m_transmits = 0;
    std::size_t m_samples = 0;
    std::size_t m_channels = 0;
};

/// The frequency of all transmits. Where they differ it is the first one, with a warning.
double onlyFrequency(const ZeaFields& scan, const std::string& name, RecordingInfo& info) {
    const ZeaFields::Table table = scan.table(name);
    if (table.empty()) return 0.0;
    const double first = table.values.front();
    if (!std::ranges::all_of(table.values, [](double f) { return std::isfinite(f) && f >= 0.0; }))
        throw fileError(
            info.path, fmt::format("'{}' is negative or no number; correct it", scan.nameOf(name)));
    constexpr double kSame = 1e-6;
    const auto differs = [&](double f) { return std::abs(f - first) > kSame * first; };
    if (std::ranges::any_of(table.values, differs))
        info.warnings.push_back(fmt::format("Its transmits have different values of '{}'; that of "
                                            "the first, {:g} MHz, is used for all.",
                                            name, first * 1e-6));
    return first;
}

} // namespace

double ZeaFrequencies::bandHz(bool iq) const {
    constexpr double kSame = 1e-6;
    const bool other = std::abs(demodulationHz - centreHz) > kSame * centreHz;
    return !iq && demodulationHz > 0.0 && other ? demodulationHz : centreHz;
}

ZeaFrequencies zeaFrequencies(const ZeaFields& scan, RecordingInfo& info) {
    ZeaFrequencies frequencies;
    frequencies.centreHz = onlyFrequency(scan, "center_frequency", info);
    frequencies.demodulationHz = scan.has("demodulation_frequency")
                                     ? onlyFrequency(scan, "demodulation_frequency", info)
                                     : frequencies.centreHz;
    return frequencies;
}

std::unique_ptr<Recording> openZeaChannels(const std::shared_ptr<Hdf5File>& tree,
                                           const ZeaTrack& track, const ZeaTracks& all,
                                           RecordingInfo info) {
    return ScanReader(tree, track, std::move(info)).build(all);
}

} // namespace echolux
