// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and focus of the volume's view.
#include "ui/views/volume_view.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace echolux {
namespace {

constexpr double kOrbitZoomStep = 1.15;
constexpr double kWheelNotch = 120.0;

} // namespace

void VolumeView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_hasVolume) {
        event->ignore();
        return;
    }
    m_last = event->position();
    setCursor(Qt::ClosedHandCursor);
}

void VolumeView::mouseMoveEvent(QMouseEvent* event) {
    if (!m_last) return;
    const QPointF by = event->position() - *m_last;
    m_last = event->position();
    m_scene.orbit.turnBy({by.x(), by.y()}, viewport());
    moved();
}

void VolumeView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_last.reset();
    setCursor(Qt::OpenHandCursor);
}

void VolumeView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) look(Look::Standard);
}

void VolumeView::wheelEvent(QWheelEvent* event) {
    if (!m_hasVolume) {
        event->ignore();
        return;
    }
    m_scene.orbit.zoomBy(std::pow(kOrbitZoomStep, event->angleDelta().y() / kWheelNotch));
    moved();
    event->accept();
}

} // namespace echolux
