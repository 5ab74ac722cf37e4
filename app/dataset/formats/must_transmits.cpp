// SPDX-License-Identifier: GPL-3.0-or-later
// Brings the rows of TXdelay, TXangle and TXapodization to one shape.
#include "app/dataset/formats/must_transmits.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace echolux {

namespace {

constexpr double kSilent = std::numeric_limits<double>::quiet_NaN();

/// [row][element]
struct Rows {
    std::size_t count = 0;
    std::vector<double> values;
};

class FiringReader {
public:
    FiringReader(const std::filesystem::path& path, const MatValue& parameters,
                 const std::string& name, std::span<const Point> elements, double soundSpeedMps,
                 std::size_t recorded)
        : m_path(path), m_parameters(parameters), m_name(name), m_elements(elements),
          m_soundSpeed(soundSpeedMps), m_recorded(recorded) {}

    MustFirings read() {
        const Rows apodization = rowsOf("TXapodization");
        const Rows delays = firingDelays(apodization.count > 0);
        m_firings.transmits = std::max(delays.count, apodization.count);
        for (const std::size_t rows : {delays.count, apodization.count})
            if (rows > 1 && rows != m_firings.transmits)
                throw error(fmt::format("TXdelay or TXangle of '{}' describes {} transmits, but "
                                        "TXapodization {}; give one row or one for each",
                                        m_name, delays.count, apodization.count));
        for (std::size_t i = 0; i < m_firings.transmits; ++i) {
            const std::size_t first = delays.count == 1 ? 0 : i * m_elements.size();
            m_firings.delaysS.insert(m_firings.delaysS.end(), delays.values.begin() + long(first),
                                     delays.values.begin() + long(first + m_elements.size()));
        }
        m_firings.weights.assign(m_firings.delaysS.size(), 1.0F);
        if (apodization.count > 0) apodize(apodization);
        for (std::size_t i = 0; i < m_firings.weights.size(); ++i)
            if (std::isnan(m_firings.delaysS[i])) m_firings.weights[i] = 0.0F;
        for (std::size_t i = 0; i < m_firings.transmits; ++i) checkTransmit(i);
        return std::move(m_firings);
    }

private:
    Error error(const std::string& what) const { return fileError(m_path, what); }

    /// No rows where the field is absent or empty.
    Rows rowsOf(const char* name) const {
        const MatValue* field = m_parameters.field(name);
        if (field == nullptr || field->count() == 0) return {};
        if (field->kind != MatValue::Kind::Cell) return rowsOf(*field, name);
        Rows all;
        for (const MatValue& cell : field->cells) {
            const Rows rows =
                rowsOf(cell, fmt::format("cell {} of {}", &cell - field->cells.data() + 1, name));
            all.count += rows.count;
            all.values.insert(all.values.end(), rows.values.begin(), rows.values.end());
        }
        return all;
    }

    Rows rowsOf(const MatValue& matrix, const std::string& name) const {
        std::vector<std::int64_t> dims = matrix.dims;
        for (auto one = dims.begin();
             dims.size() > 2 && (one = std::ranges::find(dims, 1)) != dims.end();)
            dims.erase(one);
        const std::vector<double> columns = matrix.numbers();
        const auto wanted = static_cast<std::int64_t>(m_elements.size());
        const bool upright = dims.size() == 2 && dims[1] == wanted;
        const bool transposed = dims.size() == 2 && dims[0] == wanted;
        if (columns.empty() || matrix.type.components != 1 || (!upright && !transposed))
            throw error(fmt::format("{} of '{}' is {}, but needs one column for each of the {} "
                                    "elements; correct it and save again",
                                    name, m_name, matrix.describe(), wanted));
        Rows rows{columns.size() / m_elements.size(), columns}; // transposed: element fastest
        if (!upright) return rows;
        for (std::size_t i = 0; i < rows.count; ++i)
            for (std::size_t k = 0; k < m_elements.size(); ++k)
                rows.values[i * m_elements.size() + k] = columns[k * rows.count + i];
        return rows;
    }

    Rows firingDelays(bool apodized) {
        if (const MatValue* angles = m_parameters.field("TXangle"))
            m_firings.statedAngles = numbersIn(*angles);
        Rows delays = rowsOf("TXdelay");
        if (delays.count > 0 && !isStale(delays)) return delays;
        if (m_firings.statedAngles.empty()) {
            m_firings.warnings.push_back(
                fmt::format("'{}' gives neither TXdelay nor TXangle; {}.", m_name,
                            apodized ? "the elements of each transmit are taken to fire at once"
                                     : "one unsteered plane wave is assumed"));
            return {1, std::vector<double>(m_elements.size(), 0.0)};
        }
        m_firings.anglesStandForDelays = true;
        delays = {};
        for (const double angle : m_firings.statedAngles) {
            if (!(std::abs(angle) < 0.5 * std::numbers::pi))
                throw error(
                    fmt::format("TXangle of '{}' holds {:g}, but must be in rad and below a "
                                "quarter turn; correct it and save again",
                                m_name, angle));
            const Transmit wave{.wave = Wave::Plane, .angleRad = angle, .source = {}};
            const double lead = firstFiringLead(wave, m_elements, m_soundSpeed);
            for (const Point& element : m_elements)
                delays.values.push_back(lead + idealDelay(wave, element, m_soundSpeed));
        }
        delays.count = m_firings.statedAngles.size();
        return delays;
    }

    /// The numbers of a value or of all cells of a cell array.
    static std::vector<double> numbersIn(const MatValue& value) {
        std::vector<double> numbers = value.numbers();
        for (const MatValue& cell : value.cells)
            for (const double number : cell.numbers()) numbers.push_back(number);
        return numbers;
    }

    /// True where TXangle has a value for each recorded transmit, and TXdelay is that of one alone:
    /// PyMUST's simus() leaves the delays of its last call in `param`.
    bool isStale(const Rows& delays) {
        const std::size_t angles = m_firings.statedAngles.size();
        if (angles == 0 || angles == delays.count) return false;
        const bool stale = delays.count == 1 && angles == m_recorded;
        m_firings.warnings.push_back(fmt::format(
            "TXangle of '{}' describes {} transmits, but its TXdelay {}; {}.", m_name, angles,
            delays.count,
            stale ? fmt::format("TXangle is used, because the signals have {} transmits", angles)
                  : "TXdelay is used"));
        return stale;
    }

    /// Silences elements without weight, and checks the signs of the others.
    void apodize(const Rows& apodization) {
        std::vector<std::size_t> inverted;
        for (std::size_t i = 0; i < m_firings.transmits; ++i) {
            const std::size_t row = apodization.count == 1 ? 0 : i;
            bool up = false;
            bool down = false;
            for (std::size_t k = 0; k < m_elements.size(); ++k) {
                const double weight = apodization.values[row * m_elements.size() + k];
                if (!std::isfinite(weight))
                    throw error(fmt::format("TXapodization of transmit {} in '{}' holds {} for "
                                            "element {}; give 0 for an element that stays silent",
                                            i + 1, m_name, weight, k + 1));
                const std::size_t at = i * m_elements.size() + k;
                double& delay = m_firings.delaysS[at];
                m_firings.weights[at] = static_cast<float>(weight);
                if (weight == 0.0) delay = kSilent;
                if (std::isnan(delay)) continue;
                (weight > 0.0 ? up : down) = true;
            }
            if (up && down)
                throw error(fmt::format("in transmit {} of '{}' elements fire with opposite signs "
                                        "(TXapodization), as in coded excitation, which Echolux "
                                        "cannot image; decode the signals first",
                                        i + 1, m_name));
            if (down) inverted.push_back(i + 1);
        }
        if (!inverted.empty() && inverted.size() < m_firings.transmits)
            m_firings.warnings.push_back(fmt::format(
                "{} {} inverted (TXapodization below 0), the others not; their echoes "
                "are summed as they were recorded.",
                inverted.size() == 1 ? "Transmit" : "Transmits",
                inverted.size() == 1 ? fmt::format("{} fires", inverted.front())
                                     : fmt::format("{} fire", fmt::join(inverted, ", "))));
    }

    void checkTransmit(std::size_t transmit) const {
        const auto delays = m_firings.delaysOf(transmit);
        if (std::ranges::all_of(delays, [](double delay) { return std::isnan(delay); }))
            throw error(fmt::format("in transmit {} of '{}' no element fires: its TXdelay is NaN "
                                    "or its TXapodization 0 throughout; correct it, or leave the "
                                    "transmit out and save again",
                                    transmit + 1, m_name));
        if (std::ranges::any_of(delays, [](double delay) { return std::isinf(delay); }))
            throw error(fmt::format("TXdelay of transmit {} in '{}' is infinite; give NaN for an "
                                    "element that stays silent",
                                    transmit + 1, m_name));
    }

    const std::filesystem::path& m_path;
    const MatValue& m_parameters;
    const std::string& m_name;
    std::span<const Point> m_elements;
    double m_soundSpeed;
    std::size_t m_recorded;
    MustFirings m_firings;
};

} // namespace

MustFirings readMustFirings(const std::filesystem::path& path, const MatValue& parameters,
                            const std::string& name, std::span<const Point> elements,
                            double soundSpeedMps, std::size_t recorded) {
    return FiringReader(path, parameters, name, elements, soundSpeedMps, recorded).read();
}

} // namespace echolux
