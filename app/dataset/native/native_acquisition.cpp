// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of elements and transmits. A table that a file lacks takes the value for "unknown".
#include "app/dataset/native/native_acquisition.hpp"

#include "app/dataset/container/hdf5_attributes.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/native/native_format.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/opening.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::native {

namespace {

using hdf5::require;

constexpr std::array kLongAxes{LongAxis::None, LongAxis::Lateral, LongAxis::Elevation};
constexpr std::array kSteerings{Steering::Tilts, Steering::Projections};

std::string_view nameOf(LongAxis axis) {
    constexpr std::array<std::string_view, 3> kNames{"none", "lateral", "elevation"};
    return kNames[static_cast<std::size_t>(axis)];
}

std::string_view nameOf(Steering steering) {
    return steering == Steering::Tilts ? "tilts" : "projections";
}

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<Enum, N>& all, std::string_view name) {
    for (const Enum one : all)
        if (nameOf(one) == name) return one;
    return std::nullopt;
}

bool has(hid_t at, const char* name) { return H5Lexists(at, name, H5P_DEFAULT) > 0; }

std::vector<double> flat(const std::vector<Point>& points) {
    std::vector<double> values;
    for (const Point& p : points) values.insert(values.end(), {p.x, p.y, p.z});
    return values;
}

std::vector<Point> pointsOf(const std::vector<double>& values) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 2 < values.size(); i += 3)
        points.push_back({values[i], values[i + 1], values[i + 2]});
    return points;
}

void writePoints(hid_t at, const char* name, const std::vector<Point>& points) {
    hdf5::writeTable(at, name, std::vector<hsize_t>{points.size(), 3}, flat(points));
}

template <class Number>
void writeRows(hid_t at, const char* name, std::size_t rows, const std::vector<Number>& values) {
    if (values.empty()) return;
    const std::vector<double> reals(values.begin(), values.end());
    hdf5::writeTable(at, name, std::vector<hsize_t>{rows, reals.size() / rows}, reals);
}

const Facts kFileFacts{&fact::kSoundSpeed};
const Facts kKnownFileFacts{&fact::kTransmitSpeed};
const Facts kProbeFacts{&fact::kPitch, &fact::kElementWidth, &fact::kFractionalBandwidth};
const Facts kKnownProbeFacts{&fact::kElementHeight, &fact::kElevationFocus};

void writeProbe(hid_t file, const FrameSpec& frame) {
    const Probe& probe = frame.acquisition->probe;
    const Hdf5Handle group = createGroup(file, kProbe);
    hdf5::writeText(group.get(), kName, probe.name);
    writeFacts(group.get(), frame, kProbeFacts);
    writeKnownFacts(group.get(), frame, kKnownProbeFacts);
    hdf5::writeReal(group.get(), kProbeFrequency, probe.centreFrequencyHz);
    writePoints(group.get(), kElementPosition, probe.elements);
    if (!probe.normals.empty()) writePoints(group.get(), kElementNormal, probe.normals);
    if (probe.longAxes.empty()) return;
    std::vector<std::string> axes;
    for (const LongAxis axis : probe.longAxes) axes.emplace_back(nameOf(axis));
    hdf5::writeNames(group.get(), kLongAxis, axes);
}

/// [transmit][element]. A row of zeros means unknown, since no transmit is silent.
std::vector<float> apodizationTable(const Acquisition& acquisition) {
    const auto known = [](const Transmit& t) { return !t.apodization.empty(); };
    if (std::ranges::none_of(acquisition.transmits, known)) return {};
    std::vector<float> table;
    for (const Transmit& t : acquisition.transmits) {
        if (known(t))
            table.insert(table.end(), t.apodization.begin(), t.apodization.end());
        else
            table.insert(table.end(), acquisition.probe.elements.size(), 0.0F);
    }
    return table;
}

bool leavesPlane(const Acquisition& acquisition) {
    return acquisition.steering != Steering::Tilts ||
           std::ranges::any_of(acquisition.transmits,
                               [](const Transmit& t) { return t.elevationRad != 0.0; });
}

void writeSteering(hid_t at, const Acquisition& acquisition) {
    if (!leavesPlane(acquisition)) return;
    std::vector<double> elevations;
    for (const Transmit& t : acquisition.transmits) elevations.push_back(t.elevationRad);
    hdf5::writeTable(at, kElevation, std::vector<hsize_t>{elevations.size()}, elevations);
    hdf5::writeText(at, kSteering, std::string(nameOf(acquisition.steering)));
}

void writeTransmits(hid_t file, const Acquisition& acquisition) {
    const Hdf5Handle group = createGroup(file, kTransmits);
    std::vector<std::string> waves;
    std::vector<double> angles;
    std::vector<Point> sources;
    std::vector<Point> origins;
    std::vector<double> firstSamples;
    std::vector<double> phaseZeros;
    for (const Transmit& t : acquisition.transmits) {
        waves.emplace_back(echolux::nameOf(t.wave));
        angles.push_back(t.angleRad);
        sources.push_back(t.source);
        origins.push_back(t.origin);
        firstSamples.push_back(t.firstSampleS);
        phaseZeros.push_back(t.iqPhaseZeroS);
    }
    const hsize_t count = waves.size();
    hdf5::writeNames(group.get(), kWave, waves);
    hdf5::writeTable(group.get(), kAngle, std::vector{count}, angles);
    writeSteering(group.get(), acquisition);
    writePoints(group.get(), kSource, sources);
    if (std::ranges::any_of(origins, [](const Point& p) { return p != Point{}; }))
        writePoints(group.get(), kBeamOrigin, origins);
    writeRows(group.get(), kApodization, count, apodizationTable(acquisition));
    hdf5::writeTable(group.get(), kFirstSample, std::vector{count}, firstSamples);
    hdf5::writeTable(group.get(), kIqPhaseZero, std::vector{count}, phaseZeros);
    writeRows(group.get(), kReceiveWeight, count, acquisition.receiveWeights);
    writeRows(group.get(), kReceiveElement, count, acquisition.receiveElements);
}

void writeRangeWeights(hid_t file, const Acquisition& acquisition) {
    const RangeWeights& weights = acquisition.rangeWeights;
    if (weights.values.empty()) return;
    const std::size_t channels =
        acquisition.receiveElements.empty()
            ? acquisition.probe.elements.size()
            : acquisition.receiveElements.size() / acquisition.transmits.size();
    const Hdf5Handle group = createGroup(file, kRangeWeights);
    hdf5::writeReal(group.get(), kFirstRange, weights.firstM);
    hdf5::writeReal(group.get(), kRangeStep, weights.stepM);
    writeRows(group.get(), kRangeWeight, channels, weights.values);
}

/// Empty where there is no such table.
std::vector<hsize_t> extentOf(hid_t at, const char* name) {
    if (!has(at, name)) return {};
    const Hdf5Handle table(H5Dopen2(at, name, H5P_DEFAULT));
    if (!table || dataObstacle(table.get())) return {};
    return hdf5::extentOf(table.get());
}

hsize_t rowCount(hid_t at, const char* name) {
    const std::vector<hsize_t> extent = extentOf(at, name);
    return extent.empty() ? 0 : extent.front();
}

hsize_t columnsOf(hid_t at, const char* name) {
    const std::vector<hsize_t> extent = extentOf(at, name);
    return extent.size() == 2 ? extent.back() : 0;
}

class Reader {
public:
    Reader(hid_t file, const FrameSpec& frame, const std::filesystem::path& path)
        : m_path(path), m_probe(demanded(openGroup(file, kProbe), kProbe)),
          m_transmits(demanded(openGroup(file, kTransmits), kTransmits)),
          m_channels(static_cast<hsize_t>(frame.sizeOf(AxisName::Channel))),
          m_count(static_cast<hsize_t>(frame.sizeOf(AxisName::Transmit))),
          // Only files with this table may have elements besides those of their channels.
          m_elements(has(m_transmits.get(), kReceiveElement)
                         ? rowCount(m_probe.get(), kElementPosition)
                         : m_channels) {
        checkElementCount();
    }

    void readProbe(FrameSpec& frame) const {
        readFacts(m_probe.get(), frame, m_path, kProbeFacts);
        readKnownFacts(m_probe.get(), frame, m_path, kKnownProbeFacts);
        Probe& probe = ownAcquisition(frame).probe;
        probe.name = demanded(hdf5::readText(m_probe.get(), kName), kName);
        probe.centreFrequencyHz =
            demanded(hdf5::readReal(m_probe.get(), kProbeFrequency), kProbeFrequency);
        probe.elements = pointsOf(table(m_probe, kElementPosition, {m_elements, 3}));
        if (has(m_probe.get(), kElementNormal))
            probe.normals = pointsOf(table(m_probe, kElementNormal, {m_elements, 3}));
        if (has(m_probe.get(), kLongAxis))
            for (const std::string& name : names(m_probe, kLongAxis, m_elements))
                probe.longAxes.push_back(demanded(named(kLongAxes, name), kLongAxis));
    }

    std::vector<Transmit> transmits() const {
        const auto angles = table(m_transmits, kAngle, {m_count});
        const auto sources = pointsOf(table(m_transmits, kSource, {m_count, 3}));
        const auto firstSamples = table(m_transmits, kFirstSample, {m_count});
        const auto phaseZeros = table(m_transmits, kIqPhaseZero, {m_count});
        const auto waves = names(m_transmits, kWave, m_count);
        const auto elevations = optionalTable(kElevation, {m_count});
        const auto origins = pointsOf(optionalTable(kBeamOrigin, {m_count, 3}));
        const auto weights = optionalTable(kApodization, {m_count, m_elements});
        std::vector<Transmit> transmits(m_count);
        for (std::size_t i = 0; i < transmits.size(); ++i) {
            Transmit& t = transmits[i];
            t.wave = demanded(waveOf(waves[i]), kWave);
            t.angleRad = angles[i];
            t.source = sources[i];
            t.firstSampleS = firstSamples[i];
            t.iqPhaseZeroS = phaseZeros[i];
            if (!elevations.empty()) t.elevationRad = elevations[i];
            if (!origins.empty()) t.origin = origins[i];
            if (!weights.empty()) t.apodization = row(weights, i);
        }
        return transmits;
    }

    Steering steering() const {
        if (H5Aexists(m_transmits.get(), kSteering) <= 0) return Steering::Tilts;
        const auto name = demanded(hdf5::readText(m_transmits.get(), kSteering), kSteering);
        return demanded(named(kSteerings, name), kSteering);
    }

    std::vector<float> receiveWeights() const {
        const auto stored = optionalTable(kReceiveWeight, {m_count, m_channels});
        return {stored.begin(), stored.end()};
    }

    RangeWeights rangeWeights(hid_t file) const {
        const std::optional<Hdf5Handle> group = openGroup(file, kRangeWeights);
        if (!group) return {};
        const hsize_t steps = columnsOf(group->get(), kRangeWeight);
        if (steps == 0 || steps > RangeWeights::kMostSteps)
            demanded(std::optional<hsize_t>(), kRangeWeight);
        checkLoadSize(m_path, "the table of receive weights", m_channels * steps * sizeof(double));
        const auto stored = table(*group, kRangeWeight, {m_channels, steps});
        return {.values = {stored.begin(), stored.end()},
                .firstM = demanded(hdf5::readReal(group->get(), kFirstRange), kFirstRange),
                .stepM = demanded(hdf5::readReal(group->get(), kRangeStep), kRangeStep)};
    }

    std::vector<std::int32_t> receiveElements() const {
        std::vector<std::int32_t> heard;
        for (const double value : optionalTable(kReceiveElement, {m_count, m_channels})) {
            const bool index = value >= 0.0 && value == std::floor(value) &&
                               value < static_cast<double>(m_elements);
            if (!index)
                throw fileError(m_path, fmt::format("'{}' says {:g} where elements are counted "
                                                    "from 0 to {}; it is damaged, record or copy "
                                                    "it again",
                                                    kReceiveElement, value, m_elements - 1));
            heard.push_back(static_cast<std::int32_t>(value));
        }
        return heard;
    }

private:
    template <class T> T demanded(std::optional<T> value, const char* name) const {
        return demand(m_path, std::move(value), name);
    }

    void checkElementCount() const {
        constexpr auto kMost = static_cast<hsize_t>(std::numeric_limits<std::int32_t>::max());
        if (m_elements == 0 || m_elements > kMost)
            demanded(std::optional<hsize_t>(), kElementPosition);
        Opening::visit(m_elements);
        Opening::visit(m_count);
    }

    std::vector<double> table(const Hdf5Handle& at, const char* name,
                              const std::vector<hsize_t>& extent) const {
        return demanded(hdf5::readTable(at.get(), name, extent), name);
    }
    std::vector<double> optionalTable(const char* name, const std::vector<hsize_t>& extent) const {
        if (!has(m_transmits.get(), name)) return {};
        return table(m_transmits, name, extent);
    }
    std::vector<std::string> names(const Hdf5Handle& at, const char* name, hsize_t count) const {
        return demanded(hdf5::readNames(at.get(), name, count), name);
    }
    std::vector<float> row(const std::vector<double>& weights, std::size_t index) const {
        const auto first = weights.begin() + static_cast<std::ptrdiff_t>(index * m_elements);
        std::vector<float> values(first, first + static_cast<std::ptrdiff_t>(m_elements));
        if (std::ranges::all_of(values, [](float w) { return w == 0.0F; })) values.clear();
        return values;
    }

    const std::filesystem::path& m_path;
    Hdf5Handle m_probe;
    Hdf5Handle m_transmits;
    hsize_t m_channels = 0;
    hsize_t m_count = 0; ///< transmits
    hsize_t m_elements = 0;
};

} // namespace

Hdf5Handle createGroup(hid_t at, const char* name) {
    const Hdf5Handle layout = hdf5::creation(H5P_GROUP_CREATE);
    H5Pset_attr_creation_order(layout.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    return Hdf5Handle(
        require(H5Gcreate2(at, name, H5P_DEFAULT, layout.get(), H5P_DEFAULT), "making a group"));
}

std::optional<Hdf5Handle> openGroup(hid_t at, const char* name) {
    if (!has(at, name)) return std::nullopt;
    Hdf5Handle found(H5Gopen2(at, name, H5P_DEFAULT));
    if (!found) return std::nullopt;
    return found;
}

bool needsArrayVersion(const Acquisition& acquisition) {
    return leavesPlane(acquisition) || !acquisition.receiveElements.empty() ||
           std::ranges::any_of(acquisition.probe.longAxes,
                               [](LongAxis axis) { return axis != LongAxis::None; });
}

void writeAcquisition(hid_t file, const FrameSpec& frame) {
    writeFacts(file, frame, kFileFacts);
    writeKnownFacts(file, frame, kKnownFileFacts);
    writeProbe(file, frame);
    writeTransmits(file, *frame.acquisition);
    writeRangeWeights(file, *frame.acquisition);
}

void readAcquisition(hid_t file, FrameSpec& frame, const std::filesystem::path& path) {
    readFacts(file, frame, path, kFileFacts);
    readKnownFacts(file, frame, path, kKnownFileFacts);
    const Reader reader(file, frame, path);
    reader.readProbe(frame);
    Acquisition& acquisition = ownAcquisition(frame);
    acquisition.transmits = reader.transmits();
    acquisition.steering = reader.steering();
    acquisition.receiveWeights = reader.receiveWeights();
    acquisition.receiveElements = reader.receiveElements();
    acquisition.rangeWeights = reader.rangeWeights(file);
}

} // namespace echolux::native
