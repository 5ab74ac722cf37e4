// SPDX-License-Identifier: GPL-3.0-or-later
// Axes in millimetres, milliseconds and cm/s; rows in the order of depth.
#include "app/measure/measured_image.hpp"

#include "app/measure/beam_geometry.hpp"
#include "gpu/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux::measure {
namespace {

PixelAxis pixelAxis(const Axis& axis, Quantity quantity, std::string unit) {
    const double factor = measuredPerAxis(axis);
    return {axis.origin * factor, axis.spacing * factor, axis.size, quantity, std::move(unit)};
}

PixelAxis countedAxis(std::int64_t size) { return {0.0, 1.0, size, Quantity::Length, "px"}; }

/// A length; pixels where the image has no scale.
PixelAxis lengthAxis(const Axis& axis) {
    return axis.unit == "m" ? pixelAxis(axis, Quantity::Length, "mm") : countedAxis(axis.size);
}

PixelAxis downAxis(const Axis& axis) {
    if (axis.name != AxisName::Velocity) return lengthAxis(axis);
    return pixelAxis(axis, Quantity::Velocity, axis.unit == "m/s" ? "cm/s" : axis.unit);
}

/// M-mode and sonogram: the newest line last.
MeasuredImage overTime(const FrameSpec& spec, std::span<const float> values) {
    const Axis& down = spec.axes[0];
    const Axis& time = spec.axes[1];
    return {.lateral = pixelAxis(time, Quantity::Time, time.unit == "s" ? "ms" : "frames"),
            .depth = downAxis(down),
            .values = {values.begin(), values.end()}};
}

/// The order [depth][lateral] within each plane.
template <class T> std::vector<T> rowsOfDepth(const FrameSpec& spec, std::span<const T> values) {
    std::vector<T> rows(values.begin(), values.end());
    if (values.empty() || spec.axes.back().name == AxisName::Lateral) return rows;
    const auto depths = static_cast<std::size_t>(spec.sizeOf(AxisName::Depth));
    const auto laterals = static_cast<std::size_t>(spec.sizeOf(AxisName::Lateral));
    for (std::size_t first = 0; first < rows.size(); first += depths * laterals)
        for (std::size_t row = 0; row < depths; ++row)
            for (std::size_t column = 0; column < laterals; ++column)
                rows[first + row * laterals + column] = values[first + column * depths + row];
    return rows;
}

MeasuredImage planeOrVolume(const FrameSpec& spec, std::span<const float> values) {
    const Axis* depth = spec.find(AxisName::Depth);
    const Axis* lateral = spec.find(AxisName::Lateral);
    const Axis* elevation = spec.find(AxisName::Elevation);
    const std::int64_t planes = elevation != nullptr ? elevation->size : 1;
    if (depth == nullptr || lateral == nullptr ||
        spec.count() != planes * depth->size * lateral->size)
        throw Error("Only planes and volumes can be measured, and this view is none; choose a view "
                    "that shows depth over lateral.");
    if (spec.sector != nullptr)
        throw Error("The image has lines side by side that are not parallel; add the stage "
                    "scan_conversion, which puts them in their place.");
    const bool scaled = depth->unit == "m" && lateral->unit == "m" &&
                        (elevation == nullptr || elevation->unit == "m");
    const auto axis = [&](const Axis& of) {
        return scaled ? lengthAxis(of) : countedAxis(of.size);
    };
    MeasuredImage image{
        .lateral = axis(*lateral), .depth = axis(*depth), .values = rowsOfDepth(spec, values)};
    if (elevation != nullptr) image.elevation = axis(*elevation);
    return image;
}

} // namespace

double measuredPerAxis(const Axis& axis) {
    return axis.unit == "m" || axis.unit == "s" ? 1e3 : axis.unit == "m/s" ? 1e2 : 1.0;
}

MeasuredImage MeasuredImage::of(const FrameSpec& spec, std::span<const float> values,
                                std::span<const std::complex<float>> phasors) {
    const bool timed = spec.axes.size() == 2 && spec.axes[1].name == AxisName::SlowTime;
    MeasuredImage image = timed ? overTime(spec, values) : planeOrVolume(spec, values);
    if (!timed) image.phasors = rowsOfDepth(spec, phasors);
    image.isDb = spec.valueRange && spec.valueRange->unit == "dB";
    return image;
}

MeasuredImage MeasuredImage::ofLines(const FrameSpec& spec, std::span<const float> values) {
    const auto geometry =
        std::make_shared<const BeamGeometry>(*spec.sector, *spec.find(AxisName::Depth));
    MeasuredImage image{.lateral = {0.0, 1.0, geometry->lines()},
                        .depth = geometry->range(),
                        .values = {values.begin(), values.end()}};
    image.isDb = spec.valueRange && spec.valueRange->unit == "dB";
    image.beams = geometry;
    return image;
}

MeasuredImage MeasuredImage::moved(double scale, double shift) const {
    MeasuredImage image = *this;
    image.depth.start = scale * depth.start + shift;
    image.depth.step = scale * depth.step;
    if (beams != nullptr)
        image.beams = std::make_shared<const BeamGeometry>(beams->moved(scale, shift));
    if (lines != nullptr)
        image.lines = std::make_shared<const MeasuredImage>(lines->moved(scale, shift));
    return image;
}

Place MeasuredImage::placeOf(std::int64_t row, std::int64_t column) const {
    if (beams != nullptr) return beams->at(static_cast<double>(row), static_cast<double>(column));
    return {lateral.at(column), depth.at(row)};
}

double MeasuredImage::areaOf(std::int64_t row, std::int64_t column) const {
    if (beams != nullptr) return beams->areaAt(static_cast<double>(row), column);
    return std::abs(lateral.step * depth.step);
}

double MeasuredImage::finestStep() const {
    if (beams != nullptr) return std::abs(depth.step);
    return std::min(std::abs(lateral.step), std::abs(depth.step));
}

MeasuredImage MeasuredImage::planeAt(double place) const {
    if (!isVolume()) return *this;
    const double number = std::round(elevation.indexOf(place));
    if (!(number >= 0.0 && number <= static_cast<double>(elevation.size - 1)))
        throw Error("Its elevation lies outside the volume; move it into the volume.");
    const auto pixels = static_cast<std::ptrdiff_t>(depth.size * lateral.size);
    const auto first = static_cast<std::ptrdiff_t>(number) * pixels;
    MeasuredImage plane{.lateral = lateral, .depth = depth, .isDb = isDb};
    plane.values.assign(values.begin() + first, values.begin() + first + pixels);
    if (!phasors.empty())
        plane.phasors.assign(phasors.begin() + first, phasors.begin() + first + pixels);
    return plane;
}

double MeasuredImage::amplitudeOf(double value) const {
    return isDb ? std::pow(10.0, value / 20.0) : value;
}

double MeasuredImage::dbOf(double value) const {
    return isDb ? value : 20.0 * std::log10(std::abs(value));
}

bool MeasuredImage::contains(const Place& place) const {
    if (beams != nullptr) return beams->find(place).has_value();
    const double row = depth.indexOf(place.depth);
    const double column = lateral.indexOf(place.lateral);
    return row >= 0.0 && column >= 0.0 && row <= static_cast<double>(depth.size - 1) &&
           column <= static_cast<double>(lateral.size - 1);
}

double MeasuredImage::valueAt(const Place& place) const {
    if (beams == nullptr) return mixed(depth.indexOf(place.depth), lateral.indexOf(place.lateral));
    const auto sample = beams->find(place);
    return sample ? mixed(sample->row, sample->line) : std::numeric_limits<double>::quiet_NaN();
}

double MeasuredImage::mixed(double row, double column) const {
    const auto r =
        std::min(static_cast<std::int64_t>(row), std::max<std::int64_t>(depth.size - 2, 0));
    const auto c =
        std::min(static_cast<std::int64_t>(column), std::max<std::int64_t>(lateral.size - 2, 0));
    const std::int64_t below = std::min(r + 1, depth.size - 1);
    const std::int64_t right = std::min(c + 1, lateral.size - 1);
    const double v = row - static_cast<double>(r);
    const double u = column - static_cast<double>(c);
    const bool ofLevels = isDb && !isOverTime();
    const auto at = [&](std::int64_t y, std::int64_t x) {
        return ofLevels ? amplitude(y, x) : value(y, x);
    };
    const double mean = (1.0 - v) * ((1.0 - u) * at(r, c) + u * at(r, right)) +
                        v * ((1.0 - u) * at(below, c) + u * at(below, right));
    return ofLevels ? 20.0 * std::log10(mean) : mean;
}

MeasuredImage MeasuredImage::onAxes(const PixelAxis& across, const PixelAxis& down) const {
    MeasuredImage image{.lateral = across, .depth = down, .isDb = isDb};
    for (std::int64_t row = 0; row < down.size; ++row)
        for (std::int64_t column = 0; column < across.size; ++column) {
            const Place place{across.at(column), down.at(row)};
            image.values.push_back(contains(place) ? static_cast<float>(valueAt(place))
                                                   : std::numeric_limits<float>::quiet_NaN());
        }
    return image;
}

} // namespace echolux::measure
