// SPDX-License-Identifier: GPL-3.0-or-later
// A picture in a dialog.
#pragma once

#include <QImage>
#include <QWidget>

namespace echolux {

class PreviewPicture : public QWidget {
public:
    explicit PreviewPicture(QWidget* parent);
    /// `heightOverWidth`: true aspect ratio of the picture. 0: the two directions have no common
    /// scale, and the picture fills its space.
    void setImage(const QImage& image, double heightOverWidth = 0.0);
    bool isEmpty() const { return m_image.isNull(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage m_image;
    double m_heightOverWidth = 0.0;
};

} // namespace echolux
