// SPDX-License-Identifier: GPL-3.0-or-later
// A slim horizontal slider: a click jumps to its place, Ctrl while dragging moves ten times finer,
// a double click asks for the default, which a tick marks. Wheel and arrow keys are reported as
// steps.
#pragma once

#include <QSlider>

namespace echolux {

class Slider : public QSlider {
    Q_OBJECT
public:
    explicit Slider(QWidget* parent = nullptr);
    /// Where the coloured part of the groove begins, 0 to 1 (the place of zero, say).
    void setFillOrigin(double position);
    /// Place of the default's tick, 0 to 1; negative for none.
    void setDefaultTick(double position);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepRequested(double steps, bool fine);
    void defaultRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

    double grooveWidth() const;
    double xOf(double position) const; ///< of a place from 0 to 1

private:
    double m_fillOrigin = 0.0;
    double m_defaultTick = -1.0;
    double m_dragPosition = 0.0;
    double m_dragX = 0.0;
};

/// Whole and part notches of a wheel event, up and right positive.
double wheelSteps(const QWheelEvent& event);

} // namespace echolux
