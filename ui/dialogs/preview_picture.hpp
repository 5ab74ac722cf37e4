// SPDX-License-Identifier: GPL-3.0-or-later
// A picture in a dialog.
#pragma once

#include <QImage>
#include <QWidget>

namespace echolux {

class PreviewPicture : public QWidget {
public:
    explicit PreviewPicture(QWidget* parent);
    /// `heightOverWidth` of what is shown; 0: the picture fills its place, since its two directions
    /// have no common scale.
    void setImage(const QImage& image, double heightOverWidth = 0.0);
    bool isEmpty() const { return m_image.isNull(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QImage m_image;
    double m_heightOverWidth = 0.0;
};

} // namespace echolux
