// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of the A-line plot.
#include "ui/plots/rf_line_plot.hpp"

#include "ui/plots/plot_style.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

double largest(const std::vector<float>& values) {
    double most = 0.0;
    for (const float value : values) {
        if (std::isfinite(value)) most = std::max(most, std::abs(static_cast<double>(value)));
    }
    return most;
}

/// 20 log10(|value| / reference), not below kFloorDb.
double toDb(double value, double reference) {
    if (!(reference > 0.0) || !(std::abs(value) > 0.0)) return kFloorDb;
    return std::max(kFloorDb, 20.0 * std::log10(std::abs(value) / reference));
}

} // namespace

RfLinePlot::RfLinePlot(QWidget* parent)
    : HintPlot("A-line", "Click a column in the image", parent), m_dbButton(new QToolButton(this)),
      m_clippingLabel(makeLabel("", LabelRole::Error, this)), m_rf(plot().addGraph()),
      m_envelope(plot().addGraph(plot().xAxis, plot().yAxis2)), m_clipped(plot().addGraph()) {
    m_clippingLabel->setToolTip(
        "Samples at the converter's lowest or highest code: reduce the receive gain");
    head()->addWidget(m_clippingLabel);
    m_dbButton->setText("dB");
    m_dbButton->setCheckable(true);
    m_dbButton->setFocusPolicy(Qt::TabFocus);
    m_dbButton->setToolTip("Show magnitudes in dB re the largest of each curve");
    head()->addWidget(m_dbButton);
    connect(m_dbButton, &QToolButton::toggled, this, [this] {
        tools().showAll(); // the zoomed range was in another unit
        draw();
    });
    plot().xAxis->setLabel("depth (mm)");
    plot().xAxis2->setLabel("time (\u00b5s)");
    plot().xAxis2->setVisible(true);
    plot().yAxis2->setVisible(true);
    plot().yAxis2->grid()->setVisible(false);
    for (QCPAxis* axis : {plot().yAxis, plot().yAxis2}) axis->ticker()->setTickCount(4);
    m_clipped->setLineStyle(QCPGraph::lsNone);
    m_dbButton->hide();
    restyle();
}

void RfLinePlot::restyle() {
    m_rf->setPen(QPen(withAlpha(plotColour(0), 0.8), 1.0));
    m_envelope->setPen(QPen(plotColour(1), 1.5));
    m_clipped->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted,
                                               QPen(tokens().error), QBrush(tokens().error), 6.0));
    plot().yAxis->setLabelColor(plotColour(0));
    plot().yAxis2->setLabelColor(plotColour(1));
}

bool RfLinePlot::decibels() const { return m_dbButton->isChecked(); }
void RfLinePlot::setDecibels(bool on) { m_dbButton->setChecked(on); }
QString RfLinePlot::clippingText() const { return m_clippingLabel->text(); }

void RfLinePlot::clear() {
    m_data = {};
    m_rfRange.reset();
    m_envelopeRange.reset();
    m_clippingLabel->clear();
    m_dbButton->hide();
    setHasData(false);
}

void RfLinePlot::setData(const ALineData& line) {
    m_data = line;
    setHasData(!line.rf.empty() || !line.envelope.empty());
    m_dbButton->setVisible(hasData() && line.shownLabel.isEmpty());
    setSubtitle(line.title);
    const auto clipped = line.clipped.size();
    m_clippingLabel->setText(clipped == 0 ? QString() : QString("%1 clipped").arg(clipped));
    draw();
}

void RfLinePlot::drawRf(bool inDb) {
    const double mmPerUs = m_data.soundSpeedMps * 1e-3 / 2.0;
    const auto count = static_cast<qsizetype>(m_data.rf.size());
    const double reference = largest(m_data.rf);
    const double limit = inDb           ? 0.0
                         : m_data.still ? m_rfRange.fit(reference)
                                        : m_rfRange.update(reference);
    QVector<double> depth(count), value(count), markX, markY;
    for (qsizetype i = 0; i < count; ++i) {
        const double sample = m_data.rf[static_cast<std::size_t>(i)];
        depth[i] = (m_data.rfStartUs + static_cast<double>(i) * m_data.rfStepUs) * mmPerUs;
        value[i] = inDb ? toDb(sample, reference) : sample;
    }
    for (const std::size_t index : m_data.clipped) {
        if (index >= m_data.rf.size()) continue;
        markX << depth[static_cast<qsizetype>(index)];
        markY << limit;
    }
    m_rf->setData(depth, value, true);
    m_clipped->setData(markX, markY, true);
    if (inDb) return;
    tools().fit(plot().yAxis, -limit, limit);
}

void RfLinePlot::drawEnvelope(bool inDb) {
    const auto count = static_cast<qsizetype>(m_data.envelope.size());
    const double reference = largest(m_data.envelope);
    QVector<double> depth(count), value(count);
    for (qsizetype i = 0; i < count; ++i) {
        const double sample = m_data.envelope[static_cast<std::size_t>(i)];
        depth[i] = m_data.depthStartMm + static_cast<double>(i) * m_data.depthStepMm;
        value[i] = inDb ? toDb(sample, reference) : sample;
    }
    m_envelope->setData(depth, value, true);
    if (!m_data.shownLabel.isEmpty()) {
        tools().fit(plot().yAxis2, m_data.shownFrom, m_data.shownTo);
        return;
    }
    const double limit =
        m_data.still ? m_envelopeRange.fit(reference) : m_envelopeRange.update(reference);
    if (!inDb) tools().fit(plot().yAxis2, 0.0, limit);
}

void RfLinePlot::draw() {
    if (!hasData()) return;
    const bool inDb = decibels() && m_data.shownLabel.isEmpty();
    drawRf(inDb);
    drawEnvelope(inDb);
    if (inDb) {
        tools().fit(plot().yAxis, kFloorDb, 3.0);
        tools().fit(plot().yAxis2, kFloorDb, 3.0);
    }
    plot().yAxis->setLabel(
        QString("%1 (%2)").arg(m_data.quantity, inDb ? QString("dB re max") : m_data.unit));
    plot().yAxis->setVisible(!m_data.rf.empty());
    plot().yAxis2->setVisible(!m_data.envelope.empty());
    plot().xAxis->setLabel(m_data.depthLabel);
    plot().yAxis2->setLabel(!m_data.shownLabel.isEmpty() ? m_data.shownLabel
                            : inDb                       ? "envelope (dB re max)"
                                                         : "envelope");
    const double mmPerUs = m_data.soundSpeedMps * 1e-3 / 2.0;
    double from = m_data.depthStartMm;
    double to = from + m_data.depthStepMm * static_cast<double>(m_data.envelope.size());
    if (m_data.envelope.empty()) {
        from = m_data.rfStartUs * mmPerUs;
        to = from + m_data.rfStepUs * static_cast<double>(m_data.rf.size()) * mmPerUs;
    }
    tools().fit(plot().xAxis, from, to);
    plot().xAxis2->setVisible(mmPerUs > 0.0);
    if (mmPerUs > 0.0) tools().fit(plot().xAxis2, from / mmPerUs, to / mmPerUs);
    drawNow();
}

} // namespace echolux
