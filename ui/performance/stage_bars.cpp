// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the stage bars.
#include "ui/performance/stage_bars.hpp"

#include "ui/performance/figure_text.hpp"
#include "ui/theme/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace echolux {
namespace {

constexpr int kRowHeight = 20;
constexpr int kMostNameWidth = 112;
constexpr int kLeastBar = 3 * kGrid;
const QString kOneKernel = QStringLiteral("one kernel");

double largestOf(const Milliseconds& ms) { return std::max({ms.last, ms.mean, ms.percentile99}); }

} // namespace

QColor stageColour(int index) { return index == 0 ? tokens().secondary : plotColour(index - 1); }

StageBars::StageBars(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StageBars::setStages(const std::vector<StageTime>& stages, const Milliseconds& frame) {
    const QSize before = sizeHint();
    m_stages = stages;
    m_frame = frame;
    double longest = 0.0;
    double largest = largestOf(frame);
    for (const StageTime& stage : stages) {
        longest = std::max(longest, stage.ms.mean);
        largest = std::max(largest, largestOf(stage.ms));
    }
    m_bar.update(longest);
    m_figures.update(largest);
    if (sizeHint() != before) updateGeometry();
    update();
}

void StageBars::clear() {
    m_bar.reset();
    m_figures.reset();
    setStages({}, {});
}

QString StageBars::figure(double ms) const {
    const double limit = m_figures.limit();
    return QString::number(ms, 'f', limit <= 10.0 ? 3 : limit <= 100.0 ? 2 : limit <= 1e3 ? 1 : 0);
}

int StageBars::figureWidth() const { return fontMetrics().horizontalAdvance("00.000") + 6; }

int StageBars::nameWidth() const {
    return std::min(kMostNameWidth, width() - 3 * figureWidth() - kLeastBar - kGrid);
}

bool StageBars::isLong(const StageTime& stage) const {
    return isKernel(stage) || fontMetrics().horizontalAdvance(stage.label) > nameWidth() - kGrid;
}

int StageBars::heightOf(const StageTime& stage) const {
    return isLong(stage) ? 2 * kRowHeight - 2 : kRowHeight;
}

QSize StageBars::sizeHint() const {
    int height = m_stages.empty() ? 0 : 2 * kRowHeight + kGrid / 2; // header and total
    for (const StageTime& stage : m_stages) height += heightOf(stage);
    return {3 * figureWidth() + 14 * kGrid, height};
}

void StageBars::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateGeometry(); // names that had room may have none now
}

QString StageBars::helpAt(int y) const {
    int bottom = kRowHeight;
    if (y < bottom)
        return "Milliseconds per frame: the last frame that was timed, the mean of the last 128, "
               "and the value that 99 of 100 frames do not exceed";
    for (const StageTime& stage : m_stages) {
        bottom += heightOf(stage);
        if (y >= bottom) continue;
        QString help = QString("%1: last %2 ms, mean %3 ms, 99 % %4 ms")
                           .arg(stage.label, figure(stage.ms.last), figure(stage.ms.mean),
                                figure(stage.ms.percentile99));
        if (isKernel(stage))
            help += "\nOne kernel computes these stages, which have no times of their own: " +
                    stage.stages.join(", ");
        if (stage.heldBytes > 0)
            help += "\nIts tables hold " + memoryText(stage.heldBytes) + " between frames";
        return help;
    }
    return "From the start of the upload to the end of the last stage. Stages that run at the same "
           "time count once";
}

bool StageBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), helpAt(help->pos().y()), this);
    return true;
}

void StageBars::paintFigures(QPainter& painter, int y, const Milliseconds& ms) const {
    int right = width();
    for (const double value : {ms.percentile99, ms.mean, ms.last}) {
        painter.drawText(QRect(right - figureWidth(), y, figureWidth(), kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, figure(value));
        right -= figureWidth();
    }
}

void StageBars::paintName(QPainter& painter, int y, const StageTime& stage) const {
    const ThemeTokens& t = tokens();
    QRect name(0, y, isLong(stage) ? width() : nameWidth() - kGrid, kRowHeight);
    if (isKernel(stage)) {
        painter.setFont(smallFont());
        const QFontMetrics metrics(smallFont());
        QRect tag(0, 0, metrics.horizontalAdvance(kOneKernel) + kGrid, kRowHeight - 5);
        tag.moveCenter({0, y + kRowHeight / 2});
        tag.moveRight(width() - 1);
        painter.setPen(QPen(t.edge, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(tag).adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
        painter.setPen(t.secondary);
        painter.drawText(tag, Qt::AlignCenter, kOneKernel);
        painter.setFont(font());
        name.setRight(tag.left() - kGrid);
    }
    painter.setPen(t.secondary);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(stage.label, Qt::ElideRight, name.width()));
}

void StageBars::paintEvent(QPaintEvent*) {
    if (m_stages.empty()) return;
    const ThemeTokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.secondary);
    painter.drawText(QRect(0, 0, width(), kRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     "ms per frame");
    int column = width();
    for (const char* head : {"99 %", "mean", "last"}) {
        painter.drawText(QRect(column - figureWidth(), 0, figureWidth(), kRowHeight),
                         Qt::AlignRight | Qt::AlignVCenter, head);
        column -= figureWidth();
    }
    const int room = width() - nameWidth() - 3 * figureWidth() - kGrid / 2;
    const double scale = m_bar.limit() > 0.0 ? room / m_bar.limit() : 0.0;
    int y = kRowHeight;
    for (int i = 0; i < static_cast<int>(m_stages.size()); ++i) {
        const StageTime& stage = m_stages[static_cast<std::size_t>(i)];
        paintName(painter, y, stage);
        y += heightOf(stage) - kRowHeight;
        const QRectF track(nameWidth(), y + kRowHeight / 2.0 - 3.0, room, 6.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(withAlpha(t.line, 0.5));
        painter.drawRoundedRect(track, 2.0, 2.0);
        painter.setBrush(stageColour(i));
        const double length = std::min<double>(room, stage.ms.mean * scale);
        painter.drawRoundedRect(QRectF(track.left(), track.top(), length, track.height()), 2.0,
                                2.0);
        painter.setPen(t.text);
        paintFigures(painter, y, stage.ms);
        y += kRowHeight;
    }
    painter.setPen(QPen(t.line, 1.0));
    painter.drawLine(QPointF(0.0, y + 2.5), QPointF(width(), y + 2.5));
    y += kGrid / 2;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(t.text);
    painter.drawText(QRect(0, y, nameWidth(), kRowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     "Total");
    painter.setFont(font());
    paintFigures(painter, y, m_frame);
}

} // namespace echolux
