// SPDX-License-Identifier: GPL-3.0-or-later
// zea's HDF5: one track of raw channel data with its scan and probe, or of images with the position
// of every pixel.
#include "app/dataset/carried/carried_hdf5.hpp"
#include "app/dataset/carried/zea_carried.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"
#include "app/export/channel_export.hpp"
#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"
#include "app/export/zea_pose_writer.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace echolux {
namespace {

/// Version of the specification that the tree follows.
constexpr const char* kZeaVersion = "0.1.8";

/// Chunks as zea makes them, which it can read concurrently: all of a small array, else one entry
/// of the first `single` axes, with as many of the next axis as 8 MiB hold.
std::vector<hsize_t> chunkOf(std::vector<hsize_t> extent, std::size_t single, std::size_t bytes) {
    constexpr hsize_t kSmall = hsize_t{1} << 20U;
    constexpr hsize_t kMost = hsize_t{8} << 20U;
    const auto bytesFrom = [&](std::size_t first) {
        return std::accumulate(extent.begin() + static_cast<std::ptrdiff_t>(first), extent.end(),
                               hsize_t{bytes}, std::multiplies<>());
    };
    if (extent.empty() || bytesFrom(0) <= kSmall) return extent;
    std::fill_n(extent.begin(), single, hsize_t{1});
    extent[single] = std::clamp<hsize_t>(kMost / bytesFrom(single + 1), 1, extent[single]);
    return extent;
}

void field(hid_t at, const char* name, const char* unit, const std::vector<hsize_t>& extent,
           std::span<const double> values) {
    const Hdf5Handle made = hdf5::writeNumbers(at, name, extent, H5T_IEEE_F32LE, values,
                                               chunkOf(extent, 0, sizeof(float)));
    writeVariableText(made.get(), "unit", unit);
    writeVariableText(made.get(), "description", "");
}
void field(hid_t at, const char* name, const char* unit, double value) {
    field(at, name, unit, {}, std::array{value});
}

/// The direction of a transmit: (sin p cos a, sin p sin a, cos p), and the distance of its focus or
/// source from its origin along this direction.
struct Aim {
    double polar = 0.0;
    double azimuth = 0.0;
    double focusM = std::numeric_limits<double>::infinity();
    Point origin;
};

Aim aimOf(const Transmit& transmit, Steering steering) {
    const auto towards = [](const Point& u, double focusM, const Point& origin) {
        if (u.y == 0.0) return Aim{std::atan2(u.x, u.z), 0.0, focusM, origin};
        return Aim{std::acos(std::clamp(u.z, -1.0, 1.0)), std::atan2(u.y, u.x), focusM, origin};
    };
    const auto unit = [](const Point& p, double length) {
        return Point{p.x / length, p.y / length, p.z / length};
    };
    const Point& s = transmit.source;
    switch (transmit.wave) {
    case Wave::Plane:
    case Wave::None: break;
    case Wave::Diverging: return towards(unit(s, -norm(s)), -norm(s), {});
    case Wave::Focused: {
        const Point way{s.x - transmit.origin.x, s.y - transmit.origin.y, s.z - transmit.origin.z};
        return towards(unit(way, norm(way)), norm(way), transmit.origin);
    }
    case Wave::Element: {
        constexpr double kCloseM = 1e-6; // close, but not 0, which would mean a plane wave
        return {0.0, 0.0, -kCloseM, s};
    }
    }
    return towards(direction(transmit, steering), std::numeric_limits<double>::infinity(), {});
}

/// Tables of firing times and weights. The clock starts with the first element.
struct Firing {
    std::vector<double> delays;  ///< [transmit][element], 0 or later
    std::vector<double> weights; ///< the same
    std::vector<double> firstSamples;
};

bool firesIn(const Transmit& transmit, const Point& element, std::size_t index) {
    if (!transmit.apodization.empty()) return transmit.apodization[index] != 0.0F;
    return transmit.wave != Wave::Element || distance(element, transmit.source) < 1e-9;
}

Firing firingOf(const Acquisition& acquisition) {
    Firing firing;
    const std::vector<Point>& elements = acquisition.probe.elements;
    for (const Transmit& transmit : acquisition.transmits) {
        const bool single = transmit.wave == Wave::Element;
        const double lead = single ? 0.0 : firstFiringLead(acquisition, transmit);
        firing.firstSamples.push_back(transmit.firstSampleS + lead);
        for (std::size_t e = 0; e < elements.size(); ++e) {
            const bool fires = firesIn(transmit, elements[e], e);
            const double delay =
                idealDelay(transmit, elements[e], acquisition.soundSpeedMps, acquisition.steering);
            firing.delays.push_back(fires ? std::max(delay + lead, 0.0) : 0.0);
            const bool weighted = fires && !transmit.apodization.empty();
            firing.weights.push_back(weighted ? transmit.apodization[e] : fires ? 1.0 : 0.0);
        }
    }
    return firing;
}

void writeScan(hid_t track, const ExportSubject& subject) {
    const FrameSpec& frame = subject.frame;
    const Acquisition& acquisition = *frame.acquisition;
    if (std::ranges::any_of(acquisition.transmits,
                            [](const Transmit& t) { return t.wave == Wave::None; })) {
        throw Error("zea has no word for recordings in which nothing is sent (photoacoustics): "
                    "write .echolux.h5, .uff, .npz or .mat instead.");
    }
    const Hdf5Handle scan = hdf5::createGroup(track, "scan");
    const hid_t at = scan.get();
    const hsize_t transmits = acquisition.transmits.size();
    const hsize_t elements = acquisition.probe.elements.size();
    const double centre =
        frame.centreFrequencyHz > 0.0 ? frame.centreFrequencyHz : frame.demodulationFrequencyHz;
    field(at, "sampling_frequency", "Hz", frame.samplingFrequencyHz());
    field(at, "center_frequency", "Hz", centre);
    field(at, "demodulation_frequency", "Hz",
          isComplex(frame.dtype) ? frame.demodulationFrequencyHz : centre);
    field(at, "sound_speed", "m/s", acquisition.soundSpeedMps);
    const Firing firing = firingOf(acquisition);
    field(at, "initial_times", "s", {transmits}, firing.firstSamples);
    field(at, "t0_delays", "s", {transmits, elements}, firing.delays);
    field(at, "tx_apodizations", "–", {transmits, elements}, firing.weights);
    std::array<std::vector<double>, 4> aims;
    for (const Transmit& transmit : acquisition.transmits) {
        const Aim aim = aimOf(transmit, acquisition.steering);
        aims[0].push_back(aim.polar);
        aims[1].push_back(aim.azimuth);
        aims[2].push_back(aim.focusM);
        aims[3].insert(aims[3].end(), {aim.origin.x, aim.origin.y, aim.origin.z});
    }
    field(at, "polar_angles", "rad", {transmits}, aims[0]);
    field(at, "azimuth_angles", "rad", {transmits}, aims[1]);
    field(at, "focus_distances", "m", {transmits}, aims[2]);
    field(at, "transmit_origins", "m", {transmits, 3}, aims[3]);
    if (subject.frameRateHz > 0.0) {
        const auto frames = static_cast<hsize_t>(subject.frames);
        const std::vector<double> steps(
            frames * transmits, 1.0 / (subject.frameRateHz * static_cast<double>(transmits)));
        field(at, "time_to_next_transmit", "s", {frames, transmits}, steps);
    }
}

void writeZeaProbe(hid_t file, const Probe& probe) {
    const Hdf5Handle group = hdf5::createGroup(file, "probe");
    std::vector<double> places;
    for (const Point& p : probe.elements) places.insert(places.end(), {p.x, p.y, p.z});
    field(group.get(), "probe_geometry", "m", {probe.elements.size(), 3}, places);
    const auto known = [&](const char* name, const char* unit, double value) {
        if (value > 0.0) field(group.get(), name, unit, value);
    };
    known("element_width", "m", probe.elementWidthM);
    known("element_height", "m", probe.elementHeightM);
    known("probe_center_frequency", "Hz", probe.centreFrequencyHz);
    known("probe_bandwidth_percent", "%", 100.0 * probe.fractionalBandwidth);
    if (!probe.name.empty()) hdf5::writeString(group.get(), "name", probe.name);
}

/// Writes the file, its root attributes, and one track with its data.
class ZeaTree {
public:
    ZeaTree(const ExportSubject& subject, const OutputFiles& files)
        : m_file(hdf5::createFile(files.partial())) {
        if (subject.carried.family == kZeaFamily) m_carried = subject.carried;
        writeVariableText(m_file.get(), "zea_version", kZeaVersion);
        writeVariableText(m_file.get(), "description", describe(subject));
        const Hdf5Handle metadata = hdf5::createGroup(m_file.get(), "metadata");
        writeZeaPose(metadata.get(), subject);
        hdf5::createGroup(m_file.get(), "metrics");
        const Hdf5Handle tracks = hdf5::createGroup(m_file.get(), "tracks");
        m_track = hdf5::createGroup(tracks.get(), "track_0");
        m_data = hdf5::createGroup(m_track.get(), "data");
    }
    hid_t file() const { return m_file.get(); }
    hid_t track() const { return m_track.get(); }
    hid_t data() const { return m_data.get(); }
    /// What the recording's file said besides. `map` is the group of an image.
    void writeCarried(hid_t map = -1) const {
        for (const CarriedFact& fact : m_carried.facts)
            if (isZeaField(fact.name)) write(fact, map);
    }
    void close() {
        m_data.close();
        m_track.close();
        hdf5::closeFile(m_file);
    }

private:
    /// The file's own words for recorded frames. For others those of Echolux stand after them.
    std::string describe(const ExportSubject& subject) const {
        const std::string own = m_carried.text("description");
        if (own.empty()) return descriptionOf(subject);
        return subject.isRecorded() ? own : own + "; " + descriptionOf(subject);
    }
    void write(const CarriedFact& fact, hid_t map) const {
        const std::size_t slash = fact.name.find('/');
        if (slash == std::string::npos) {
            if (fact.name != "description")
                writeVariableText(m_file.get(), fact.name.c_str(), m_carried.text(fact.name));
            return;
        }
        const std::string below = fact.name.substr(slash + 1);
        if (fact.name.starts_with("map/")) {
            if (map >= 0) writeFact(map, below, fact);
        } else if (fact.name.starts_with("track/")) {
            writeFact(m_track.get(), below, fact);
        } else {
            const bool ofTrack = fact.name.starts_with("scan/");
            writeFact(ofTrack ? m_track.get() : m_file.get(), fact.name, fact);
        }
    }

    CarriedFacts m_carried;
    Hdf5Handle m_file;
    Hdf5Handle m_track;
    Hdf5Handle m_data;
};

class ZeaChannels : public FrameWriter {
public:
    ZeaChannels(const ExportSubject& subject, OutputFiles& files)
        : m_channels(subject), m_tree(subject, files) {
        writeScan(m_tree.track(), subject);
        writeZeaProbe(m_tree.file(), subject.frame.acquisition->probe);
        std::vector<double> zeros;
        for (const Transmit& transmit : subject.frame.acquisition->transmits)
            zeros.push_back(transmit.firstSampleS);
        m_channels.setPhaseZero(std::move(zeros));
        const std::vector<hsize_t> extent{static_cast<hsize_t>(subject.frames),
                                          m_channels.transmits(), m_channels.samples(),
                                          m_channels.elements(), parts()};
        const Hdf5Handle stored =
            hdf5::copied(m_channels.keepsIntegers() ? H5T_STD_I16LE : H5T_IEEE_F32LE);
        m_rows = hdf5::FrameRows(m_tree.data(), "raw_data", stored, hdf5::copied(H5T_NATIVE_FLOAT),
                                 extent, false, chunkOf(extent, 1, H5Tget_size(stored.get())));
        writeVariableText(m_rows.get(), "unit", "–");
        writeVariableText(m_rows.get(), "description", "Raw channel data.");
        if (subject.remarks != nullptr)
            for (const std::string& loss : m_channels.losses()) subject.remarks->push_back(loss);
    }
    void add(std::span<const std::byte> frame) override {
        const std::vector<float> values = m_channels.values(frame);
        const auto extent = [](std::size_t size) { return static_cast<std::int64_t>(size); };
        m_rows.append(permuted(std::as_bytes(std::span(values)),
                               {extent(m_channels.transmits()), extent(m_channels.elements()),
                                extent(m_channels.samples())},
                               {0, 2, 1}, parts() * sizeof(float))
                          .data());
    }
    void finish() override {
        m_rows.close();
        m_tree.writeCarried();
        m_tree.close();
    }

private:
    std::size_t parts() const { return m_channels.isComplex() ? 2 : 1; }

    ChannelExport m_channels;
    ZeaTree m_tree;
    hdf5::FrameRows m_rows;
};

/// The name of the map. zea gives some names a fixed meaning.
std::string mapName(const ExportSubject& subject) {
    const auto& range = subject.frame.valueRange;
    switch (subject.form) {
    case RecordedForm::Beamformed: return "beamformed_data";
    case RecordedForm::Envelope: return "envelope_data";
    case RecordedForm::Decibels: return range && range->max <= 0.0 ? "image" : "levels";
    case RecordedForm::Signals:
    case RecordedForm::Picture: break;
    }
    return "picture";
}

class ZeaImages : public FrameWriter {
public:
    ZeaImages(const ExportSubject& subject, OutputFiles& files)
        : m_frame(subject.frame), m_tree(subject, files), m_name(mapName(subject)),
          m_turns(turnsElevation(subject.frame)) {
        m_map = hdf5::createGroup(m_tree.data(), m_name);
        std::vector<hsize_t> extent = pixels();
        std::vector<hsize_t> places = extent;
        extent.insert(extent.begin(), static_cast<hsize_t>(subject.frames));
        if (m_name == "beamformed_data") extent.push_back(isComplex(m_frame.dtype) ? 2 : 1);
        m_rows = hdf5::FrameRows(m_map.get(), "values", hdf5::copied(H5T_IEEE_F32LE),
                                 hdf5::copied(H5T_NATIVE_FLOAT), extent, false,
                                 chunkOf(extent, 1, sizeof(float)));
        places.push_back(3);
        field(m_map.get(), "coordinates", "m", places, coordinates());
        const std::string unit = m_frame.valueRange ? m_frame.valueRange->unit : "";
        if (!unit.empty()) hdf5::writeString(m_map.get(), "unit", unit);
    }
    void add(std::span<const std::byte> frame) override {
        std::vector<float> values = valuesOf(m_frame, frame);
        if (m_name == "image") {
            for (float& value : values)
                value = std::isnan(value) ? -std::numeric_limits<float>::infinity()
                                          : std::min(value, 0.0F);
        }
        std::vector<std::int64_t> extents;
        std::vector<std::size_t> order;
        for (const Axis& axis : m_frame.axes) extents.push_back(axis.size);
        for (const AxisName name : kOrder)
            for (std::size_t i = 0; i < extents.size(); ++i)
                if (m_frame.axes[i].name == name) order.push_back(i);
        const std::size_t each = (isComplex(m_frame.dtype) ? 2 : 1) * sizeof(float);
        std::vector<std::byte> bytes =
            permuted(std::as_bytes(std::span(values)), extents, order, each);
        if (m_turns) turnPlanes(bytes, each);
        m_rows.append(bytes.data());
    }
    void finish() override {
        m_rows.close();
        m_tree.writeCarried(m_map.get());
        m_map.close();
        m_tree.close();
    }

private:
    /// zea's order of axes is z, x, y.
    static constexpr std::array kOrder{AxisName::Depth, AxisName::Lateral, AxisName::Elevation};

    /// Reverses the last axis, the elevation.
    void turnPlanes(std::vector<std::byte>& bytes, std::size_t each) const {
        const auto planes = static_cast<std::size_t>(m_frame.sizeOf(AxisName::Elevation));
        for (std::size_t pixel = 0; pixel < bytes.size(); pixel += planes * each)
            for (std::size_t low = 0, high = planes - 1; low < high; ++low, --high)
                std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(pixel + low * each),
                                 bytes.begin() +
                                     static_cast<std::ptrdiff_t>(pixel + (low + 1) * each),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(pixel + high * each));
    }
    std::vector<hsize_t> pixels() const {
        std::vector<hsize_t> extent;
        for (const AxisName name : kOrder)
            if (const Axis* axis = m_frame.find(name))
                extent.push_back(static_cast<hsize_t>(axis->size));
        return extent;
    }
    std::vector<double> coordinates() const {
        const auto at = [](const Axis* axis, std::int64_t i) {
            return axis == nullptr ? 0.0 : axis->origin + static_cast<double>(i) * axis->spacing;
        };
        const Axis* depth = m_frame.find(AxisName::Depth);
        const Axis* lateral = m_frame.find(AxisName::Lateral);
        const Axis* elevation = m_frame.find(AxisName::Elevation);
        const std::int64_t planes = m_frame.sizeOf(AxisName::Elevation);
        std::vector<double> all;
        for (std::int64_t z = 0; z < depth->size; ++z)
            for (std::int64_t x = 0; x < lateral->size; ++x)
                for (std::int64_t y = 0; y < planes; ++y) {
                    Point p{at(lateral, x), at(elevation, y), at(depth, z)};
                    if (m_turns) p.y = -at(elevation, planes - 1 - y) + 0.0;
                    if (const auto& sector = m_frame.sector) {
                        const Point on = sector->at(static_cast<std::size_t>(x), p.z);
                        p = {on.x, p.y, on.z};
                    }
                    all.insert(all.end(), {p.x, p.y, p.z});
                }
        return all;
    }

    FrameSpec m_frame;
    ZeaTree m_tree;
    std::string m_name;
    bool m_turns = false; ///< the last plane comes first
    Hdf5Handle m_map;
    hdf5::FrameRows m_rows;
};

} // namespace

std::unique_ptr<FrameWriter> makeZeaWriter(const ExportSubject& subject, OutputFiles& files) {
    if (subject.isChannelData()) return std::make_unique<ZeaChannels>(subject, files);
    const bool metric = subject.isImage() && subject.frame.find(AxisName::Depth)->unit == "m";
    if (!metric || (isComplex(subject.frame.dtype) && subject.form != RecordedForm::Beamformed))
        refuseContent(files, subject, "a zea file holds channel data, and images in metres");
    return std::make_unique<ZeaImages>(subject, files);
}

} // namespace echolux
