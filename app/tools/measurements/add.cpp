// SPDX-License-Identifier: GPL-3.0-or-later
// From clicks, drawn regions and selected shapes to new measurements.
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/measurements/panel.hpp"
#include "app/tools/measurements/tool.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

using measure::Kind;
using measure::Measurement;

std::vector<measure::Place> MeasurementsTool::placesFor(std::size_t count) const {
    std::vector<measure::Place> places;
    if (m_picked.size() < count) {
        m_bench.inform(QString("Click on %1 of the image first.")
                           .arg(count == 1   ? "a place"
                                : count == 2 ? "two places"
                                             : "three places"));
        return places;
    }
    places.assign(m_picked.end() - static_cast<std::ptrdiff_t>(count), m_picked.end());
    return places;
}

void MeasurementsTool::addPoint() {
    if (auto places = placesFor(1); !places.empty())
        add({.name = {}, .kind = Kind::Point, .places = std::move(places)});
}

void MeasurementsTool::addLine() {
    if (auto places = placesFor(2); !places.empty())
        add({.name = {}, .kind = Kind::Line, .places = std::move(places)});
}

void MeasurementsTool::addAngle() {
    if (auto places = placesFor(3); !places.empty())
        add({.name = {}, .kind = Kind::Angle, .places = std::move(places)});
}

void MeasurementsTool::addBlob() {
    if (auto places = placesFor(1); !places.empty())
        add({.name = {}, .kind = Kind::Blob, .places = std::move(places)});
}

void MeasurementsTool::addCalliper() {
    if (auto places = placesFor(1); !places.empty())
        add({.name = {}, .kind = Kind::Calliper, .places = std::move(places)});
}

/// Without a drawn region it is the whole sonogram.
void MeasurementsTool::addEnvelope() {
    Measurement made{.name = {}, .kind = Kind::Envelope};
    if (const auto region = m_bench.drawnRegion(m_view)) {
        const Rect box = region->bounds();
        made.places = {measured({box.left, box.top}), measured({box.right, box.bottom})};
    }
    add(std::move(made));
}

void MeasurementsTool::addRegion() {
    const auto region = m_bench.drawnRegion(m_view);
    if (!region)
        return m_bench.inform("Draw a region on the image first: its pixels are measured.");
    Measurement made{.name = {}, .kind = Kind::Outline};
    std::vector<Vec2> corners = region->outline;
    if (region->rectangle) {
        const Rect box = region->bounds();
        made.kind = Kind::Rectangle;
        corners = {{box.left, box.top}, {box.right, box.bottom}};
    }
    for (const Vec2& corner : corners) made.places.push_back(measured(corner));
    add(std::move(made));
}

void MeasurementsTool::addEllipse() {
    const auto region = m_bench.drawnRegion(m_view);
    if (!region || !region->rectangle)
        return m_bench.inform("Draw a rectangle on the image first: the ellipse fills it.");
    const Rect box = region->bounds();
    const measure::Place a = measured({box.left, box.top});
    const measure::Place b = measured({box.right, box.bottom});
    add({.name = {},
         .kind = Kind::Ellipse,
         .places = {{(a.lateral + b.lateral) / 2.0, (a.depth + b.depth) / 2.0, a.elevation},
                    {std::abs(b.lateral - a.lateral) / 2.0, std::abs(b.depth - a.depth) / 2.0}}});
}

void MeasurementsTool::addContrast() {
    QStringList regions;
    for (const QString& name : m_panel.selected()) {
        const auto found =
            std::ranges::find(m_measurements, name.toStdString(), &Measurement::name);
        if (found != m_measurements.end() && isRegion(found->kind)) regions += name;
    }
    if (regions.size() != 2)
        return m_bench.inform("Select two regions of the list first: they are compared.");
    add({.name = {},
         .kind = Kind::Contrast,
         .inside = regions[0].toStdString(),
         .outside = regions[1].toStdString()});
}

} // namespace echolux
