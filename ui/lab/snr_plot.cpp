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
    : HintPlot("Signal to noise", "The filters are being tested", parent), m_recording(makeBand()),
      m_beamformed(makeBand()) {
    plot().xAxis->setLabel("frequency (cycles per sample)");
    plot().yAxis->setLabel("SNR (dB)");
    plot().setMinimumHeight(22 * kGrid);
    tools().fit(plot().xAxis, 0.0, kHighestCycles);
    setBands({}, {});
    restyle();
}

SnrPlot::BandItems SnrPlot::makeBand() {
    const BandItems items{new QCPItemRect(&plot()), new QCPItemStraightLine(&plot())};
    items.area->setLayer("grid"); // behind the curves
    items.centre->setLayer("grid");
    for (QCPItemPosition* corner : {items.area->topLeft, items.area->bottomRight})
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    return items;
}

void SnrPlot::place(const BandItems& items, const std::optional<LabBand>& band) {
    items.area->setVisible(band.has_value());
    items.centre->setVisible(band.has_value());
    if (!band) return;
    const double from = std::max(0.0, band->centre - 0.5 * band->width);
    const double to = std::min(kHighestCycles, band->centre + 0.5 * band->width);
    items.area->topLeft->setCoords(from, 0.0);
    items.area->bottomRight->setCoords(to, 1.0);
    items.centre->point1->setCoords(band->centre, 0.0);
    items.centre->point2->setCoords(band->centre, 1.0);
}

void SnrPlot::setBands(const LabBands& bands, const QString& text) {
    place(m_recording, bands.recording);
    place(m_beamformed, bands.beamformed);
    m_megahertz.setSampling(bands.sampling);
    setSubtitle(text);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void SnrPlot::restyle() {
    const auto paint = [](const BandItems& items, const QColor& colour, Qt::PenStyle edge) {
        items.area->setPen(edge == Qt::NoPen ? QPen(Qt::NoPen)
                                             : QPen(withAlpha(colour, 0.6), 1.0, edge));
        items.area->setBrush(edge == Qt::NoPen ? QBrush(withAlpha(colour, 0.16))
                                               : QBrush(Qt::NoBrush));
        items.centre->setPen(QPen(withAlpha(colour, 0.8), 1.0, Qt::DashLine));
    };
    paint(m_recording, tokens().accent, Qt::NoPen);
    paint(m_beamformed, tokens().secondary, Qt::DotLine);
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
