// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of switch and dot.
#include "ui/controls/small_buttons.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

namespace echolux {

ToggleSwitch::ToggleSwitch(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(ToggleSwitch::sizeHint());
}

void ToggleSwitch::paintEvent(QPaintEvent*) {
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF track = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const double radius = track.height() / 2.0;
    const bool on = isChecked() && isEnabled();
    painter.setPen(QPen(hasFocus() || (underMouse() && isEnabled()) ? t.accent
                        : on                                        ? t.accent
                                                                    : t.edge,
                        hasFocus() ? 1.5 : 1.0));
    painter.setBrush(on ? withAlpha(t.accent, underMouse() ? 1.0 : 0.85) : t.field);
    painter.drawRoundedRect(track, radius, radius);
    const double x = isChecked() ? track.right() - radius : track.left() + radius;
    painter.setPen(Qt::NoPen);
    painter.setBrush(on ? t.onAccent : isEnabled() ? t.secondary : t.disabled);
    painter.drawEllipse(QPointF(x, track.center().y()), radius - 2.5, radius - 2.5);
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
