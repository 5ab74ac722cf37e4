// SPDX-License-Identifier: GPL-3.0-or-later
// From tools, drawn forms and selected shapes to new measurements.
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/measurements/panel.hpp"
#include "app/tools/measurements/tool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace echolux {

using measure::Kind;
using measure::Measurement;

namespace {

using Form = DrawingOverlay::Form;

/// What the user draws with a tool, and what is measured of it.
struct Drawn {
    Form form;
    Kind kind;
};
Drawn drawnWith(MeasuringTool tool) {
    switch (tool) {
    case MeasuringTool::Line: return {Form::Line, Kind::Line};
    case MeasuringTool::Angle: return {Form::Angle, Kind::Angle};
    case MeasuringTool::Calliper: return {Form::Point, Kind::Calliper};
    case MeasuringTool::Envelope: return {Form::Rectangle, Kind::Envelope};
    case MeasuringTool::Rectangle: return {Form::Rectangle, Kind::Rectangle};
    case MeasuringTool::Ellipse: return {Form::Ellipse, Kind::Ellipse};
    case MeasuringTool::Region: return {Form::FreeForm, Kind::Outline};
    case MeasuringTool::Blob: return {Form::Point, Kind::Blob};
    case MeasuringTool::Contrast: return {Form::Point, Kind::Contrast};
    case MeasuringTool::Point: break;
    }
    return {Form::Point, Kind::Point};
}

/// Two opposite ones.
std::vector<Vec2> cornersOfBox(const Region& region) {
    const Rect box = region.bounds();
    return {{box.left, box.top}, {box.right, box.bottom}};
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
            each->begin(drawnWith(*m_taken).form);
        else if (each->form())
            each->end();
    }
    m_panel.setTool(m_taken);
    if (!m_taken) return;
    m_bench.openDock(m_panel);
    m_bench.focusImage(); // for Esc
}

void MeasurementsTool::drawn(std::size_t view, const std::vector<Vec2>& places) {
    if (!m_taken) return;
    chooseView(view);
    if (m_taken == MeasuringTool::Contrast) return pickForContrast(places.front());
    const Kind kind = drawnWith(*m_taken).kind;
    take(std::nullopt);
    addOf(kind, places);
}

/// False where there is none that the tool measures. An envelope is then that of the whole
/// sonogram.
bool MeasurementsTool::addDrawnRegion(MeasuringTool tool) {
    const auto region = m_bench.drawnRegion(m_view);
    const bool ofBox = tool == MeasuringTool::Rectangle || tool == MeasuringTool::Ellipse;
    if (tool == MeasuringTool::Envelope) {
        addOf(Kind::Envelope, region ? cornersOfBox(*region) : std::vector<Vec2>());
    } else if (region && (tool == MeasuringTool::Region || (ofBox && region->rectangle))) {
        const bool isBox = tool == MeasuringTool::Region && region->rectangle;
        addOf(isBox ? Kind::Rectangle : drawnWith(tool).kind,
              region->rectangle ? cornersOfBox(*region) : region->outline);
    } else {
        return false;
    }
    return true;
}

/// `places`: as DrawingOverlay gives them.
void MeasurementsTool::addOf(Kind kind, const std::vector<Vec2>& places) {
    Measurement made{.name = {}, .kind = kind};
    for (const Vec2& place : places) made.places.push_back(measured(place));
    if (kind == Kind::Ellipse) { // from its box
        const measure::Place a = made.places[0];
        const measure::Place b = made.places[1];
        made.places = {{(a.lateral + b.lateral) / 2.0, (a.depth + b.depth) / 2.0, a.elevation},
                       {std::abs(b.lateral - a.lateral) / 2.0, std::abs(b.depth - a.depth) / 2.0}};
    }
    add(std::move(made));
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

/// The smallest region at a place counts. Empty where there is none besides m_inside.
std::string MeasurementsTool::regionAt(const Vec2& place) const {
    std::string name;
    double least = std::numeric_limits<double>::infinity();
    const MeasuredPlaces inView = places();
    for (const Measurement& each : onThisView()) {
        if (!isRegion(each.kind) || each.name == m_inside) continue;
        const Region region{outlineInView(each, inView), false};
        if (!region.contains(place) || region.area() >= least) continue;
        name = each.name;
        least = region.area();
    }
    return name;
}

void MeasurementsTool::pickForContrast(const Vec2& place) {
    const std::string name = regionAt(place);
    if (!name.empty() && !m_inside.empty()) {
        const std::string inside = m_inside;
        take(std::nullopt);
        return add({.name = {}, .kind = Kind::Contrast, .inside = inside, .outside = name});
    }
    m_bench.inform(name.empty() ? QString("No measured region is there; draw it first.")
                                : QString("Now click the region around it."));
    if (!name.empty()) m_inside = name;
    for (const auto& each : m_drawings) each->begin(Form::Point);
}

} // namespace echolux
