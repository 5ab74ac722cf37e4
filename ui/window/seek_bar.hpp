// SPDX-License-Identifier: GPL-3.0-or-later
// The slider of frames. Two tabs below it mark the part of the recording to play.
#pragma once

#include "ui/controls/slider.hpp"

namespace echolux {

class SeekBar : public Slider {
    Q_OBJECT
public:
    explicit SeekBar(QWidget* parent = nullptr);
    void setPart(int first, int last); ///< emits no signal
    int first() const { return m_first; }
    int last() const { return m_last; }
    bool playsAll() const { return m_first <= minimum() && m_last >= maximum(); }
    QPointF tabOf(int frame) const; ///< centre of a tab at that frame

signals:
    void partChosen(int first, int last); ///< both ends included

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Tab { None, First, Last };
    Tab tabAt(QPointF at) const;
    int frameAt(double x) const;
    void choose(int first, int last);

    int m_first = 0;
    int m_last = 0;
    Tab m_held = Tab::None;
};

} // namespace echolux
