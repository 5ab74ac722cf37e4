// SPDX-License-Identifier: GPL-3.0-or-later
// A widget comes into sight when it, or what is around it, is shown, moved or resized.
// NOTE: QWidget::visibleRegion() is no answer: it lacks what children cover, and a child may cover
// all. For the same reason a visible widget may never be painted.
#include "ui/controls/seen_widget.hpp"

#include <QEvent>

namespace echolux {

bool SeenWidget::isSeen() {
    m_asleep = !isInSight();
    return !m_asleep;
}

/// NOTE: for Qt a dock behind another is not hidden but elsewhere, outside of its window.
bool SeenWidget::isInSight() const {
    if (!isVisible() || window()->isMinimized()) return false;
    QRect part = rect();
    for (const QWidget* at = this; !at->isWindow(); at = at->parentWidget())
        part = part.translated(at->pos()).intersected(at->parentWidget()->rect());
    return !part.isEmpty();
}

/// Sees what happens to all widgets around this one.
void SeenWidget::watch() {
    for (QWidget* at = parentWidget(); at != nullptr; at = at->parentWidget())
        at->installEventFilter(this);
    wake();
}

void SeenWidget::wake() {
    if (!m_asleep || !isInSight()) return;
    m_asleep = false;
    QMetaObject::invokeMethod(this, &SeenWidget::cameIntoSight, Qt::QueuedConnection);
}

bool SeenWidget::event(QEvent* event) {
    const bool known = QWidget::event(event);
    if (event->type() == QEvent::Hide) m_asleep = true;
    if (event->type() == QEvent::Show || event->type() == QEvent::ParentChange) watch();
    return known;
}

bool SeenWidget::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::WindowStateChange: wake(); break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace echolux
