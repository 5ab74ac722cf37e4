// SPDX-License-Identifier: GPL-3.0-or-later
// A rubber band follows the mouse.
#include "ui/views/overlay/drawing_overlay.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/views/overlay/named_shapes.hpp"
#include "ui/views/overlay/region_tool.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using Form = DrawingOverlay::Form;

constexpr double kDragPx = 4.0; ///< a shorter way is a click
constexpr double kStepPx = 3.0; ///< between places of a free form

std::size_t placesOf(Form form) {
    switch (form) {
    case Form::Point: return 1;
    case Form::Line:
    case Form::Rectangle:
    case Form::Ellipse: return 2;
    case Form::Angle:
    case Form::FreeForm: return 3;
    }
    return 1;
}

double apartPx(Vec2 a, Vec2 b) { return std::hypot(a.x - b.x, a.y - b.y); }

Vec2 inImage(const OverlayPlace& place, Vec2 pixel) {
    const Vec2 at = place.view.toPlace(pixel);
    const Rect& all = place.view.image();
    return {std::clamp(at.x, all.left, all.right), std::clamp(at.y, all.top, all.bottom)};
}

/// "12.34 mm" of a line on lengths; else empty.
QString lengthOf(const OverlayPlace& place, const std::vector<Vec2>& ends) {
    const ScreenAxis& across = place.picture.across;
    const ScreenAxis& down = place.picture.down;
    if (ends.size() != 2 || !across.metric || !down.metric || across.unit != down.unit) return {};
    const double length = std::hypot((ends[1].x - ends[0].x) * across.labelPerView,
                                     (ends[1].y - ends[0].y) * down.labelPerView);
    return numberText(length, 2) + ' ' + QString::fromStdString(across.unit);
}

NamedShape shapeOf(Form form, const std::vector<Vec2>& places) {
    NamedShape shape;
    shape.strong = true;
    shape.places = places;
    shape.closed = form == Form::FreeForm;
    if (places.size() < 2 || (form != Form::Rectangle && form != Form::Ellipse)) return shape;
    const Vec2 a = places[0];
    const Vec2 b = places[1];
    shape.closed = true;
    shape.places = {a, {b.x, a.y}, b, {a.x, b.y}};
    if (form == Form::Rectangle) return shape;
    constexpr int kCorners = 64;
    shape.places.clear();
    for (int i = 0; i < kCorners; ++i) {
        const double turn = 2.0 * std::numbers::pi * i / kCorners;
        shape.places.push_back({(a.x + b.x) / 2.0 + std::cos(turn) * (b.x - a.x) / 2.0,
                                (a.y + b.y) / 2.0 + std::sin(turn) * (b.y - a.y) / 2.0});
    }
    return shape;
}

} // namespace

void DrawingOverlay::begin(Form form) {
    m_form = form;
    m_places.clear();
    changed();
}

void DrawingOverlay::end() {
    m_form.reset();
    m_places.clear();
    changed();
}

std::vector<Vec2> DrawingOverlay::withMouse() const {
    std::vector<Vec2> all = m_places;
    all.push_back(m_mouse);
    return all;
}

void DrawingOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    if (!m_form || m_places.empty()) return;
    NamedShape shape = shapeOf(*m_form, withMouse());
    if (*m_form == Form::Line) shape.name = lengthOf(place, withMouse());
    if (*m_form == Form::Rectangle || *m_form == Form::Ellipse)
        shape.name = RegionTool::sizeText(place.picture,
                                          Region::rectangleOf(m_places.front(), m_mouse).bounds());
    drawNamedShapes(painter, place.font, place.view, {shape});
}

std::optional<Qt::CursorShape> DrawingOverlay::hit(const OverlayPlace&, Vec2) {
    return m_form ? std::optional(Qt::CrossCursor) : std::nullopt;
}

bool DrawingOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    if (!m_form) return false;
    m_pressed = pixel;
    m_mouse = inImage(place, pixel);
    if (m_places.empty()) m_places.push_back(m_mouse);
    return true;
}

void DrawingOverlay::drag(const OverlayPlace& place, Vec2 pixel) {
    m_mouse = inImage(place, pixel);
    const bool further = m_form == Form::FreeForm && !m_places.empty() &&
                         apartPx(place.view.toPixel(m_places.back()), pixel) >= kStepPx;
    if (further) m_places.push_back(m_mouse);
    changed();
}

/// The press of the first place may be its click, or the begin of a drag to the second one.
void DrawingOverlay::release(const OverlayPlace& place, Vec2 pixel) {
    if (!m_form) return;
    m_mouse = inImage(place, pixel);
    const bool fixesFirst =
        m_places.size() == 1 && apartPx(place.view.toPixel(m_places[0]), pixel) < kDragPx;
    if (!fixesFirst && *m_form != Form::FreeForm && *m_form != Form::Point)
        m_places.push_back(m_mouse);
    changed();
    if (m_places.size() < placesOf(*m_form)) {
        if (*m_form == Form::FreeForm) m_places.clear();
        return;
    }
    const std::vector<Vec2> drawn = m_places;
    end();
    m_told.drawn(drawn);
}

void DrawingOverlay::hover(const OverlayPlace& place, Vec2 pixel) {
    if (!m_form || m_places.empty()) return;
    m_mouse = inImage(place, pixel);
    changed();
}

bool DrawingOverlay::escape() {
    if (!m_form) return false;
    if (!m_places.empty()) {
        m_places.clear();
        changed();
        return true;
    }
    end();
    m_told.givenUp();
    return true;
}

} // namespace echolux
