// SPDX-License-Identifier: GPL-3.0-or-later
// Places of elements, from positions or from the design of an array, and the clock.
#include "app/dataset/sidecar/sidecar_geometry.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <vector>

namespace echolux {

namespace {

constexpr std::int64_t kMostElements = 1 << 20;

class SidecarProbeReader {
public:
    SidecarProbeReader(const SidecarNumbers& numbers, const Sidecar& sidecar,
                       const ArrayExtents& extents)
        : m_numbers(numbers), m_sidecar(sidecar), m_channels(extents.channels) {}

    Probe read() {
        Probe probe;
        probe.name = m_sidecar.word("probe.name");
        if (m_sidecar.has("probe.pitch"))
            design(probe);
        else if (m_sidecar.has("probe.elements"))
            probe.elements = listedElements();
        else
            probe.elements = columnsOfPlaces();
        probe.pitchM = medianPitch(probe.elements);
        probe.elementWidthM = m_numbers.length("probe.element_width");
        probe.elementHeightM = m_numbers.length("probe.element_height");
        probe.elevationFocusM = m_numbers.length("probe.elevation_focus");
        probe.fractionalBandwidth = m_numbers.one("probe.fractional_bandwidth", 0.0);
        if (m_sidecar.has("probe.normals"))
            probe.normals = m_numbers.points("probe.normals", probe.elements.size());
        if (!m_sidecar.longAxes.empty()) takeLongAxes(probe);
        return probe;
    }

private:
    Error error(const std::string& what) const { return m_numbers.error(what); }

    double positive(const char* key, double fallback) const {
        const double metres = m_numbers.one(key, fallback);
        if (metres <= 0.0) throw error(fmt::format("{} must be greater than 0 m", key));
        return metres;
    }

    std::int64_t count(const char* key, std::int64_t fallback) const {
        return m_numbers.whole(key, fallback, 1, kMostElements);
    }

    void design(Probe& probe) const {
        const double pitch = positive("probe.pitch", 0.0);
        const double pitchY = positive("probe.pitch_y", pitch);
        const bool grid = m_sidecar.has("probe.columns") || m_sidecar.has("probe.rows");
        if (m_sidecar.rowColumn) return rowColumn(probe, pitch, pitchY);
        if (grid) {
            probe.elements = matrix(pitch, pitchY);
            return;
        }
        const auto elements = static_cast<std::size_t>(count("probe.count", m_channels));
        if (!m_sidecar.has("probe.radius")) {
            probe.elements = linearArray(elements, pitch);
            return;
        }
        const double radius = m_numbers.one("probe.radius", 0.0);
        if (2.0 * radius <= pitch) throw error("probe.radius must be greater than half the pitch");
        probe.elements = convexArray(elements, pitch, radius);
    }

    /// Columns of a row-column array are long along y and stand side by side along x. Rows are the
    /// other way round.
    void rowColumn(Probe& probe, double pitch, double pitchY) const {
        // Where the sidecar does not name channels, all lines are channels.
        const std::int64_t known = namesChannels() ? m_channels : m_channels / 2;
        const auto columns = count("probe.columns", known);
        const auto rows = count("probe.rows", columns);
        probe.elements = linearArray(static_cast<std::size_t>(columns), pitch);
        for (const Point& p : linearArray(static_cast<std::size_t>(rows), pitchY))
            probe.elements.push_back({0.0, p.x, 0.0});
        probe.longAxes.assign(static_cast<std::size_t>(columns), LongAxis::Elevation);
        probe.longAxes.insert(probe.longAxes.end(), static_cast<std::size_t>(rows),
                              LongAxis::Lateral);
    }

    /// Element [row][column], with a gap after every so many rows.
    std::vector<Point> matrix(double pitch, double pitchY) const {
        const auto columns = count("probe.columns", 0);
        const auto rows = count("probe.rows", 0);
        const auto block = m_numbers.whole("probe.rows_per_block", rows, 1, kMostElements);
        const double gap = m_numbers.length("probe.gap");
        if (columns * rows > kMostElements)
            throw error(fmt::format("probe.columns and probe.rows make {} elements, more than {}",
                                    columns * rows, kMostElements));
        const auto placeOf = [&](std::int64_t row) {
            return static_cast<double>(row) * pitchY + static_cast<double>(row / block) * gap;
        };
        const double middle = 0.5 * placeOf(rows - 1);
        const std::vector<Point> line = linearArray(static_cast<std::size_t>(columns), pitch);
        std::vector<Point> elements;
        for (std::int64_t row = 0; row < rows; ++row)
            for (const Point& p : line) elements.push_back({p.x, placeOf(row) - middle, 0.0});
        return elements;
    }

    bool namesChannels() const {
        return m_sidecar.has("transmit.receive_elements") ||
               m_sidecar.has("transmit.receive_first");
    }

    /// As many elements as channels, unless the sidecar says which elements the channels hear.
    std::size_t listedCount(std::size_t numbers, std::size_t each) const {
        return namesChannels() ? numbers / each : static_cast<std::size_t>(m_channels);
    }

    /// Reads a table whose columns, or rows, have names.
    std::vector<Point> namedColumns() const {
        const auto& names = m_sidecar.elementColumns;
        const std::vector<double> values = m_numbers.all("probe.elements");
        const auto shape = m_numbers.shapeOf("probe.elements");
        const auto wanted = static_cast<std::int64_t>(names.size());
        const bool lying =
            shape && shape->size() == 2 && shape->front() == wanted && shape->back() != wanted;
        const std::size_t count = values.size() / names.size();
        if (count * names.size() != values.size() ||
            (shape && !lying && (shape->size() != 2 || shape->back() != wanted)))
            throw error(fmt::format("probe.elements has {} numbers, which are no table of the {} "
                                    "columns that probe.element_columns names",
                                    values.size(), names.size()));
        std::vector<Point> elements(count);
        for (std::size_t column = 0; column < names.size(); ++column) {
            if (names[column] == "none") continue;
            double Point::*part = names[column] == "x"   ? &Point::x
                                  : names[column] == "y" ? &Point::y
                                                         : &Point::z;
            for (std::size_t k = 0; k < count; ++k)
                elements[k].*part =
                    lying ? values[column * count + k] : values[k * names.size() + column];
        }
        if (!namesChannels() && count != static_cast<std::size_t>(m_channels))
            throw error(fmt::format("probe.elements has {} elements, but the data have {} channels",
                                    count, m_channels));
        return elements;
    }

    std::vector<Point> listedElements() const {
        if (!m_sidecar.elementColumns.empty()) return namedColumns();
        const std::size_t numbers = m_numbers.all("probe.elements").size();
        return m_numbers.points("probe.elements", listedCount(numbers, 3));
    }

    std::vector<Point> columnsOfPlaces() const {
        const std::size_t count = listedCount(m_numbers.all("probe.x").size(), 1);
        std::vector<Point> elements(count);
        const auto fill = [&](const std::string& key, double Point::*part) {
            if (!m_sidecar.has(key)) return;
            const std::vector<double> values = m_numbers.all(key);
            if (values.size() != count)
                throw error(fmt::format("{} has {} entries, but the data have {} channels", key,
                                        values.size(), count));
            for (std::size_t k = 0; k < count; ++k) elements[k].*part = values[k];
        };
        fill("probe.x", &Point::x);
        fill("probe.y", &Point::y);
        fill("probe.z", &Point::z);
        return elements;
    }

    void takeLongAxes(Probe& probe) const {
        const auto& axes = m_sidecar.longAxes;
        const std::size_t count = probe.elements.size();
        if (axes.size() != 1 && axes.size() != count)
            throw error(fmt::format("probe.long_axes has {} entries, but there are {} elements",
                                    axes.size(), count));
        probe.longAxes = axes.size() == 1 ? std::vector<LongAxis>(count, axes.front()) : axes;
    }

    const SidecarNumbers& m_numbers;
    const Sidecar& m_sidecar;
    std::int64_t m_channels;
};

/// first sample on the common clock = first_sample - lead - offset_samples / fs
void setClock(const SidecarNumbers& numbers, const Sidecar& sidecar, double fs,
              std::span<const double> delayLeads, Acquisition& acquisition) {
    const std::size_t count = acquisition.transmits.size();
    const auto first = numbers.perTransmit("signal.first_sample", 0.0, count);
    const auto offset = numbers.perTransmit("signal.offset_samples", 0.0, count);
    for (std::size_t i = 0; i < count; ++i) {
        Transmit& transmit = acquisition.transmits[i];
        double lead = 0.0; // from the clock's zero until the wave crosses the origin
        switch (sidecar.clock) {
        case Sidecar::Clock::WaveAtOrigin: break;
        case Sidecar::Clock::WaveAtBeamOrigin: lead = beamOriginLead(acquisition, transmit); break;
        case Sidecar::Clock::FirstElementFires:
            lead = firstFiringLead(acquisition, transmit);
            break;
        case Sidecar::Clock::ZeroDelay: lead = delayLeads[i]; break;
        }
        transmit.firstSampleS = first[i] - lead - offset[i] / fs;
        switch (sidecar.phaseZero) {
        case Sidecar::PhaseZero::WaveAtOrigin: transmit.iqPhaseZeroS = 0.0; break;
        case Sidecar::PhaseZero::FirstSample: transmit.iqPhaseZeroS = transmit.firstSampleS; break;
        case Sidecar::PhaseZero::FileClock: transmit.iqPhaseZeroS = -lead; break;
        }
    }
}

} // namespace

Probe describedProbe(const SidecarNumbers& numbers, const Sidecar& sidecar,
                     const ArrayExtents& extents) {
    return SidecarProbeReader(numbers, sidecar, extents).read();
}

Acquisition describedAcquisition(const SidecarNumbers& numbers, const Sidecar& sidecar,
                                 const ArrayExtents& extents, double fs, RecordingInfo& info) {
    constexpr double kSoftTissue = 1540.0;
    Acquisition acquisition;
    acquisition.probe = describedProbe(numbers, sidecar, extents);
    acquisition.probe.centreFrequencyHz = info.frame.centreFrequencyHz;
    acquisition.soundSpeedMps = numbers.one("sound_speed", kSoftTissue);
    if (acquisition.soundSpeedMps <= 0.0) throw numbers.error("sound_speed must be above 0 m/s");
    if (!sidecar.has("sound_speed"))
        info.warnings.emplace_back("The sidecar gives no sound_speed; 1540 m/s is assumed.");
    if (sidecar.has("transmit.sound_speed")) {
        acquisition.transmitSpeedMps = numbers.one("transmit.sound_speed", kSoftTissue);
        if (acquisition.transmitSpeedMps <= 0.0)
            throw numbers.error("transmit.sound_speed must be above 0 m/s");
    }
    const std::vector<double> delayLeads =
        describeWaves(numbers, sidecar, extents, fs, info, acquisition);
    setClock(numbers, sidecar, fs, delayLeads, acquisition);
    return acquisition;
}

std::shared_ptr<const AberrationTruth>
describedAberration(const SidecarNumbers& numbers, const Sidecar& sidecar, const Probe& probe) {
    if (!sidecar.has("aberration.delay")) return nullptr;
    auto truth = std::make_shared<AberrationTruth>();
    truth->delayS = numbers.all("aberration.delay");
    if (sidecar.has("aberration.amplitude")) truth->amplitude = numbers.all("aberration.amplitude");
    if (const auto wrong = contradictionIn(*truth, probe.elements.size()))
        throw numbers.error(*wrong);
    return truth;
}

} // namespace echolux
