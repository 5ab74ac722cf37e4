// SPDX-License-Identifier: GPL-3.0-or-later
// A slim horizontal slider. A click jumps to its position, Ctrl while dragging moves ten times
// finer, and a double click requests the default, which a tick marks. Wheel and arrow keys are
// reported as steps.
#pragma once

#include <QSlider>

namespace echolux {

class Slider : public QSlider {
    Q_OBJECT
public:
    explicit Slider(QWidget* parent = nullptr);
    /// Start of the coloured part of the groove, 0 to 1 (the position of zero, for example).
    void setFillOrigin(double position);
    /// Position of the default's tick, 0 to 1; negative: no tick.
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
    double xOf(double position) const; ///< `position` from 0 to 1

private:
    double m_fillOrigin = 0.0;
    double m_defaultTick = -1.0;
    double m_dragPosition = 0.0;
    double m_dragX = 0.0;
};

/// Notches of a wheel event, whole or in part; up and right are positive.
double wheelSteps(const QWheelEvent& event);

} // namespace echolux
