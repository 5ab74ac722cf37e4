// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overlay/crosshair_overlay.hpp"

#include "ui/theme/theme.hpp"
#include "ui/views/overlay/painted_shapes.hpp"

namespace echolux {

void CrosshairOverlay::show(const std::optional<Crosshair>& crosshair) {
    if (crosshair == m_crosshair) return;
    m_crosshair = crosshair;
    changed();
}

CrosshairPart CrosshairOverlay::partAt(const OverlayPlace& place, Vec2 pixel) const {
    if (m_held != CrosshairPart::None || !m_crosshair) return m_held;
    return crosshairPartAt(place.view, placeIn(place.picture, *m_crosshair), pixel);
}

void CrosshairOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    if (!m_crosshair) return;
    paintShapes(painter,
                crosshairShapes(place.view, placeIn(place.picture, *m_crosshair), place.deviceRatio,
                                m_held),
                surroundTokens().accent);
}

std::optional<Qt::CursorShape> CrosshairOverlay::hit(const OverlayPlace& place, Vec2 pixel) {
    switch (partAt(place, pixel)) {
    case CrosshairPart::Both: return Qt::SizeAllCursor;
    case CrosshairPart::Upright: return Qt::SizeHorCursor;
    case CrosshairPart::Level: return Qt::SizeVerCursor;
    case CrosshairPart::None: break;
    }
    return std::nullopt;
}

bool CrosshairOverlay::press(const OverlayPlace& place, Vec2 pixel) {
    m_held = partAt(place, pixel);
    return m_held != CrosshairPart::None;
}

bool CrosshairOverlay::grab(const OverlayPlace& place, Vec2) {
    if (!m_scrubbing || !m_crosshair || !place.view.fitted()) return false;
    m_held = CrosshairPart::Both;
    return true;
}

void CrosshairOverlay::drag(const OverlayPlace& place, Vec2 pixel) {
    if (!m_crosshair) return;
    const Vec2 at = placeIn(place.picture, *m_crosshair);
    moveTo(place.picture, crosshairDragged(place.view, at, m_held, pixel));
}

void CrosshairOverlay::release(const OverlayPlace&, Vec2) {
    m_held = CrosshairPart::None;
    changed();
}

bool CrosshairOverlay::click(const OverlayPlace& place, Vec2 pixel) {
    if (m_crosshair) moveTo(place.picture, place.view.toPlace(pixel));
    return m_crosshair.has_value();
}

void CrosshairOverlay::moveTo(const Picture& picture, Vec2 place) {
    const Crosshair moved = movedTo(picture, *m_crosshair, place);
    if (moved == *m_crosshair) return;
    show(moved);
    m_moved(moved);
}

} // namespace echolux
