// SPDX-License-Identifier: GPL-3.0-or-later
// Paints switch and dot.
#include "ui/controls/small_buttons.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

namespace echolux {

void paintSwitch(QPainter& painter, const QRectF& place, const SwitchLook& look) {
    const ThemeTokens& t = tokens();
    const double radius = place.height() / 2.0;
    const bool lit = look.on && look.enabled;
    const bool hot = look.hovered && look.enabled;
    // A switch that is on looks on even where it is disabled, but fainter.
    const bool faint = look.on && !look.enabled;
    const QColor border = look.focused || hot || lit ? t.accent : faint ? Qt::transparent : t.edge;
    painter.setPen(QPen(border, look.focused ? 1.5 : 1.0));
    painter.setBrush(faint ? withAlpha(t.accent, 0.45)
                     : lit ? withAlpha(t.accent, look.hovered ? 1.0 : 0.85)
                           : t.field);
    painter.drawRoundedRect(place, radius, radius);
    const double x = look.on ? place.right() - radius : place.left() + radius;
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.on ? t.onAccent : look.enabled ? t.secondary : t.disabled);
    painter.drawEllipse(QPointF(x, place.center().y()), radius - 2.5, radius - 2.5);
}

ToggleSwitch::ToggleSwitch(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(ToggleSwitch::sizeHint());
}

void ToggleSwitch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintSwitch(painter, QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5),
                {isChecked(), isEnabled(), underMouse(), hasFocus()});
}

ResetDot::ResetDot(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(ResetDot::sizeHint());
    setShown(false);
}

void ResetDot::setShown(bool shown) {
    m_shown = shown;
    setEnabled(shown);
    setFocusPolicy(shown ? Qt::TabFocus : Qt::NoFocus);
    setCursor(shown ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ResetDot::paintEvent(QPaintEvent*) {
    if (!m_shown) return;
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre = QRectF(rect()).center();
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    painter.drawEllipse(centre, 3.0, 3.0);
    if (underMouse() || hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 1.5));
        painter.drawEllipse(centre, 6.0, 6.0);
    }
}

} // namespace echolux
