// SPDX-License-Identifier: GPL-3.0-or-later
// Curves and bands of the filter test.
#include "ui/lab/snr_plot.hpp"

#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr double kMostSnrDb = 80.0; ///< upper end of the axis until the user zooms
constexpr double kHighestCycles = 0.5;

} // namespace

SnrPlot::SnrPlot(QWidget* parent)
    : HintPlot("Signal to noise", "The filters are being tested", parent), m_recording(plot()),
      m_beamformed(plot()) {
    plot().xAxis->setLabel("frequency (cycles per sample)");
    plot().yAxis->setLabel("SNR (dB)");
    plot().setMinimumHeight(22 * kGrid);
    tools().fit(plot().xAxis, 0.0, kHighestCycles);
    setBands({}, {});
    restyle();
}

void SnrPlot::setBands(const LabBands& bands, const QString& text) {
    m_recording.place(bands.recording);
    m_beamformed.place(bands.beamformed);
    m_megahertz.setSampling(bands.sampling);
    setSubtitle(text);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void SnrPlot::restyle() {
    m_recording.paint(tokens().accent, Qt::NoPen);
    m_beamformed.paint(tokens().secondary, Qt::DotLine);
    draw();
}

void SnrPlot::setLevels(const LabLevels& levels) {
    m_levels = levels;
    setHasData(!levels.frequencies.isEmpty());
    draw();
}

void SnrPlot::hideCurves(const QSet<QString>& ids) {
    m_hidden = ids;
    draw();
}

void SnrPlot::draw() {
    plot().clearGraphs();
    double highest = 20.0;
    for (const LabCurve& curve : m_levels.curves) {
        if (m_hidden.contains(curve.id) || curve.levelsDb.isEmpty()) continue;
        highest = std::max(highest, *std::ranges::max_element(curve.levelsDb));
        QCPGraph* graph = plot().addGraph();
        graph->setName(curve.name);
        graph->setPen(penOf(curve));
        graph->setData(m_levels.frequencies, curve.levelsDb, true);
    }
    tools().fit(plot().yAxis, 0.0, std::min(kMostSnrDb, 1.05 * highest));
    plot().replot(QCustomPlot::rpQueuedReplot);
}

} // namespace echolux
