// SPDX-License-Identifier: GPL-3.0-or-later
// Steps, lines and percentages.
#include "app/tools/histogram/plot.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/plots/level_label.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace echolux {
namespace {

constexpr double kLowestCount = 0.5; ///< of the logarithmic axis, so that a single pixel shows

/// The step of a limit that is dragged: the greatest power of ten that is at most a hundredth of
/// the axis.
double roundStepOf(const QCPRange& range) {
    return std::pow(10.0, std::floor(std::log10(range.size() / 100.0)));
}

/// The count at the top of the axis: the highest count. Where it is more than four times the fourth
/// highest count, the result is 1.5 times the fourth highest, and up to three bins extend beyond
/// the plot. Such bins occur where a stage fills many pixels with one value. There is at least one
/// bin.
double shownHeight(std::vector<std::uint32_t> bins) {
    constexpr std::size_t kMostCut = 3;
    constexpr double kFarHigher = 4.0;
    constexpr double kRoomOverOthers = 1.5;
    const double highest = *std::ranges::max_element(bins);
    if (bins.size() <= kMostCut) return highest;
    std::ranges::nth_element(bins, bins.begin() + kMostCut, std::greater<>());
    const double other = bins[kMostCut];
    return other > 0.0 && highest > kFarHigher * other ? kRoomOverOthers * other : highest;
}

} // namespace

double HistogramData::valued() const {
    return std::accumulate(bins.begin(), bins.end(),
                           static_cast<double>(below) + static_cast<double>(above));
}

double HistogramData::countBelow(double level) const {
    if (level < from) return below;
    double count = below;
    const double place = (level - from) / binWidth();
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        count += std::clamp(place - static_cast<double>(bin), 0.0, 1.0) * bins[bin];
    return count;
}

HistogramPlot::HistogramPlot(QWidget* parent)
    : HintPlot("Histogram", "Open a recording to see how often each value occurs in its image",
               parent),
      m_views(new ComboBox(this)), m_logarithmic(new QCheckBox("Logarithmic", this)),
      m_readout(makeLabel({}, LabelRole::Normal, this)), m_steps(plot().addGraph()),
      m_lines(new DraggedLines(plot())) {
    m_views->setToolTip("The view whose image is counted");
    m_views->setAccessibleName("View");
    m_views->hide();
    m_logarithmic->setToolTip(
        "The axis of counts is logarithmic, so that rare values show. On the even axis, up to "
        "three steps that are far higher than all others go beyond the plot.");
    head()->addWidget(m_views);
    head()->addWidget(m_logarithmic);
    m_readout->setToolTip(
        "The pixels below the left line are shown in the first colour, those above "
        "the right line in the last one. Drag a line to change the display "
        "range. Within a step of the plot, values are taken to lie evenly.");
    m_readout->setContentsMargins(kGrid, 0, kGrid, 0);
    m_readout->setWordWrap(true);
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, m_readout);
    m_steps->setName("pixels");
    m_steps->setLineStyle(QCPGraph::lsStepLeft);
    m_steps->setAdaptiveSampling(false);
    plot().axisRect()->setRangeZoom(Qt::Horizontal);
    plot().axisRect()->setRangeDrag(Qt::Horizontal);
    plot().yAxis->setLabel("pixels");
    plot().yAxis->ticker()->setTickCount(4);
    connect(m_lines, &DraggedLines::dragged, this, &HistogramPlot::drag);
    connect(m_views, &QComboBox::activated, this, &HistogramPlot::viewChosen);
    connect(m_logarithmic, &QCheckBox::toggled, this, [this] {
        tools().showAll();
        followScale();
        plot().replot(QCustomPlot::rpQueuedReplot);
    });
    restyle();
    clear();
}

void HistogramPlot::restyle() {
    m_steps->setPen(QPen(plotColour(0), 1.0));
    m_steps->setBrush(withAlpha(plotColour(0), 0.35));
    m_lines->restyle();
    followScale(); // NOTE: the style gives every axis an even ticker
}

void HistogramPlot::followScale() {
    QCPAxis& counts = *plot().yAxis;
    const bool on = m_logarithmic->isChecked();
    // NOTE: a range with 0 in it does not suit a logarithm; the axis would choose another one.
    if (on) fitCounts();
    counts.setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (on) {
        counts.setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    } else if (!counts.ticker().dynamicCast<QCPAxisTickerLog>().isNull()) {
        const auto even = QSharedPointer<QCPAxisTicker>::create();
        even->setTickCount(4);
        counts.setTicker(even);
    }
    fitCounts();
}

void HistogramPlot::fitCounts() {
    constexpr double kRoom = 1.05;
    if (!m_logarithmic->isChecked())
        return tools().fit(plot().yAxis, 0.0, kRoom * std::max(m_highest.limit(), 1.0));
    constexpr double kRoomOfLogarithm = 2.0;
    std::uint32_t highest = 1;
    for (const std::uint32_t count : m_data.bins) highest = std::max(highest, count);
    tools().fit(plot().yAxis, kLowestCount, kRoomOfLogarithm * roundUp(highest));
}

void HistogramPlot::clear() {
    m_data = {};
    m_lines->setActive(false);
    m_highest.reset();
    m_readout->clear();
    m_readout->hide();
    setHasData(false);
}

void HistogramPlot::setData(const HistogramData& histogram) {
    m_data = histogram;
    setHasData(true);
    m_lines->setActive(true);
    m_readout->show();
    const auto edges = static_cast<qsizetype>(histogram.bins.size()) + 1;
    QVector<double> values(edges), counts(edges);
    for (qsizetype i = 0; i < edges; ++i) {
        values[i] = histogram.from + static_cast<double>(i) * histogram.binWidth();
        counts[i] = i + 1 < edges ? histogram.bins[static_cast<std::size_t>(i)] : 0.0;
    }
    m_steps->setData(values, counts, true);
    m_highest.update(shownHeight(histogram.bins));
    tools().fit(plot().xAxis, histogram.from, histogram.to);
    fitCounts();
    plot().xAxis->setLabel(levelLabel(histogram.unit, histogram.reference, "value"));
    tell();
    drawNow();
}

void HistogramPlot::setLimits(double min, double max) {
    if (isDragging() || (min == m_limits[0] && max == m_limits[1])) return;
    m_limits = {min, max};
    placeLimits();
}

void HistogramPlot::placeLimits() {
    m_lines->place(m_limits);
    tell();
}

void HistogramPlot::tell() {
    if (!hasData()) return;
    const double all = std::max(m_data.valued(), 1.0);
    const double below = m_data.countBelow(m_limits[0]);
    const double above = m_data.valued() - m_data.countBelow(m_limits[1]);
    const auto percent = [](double part) { return numberText(100.0 * part, 1); };
    QString text =
        QString("%1 % below   %2 % between   %3 % above")
            .arg(percent(below / all), percent(1.0 - (below + above) / all), percent(above / all));
    if (m_data.nothing > 0) text += QString("   %1 pixels without a value").arg(m_data.nothing);
    m_readout->setText(text);
}

QString HistogramPlot::readout() const { return m_readout->text(); }

void HistogramPlot::setViews(const QStringList& names) { m_views->offer(names); }

int HistogramPlot::view() const { return std::max(m_views->currentIndex(), 0); }

bool HistogramPlot::isLogarithmic() const { return m_logarithmic->isChecked(); }

void HistogramPlot::setLogarithmic(bool on) { m_logarithmic->setChecked(on); }

/// Black stays below white by one step at the least.
void HistogramPlot::drag(std::size_t end, double place) {
    const QCPAxis& axis = *plot().xAxis;
    const double step = roundStepOf(axis.range());
    const double inside = std::clamp(place, axis.range().lower, axis.range().upper);
    const double value = std::round(inside / step) * step;
    if (end == 0)
        m_limits[0] = std::min(value, m_limits[1] - step);
    else
        m_limits[1] = std::max(value, m_limits[0] + step);
    placeLimits();
    emit limitsDragged(m_limits[0], m_limits[1]);
}

} // namespace echolux
