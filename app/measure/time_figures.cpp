// SPDX-License-Identifier: GPL-3.0-or-later
// Points and lines in views over time: M-mode and sonogram.
#include "app/measure/figures.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux::measure {
namespace {

constexpr double kMsPerS = 1e3;
constexpr double kSPerMinute = 60.0;

/// A pixel reaches half a step beyond its centre.
void checkInside(const MeasuredImage& image, const Measurement& made) {
    const auto holds = [](const PixelAxis& axis, double place) {
        const double index = axis.indexOf(place);
        return index >= -0.5 && index <= static_cast<double>(axis.size) - 0.5;
    };
    for (const Place& place : made.places)
        if (!holds(image.lateral, place.lateral) || !holds(image.depth, place.depth))
            throw Error(
                fmt::format("'{}' lies beside the image; move it into the image.", made.name));
}

/// The place, or the nearest one between the centres of the outermost pixels.
Place betweenCentres(const MeasuredImage& image, const Place& place) {
    const auto clamped = [](const PixelAxis& axis, double at) {
        const auto [first, last] = std::minmax({axis.at(0), axis.at(axis.size - 1)});
        return std::clamp(at, first, last);
    };
    return {clamped(image.lateral, place.lateral), clamped(image.depth, place.depth)};
}

bool isVelocity(const MeasuredImage& image) { return image.depth.quantity == Quantity::Velocity; }

/// "mm/s" of "mm" and "ms"; "mm/frame" where the time between frames is unknown.
std::string perTime(const MeasuredImage& image) {
    const std::string& unit = image.depth.unit;
    if (image.lateral.unit != "ms") return unit + "/frame";
    return unit == "cm/s" ? "cm/s2" : unit + "/s";
}

} // namespace

std::vector<Figure> figuresOfMoment(const MeasuredImage& image, const Measurement& point) {
    checkInside(image, point);
    const Place& at = point.places[0];
    const bool velocity = isVelocity(image);
    return {
        {"time", "Time", at.lateral, image.lateral.unit},
        {velocity ? "velocity" : "depth", velocity ? "Velocity" : "Depth", at.depth,
         image.depth.unit},
        {"level", "Level", image.valueAt(betweenCentres(image, at)), image.isDb ? "dB" : ""},
    };
}

std::vector<Figure> figuresOfCourse(const MeasuredImage& image, const Measurement& line) {
    checkInside(image, line);
    const double duration = line.places[1].lateral - line.places[0].lateral;
    const double change = line.places[1].depth - line.places[0].depth;
    if (duration == 0.0 && change == 0.0)
        throw Error(
            fmt::format("The line '{}' begins where it ends; drag one of its ends.", line.name));
    const bool inSeconds = image.lateral.unit == "ms";
    const double elapsed = inSeconds ? duration / kMsPerS : duration;
    const bool velocity = isVelocity(image);
    std::vector<Figure> figures{
        {"duration", "Duration", std::abs(duration), image.lateral.unit},
        {velocity ? "velocity_change" : "depth_change",
         velocity ? "Change of velocity" : "Change of depth", duration < 0.0 ? -change : change,
         image.depth.unit},
        {"slope", "Slope", elapsed != 0.0 ? change / elapsed : kNothing, perTime(image)},
    };
    if (inSeconds)
        figures.push_back({"rate", "Rate of such periods",
                           elapsed != 0.0 ? kSPerMinute / std::abs(elapsed) : kNothing, "1/min"});
    return figures;
}

} // namespace echolux::measure
