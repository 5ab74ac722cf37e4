// SPDX-License-Identifier: GPL-3.0-or-later
// Painting and input of the slider.
#include "ui/controls/slider.hpp"

#include "ui/theme/theme.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kHandleRadius = 6.0;
constexpr double kGrooveHeight = 4.0;
constexpr double kFineDrag = 0.1;

} // namespace

double wheelSteps(const QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    // With Alt the vertical wheel is reported as a horizontal one.
    return (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
}

Slider::Slider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::ArrowCursor);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Slider::setFillOrigin(double position) {
    m_fillOrigin = std::clamp(position, 0.0, 1.0);
    update();
}

void Slider::setDefaultTick(double position) {
    m_defaultTick = position;
    update();
}

QSize Slider::sizeHint() const { return {120, 3 * kGrid}; }
QSize Slider::minimumSizeHint() const { return {6 * kGrid, 3 * kGrid}; }

double Slider::grooveWidth() const { return std::max(1.0, width() - 2.0 * kHandleRadius - 2.0); }
double Slider::xOf(double position) const { return kHandleRadius + 1.0 + position * grooveWidth(); }

void Slider::paintEvent(QPaintEvent*) {
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    const double span = std::max(1, maximum() - minimum());
    const double x = xOf((sliderPosition() - minimum()) / span);
    const QRectF groove(xOf(0.0), middle - kGrooveHeight / 2, grooveWidth(), kGrooveHeight);

    painter.setPen(Qt::NoPen);
    painter.setBrush(t.line);
    painter.drawRoundedRect(groove, kGrooveHeight / 2, kGrooveHeight / 2);
    if (m_defaultTick >= 0.0 && m_defaultTick <= 1.0) {
        painter.setBrush(t.edge);
        painter.drawRect(QRectF(xOf(m_defaultTick) - 0.5, middle + 4.0, 1.0, 4.0));
    }
    if (isEnabled()) {
        const double from = xOf(m_fillOrigin);
        painter.setBrush(hasFocus() || underMouse() ? t.accent : withAlpha(t.accent, 0.75));
        painter.drawRoundedRect(
            QRectF(std::min(from, x), groove.top(), std::abs(x - from), kGrooveHeight),
            kGrooveHeight / 2, kGrooveHeight / 2);
    }
    painter.setBrush(isEnabled() ? t.text : t.disabled);
    painter.setPen(QPen(t.panel, 2.0));
    painter.drawEllipse(QPointF(x, middle), kHandleRadius, kHandleRadius);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 1.5));
        painter.drawEllipse(QPointF(x, middle), kHandleRadius, kHandleRadius);
    }
}

void Slider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    const double span = std::max(1, maximum() - minimum());
    m_dragX = event->position().x();
    m_dragPosition = (sliderPosition() - minimum()) / span;
    setSliderDown(true);
    const bool onHandle = std::abs(m_dragX - xOf(m_dragPosition)) <= kHandleRadius;
    const bool fine = event->modifiers().testFlag(Qt::ControlModifier);
    if (!onHandle && !fine) {
        m_dragPosition = std::clamp((m_dragX - xOf(0.0)) / grooveWidth(), 0.0, 1.0);
        setSliderPosition(minimum() + static_cast<int>(std::lround(m_dragPosition * span)));
    }
    event->accept();
}

void Slider::mouseMoveEvent(QMouseEvent* event) {
    if (!isSliderDown()) return event->ignore();
    const double moved = (event->position().x() - m_dragX) / grooveWidth();
    m_dragX = event->position().x();
    const bool fine = event->modifiers().testFlag(Qt::ControlModifier);
    m_dragPosition += fine ? moved * kFineDrag : moved;
    const double span = maximum() - minimum();
    setSliderPosition(minimum() +
                      static_cast<int>(std::lround(std::clamp(m_dragPosition, 0.0, 1.0) * span)));
    event->accept();
}

void Slider::mouseReleaseEvent(QMouseEvent* event) {
    setSliderDown(false);
    event->accept();
}

void Slider::mouseDoubleClickEvent(QMouseEvent* event) {
    setSliderDown(false);
    emit defaultRequested();
    event->accept();
}

void Slider::wheelEvent(QWheelEvent* event) {
    emit stepRequested(wheelSteps(*event), event->modifiers().testFlag(Qt::ControlModifier));
    event->accept();
}

void Slider::keyPressEvent(QKeyEvent* event) {
    const bool fine = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right: emit stepRequested(1.0, fine); break;
    case Qt::Key_Down:
    case Qt::Key_Left: emit stepRequested(-1.0, fine); break;
    case Qt::Key_PageUp: emit stepRequested(10.0, false); break;
    case Qt::Key_PageDown: emit stepRequested(-10.0, false); break;
    default: event->ignore(); return;
    }
    event->accept();
}

void Slider::enterEvent(QEnterEvent* event) {
    update();
    QSlider::enterEvent(event);
}

void Slider::leaveEvent(QEvent* event) {
    update();
    QSlider::leaveEvent(event);
}

} // namespace echolux
