// SPDX-License-Identifier: GPL-3.0-or-later
// A widget knows that it is visible when it is painted.
#include "ui/controls/seen_widget.hpp"

#include <utility>

namespace echolux {

bool SeenWidget::isSeen() {
    m_asleep = !isVisible() || visibleRegion().isEmpty();
    return !m_asleep;
}

/// NOTE: for Qt a dock behind another is not hidden but elsewhere. When it comes to the front it is
/// painted.
void SeenWidget::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (!std::exchange(m_asleep, false)) return;
    QMetaObject::invokeMethod(this, &SeenWidget::cameIntoSight, Qt::QueuedConnection);
}

void SeenWidget::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_asleep = true;
}

} // namespace echolux
