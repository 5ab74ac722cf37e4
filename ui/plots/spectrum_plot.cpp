// SPDX-License-Identifier: GPL-3.0-or-later
// Curve of the spectrum plot.
#include "ui/plots/spectrum_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace echolux {

namespace {

/// A curve over frequencies in MHz, not below `floorDb`.
void setCurve(QCPGraph& graph, const std::vector<float>& levels, double startMHz, double stepMHz,
              double floorDb) {
    QVector<double> frequency, level;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        frequency << startMHz + static_cast<double>(i) * stepMHz;
        level << std::max<double>(levels[i], floorDb);
    }
    graph.setData(frequency, level, true);
}

/// Levels from 0 on, continued to negative frequencies, which a real line has alike.
std::vector<float> mirrored(const std::vector<float>& levels) {
    std::vector<float> both(levels.rbegin(), levels.rend() - 1);
    both.insert(both.end(), levels.begin(), levels.end());
    return both;
}

} // namespace

SpectrumPlot::SpectrumPlot(QWidget* parent)
    : HintPlot("Spectrum", "Click a column in the image", parent), m_iq(new QToolButton(this)),
      m_level(plot().addGraph()), m_iqLevel(plot().addGraph()),
      m_centre(new QCPItemStraightLine(&plot())) {
    plot().yAxis->setLabel("level (dB re max)");
    m_iq->setText("IQ");
    m_iq->setCheckable(true);
    m_iq->setToolTip("Shows the line as I and Q as well, after the last stage that makes channels "
                     "complex. Both spectra then have negative frequencies; 0 MHz of IQ is the "
                     "carrier that was removed");
    m_iq->hide();
    head()->addWidget(m_iq);
    connect(m_iq, &QToolButton::toggled, this, &SpectrumPlot::draw);
    tools().fit(plot().yAxis, kFloorDb, 3.0);
    restyle();
}

void SpectrumPlot::restyle() {
    m_level->setPen(QPen(plotColour(0), 1.25));
    m_iqLevel->setPen(QPen(plotColour(1), 1.25));
    m_centre->setPen(QPen(tokens().secondary, 1.0, Qt::DashLine));
}

void SpectrumPlot::setData(const SpectrumData& spectrum) {
    m_data = spectrum;
    setHasData(!spectrum.levelDb.empty());
    setHint(spectrum.missing);
    m_iq->setVisible(!spectrum.levelDb.empty() && !spectrum.iqDb.empty());
    draw();
}

void SpectrumPlot::draw() {
    if (m_data.levelDb.empty()) return;
    const auto count = static_cast<double>(m_data.levelDb.size());
    const bool withIq = m_iq->isChecked() && !m_data.iqDb.empty();
    setSubtitle(withIq ? m_data.iqName : m_data.title);
    plot().xAxis->setLabel(withIq ? "frequency (MHz), of IQ from its carrier" : "frequency (MHz)");
    std::vector<float> levels = m_data.levelDb;
    double start = m_data.startMHz;
    if (withIq && m_data.twoSided) {
        start = -std::floor(0.5 * count) * m_data.stepMHz; // from its carrier, too
    } else if (withIq) {
        levels = mirrored(levels);
        start = -(count - 1.0) * m_data.stepMHz;
    }
    setCurve(*m_level, levels, start, m_data.stepMHz, kFloorDb);
    setCurve(*m_iqLevel, withIq ? m_data.iqDb : std::vector<float>{}, m_data.iqStartMHz,
             m_data.iqStepMHz, kFloorDb);
    m_level->setName(withIq ? "as recorded" : QString()); // named where there are two
    m_iqLevel->setName(m_data.iqName);
    m_centre->setVisible(m_data.centreMHz > 0.0 && !(withIq && m_data.twoSided));
    m_centre->point1->setCoords(m_data.centreMHz, 0.0);
    m_centre->point2->setCoords(m_data.centreMHz, 1.0);
    tools().fit(plot().xAxis, start,
                start + static_cast<double>(levels.size() - 1) * m_data.stepMHz);
    drawNow();
}

} // namespace echolux
