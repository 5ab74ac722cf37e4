// SPDX-License-Identifier: GPL-3.0-or-later
// Areas in the stage history.
#include "ui/performance/stage_history.hpp"

#include "ui/performance/history_plot.hpp"
#include "ui/performance/stage_bars.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QMouseEvent>
#include <QPolygonF>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace echolux {
namespace {

constexpr double kRoomAbove = 1.05;

} // namespace

StageHistoryPlot::StageHistoryPlot(QWidget* parent) : QCustomPlot(parent), m_total(nullptr) {
    setMinimumHeight(15 * kGrid);
    new PlotPainting(*this, [this](QCPPainter& painter) { paintAreas(painter); });
    m_total = addGraph();
    m_total->setName("total");
    xAxis->setLabel("time (s)");
    yAxis->setLabel("stages (ms)");
    yAxis->ticker()->setTickCount(4);
    connect(&Theme::instance(), &Theme::changed, this, &StageHistoryPlot::restyle);
    restyle();
    m_tools = new PlotTools(*this, "Stages");
    m_tools->fit(xAxis, -kHistoryS, 0.0);
    connect(this, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
        QToolTip::showText(event->globalPosition().toPoint(), nameAt(event->position()), this);
    });
}

void StageHistoryPlot::restyle() {
    stylePlot(*this);
    m_total->setPen(QPen(tokens().text, 1.25));
    replot(rpQueuedReplot);
}

void StageHistoryPlot::clear() {
    m_samples.clear();
    m_names.clear();
    m_milliseconds.reset();
    rebuild();
}

/// Running stages come first, in the order of the bars. Stages that ran before keep their areas
/// above them.
void StageHistoryPlot::follow(const std::vector<StageTime>& stages) {
    QStringList names;
    for (const StageTime& stage : stages) names << stage.label;
    for (const QString& former : m_names) {
        if (!names.contains(former)) names << former;
    }
    if (names == m_names) return;
    for (Sample& sample : m_samples) {
        std::vector<double> ms(static_cast<std::size_t>(names.size()), 0.0);
        for (qsizetype i = 0; i < m_names.size(); ++i)
            ms[static_cast<std::size_t>(names.indexOf(m_names[i]))] =
                sample.ms[static_cast<std::size_t>(i)];
        sample.ms = std::move(ms);
    }
    m_names = names;
}

/// Drops samples older than a minute, and the top areas that only these had.
void StageHistoryPlot::forgetTheOld() {
    const double now = m_samples.back().timeS;
    while (m_samples.front().timeS < now - kHistoryS) m_samples.pop_front();
    const auto isGone = [](const Sample& sample) { return sample.ms.back() == 0.0; };
    while (!m_names.isEmpty() && std::ranges::all_of(m_samples, isGone)) {
        m_names.removeLast();
        for (Sample& sample : m_samples) sample.ms.pop_back();
    }
}

void StageHistoryPlot::add(const Readouts& readouts) {
    if (!m_samples.empty() && readouts.timeS < m_samples.back().timeS) clear();
    follow(readouts.stages);
    Sample sample{readouts.timeS, {}, readouts.frame.last};
    for (const StageTime& stage : readouts.stages) sample.ms.push_back(stage.ms.last);
    sample.ms.resize(static_cast<std::size_t>(m_names.size()), 0.0);
    m_samples.push_back(std::move(sample));
    forgetTheOld();
    double most = 0.0;
    for (const Sample& each : m_samples)
        most = std::max({most, each.frameMs, std::accumulate(each.ms.begin(), each.ms.end(), 0.0)});
    m_milliseconds.fit(most);
    if (isVisible()) rebuild();
}

void StageHistoryPlot::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    rebuild();
}

void StageHistoryPlot::rebuild() {
    m_total->data()->clear();
    for (const Sample& sample : m_samples)
        m_total->addData(sample.timeS - m_samples.back().timeS, sample.frameMs);
    m_tools->fit(yAxis, 0.0, kRoomAbove * std::max(0.1, m_milliseconds.limit()));
    replot(rpQueuedReplot);
}

void StageHistoryPlot::paintAreas(QCPPainter& painter) const {
    if (m_samples.empty()) return;
    const double now = m_samples.back().timeS;
    std::vector<double> below(m_samples.size(), 0.0);
    painter.setPen(Qt::NoPen);
    for (std::size_t area = 0; area < static_cast<std::size_t>(m_names.size()); ++area) {
        QPolygonF outline;
        for (std::size_t i = 0; i < m_samples.size(); ++i)
            outline << QPointF(xAxis->coordToPixel(m_samples[i].timeS - now),
                               yAxis->coordToPixel(below[i]));
        for (std::size_t i = m_samples.size(); i-- > 0;) {
            below[i] += m_samples[i].ms[area];
            outline << QPointF(xAxis->coordToPixel(m_samples[i].timeS - now),
                               yAxis->coordToPixel(below[i]));
        }
        painter.setBrush(withAlpha(stageColour(static_cast<int>(area)), 0.75));
        painter.drawPolygon(outline);
    }
}

QString StageHistoryPlot::nameAt(QPointF point) const {
    if (m_samples.empty() || !QRectF(axisRect()->rect()).contains(point)) return {};
    const double at = m_samples.back().timeS + xAxis->pixelToCoord(point.x());
    if (at < m_samples.front().timeS) return {};
    const auto nearest = std::ranges::min_element(
        m_samples, {}, [&](const Sample& sample) { return std::abs(sample.timeS - at); });
    double level = yAxis->pixelToCoord(point.y());
    if (level < 0.0) return {};
    for (std::size_t i = 0; i < nearest->ms.size(); ++i) {
        if (level < nearest->ms[i])
            return QString("%1 %2 ms, %3 s ago")
                .arg(m_names[static_cast<qsizetype>(i)])
                .arg(nearest->ms[i], 0, 'f', 3)
                .arg(m_samples.back().timeS - nearest->timeS, 0, 'f', 0);
        level -= nearest->ms[i];
    }
    return {};
}

} // namespace echolux
