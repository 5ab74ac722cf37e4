// SPDX-License-Identifier: GPL-3.0-or-later
// The slider of frames. Two tabs below it bound the part of the recording to play. Ticks above it
// are marks that were made while it was recorded.
#pragma once

#include "ui/controls/slider.hpp"

#include <QList>
#include <QString>

class QPainter;

namespace echolux {

/// A place in time that someone marked.
struct SeekMark {
    int frame = 0;
    QString text; ///< shown where the mouse rests on it
};

class SeekBar : public Slider {
    Q_OBJECT
public:
    explicit SeekBar(QWidget* parent = nullptr);
    void setPart(int first, int last); ///< emits no signal
    int first() const { return m_first; }
    int last() const { return m_last; }
    void setMarks(const QList<SeekMark>& marks) { m_marks = marks, update(); }
    const QList<SeekMark>& marks() const { return m_marks; }
    QPointF markAt(int frame) const; ///< centre of a mark at that frame
    bool playsAll() const { return m_first <= minimum() && m_last >= maximum(); }
    QPointF tabOf(int frame) const; ///< centre of a tab at that frame

signals:
    void partChosen(int first, int last); ///< both ends included

protected:
    bool event(QEvent* event) override;
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

    const SeekMark* markUnder(QPointF at) const; ///< null: none
    void paintMarks(QPainter& painter) const;

    QList<SeekMark> m_marks;
    int m_first = 0;
    int m_last = 0;
    Tab m_held = Tab::None;
};

} // namespace echolux
