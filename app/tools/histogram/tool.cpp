// SPDX-License-Identifier: GPL-3.0-or-later
// From counts of the shown image to the plot, and from the plot to the view's display range.
#include "app/tools/histogram/tool.hpp"

#include "app/desktop/workbench/recording_text.hpp"
#include "app/desktop/workbench/tool_type.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/tools/histogram/plot.hpp"
#include "render/view/auto_range.hpp"

#include <QSettings>

#include <utility>

namespace echolux {
namespace {

constexpr const char* kLogarithmicKey = "histogram/logarithmic";

/// The range of the histogram: the scale of the view, and 3/4 of its width below it and 1/4 above
/// it. So both ends of the scale are edges of bins. For magnitudes it is 0 to 4/3 of the scale's
/// maximum. Where a display limit lies outside, the range is widened to hold it.
HistogramScale scaleOf(const Workbench::DisplayRange& range) {
    const double width = range.scaleMax - range.scaleMin;
    const bool magnitudes = range.unit.empty() && range.scaleMin >= 0.0;
    double from = magnitudes ? 0.0 : range.scaleMin - 0.75 * width;
    double to = range.scaleMax + (magnitudes ? range.scaleMax / 3.0 : 0.25 * width);
    const double margin = 0.1 * (range.max - range.min);
    if (range.min < from) from = range.min - margin;
    if (range.max > to) to = range.max + margin;
    const Content content = range.unit == "dB" ? Content::Decibels : Content::Amplitudes;
    return {static_cast<float>(from), static_cast<float>(to), lowestOf(content)};
}

HistogramData dataOf(const ImageHistogram& histogram, const Workbench::DisplayRange& range) {
    const auto& counts = histogram.counts.of;
    HistogramData data;
    data.bins.assign(counts, counts + kHistogramBins);
    data.from = histogram.asked.scale.from;
    data.to = histogram.asked.scale.to;
    data.below = counts[HistogramCounts::kBelow];
    data.above = counts[HistogramCounts::kAbove];
    data.nothing = counts[HistogramCounts::kNothing];
    data.unit = QString::fromStdString(range.unit);
    data.reference = QString::fromStdString(range.reference);
    return data;
}

} // namespace

namespace tools {

ToolType histogram();
ToolType histogram() { return toolType<HistogramPlot, HistogramTool>("histogram", "Histogram"); }

} // namespace tools

HistogramTool::HistogramTool(HistogramPlot& plot, Workbench& bench) : m_plot(plot), m_bench(bench) {
    connect(&bench, &Workbench::measured, this, &HistogramTool::follow);
    connect(&bench, &Workbench::measuredTheSame, this, &HistogramTool::follow);
    connect(&bench, &Workbench::displayRangeChanged, this, &HistogramTool::showLimits);
    connect(&bench, &Workbench::recordingChanged, this, &HistogramTool::forget);
    connect(&bench, &Workbench::pipelineChanged, this, &HistogramTool::syncFromPipeline);
    connect(&plot, &SeenWidget::cameIntoSight, this, &HistogramTool::follow);
    connect(&m_plot, &HistogramPlot::viewChosen, this, [this] {
        forget();
        follow();
    });
    connect(&m_plot, &HistogramPlot::limitsDragged, this, [this](double min, double max) {
        m_bench.editDisplayRange(static_cast<std::size_t>(m_plot.view()), min, max);
    });
    connect(&bench, &Workbench::habitsRestored, this, [this](const QSettings& store) {
        m_plot.setLogarithmic(store.value(kLogarithmicKey, false).toBool());
    });
    connect(&bench, &Workbench::habitsKept, this,
            [this](QSettings& store) { store.setValue(kLogarithmicKey, m_plot.isLogarithmic()); });
}

void HistogramTool::forget() {
    m_shown.reset();
    m_plot.clear();
}

void HistogramTool::syncFromPipeline() {
    if (!m_bench.isOpen()) return;
    const int former = m_plot.view();
    m_plot.setViews(viewNames(*m_bench.snapshot()));
    if (m_plot.view() != former) forget();
}

/// Shows what has been counted since, and asks for the next count.
void HistogramTool::follow() {
    if (!m_bench.isOpen() || !m_plot.isSeen()) return;
    const auto view = static_cast<std::size_t>(m_plot.view());
    const auto range = m_bench.displayRange(view);
    if (!range) return forget();
    auto& look = m_bench.look<HistogramLook>();
    const auto counted = look.latest();
    if (counted && counted != m_shown && counted->asked == m_asked && m_asked.view == view) {
        m_shown = counted;
        m_plot.setData(dataOf(*counted, *range));
    }
    showLimits();
    if (!m_plot.isDragging()) m_asked = {view, scaleOf(*range)};
    look.want(m_asked);
}

void HistogramTool::showLimits() {
    if (!m_plot.isSeen()) return;
    if (const auto range = m_bench.displayRange(static_cast<std::size_t>(m_plot.view())))
        m_plot.setLimits(range->min, range->max);
}

} // namespace echolux
