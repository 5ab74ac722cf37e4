// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/measurements/distribution_plot.hpp"

#include "ui/controls/combo_box.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

QVector<double> toQt(const std::vector<double>& values) { return {values.begin(), values.end()}; }

} // namespace

DistributionPlot::DistributionPlot(QWidget* parent)
    : HintPlot(
          "Histogram",
          "Measure a region and select it to see how often its amplitudes occur, and how often "
          "they would in fully developed speckle",
          parent),
      m_counted(new ComboBox(this)), m_readout(makeLabel({}, LabelRole::Normal, this)),
      m_steps(plot().addGraph()), m_speckle(plot().addGraph()) {
    m_counted->addItem("Amplitude");
    m_counted->addItem("Power");
    m_counted->setToolTip(
        "What is counted. The curve is its distribution in fully developed speckle of the "
        "same mean power: Rayleigh of amplitudes, exponential of powers");
    m_counted->setAccessibleName("What is counted");
    head()->addWidget(m_counted);
    m_readout->setContentsMargins(kGrid, 0, kGrid, 0);
    qobject_cast<QVBoxLayout*>(layout())->insertWidget(1, m_readout);
    m_steps->setName("region");
    m_steps->setLineStyle(QCPGraph::lsStepLeft);
    m_steps->setAdaptiveSampling(false);
    m_speckle->setName("speckle");
    plot().yAxis->setLabel("density");
    connect(m_counted, &QComboBox::activated, this, &DistributionPlot::countedChosen);
    restyle();
    clear();
}

void DistributionPlot::restyle() {
    m_steps->setPen(QPen(plotColour(0), 1.0));
    m_steps->setBrush(withAlpha(plotColour(0), 0.35));
    m_speckle->setPen(QPen(plotColour(1), 1.5));
}

measure::Counted DistributionPlot::counted() const {
    return m_counted->currentIndex() == 1 ? measure::Counted::Powers : measure::Counted::Amplitudes;
}

QString DistributionPlot::readout() const { return m_readout->text(); }

void DistributionPlot::clear(const QString& reason) {
    setHint(reason);
    m_readout->clear();
    m_readout->hide();
    setSubtitle({});
    setHasData(false);
}

void DistributionPlot::setDistribution(const QString& region, const measure::Distribution& found) {
    const auto bins = static_cast<qsizetype>(found.density.size());
    QVector<double> edges(bins + 1), middles(bins);
    for (qsizetype bin = 0; bin <= bins; ++bin) {
        edges[bin] = found.binWidth * static_cast<double>(bin);
        if (bin < bins) middles[bin] = found.binWidth * (static_cast<double>(bin) + 0.5);
    }
    QVector<double> density = toQt(found.density);
    density += 0.0; // the end of the last step
    setSubtitle(region);
    setHasData(true);
    m_readout->setText(QString("%1 pixels   %2 % beyond the plot")
                           .arg(QLocale().toString(static_cast<qulonglong>(found.pixels)),
                                numberText(100.0 * found.beyond, 1)));
    m_readout->show();
    m_steps->setData(edges, density, true);
    m_speckle->setData(middles, toQt(found.speckle), true);
    const bool ofPowers = counted() == measure::Counted::Powers;
    plot().xAxis->setLabel(ofPowers ? "power / mean power" : "amplitude / RMS amplitude");
    constexpr double kRoom = 1.05;
    tools().fit(plot().xAxis, 0.0, edges.back());
    tools().fit(plot().yAxis, 0.0,
                kRoom * std::max(std::ranges::max(found.density), std::ranges::max(found.speckle)));
    drawNow();
}

} // namespace echolux
