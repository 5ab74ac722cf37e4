// SPDX-License-Identifier: GPL-3.0-or-later
// From tools, drawn forms and selected shapes to new measurements.
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/measurements/panel.hpp"
#include "app/tools/measurements/tool.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

using measure::Kind;
using measure::Measurement;

namespace {

using Form = DrawingOverlay::Form;

/// The form that is drawn with a tool.
Form formOf(MeasuringTool tool) {
    switch (tool) {
    case MeasuringTool::Line: return Form::Line;
    case MeasuringTool::Angle: return Form::Angle;
    case MeasuringTool::Rectangle: return Form::Rectangle;
    case MeasuringTool::Ellipse: return Form::Ellipse;
    case MeasuringTool::Region: return Form::FreeForm;
    default: return Form::Point;
    }
}

Kind kindOf(MeasuringTool tool) {
    switch (tool) {
    case MeasuringTool::Line: return Kind::Line;
    case MeasuringTool::Angle: return Kind::Angle;
    case MeasuringTool::Rectangle: return Kind::Rectangle;
    case MeasuringTool::Region: return Kind::Outline;
    case MeasuringTool::Blob: return Kind::Blob;
    case MeasuringTool::Calliper: return Kind::Calliper;
    default: return Kind::Point;
    }
}

bool isInside(const std::vector<Vec2>& corners, const Vec2& place) {
    return Region{corners, false}.contains(place);
}

} // namespace

/// What is drawn or selected already is measured at once. Otherwise the user draws.
void MeasurementsTool::take(std::optional<MeasuringTool> tool) {
    const bool ready =
        tool && m_bench.isOpen() &&
        ((tool == MeasuringTool::Contrast && addContrastOfSelected()) || addDrawnRegion(*tool));
    m_taken = tool && m_bench.isOpen() && !ready ? tool : std::nullopt;
    m_inside.clear();
    for (const auto& each : m_drawings) {
        if (m_taken)
            each->begin(formOf(*m_taken));
        else if (each->form())
            each->end();
    }
    m_panel.setTool(m_taken);
    if (!m_taken) return;
    m_bench.openDock(m_panel);
    m_bench.focusImage(); // for Esc
}

void MeasurementsTool::drawn(std::size_t view, const std::vector<Vec2>& places) {
    const auto tool = std::exchange(m_taken, std::nullopt);
    if (!tool) return;
    chooseView(view);
    if (tool == MeasuringTool::Contrast) {
        pickForContrast(places.front());
        return;
    }
    take(std::nullopt);
    if (tool == MeasuringTool::Ellipse) return addEllipse(places[0], places[1]);
    Measurement made{.name = {}, .kind = kindOf(*tool)};
    for (const Vec2& place : places) made.places.push_back(measured(place));
    add(std::move(made));
}

/// Without a drawn region an envelope is that of the whole sonogram.
bool MeasurementsTool::addDrawnRegion(MeasuringTool tool) {
    if (tool == MeasuringTool::Envelope) {
        addEnvelope();
        return true;
    }
    const auto region = m_bench.drawnRegion(m_view);
    if (!region) return false;
    const Rect box = region->bounds();
    if (tool == MeasuringTool::Ellipse && region->rectangle) {
        addEllipse({box.left, box.top}, {box.right, box.bottom});
        return true;
    }
    const bool wants =
        tool == MeasuringTool::Region || (tool == MeasuringTool::Rectangle && region->rectangle);
    if (!wants) return false;
    Measurement made{.name = {}, .kind = region->rectangle ? Kind::Rectangle : Kind::Outline};
    std::vector<Vec2> corners = region->outline;
    if (region->rectangle) corners = {{box.left, box.top}, {box.right, box.bottom}};
    for (const Vec2& corner : corners) made.places.push_back(measured(corner));
    add(std::move(made));
    return true;
}

void MeasurementsTool::addEnvelope() {
    Measurement made{.name = {}, .kind = Kind::Envelope};
    if (const auto region = m_bench.drawnRegion(m_view)) {
        const Rect box = region->bounds();
        made.places = {measured({box.left, box.top}), measured({box.right, box.bottom})};
    }
    add(std::move(made));
}

void MeasurementsTool::addEllipse(const Vec2& corner, const Vec2& opposite) {
    const measure::Place a = measured(corner);
    const measure::Place b = measured(opposite);
    add({.name = {},
         .kind = Kind::Ellipse,
         .places = {{(a.lateral + b.lateral) / 2.0, (a.depth + b.depth) / 2.0, a.elevation},
                    {std::abs(b.lateral - a.lateral) / 2.0, std::abs(b.depth - a.depth) / 2.0}}});
}

bool MeasurementsTool::addContrastOfSelected() {
    QStringList regions;
    for (const QString& name : m_panel.selected()) {
        const auto found =
            std::ranges::find(m_measurements, name.toStdString(), &Measurement::name);
        if (found != m_measurements.end() && isRegion(found->kind)) regions += name;
    }
    if (regions.size() != 2) return false;
    add({.name = {},
         .kind = Kind::Contrast,
         .inside = regions[0].toStdString(),
         .outside = regions[1].toStdString()});
    return true;
}

/// The smallest region at the place counts.
void MeasurementsTool::pickForContrast(const Vec2& place) {
    const MeasuredPlaces inView = places();
    const Measurement* found = nullptr;
    double least = 0.0;
    const std::vector<Measurement> here = onThisView();
    for (const Measurement& each : here) {
        if (!isRegion(each.kind) || each.name == m_inside) continue;
        std::vector<Vec2> corners;
        for (const measure::Place& corner : outlineOf(each))
            corners.push_back(inView.inView(corner));
        if (!isInside(corners, place)) continue;
        const double area = Region{corners, false}.area();
        if (found != nullptr && area >= least) continue;
        found = &each;
        least = area;
    }
    const std::string inside = m_inside;
    const std::string name = found != nullptr ? found->name : std::string();
    if (!inside.empty() && found != nullptr) {
        take(std::nullopt);
        return add({.name = {}, .kind = Kind::Contrast, .inside = inside, .outside = name});
    }
    m_bench.inform(found == nullptr ? QString("No measured region is there; draw it first.")
                                    : QString("Now click the region around it."));
    m_taken = MeasuringTool::Contrast;
    m_inside = found != nullptr ? name : inside;
    for (const auto& each : m_drawings) each->begin(Form::Point);
}

} // namespace echolux
