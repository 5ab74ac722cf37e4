// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs at both ends of the part that is played.
#include "ui/window/seek_bar.hpp"

#include "ui/theme/theme.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kTabHalf = 4.0;  ///< half the width of a tab
constexpr double kTabReach = 8.0; ///< distance within which the mouse takes hold
constexpr double kTabBelow = 6.0; ///< below the middle of the bar
constexpr double kTabHeight = 6.0;
constexpr double kMarkAbove = 4.0; ///< above the middle of the bar
constexpr double kMarkHeight = 7.0;
constexpr double kMarkReach = 5.0;

} // namespace

SeekBar::SeekBar(QWidget* parent) : Slider(parent) { setMouseTracking(true); }

void SeekBar::setPart(int first, int last) {
    m_first = first;
    m_last = last;
    update();
}

QPointF SeekBar::tabOf(int frame) const {
    const double span = std::max(1, maximum() - minimum());
    return {xOf((frame - minimum()) / span), height() / 2.0 + kTabBelow + kTabHeight / 2.0};
}

QPointF SeekBar::markAt(int frame) const {
    return {tabOf(frame).x(), height() / 2.0 - kMarkAbove - kMarkHeight / 2.0};
}

const SeekMark* SeekBar::markUnder(QPointF at) const {
    if (!isEnabled() || at.y() > height() / 2.0 - kMarkAbove) return nullptr;
    const SeekMark* nearest = nullptr;
    for (const SeekMark& mark : m_marks) {
        const double away = std::abs(at.x() - markAt(mark.frame).x());
        if (away <= kMarkReach &&
            (nearest == nullptr || away < std::abs(at.x() - markAt(nearest->frame).x())))
            nearest = &mark;
    }
    return nearest;
}

bool SeekBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const SeekMark* mark = markUnder(help->pos())) {
            const bool rich = Qt::mightBeRichText(mark->text); // a file's text is no markup
            QToolTip::showText(help->globalPos(),
                               rich ? Qt::convertFromPlainText(mark->text) : mark->text, this);
            return true;
        }
    }
    return Slider::event(event);
}

int SeekBar::frameAt(double x) const {
    const double part = std::clamp((x - xOf(0.0)) / grooveWidth(), 0.0, 1.0);
    return minimum() + static_cast<int>(std::lround(part * (maximum() - minimum())));
}

SeekBar::Tab SeekBar::tabAt(QPointF at) const {
    if (!isEnabled() || at.y() < height() / 2.0 + kTabBelow - 1.0) return Tab::None;
    const double toFirst = std::abs(at.x() - tabOf(m_first).x());
    const double toLast = std::abs(at.x() - tabOf(m_last).x());
    if (std::min(toFirst, toLast) > kTabReach) return Tab::None;
    // Where both tabs are at one place, the touched side decides.
    if (toFirst == toLast) return at.x() < tabOf(m_first).x() ? Tab::First : Tab::Last;
    return toFirst < toLast ? Tab::First : Tab::Last;
}

void SeekBar::choose(int first, int last) {
    if (first == m_first && last == m_last) return;
    setPart(first, last);
    emit partChosen(first, last);
}

void SeekBar::paintEvent(QPaintEvent* event) {
    Slider::paintEvent(event);
    if (!isEnabled() || maximum() <= minimum()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QColor ink = playsAll() ? tokens().edge : tokens().accent;
    const double top = height() / 2.0 + kTabBelow;
    if (!playsAll()) {
        painter.setBrush(withAlpha(ink, 0.5));
        painter.drawRect(QRectF(QPointF(tabOf(m_first).x(), top + kTabHeight - 2.0),
                                QPointF(tabOf(m_last).x(), top + kTabHeight)));
    }
    painter.setBrush(ink);
    for (const int frame : {m_first, m_last}) {
        const double x = tabOf(frame).x();
        painter.drawPolygon(QPolygonF(
            {{x, top}, {x + kTabHalf, top + kTabHeight}, {x - kTabHalf, top + kTabHeight}}));
    }
    paintMarks(painter);
}

void SeekBar::paintMarks(QPainter& painter) const {
    painter.setPen(QPen(tokens().warning, 2.0));
    for (const SeekMark& mark : m_marks) {
        const QPointF at = markAt(mark.frame);
        painter.drawLine(at - QPointF(0.0, kMarkHeight / 2.0),
                         at + QPointF(0.0, kMarkHeight / 2.0));
    }
}

void SeekBar::mousePressEvent(QMouseEvent* event) {
    if (const SeekMark* mark = markUnder(event->position());
        mark != nullptr && event->button() == Qt::LeftButton) {
        emit sliderMoved(mark->frame);
        return event->accept();
    }
    m_held = event->button() == Qt::LeftButton ? tabAt(event->position()) : Tab::None;
    m_held == Tab::None ? Slider::mousePressEvent(event) : event->accept();
}

void SeekBar::mouseMoveEvent(QMouseEvent* event) {
    if (m_held == Tab::None) {
        setCursor(!isSliderDown() && tabAt(event->position()) != Tab::None ? Qt::SizeHorCursor
                                                                           : Qt::ArrowCursor);
        return Slider::mouseMoveEvent(event);
    }
    const int frame = frameAt(event->position().x());
    if (m_held == Tab::First) choose(std::min(frame, m_last), m_last);
    if (m_held == Tab::Last) choose(m_first, std::max(frame, m_first));
    event->accept();
}

void SeekBar::mouseReleaseEvent(QMouseEvent* event) {
    if (m_held == Tab::None) return Slider::mouseReleaseEvent(event);
    m_held = Tab::None;
    event->accept();
}

void SeekBar::mouseDoubleClickEvent(QMouseEvent* event) {
    if (tabAt(event->position()) == Tab::None) return Slider::mouseDoubleClickEvent(event);
    m_held = Tab::None;
    choose(minimum(), maximum());
    event->accept();
}

} // namespace echolux
