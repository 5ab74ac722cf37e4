// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a picture with its aspect ratio, where it has one.
#include "ui/dialogs/preview_picture.hpp"

#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>

namespace echolux {

PreviewPicture::PreviewPicture(QWidget* parent) : QWidget(parent) {
    setMinimumSize(48 * kGrid, 44 * kGrid);
}

void PreviewPicture::setImage(const QImage& image, double heightOverWidth) {
    m_image = image;
    m_heightOverWidth = heightOverWidth;
    update();
}

void PreviewPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().surround);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (m_image.isNull()) return;
    QRectF place = rect();
    if (m_heightOverWidth > 0.0) {
        const double across = std::min(place.width(), place.height() / m_heightOverWidth);
        const QSizeF size(across, across * m_heightOverWidth);
        place = QRectF(place.center() - QPointF(size.width() / 2, size.height() / 2), size);
    }
    painter.drawImage(place, m_image);
}

} // namespace echolux
