// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/named_numbers.hpp"

#include "app/dataset/recording/input_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace echolux {

Error NamedNumbers::error(const std::string& what) const { return fileError(m_path, what); }

bool NamedNumbers::knows(const std::string& name) const {
    if (!has(name)) return false;
    const std::vector<double> values = list(name);
    return values.size() != 1 || values.front() != 0.0;
}

std::vector<double> NamedNumbers::list(const std::string& name) const {
    const auto array = m_container->open(name);
    if (array->layout().type.components != 1)
        throw error(fmt::format("'{}' is complex, but must be real", name));
    return readNumbers(m_path, *array, name);
}

double NamedNumbers::one(const std::string& name) const {
    const std::vector<double> values = list(name);
    if (values.size() != 1 || !std::isfinite(values.front()))
        throw error(fmt::format("'{}' must be one finite number, but holds {}; correct it and "
                                "save again",
                                name, values.size()));
    return values.front();
}

double NamedNumbers::positive(const std::string& name) const {
    const double value = one(name);
    if (value <= 0.0)
        throw error(fmt::format("'{}' is {:g}, but must be above 0; correct it and save again",
                                name, value));
    return value;
}

double NamedNumbers::positiveOr(const std::string& name, double otherwise) const {
    return knows(name) ? positive(name) : otherwise;
}

double NamedNumbers::oneOf(std::span<const std::string_view> names, const std::string& what) const {
    std::string_view first;
    double value = 0.0;
    for (const std::string_view each : names) {
        const std::string name(each);
        if (!knows(name)) continue;
        const double found = positive(name);
        if (!first.empty() && found != value)
            throw error(fmt::format("'{}' is {:g} Hz, but '{}' {:g} Hz, which both are the {}; "
                                    "keep the one that is right",
                                    first, value, name, found, what));
        first = each;
        value = found;
    }
    return value;
}

double NamedNumbers::demodulationHz() const {
    using namespace std::string_view_literals;
    constexpr std::array kNames{"fd"sv, "fdemod"sv, "demodulation_frequency"sv,
                                "modulation_frequency"sv};
    return oneOf(kNames, "demodulation frequency");
}

double NamedNumbers::demodulationHz(const std::string& of, double centreHz,
                                    std::vector<std::string>& warnings) const {
    const double stated = demodulationHz();
    if (stated > 0.0 || centreHz <= 0.0) return stated;
    warnings.push_back(fmt::format("Nothing says at which frequency '{}' was demodulated; its "
                                   "centre frequency, {:g} MHz, is assumed; add 'fd' in Hz.",
                                   of, centreHz * 1e-6));
    return centreHz;
}

std::vector<double> NamedNumbers::each(const std::string& name, std::size_t count,
                                       const std::string& things) const {
    std::vector<double> values = list(name);
    if (values.size() == 1) values.assign(count, values.front());
    if (values.size() != count)
        throw error(fmt::format("'{}' has {} entries, but there are {} {}; give one or one for "
                                "each",
                                name, values.size(), count, things));
    return values;
}

std::vector<double> NamedNumbers::table(const std::string& name, std::size_t rows,
                                        std::size_t columns, const std::string& meaning) const {
    const ArrayLayout layout = m_container->open(name)->layout();
    const std::vector<std::int64_t> upright{static_cast<std::int64_t>(rows),
                                            static_cast<std::int64_t>(columns)};
    const std::vector<std::int64_t> lying{upright[1], upright[0]};
    const bool flat = rows == 1 && layout.shape == std::vector<std::int64_t>{upright[1]};
    const bool fits = layout.shape == upright || layout.shape == lying || flat;
    if (!fits)
        throw error(fmt::format("'{}' is {}, but {} are needed; correct the one that is wrong",
                                name, layout.describe(), meaning));
    std::vector<double> values = list(name);
    // A square table has the order that its container has for all tables.
    const bool isLying = upright == lying ? m_reversed : layout.shape == lying;
    if (!isLying) return values;
    std::vector<double> turned(values.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            turned[row * columns + column] = values[column * rows + row];
    return turned;
}

} // namespace echolux
