// SPDX-License-Identifier: GPL-3.0-or-later
// Units and words of axes.
#include "render/view/screen_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

constexpr double kShortestInMm = 5.0;
constexpr double kShortestInS = 2.0;

std::string indexName(AxisName name, Counted counted) {
    const bool echoes = counted == Counted::OfEchoes;
    switch (name) {
    case AxisName::Lateral: return echoes ? "line" : "A-scan";
    case AxisName::Elevation: return echoes ? "plane" : "B-scan";
    case AxisName::Depth: return echoes ? "sample" : "bin";
    default: return std::string(nameOf(name));
    }
}

} // namespace

/// Images of ultrasound have a centre frequency; they are in millimetres.
Lengths lengthsOf(const FrameSpec& image) {
    return image.centreFrequencyHz > 0.0 ? Lengths::Millimetres : Lengths::ByExtent;
}

Counted countedOf(const FrameSpec& image) {
    const bool echoes = image.centreFrequencyHz > 0.0 || image.acquisition != nullptr ||
                        image.recordedForm != RecordedForm::Signals;
    return echoes && image.spectrometer == nullptr ? Counted::OfEchoes : Counted::OfLight;
}

ScreenAxis screenAxis(const Axis& axis, const FrameSpec& image) {
    return screenAxis(axis, lengthsOf(image), countedOf(image));
}

ScreenAxis screenAxis(const Axis& axis, Lengths lengths, Counted counted) {
    ScreenAxis screen;
    screen.axis = axis.name;
    screen.name = axis.name == AxisName::SlowTime ? "time" : nameOf(axis.name);
    if (axis.name == AxisName::Velocity) {
        // Places grow downwards, velocities upwards.
        const bool known = axis.unit == "m/s";
        screen.viewPerAxis = known ? -100.0 : -1.0;
        screen.labelPerView = -1.0;
        screen.unit = known ? "cm/s" : axis.unit;
    } else if (axis.name == AxisName::SlowTime) {
        const bool known = axis.unit == "s";
        const bool brief = static_cast<double>(axis.size) * axis.spacing < kShortestInS;
        screen.viewPerAxis = known && brief ? 1e3 : 1.0;
        screen.unit = !known ? "" : brief ? "ms" : "s";
        if (!known) screen.name = "frame";
    } else if (axis.unit == "m") {
        screen.metric = true;
        screen.viewPerAxis = 1e3;
        const double extentMm = static_cast<double>(axis.size) * axis.spacing * 1e3;
        const bool fine = lengths == Lengths::ByExtent && extentMm < kShortestInMm;
        screen.unit = fine ? "\u00b5m" : "mm";
        screen.labelPerView = fine ? 1e3 : 1.0;
    } else if (axis.unit == "rad") {
        screen.viewPerAxis = 180.0 / std::numbers::pi;
        screen.name = "angle";
        screen.unit = "deg";
    } else if (axis.unit == "s") {
        screen.viewPerAxis = 1e6;
        screen.name = "time";
        screen.unit = "\u00b5s";
    } else {
        screen.name = indexName(axis.name, counted);
        const bool place = axis.name == AxisName::Depth || axis.name == AxisName::Sample;
        screen.labelOfZero = place ? 0.0 : 1.0;
    }
    screen.sample = axis.spacing * screen.viewPerAxis;
    screen.first = (axis.origin - 0.5 * axis.spacing) * screen.viewPerAxis;
    screen.last = screen.first + static_cast<double>(axis.size) * screen.sample;
    return screen;
}

std::string ScreenAxis::title() const {
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

Ticks ScreenAxis::ticks(double from, double to, double minStep) const {
    const bool whole = unit.empty();
    const double least = minStep * std::abs(labelPerView);
    const auto [lowest, highest] = std::minmax({labelAt(from), labelAt(to)});
    Ticks ticks = makeTicks(lowest, highest, whole ? std::max(least, 1.0) : least);
    if (whole) std::erase_if(ticks.minor, [](double at) { return at != std::round(at); });
    return ticks;
}

std::string ScreenAxis::format(double place) const {
    const int decimals = unit.empty() ? 0 : labelPerView > 1.0 ? 1 : 2;
    return formatNumber(labelAt(place), decimals);
}

std::string Picture::placeText(Vec2 place) const {
    const auto alone = [](const ScreenAxis& axis, double at) {
        return axis.unit.empty() ? fmt::format("{} {}", axis.name, axis.format(at))
                                 : fmt::format("{} {}", axis.format(at), axis.unit);
    };
    if (across.unit == down.unit && !across.unit.empty())
        return fmt::format("{}, {}", across.format(place.x), alone(down, place.y));
    return fmt::format("{}, {}", alone(across, place.x), alone(down, place.y));
}

std::string Picture::whyNoLengths() const {
    if (!beamSpace) return {};
    return fmt::format("Across the image are {}: switch on Scan conversion to measure lengths.",
                       across.unit.empty() ? "lines" : "angles");
}

bool Picture::sameAxes(const Picture& other) const {
    const auto same = [](const ScreenAxis& a, const ScreenAxis& b) {
        return a.axis == b.axis && a.metric == b.metric && a.viewPerAxis == b.viewPerAxis;
    };
    return same(across, other.across) && same(down, other.down);
}

bool drawnTransposed(const FrameSpec& image) {
    return image.axes.size() == 2 &&
           (image.axes[1].name == AxisName::Depth || image.axes[1].name == AxisName::Sample);
}

Picture pictureOf(const FrameSpec& image) {
    Picture picture;
    picture.transposed = drawnTransposed(image);
    const Axis& down = image.axes[picture.transposed ? 1 : 0];
    picture.down = screenAxis(down, image);
    picture.across = screenAxis(image.axes[picture.transposed ? 0 : 1], image);
    picture.beamSpace = image.sector != nullptr || image.axes.back().unit == "rad";
    if (picture.beamSpace && down.name == AxisName::Depth) picture.down.name = "range";
    const bool covered = picture.down.first <= 0.0 && picture.down.last > 0.0;
    if (picture.transposed && covered && down.name == AxisName::Depth) picture.zeroDelay = 0.0;
    return picture;
}

} // namespace echolux
