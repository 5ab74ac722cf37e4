// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/must_probe.hpp"

#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace echolux {

namespace {

bool isOnLine(const Probe& probe, double soundSpeedMps) {
    const auto& elements = probe.elements;
    const bool rising = std::ranges::is_sorted(elements, std::ranges::less_equal{}, &Point::x) ||
                        std::ranges::is_sorted(elements, std::ranges::greater_equal{}, &Point::x);
    const ArrayShape shape = arrayKindOf(probe, soundSpeedMps).shape;
    return rising && (shape == ArrayShape::Linear || shape == ArrayShape::Phased ||
                      shape == ArrayShape::Curved);
}

/// The elements of `param.elements`. MUST's functions in two dimensions read two rows as x and z,
/// those in three dimensions as x and y.
std::vector<Point> listedElements(const MustFields& fields, const MatValue& value,
                                  std::size_t channels, double soundSpeedMps) {
    const std::vector<double> numbers = value.numbers();
    const std::vector<std::int64_t>& dims = value.dims;
    const auto wanted = static_cast<std::int64_t>(channels);
    const auto holds = [&](std::size_t along, std::size_t across) {
        return dims[along] == wanted && dims[across] <= 3;
    };
    const bool rows = dims.size() == 2 && holds(1, 0);
    const bool columns = dims.size() == 2 && holds(0, 1);
    if (numbers.empty() || value.type.components != 1 || (!rows && !columns))
        throw fields.error(fmt::format("the elements of '{}' are {}, but must be rows of x, y (and "
                                       "z) with one entry for each of the {} columns of the "
                                       "signals; correct them and save again",
                                       fields.name(), value.describe(), channels));
    if (!std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); }))
        throw fields.error(fmt::format("the elements of '{}' hold a place that is no finite "
                                       "number; correct it and save again",
                                       fields.name()));
    const std::size_t parts = numbers.size() / channels;
    const auto part = [&](std::size_t element, std::size_t which) {
        if (which >= parts) return 0.0;
        return rows ? numbers[element * parts + which] : numbers[which * channels + element];
    };
    Probe flat;
    Probe upright;
    for (std::size_t k = 0; k < channels; ++k) {
        flat.elements.push_back({part(k, 0), part(k, 1), part(k, 2)});
        upright.elements.push_back({part(k, 0), 0.0, part(k, 1)});
    }
    return parts == 2 && isOnLine(upright, soundSpeedMps) ? upright.elements : flat.elements;
}

} // namespace

Error MustFields::error(const std::string& what) const { return fileError(m_path, what); }

std::vector<double> MustFields::list(const std::string& field) const {
    const MatValue* value = m_parameters.field(field);
    return value != nullptr ? value->numbers() : std::vector<double>{};
}

std::optional<double> MustFields::number(const std::string& field) const {
    const std::vector<double> values = list(field);
    if (values.empty()) return std::nullopt;
    if (std::isnan(values.front()))
        throw error(
            fmt::format("the field '{}' of '{}' is no number (NaN); correct it", field, m_name));
    return values.front();
}

double MustFields::positive(const std::string& field, std::optional<double> fallback) const {
    const std::optional<double> stated = number(field);
    const std::optional<double> value = stated ? stated : fallback;
    if (!value)
        throw error(fmt::format("the struct '{}' lacks the field '{}'; add it and save again",
                                m_name, field));
    if (*value <= 0.0 || std::isinf(*value))
        throw error(fmt::format("the field '{}' of '{}' is {:g}, but must be a positive number; "
                                "correct it and save again",
                                field, m_name, *value));
    return *value;
}

Probe readMustProbe(const MustFields& fields, std::size_t channels, double soundSpeedMps,
                    double centreFrequencyHz) {
    if (const auto stated = fields.number("Nelements");
        stated && *stated != static_cast<double>(channels))
        throw fields.error(fmt::format("'{}' states {:g} elements, but the signals have {} "
                                       "columns; correct Nelements or transpose the signals",
                                       fields.name(), *stated, channels));
    Probe probe;
    const MatValue* listed = fields.all().field("elements");
    std::optional<double> spacing;
    if (listed != nullptr) {
        probe.elements = listedElements(fields, *listed, channels, soundSpeedMps);
        spacing = medianPitch(probe.elements);
        if (!(*spacing > 0.0)) spacing.reset();
    }
    probe.pitchM = fields.positive("pitch", spacing);
    probe.centreFrequencyHz = centreFrequencyHz;
    const double percent = fields.number("bandwidth").value_or(75.0); // MUST's default
    probe.fractionalBandwidth = percent / 100.0;
    const double kerf = fields.number("kerf").value_or(0.0);
    probe.elementWidthM = fields.number("width").value_or(kerf > 0.0 ? probe.pitchM - kerf : 0.0);
    if (listed != nullptr) return probe;
    const double radius = fields.number("radius").value_or(std::numeric_limits<double>::infinity());
    if (std::isinf(radius))
        probe.elements = linearArray(channels, probe.pitchM);
    else if (2.0 * radius > probe.pitchM)
        probe.elements = convexArrayByEdges(channels, probe.pitchM, radius);
    else
        throw fields.error(fmt::format("the radius {:g} m of '{}' is smaller than half the pitch; "
                                       "correct it and save again",
                                       radius, fields.name()));
    return probe;
}

} // namespace echolux
