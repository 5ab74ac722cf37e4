// SPDX-License-Identifier: GPL-3.0-or-later
// Trans and Resource.Parameters. Lengths are in wavelengths of Trans.frequency, except ElementPos,
// elementWidth and lensCorrection, which are in Trans.units.
#include "app/dataset/formats/verasonics_probe.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

using Values = VerasonicsValues;

enum class ProbeKind { Linear = 0, Curved = 1, Matrix = 2, Annular = 3, RowColumn = 4 };

class ProbeReader {
public:
    explicit ProbeReader(const Values& values)
        : m_values(values), m_trans(values.structs("Trans")) {
        if (m_trans == nullptr)
            throw values.error("it holds RcvData, but no struct Trans that says where the "
                               "elements are; save the whole workspace after the run");
    }

    VerasonicsProbe read() {
        readWavelength();
        readElements();
        readFacts();
        readConnector();
        return std::move(m_result);
    }

private:
    Error error(const std::string& what) const { return m_values.error(what); }

    void readWavelength() {
        const MatValue* resource = m_values.structs("Resource");
        const MatValue* parameters = resource != nullptr ? resource->field("Parameters") : nullptr;
        const auto speed =
            parameters != nullptr ? Values::number(*parameters, "speedOfSound") : std::nullopt;
        if (!speed)
            m_result.warnings.emplace_back("Resource.Parameters gives no speedOfSound; 1540 m/s, "
                                           "the system's default, is assumed.");
        m_result.soundSpeedMps = speed.value_or(m_result.soundSpeedMps);
        const double megahertz = Values::number(*m_trans, "frequency").value_or(0.0);
        if (!(megahertz > 0.0) || !(m_result.soundSpeedMps > 0.0))
            throw error("Trans.frequency (MHz) or Resource.Parameters.speedOfSound is no positive "
                        "number; correct it and save again");
        m_result.frequencyHz = megahertz * 1e6;
        m_result.wavelengthM = m_result.soundSpeedMps / m_result.frequencyHz;
    }

    ProbeKind kind() const {
        const double type = Values::number(*m_trans, "type").value_or(0.0);
        if (!(type >= 0.0 && type <= 4.0) || type != std::floor(type))
            throw error(fmt::format("Trans.type is {:g}, but known are 0 (linear), 1 (curved), 2 "
                                    "(matrix) and 4 (row-column); correct it and save again",
                                    type));
        const ProbeKind kind = static_cast<ProbeKind>(static_cast<int>(type));
        if (kind == ProbeKind::Annular)
            throw error("Trans.type is 3, an annular array, which Echolux cannot image; choose a "
                        "recording of another probe");
        return kind;
    }

    /// Metres in one of Trans.units.
    double unit(const std::vector<double>& places, std::size_t count) {
        const std::string units = Values::text(*m_trans, "units");
        if (equalsIgnoringCase(units, "mm")) return 1e-3;
        if (startsIgnoringCase(units, "wavelength")) return m_result.wavelengthM;
        if (!units.empty())
            throw error(fmt::format("Trans.units is '{}', but must be 'mm' or 'wavelengths'; "
                                    "correct it and save again",
                                    units));
        // The spacing is known in both units, so it tells the unit of the places.
        const auto spacing = Values::number(*m_trans, "spacing");
        const double step = count > 1 ? std::abs(places[1] - places[0]) : 0.0;
        const bool wavelengths =
            spacing && step > 0.0 && std::abs(step - *spacing) < 0.01 * *spacing;
        m_result.warnings.push_back(fmt::format(
            "Trans gives no units; {} assumed, as {}.", wavelengths ? "wavelengths are" : "mm are",
            wavelengths ? "its spacing says" : "the system does"));
        return wavelengths ? m_result.wavelengthM : 1e-3;
    }

    void readElements() {
        const MatValue* places = m_trans->field("ElementPos");
        const bool table = places != nullptr && places->kind == MatValue::Kind::Numeric &&
                           places->type.components == 1 && places->dims.size() == 2 &&
                           places->dims[0] >= 1 && places->dims[1] >= 3 && places->dims[1] <= 8;
        constexpr std::int64_t kMostElements = 1 << 16;
        if (!table || places->dims[0] > kMostElements)
            throw error(fmt::format("Trans.ElementPos is {}, but needs a row of x, y, z for each "
                                    "element; save the whole workspace again",
                                    places != nullptr ? places->describe() : "missing"));
        const ProbeKind type = kind();
        const std::vector<double> values = places->numbers();
        const auto count = static_cast<std::size_t>(places->dims[0]);
        m_unit = unit(values, count);
        auto& elements = m_result.probe.elements;
        elements.resize(count);
        for (std::size_t e = 0; e < count; ++e)
            elements[e] = {values[e] * m_unit, values[count + e] * m_unit,
                           values[2 * count + e] * m_unit};
        if (type == ProbeKind::Curved || type == ProbeKind::Matrix)
            face(values, static_cast<std::size_t>(places->dims[1]));
        if (type == ProbeKind::RowColumn)
            // Columns stand side by side along x, rows along y.
            for (const Point& element : elements)
                m_result.probe.longAxes.push_back(std::abs(element.x) >= std::abs(element.y)
                                                      ? LongAxis::Elevation
                                                      : LongAxis::Lateral);
    }

    /// Columns 4 and 5: azimuth and elevation of the elements' faces, rad.
    void face(const std::vector<double>& values, std::size_t columns) {
        auto& probe = m_result.probe;
        const std::size_t count = probe.elements.size();
        if (columns < 4) return;
        bool turned = false;
        for (std::size_t e = 0; e < count; ++e) {
            const double azimuth = values[3 * count + e];
            const double elevation = columns > 4 ? values[4 * count + e] : 0.0;
            turned = turned || azimuth != 0.0 || elevation != 0.0;
            probe.normals.push_back({std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                     std::cos(azimuth) * std::cos(elevation)});
        }
        if (!turned) probe.normals.clear();
    }

    void readFacts() {
        Probe& probe = m_result.probe;
        probe.name = Values::text(*m_trans, "name");
        probe.pitchM = medianPitch(probe.elements);
        probe.elementWidthM =
            std::max(0.0, Values::number(*m_trans, "elementWidth").value_or(0.0) * m_unit);
        probe.elementHeightM =
            std::max(0.0, Values::number(*m_trans, "elevationApertureMm").value_or(0.0) * 1e-3);
        probe.elevationFocusM =
            std::max(0.0, Values::number(*m_trans, "elevationFocusMm").value_or(0.0) * 1e-3);
        const std::vector<double> band = Values::list(*m_trans, "Bandwidth");
        if (band.size() == 2 && band[0] > 0.0 && band[1] > band[0])
            probe.fractionalBandwidth = (band[1] - band[0]) * 1e6 / m_result.frequencyHz;
        m_result.lensS = Values::number(*m_trans, "lensCorrection").value_or(0.0) * m_unit /
                         m_result.soundSpeedMps;
    }

    std::vector<std::size_t> columnsOf(const std::vector<double>& numbers) const {
        std::vector<std::size_t> columns;
        for (const double number : numbers) columns.push_back(Values::indexOf(number));
        return columns;
    }

    /// Trans.Connector is the result of ConnectorES and its adapter. ConnectorES alone is right for
    /// adapters that change nothing.
    void readConnector() {
        const std::size_t count = m_result.probe.elements.size();
        if (const MatValue* mux = m_trans->field("HVMux")) readMultiplexer(*mux);
        std::vector<double> numbers = Values::list(*m_trans, "Connector");
        const char* name = "Connector";
        if (numbers.empty() && m_result.muxed.empty()) {
            numbers = Values::list(*m_trans, "ConnectorES");
            name = "ConnectorES";
            if (!numbers.empty())
                m_result.warnings.emplace_back("Trans gives no Connector; ConnectorES is taken, "
                                               "which holds where the adapter changes nothing.");
        }
        if (numbers.size() > count)
            throw error(fmt::format("Trans.{} has {} entries, but ElementPos {}; save the whole "
                                    "workspace again",
                                    name, numbers.size(), count));
        m_result.connector = columnsOf(numbers);
    }

    /// Aperture(element, aperture) is the channel to which the element is switched.
    void readMultiplexer(const MatValue& mux) {
        const std::size_t count = m_result.probe.elements.size();
        const MatValue* table = mux.field("Aperture");
        if (table == nullptr || table->kind != MatValue::Kind::Numeric || table->dims.size() != 2 ||
            table->dims[0] != static_cast<std::int64_t>(count))
            return;
        const std::vector<std::size_t> columns = columnsOf(table->numbers());
        for (std::size_t at = 0; at + count <= columns.size(); at += count)
            m_result.muxed.emplace_back(columns.begin() + static_cast<std::ptrdiff_t>(at),
                                        columns.begin() + static_cast<std::ptrdiff_t>(at + count));
    }

    const Values& m_values;
    const MatValue* m_trans;
    double m_unit = 1.0;
    VerasonicsProbe m_result;
};

} // namespace

std::vector<std::size_t> VerasonicsProbe::elementsOf(std::size_t count,
                                                     std::size_t aperture) const {
    std::vector<std::size_t> elements;
    const std::size_t all = probe.elements.size();
    if (count == all) {
        for (std::size_t e = 0; e < all; ++e) elements.push_back(e);
    } else if (aperture > 0 && aperture <= muxed.size()) {
        for (std::size_t e = 0; e < all && elements.size() < count; ++e)
            if (muxed[aperture - 1][e] > 0) elements.push_back(e);
    } else if (count < all) {
        const std::size_t first = aperture > 0 ? aperture - 1 : 0;
        for (std::size_t e = first; e < all && elements.size() < count; ++e) elements.push_back(e);
    }
    if (elements.size() != count) elements.clear();
    return elements;
}

std::optional<std::size_t> VerasonicsProbe::columnOf(std::size_t element,
                                                     std::size_t aperture) const {
    std::size_t column = element + 1;
    if (aperture > 0 && aperture <= muxed.size())
        column = muxed[aperture - 1][element];
    else if (connector.size() == probe.elements.size())
        column = connector[element];
    else {
        // A multiplexed probe: the elements from `aperture` on are the active ones.
        const std::size_t first = aperture > 0 ? aperture - 1 : 0;
        if (element < first) return std::nullopt;
        const std::size_t active = element - first;
        if (!connector.empty() && active >= connector.size()) return std::nullopt;
        column = connector.empty() ? active + 1 : connector[active];
    }
    if (column == 0) return std::nullopt;
    return column - 1;
}

VerasonicsProbe readVerasonicsProbe(const VerasonicsValues& values) {
    return ProbeReader(values).read();
}

} // namespace echolux
