// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/element_places.hpp"

#include "app/dataset/transmit/transmit_clock.hpp"

#include <fmt/format.h>

#include <cmath>

namespace echolux {

namespace {

constexpr double kMostProbeElements = 1e6;

} // namespace

std::vector<Point> readElementTable(const Hdf5Values& group, const std::string& name,
                                    std::int64_t channels) {
    constexpr std::int64_t kCoordinates = 3;
    const auto values = group.numbers(name);
    const auto shape = group.shape(name);
    const bool rows = shape.size() == 2 && shape[0] == kCoordinates;
    const bool columns = shape.size() == 2 && shape[1] == kCoordinates;
    if (!values || (!rows && !columns))
        throw group.error(fmt::format("'{}' {}; give x, y and z of each element", group.at(name),
                                      values ? "is not 3 numbers for each element" : "is missing"));
    const std::size_t count = values->size() / kCoordinates;
    const auto at = [&](std::size_t row, std::size_t k) {
        return (*values)[rows ? row * count + k : k * kCoordinates + row];
    };
    std::vector<Point> elements(count);
    for (std::size_t k = 0; k < count; ++k) elements[k] = {at(0, k), at(1, k), at(2, k)};
    if (std::ssize(elements) != channels)
        throw group.error(fmt::format("'{}' has {} elements, but the data {}; correct the one that "
                                      "is wrong",
                                      group.at(name), count, channels));
    return elements;
}

std::size_t readElementCount(const Hdf5Values& probe, const std::string& name) {
    const double count = probe.number(name).value_or(0.0);
    if (!(count >= 1.0) || count > kMostProbeElements || count != std::floor(count))
        throw probe.error(fmt::format("'{}' is no whole number of elements; write the probe again",
                                      probe.at(name)));
    return static_cast<std::size_t>(count);
}

double readProbeLength(const Hdf5Values& probe, const std::string& name) {
    const double length = probe.number(name).value_or(0.0);
    if (!(length > 0.0) || std::isinf(length))
        throw probe.error(
            fmt::format("'{}' is no positive length; write the probe again", probe.at(name)));
    return length;
}

double probeLengthOr(const Hdf5Values& probe, const std::string& name, double otherwise) {
    const double length = probe.number(name).value_or(otherwise);
    return std::isfinite(length) && length > 0.0 ? length : 0.0;
}

Point ElementArc::place(std::size_t element) const {
    const double angle = anglesRad[element];
    return {radiusM * std::sin(angle), 0.0, radiusM * (std::cos(angle) - 1.0)};
}

ElementArc readElementArc(const Hdf5Values& probe, const std::string& count) {
    const std::size_t elements = readElementCount(probe, count);
    const double pitch = readProbeLength(probe, "pitch");
    const double radius = readProbeLength(probe, "radius");
    if (pitch > 2.0 * radius)
        throw probe.error(fmt::format("the radius {:g} m of '{}' is smaller than half the pitch; "
                                      "correct it",
                                      radius, probe.where()));
    return {radius, centredPlaces(elements, 2.0 * std::asin(0.5 * pitch / radius))};
}

ElementGrid readElementGrid(const Hdf5Values& probe, const std::string& countX,
                            const std::string& countY) {
    const std::size_t columns = readElementCount(probe, countX);
    const std::size_t rows = readElementCount(probe, countY);
    if (static_cast<double>(columns) * static_cast<double>(rows) > kMostProbeElements)
        throw probe.error(fmt::format("'{}' has {} x {} elements; correct '{}' and '{}'",
                                      probe.where(), columns, rows, countX, countY));
    return {centredPlaces(columns, readProbeLength(probe, "pitch_x")),
            centredPlaces(rows, readProbeLength(probe, "pitch_y"))};
}

std::vector<double> centredPlaces(std::size_t count, double step) {
    std::vector<double> places;
    for (const Point& place : linearArray(count, step)) places.push_back(place.x);
    return places;
}

} // namespace echolux
