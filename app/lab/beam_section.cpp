// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/beam_section.hpp"

#include "gpu/beamform/beamform_grid.hpp"
#include "gpu/core/sector.hpp"

#include <algorithm>
#include <cmath>

namespace echolux::lab {
namespace {

BeamSection overAngles(const Sector& sector, const PlanePoint& pixel) {
    const PlanePoint apex{sector.apexXM, sector.apexZM};
    const double radius = lengthOf(pixel - apex);
    return {.overAngle = true,
            .first = sector.anglesRad.front(),
            .last = sector.anglesRad.back(),
            .pixelAt = std::atan2(pixel.x - apex.x, pixel.z - apex.z),
            .depthM = radius - sector.radiusM,
            .apex = apex,
            .radiusM = radius};
}

/// From the first to the last column, at the pixel's depth.
BeamSection overColumns(const Axis& lateral, const PlanePoint& pixel) {
    const double gaps = static_cast<double>(std::max<std::int64_t>(lateral.size - 1, 1));
    return {.first = lateral.origin,
            .last = lateral.origin + gaps * lateral.spacing,
            .pixelAt = pixel.x,
            .depthM = pixel.z};
}

/// Between the outer lines, for lines with starts of their own.
BeamSection overLines(const Sector& sector, const PlanePoint& pixel) {
    const auto crossing = [&](std::size_t line) {
        const Point start = sector.startOf(line);
        return start.x + (pixel.z - start.z) * std::tan(sector.anglesRad[line]);
    };
    return {.first = crossing(0),
            .last = crossing(sector.lines() - 1),
            .pixelAt = pixel.x,
            .depthM = pixel.z};
}

} // namespace

PlanePoint BeamSection::at(double position) const {
    if (!overAngle) return {position, depthM};
    return apex + radiusM * PlanePoint{std::sin(position), std::cos(position)};
}

std::vector<double> BeamSection::evenly(double from, double to, std::size_t count) {
    std::vector<double> positions;
    const double step = (to - from) / static_cast<double>(count - 1);
    for (std::size_t i = 0; i < count; ++i)
        positions.push_back(from + static_cast<double>(i) * step);
    return positions;
}

BeamSection sectionAt(const BeamGeometry& geometry, const PlanePoint& pixel) {
    const FrameSpec image = das::imageSpec(geometry.input(), geometry.params());
    if (!image.sector) return overColumns(*image.find(AxisName::Lateral), pixel);
    return image.sector->hasOneApex() ? overAngles(*image.sector, pixel)
                                      : overLines(*image.sector, pixel);
}

BeamLine lineThrough(const BeamGeometry& geometry, const PlanePoint& pixel) {
    const FrameSpec image = das::imageSpec(geometry.input(), geometry.params());
    const Axis& depth = *image.find(AxisName::Depth);
    BeamLine line{.firstM = depth.origin,
                  .lastM = depth.origin + static_cast<double>(depth.size - 1) * depth.spacing};
    if (image.sector && image.sector->hasOneApex()) {
        const PlanePoint apex{image.sector->apexXM, image.sector->apexZM};
        const PlanePoint to = pixel - apex;
        const double length = lengthOf(to);
        line.way = length > 0.0 ? 1.0 / length * to : PlanePoint{0.0, 1.0};
        line.from = apex + image.sector->radiusM * line.way;
    } else if (const auto number = geometry.lineOf(pixel)) {
        const das::Beam& beam = geometry.model().beams[*number];
        line.from = {beam.x, beam.z};
        line.way = {beam.sine, beam.cosine};
    } else {
        line.from = {pixel.x, 0.0};
    }
    return line;
}

} // namespace echolux::lab
