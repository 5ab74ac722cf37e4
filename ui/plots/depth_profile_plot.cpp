// SPDX-License-Identifier: GPL-3.0-or-later
// Curve, marks and figures of the A-scan.
#include "ui/plots/depth_profile_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/level_label.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace echolux {
namespace {

const double kHalfMaximumDb = 20.0 * std::log10(2.0);

QString number(double value) { return numberText(value, 1); }

QString placeOf(const AscanData& ascan, double at) {
    return ascan.depthUnit.isEmpty() ? ascan.depthName + ' ' + number(at)
                                     : number(at) + ' ' + ascan.depthUnit;
}

QString widthOf(const AscanData& ascan, const std::optional<AscanData::Width>& width) {
    if (!width) return QChar(0x2013);
    return number(width->to - width->from) + ' ' +
           (ascan.depthUnit.isEmpty() ? ascan.depthName + 's' : ascan.depthUnit);
}

} // namespace

DepthProfilePlot::DepthProfilePlot(QWidget* parent)
    : HintPlot("A-scan", "Click a column in the image", parent),
      m_peakLabel(makeLabel("", LabelRole::Normal, this)),
      m_widthLabel(makeLabel("", LabelRole::Normal, this)), m_level(plot().addGraph()),
      m_top(plot().addGraph()), m_widths{new QCPItemLine(&plot()), new QCPItemLine(&plot())} {
    m_top->setLineStyle(QCPGraph::lsNone);
    m_peakLabel->setToolTip("The highest sample that is higher than both neighbours");
    m_widthLabel->setToolTip("Of that peak: full width at half maximum of the amplitude "
                             "(\u22126.02 dB), and at \u221220 dB");
    auto* figures = new QVBoxLayout;
    figures->setContentsMargins(kGrid, 0, kGrid, 0);
    figures->setSpacing(0);
    figures->addWidget(m_peakLabel);
    figures->addWidget(m_widthLabel);
    qobject_cast<QVBoxLayout*>(layout())->insertLayout(1, figures);
    for (QCPItemLine* line : m_widths) {
        line->setHead(QCPLineEnding::esBar);
        line->setTail(QCPLineEnding::esBar);
    }
    restyle();
    clear();
}

void DepthProfilePlot::restyle() {
    m_level->setPen(QPen(plotColour(0), 1.25));
    m_top->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, QPen(plotColour(1)),
                                           QBrush(plotColour(1)), 7.0));
    for (QCPItemLine* line : m_widths) line->setPen(QPen(plotColour(1), 1.5));
}

QString DepthProfilePlot::peakText() const { return m_peakLabel->text(); }
QString DepthProfilePlot::widthText() const { return m_widthLabel->text(); }

void DepthProfilePlot::clear() {
    m_peakLabel->clear();
    m_widthLabel->clear();
    m_peakLabel->hide();
    m_widthLabel->hide();
    setHasData(false);
}

void DepthProfilePlot::setData(const AscanData& ascan) {
    if (ascan.level.empty()) {
        clear();
        return;
    }
    setHasData(true);
    setSubtitle(ascan.title);
    m_peakLabel->show();
    m_widthLabel->show();
    const auto count = static_cast<qsizetype>(ascan.level.size());
    QVector<double> depth(count), level(count);
    for (qsizetype i = 0; i < count; ++i) {
        depth[i] = ascan.start + static_cast<double>(i) * ascan.step;
        level[i] = ascan.level[static_cast<std::size_t>(i)];
    }
    m_level->setData(depth, level, true);
    markPeak(ascan);
    tools().fit(plot().xAxis, depth.front(), depth.back());
    plot().xAxis->setLabel(ascan.depthUnit.isEmpty()
                               ? ascan.depthName
                               : QString("%1 (%2)").arg(ascan.depthName, ascan.depthUnit));
    plot().yAxis->setLabel(levelLabel(ascan.levelUnit, ascan.levelReference, "level"));
    constexpr double kMargin = 0.1;
    const double margin = kMargin * (ascan.shownTo - ascan.shownFrom);
    double top = ascan.shownTo;
    if (ascan.peak && ascan.peak->level > top + margin)
        top += 2.0 * margin * std::ceil((ascan.peak->level - top) / (2.0 * margin));
    tools().fit(plot().yAxis, ascan.shownFrom - margin, top + margin);
    drawNow();
}

void DepthProfilePlot::markPeak(const AscanData& ascan) {
    const std::optional<AscanData::Peak>& peak = ascan.peak;
    const auto mark = [&](std::size_t which, const std::optional<AscanData::Width>& width,
                          double belowTop) {
        m_widths[which]->setVisible(width.has_value());
        if (!width) return;
        m_widths[which]->start->setCoords(width->from, peak->level - belowTop);
        m_widths[which]->end->setCoords(width->to, peak->level - belowTop);
    };
    if (!peak) {
        m_top->setData(QVector<double>(), QVector<double>());
        for (QCPItemLine* line : m_widths) line->setVisible(false);
        m_peakLabel->setText("no peak");
        m_widthLabel->setText({});
        return;
    }
    m_top->setData({peak->at}, {peak->level});
    mark(0, peak->fwhm, kHalfMaximumDb);
    mark(1, peak->width20, 20.0);
    m_peakLabel->setText(QString("peak %1 %2 at %3")
                             .arg(number(peak->level), ascan.levelUnit, placeOf(ascan, peak->at)));
    m_widthLabel->setText(QString("FWHM %1     \u221220 dB %2")
                              .arg(widthOf(ascan, peak->fwhm), widthOf(ascan, peak->width20)));
}

} // namespace echolux
