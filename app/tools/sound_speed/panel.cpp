// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tools/sound_speed/panel.hpp"

#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace echolux {
namespace {

void place(QCPItemStraightLine& line, double at) {
    line.point1->setCoords(at, 0.0);
    line.point2->setCoords(at, 1.0);
}

} // namespace

SpeedPanel::SpeedPanel(QWidget* parent)
    : HintPlot("Speed of sound", "Open ultrasound channel data to estimate its speed of sound",
               parent),
      m_readout(makeLabel({}, LabelRole::Normal, this)), m_use(new QPushButton("Use", this)),
      m_curve(plot().addGraph()), m_found(new QCPItemStraightLine(&plot())),
      m_used(new QCPItemStraightLine(&plot())) {
    m_readout->setWordWrap(true);
    m_use->setToolTip("Takes the median of the last frames over into the beamformer, as one step "
                      "of the undo list");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->addWidget(m_readout, 1);
    row->addWidget(m_use);
    qobject_cast<QVBoxLayout*>(layout())->insertLayout(1, row);
    m_curve->setName("unevenness of the channels' agreement");
    plot().xAxis->setLabel("speed of sound (m/s)");
    plot().yAxis->setLabel("unevenness");
    plot().yAxis->ticker()->setTickCount(4);
    for (QCPItemStraightLine* line : {m_found, m_used}) {
        line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
        line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    connect(m_use, &QPushButton::clicked, this, &SpeedPanel::useWanted);
    restyle();
    clear();
}

void SpeedPanel::restyle() {
    m_curve->setPen(QPen(plotColour(0), 1.5));
    m_found->setPen(QPen(plotColour(1), 1.5));
    m_used->setPen(QPen(plotColour(2), 1.0, Qt::DashLine));
}

void SpeedPanel::clear(const QString& reason) {
    setHint(reason);
    m_figures = {};
    m_readout->clear();
    m_readout->hide();
    m_use->hide();
    setHasData(false);
}

void SpeedPanel::setFigures(const SpeedFigures& figures) {
    m_figures = figures;
    setHasData(true);
    m_curve->setData(QVector<double>(figures.triedMps.begin(), figures.triedMps.end()),
                     QVector<double>(figures.unevenness.begin(), figures.unevenness.end()), true);
    plot().xAxis->setRange(figures.triedMps.front(), figures.triedMps.back());
    const auto [low, high] = std::ranges::minmax(figures.unevenness);
    const double margin = std::max(0.1 * (high - low), 1e-3);
    plot().yAxis->setRange(low - margin, high + margin);
    const bool isKnown = figures.medianMps > 0.0;
    QString text = isKnown ? QString("%1 \u00b1 %2 m/s")
                                 .arg(figures.medianMps, 0, 'f', 1)
                                 .arg(figures.errorMps, 0, 'f', 1)
                           : QString("No estimate");
    if (figures.frames > 1) text += QString(", median of %1 frames").arg(figures.frames);
    if (!figures.doubt.isEmpty()) text += ": " + figures.doubt;
    m_readout->setText(text);
    m_readout->show();
    m_use->setVisible(isKnown);
    placeLines();
}

void SpeedPanel::setInUse(double speedMps) {
    m_inUseMps = speedMps;
    if (hasData()) placeLines();
}

QString SpeedPanel::readout() const { return m_readout->text(); }

void SpeedPanel::placeLines() {
    place(*m_found, m_figures.foundMps);
    m_found->setVisible(m_figures.doubt.isEmpty());
    place(*m_used, m_inUseMps);
    m_used->setVisible(m_inUseMps > 0.0);
    m_use->setEnabled(m_inUseMps > 0.0);
    setSubtitle(m_inUseMps > 0.0 ? QString("dashed: in use, %1 m/s").arg(m_inUseMps, 0, 'f', 1)
                                 : QString());
    drawNow();
}

} // namespace echolux
