// SPDX-License-Identifier: GPL-3.0-or-later
// The wheel changes a control only if it has the focus and the area is not being scrolled.
#include "ui/controls/wheel_guard.hpp"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

namespace echolux {
namespace {

constexpr qint64 kScrollPauseMs = 250;

bool takesWheel(const QObject* object) {
    return qobject_cast<const QAbstractSlider*>(object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(object) != nullptr ||
           qobject_cast<const QComboBox*>(object) != nullptr;
}

} // namespace

WheelGuard::WheelGuard(QScrollArea* area) : QObject(area) {
    connect(area->verticalScrollBar(), &QScrollBar::valueChanged, this,
            [this] { m_sinceScroll.restart(); });
}

void WheelGuard::watch(QWidget* root) {
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (!takesWheel(widget)) continue;
        widget->removeEventFilter(this);
        widget->installEventFilter(this);
    }
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel) return QObject::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget != nullptr && widget->hasFocus() && !isScrolling()) return false;
    event->ignore();
    return true;
}

bool WheelGuard::isScrolling() const {
    return m_sinceScroll.isValid() && m_sinceScroll.elapsed() < kScrollPauseMs;
}

} // namespace echolux
