// SPDX-License-Identifier: GPL-3.0-or-later
// Bars of the timeline.
#include "ui/performance/timeline_plot.hpp"

#include "ui/performance/stage_bars.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <map>
#include <utility>

namespace echolux {
namespace {

constexpr int kRowPixels = 36;
constexpr int kAxisPixels = 48;
constexpr double kBarTop = 0.40; ///< place in a row from its top; frame numbers stand above
constexpr double kBarBottom = 0.92;
constexpr double kLeastPixels = 1.5; ///< least width of a bar

QColor barColour(const TimelineBar& bar) {
    return bar.stage < 0 ? tokens().edge : stageColour(bar.stage);
}

} // namespace

TimelinePlot::TimelinePlot(QWidget* parent)
    : QCustomPlot(parent), m_rowNames(new QCPAxisTickerText) {
    new PlotPainting(*this, [this](QCPPainter& painter) { paintBars(painter); });
    xAxis->setLabel("time (ms)");
    yAxis->setRangeReversed(true);
    connect(&Theme::instance(), &Theme::changed, this, &TimelinePlot::restyle);
    restyle();
    m_tools = new PlotTools(*this, "Timeline");
    axisRect()->setRangeDragAxes({xAxis}, {});
    axisRect()->setRangeZoomAxes({xAxis}, {});
    connect(this, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
        const TimelineBar* bar = barAt(event->position());
        QToolTip::showText(event->globalPosition().toPoint(), bar != nullptr ? textOf(*bar) : "",
                           this);
    });
    followRows();
}

void TimelinePlot::restyle() {
    stylePlot(*this);
    yAxis->setTicker(m_rowNames);
    yAxis->setTickLengthOut(0);
    yAxis->grid()->setVisible(false);
    xAxis->ticker()->setTickCount(5);
    replot(rpQueuedReplot);
}

/// The plot is as high as its rows.
void TimelinePlot::followRows() {
    m_rowNames->clear();
    for (std::size_t i = 0; i < m_timeline.size(); ++i)
        m_rowNames->addTick(static_cast<double>(i) + 0.5, m_timeline[i].name);
    const auto rows = std::max<int>(1, static_cast<int>(m_timeline.size()));
    m_tools->fit(yAxis, 0.0, rows);
    setFixedHeight(rows * kRowPixels + kAxisPixels);
}

void TimelinePlot::setTimeline(const Timeline& timeline) {
    const bool sameRows =
        std::ranges::equal(timeline, m_timeline, {}, &TimelineRow::name, &TimelineRow::name);
    m_timeline = timeline;
    if (!sameRows) followRows();
    double end = 0.0;
    for (const TimelineRow& row : m_timeline) {
        for (const TimelineBar& bar : row.bars) end = std::max(end, bar.startMs + bar.ms);
    }
    if (end > 0.0) m_tools->fit(xAxis, 0.0, end);
    replot(rpQueuedReplot);
}

QRectF TimelinePlot::placeOf(std::size_t row, const TimelineBar& bar) const {
    const double left = xAxis->coordToPixel(bar.startMs);
    const double right = xAxis->coordToPixel(bar.startMs + bar.ms);
    const double top = yAxis->coordToPixel(static_cast<double>(row) + kBarTop);
    const double bottom = yAxis->coordToPixel(static_cast<double>(row) + kBarBottom);
    return {left, top, std::max(kLeastPixels, right - left), bottom - top};
}

const TimelineBar* TimelinePlot::barAt(QPointF point) const {
    constexpr double kReach = 2.0;
    if (!QRectF(axisRect()->rect()).contains(point)) return nullptr;
    const TimelineBar* nearest = nullptr;
    double least = kReach;
    for (std::size_t row = 0; row < m_timeline.size(); ++row) {
        for (const TimelineBar& bar : m_timeline[row].bars) {
            const QRectF place = placeOf(row, bar);
            if (point.y() < place.top() - kReach || point.y() > place.bottom() + kReach) continue;
            const double off = std::max({0.0, place.left() - point.x(), point.x() - place.right()});
            if (off >= least) continue;
            least = off;
            nearest = &bar;
        }
    }
    return nearest;
}

QString TimelinePlot::textOf(const TimelineBar& bar) {
    return QString("%1, frame %2: begins at %3 ms, takes %4 ms")
        .arg(bar.label)
        .arg(bar.frame)
        .arg(bar.startMs, 0, 'f', 3)
        .arg(bar.ms, 0, 'f', 3);
}

QString TimelinePlot::legendText() const {
    std::map<int, QString> names;
    for (const TimelineRow& row : m_timeline) {
        for (const TimelineBar& bar : row.bars) names[bar.stage] = bar.label;
    }
    QStringList parts;
    for (const auto& [stage, name] : names) {
        const QString colour = (stage < 0 ? tokens().edge : stageColour(stage)).name();
        parts << QString("<span style=\"color:%1\">&#9632;</span>&nbsp;%2")
                     .arg(colour, QString(name).toHtmlEscaped().replace(' ', "&nbsp;"));
    }
    return parts.join("&nbsp;&nbsp; ");
}

void TimelinePlot::paintBars(QCPPainter& painter) const {
    const ThemeTokens& t = tokens();
    const QRect inside = axisRect()->rect();
    const QFontMetricsF metrics(smallFont());
    painter.setFont(smallFont());
    for (std::size_t row = 0; row < m_timeline.size(); ++row) {
        const double line = yAxis->coordToPixel(static_cast<double>(row) + 1.0);
        painter.setPen(QPen(withAlpha(t.line, 0.6), 1.0));
        painter.drawLine(QPointF(inside.left(), line), QPointF(inside.right(), line));
        std::int64_t frame = 0;
        double written = inside.left() - 1.0; // end of the last number
        for (const TimelineBar& bar : m_timeline[row].bars) {
            const QRectF place = placeOf(row, bar);
            // Bars that overlap others keep their edges.
            painter.setPen(bar.stage < 0 ? QPen(t.panel, 1.0) : QPen(Qt::NoPen));
            painter.setBrush(barColour(bar));
            painter.drawRect(place);
            const bool hasRoom = metrics.horizontalAdvance(bar.label) + 6.0 < place.width();
            if (bar.stage >= 0 && hasRoom) {
                painter.setPen(barColour(bar).lightness() > 110 ? surroundTokens().surround
                                                                : surroundTokens().text);
                painter.drawText(place, static_cast<int>(Qt::AlignCenter), bar.label);
            }
            const QString number = QString::number(bar.frame);
            if (std::exchange(frame, bar.frame) == bar.frame || place.left() < written) continue;
            QRectF above(place.left(), place.top() - 14.0, metrics.horizontalAdvance(number) + 2.0,
                         13.0);
            if (place.left() < inside.right())
                above.moveRight(std::min<double>(above.right(), inside.right()));
            painter.setPen(t.secondary);
            painter.drawText(above, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), number);
            written = above.right() + 4.0;
        }
    }
}

} // namespace echolux
