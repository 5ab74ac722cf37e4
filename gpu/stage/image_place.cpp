// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stage/image_place.hpp"

#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

double lastOf(const Axis& axis) {
    return axis.origin + static_cast<double>(axis.size - 1) * axis.spacing;
}

/// The index nearest to `at`, and whether `at` lies more than half a pixel outside.
std::int64_t nearestIndex(const Axis& axis, double at, bool& outside) {
    if (axis.unit != "m") return axis.size / 2;
    const double place = (at - axis.origin) / axis.spacing;
    const auto last = static_cast<double>(axis.size - 1);
    outside = outside || !(place >= -0.5 && place <= last + 0.5);
    return std::llround(std::clamp(place, 0.0, last));
}

PixelPlace onNearestLine(const FrameSpec& image, double xM, double zM) {
    const Sector& sector = *image.sector;
    const Axis& range = *image.find(AxisName::Depth);
    PixelPlace place;
    double least = std::numeric_limits<double>::infinity();
    double nearest = 0.0;
    for (std::size_t i = 0; i < sector.lines(); ++i) {
        const Point start = sector.startOf(i);
        const double along = (xM - start.x) * std::sin(sector.anglesRad[i]) +
                             (zM - start.z) * std::cos(sector.anglesRad[i]);
        const double inside = std::clamp(along, range.origin, lastOf(range));
        const Point at = sector.at(i, inside);
        const double apart = std::hypot(at.x - xM, at.z - zM);
        if (!(apart < least)) continue;
        least = apart;
        nearest = along;
        place.lateral = static_cast<std::int64_t>(i);
    }
    place.depth = nearestIndex(range, nearest, place.outside);
    return place;
}

} // namespace

PixelPlace pixelAt(const FrameSpec& image, double xM, double zM) {
    if (image.sector != nullptr) return onNearestLine(image, xM, zM);
    PixelPlace place;
    place.depth = nearestIndex(*image.find(AxisName::Depth), zM, place.outside);
    place.lateral = nearestIndex(*image.find(AxisName::Lateral), xM, place.outside);
    return place;
}

bool hasPlaces(const FrameSpec& image) {
    const bool lines = image.sector != nullptr || image.find(AxisName::Lateral)->unit == "m";
    return lines && image.find(AxisName::Depth)->unit == "m";
}

std::vector<SliderSpan> placeSpans(const ShownStage& stage) {
    const Axis* depth = stage.input.find(AxisName::Depth);
    const Axis* lateral = stage.input.find(AxisName::Lateral);
    if (depth == nullptr || lateral == nullptr || depth->unit != "m") return {};
    std::vector<SliderSpan> spans{{"depth", std::max(0.0, depth->origin), lastOf(*depth)}};
    if (stage.input.sector != nullptr)
        spans.push_back({"lateral", -lastOf(*depth), lastOf(*depth)});
    else if (lateral->unit == "m")
        spans.push_back({"lateral", lateral->origin, lastOf(*lateral)});
    std::erase_if(spans, [&](const SliderSpan& span) {
        return stage.params.table().find(span.key) == nullptr || !(span.min < span.max);
    });
    return spans;
}

double middleOf(const Axis& axis) {
    return axis.origin + 0.5 * static_cast<double>(axis.size - 1) * axis.spacing;
}

} // namespace echolux
