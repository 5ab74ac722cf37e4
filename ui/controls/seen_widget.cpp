// SPDX-License-Identifier: GPL-3.0-or-later
// Painting as the sign of being seen.
#include "ui/controls/seen_widget.hpp"

#include <utility>

namespace echolux {

bool SeenWidget::isSeen() {
    m_asleep = !isVisible() || visibleRegion().isEmpty();
    return !m_asleep;
}

/// NOTE: a dock behind another is not hidden for Qt, only elsewhere: when it comes, it is painted.
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
