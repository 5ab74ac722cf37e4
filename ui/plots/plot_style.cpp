// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and fonts of plots.
#include "ui/plots/plot_style.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/theme/theme.hpp"

#include <qcustomplot.h>

namespace echolux {
namespace {

/// Labels with the same minus sign as in the image.
class SignTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar form, int precision) override {
        return withTrueSigns(QCPAxisTicker::getTickLabel(tick, locale, form, precision));
    }
};

void styleAxis(QCPAxis& axis) {
    const ThemeTokens& t = tokens();
    if (axis.ticker().dynamicCast<SignTicker>().isNull()) {
        const QSharedPointer<SignTicker> ticker(new SignTicker);
        ticker->setTickCount(axis.ticker()->tickCount());
        axis.setTicker(ticker);
    }
    axis.setNumberFormat("g");
    axis.setBasePen(QPen(t.line, 0));
    axis.setTickPen(QPen(t.line, 0));
    axis.setSubTicks(false);
    axis.setTickLengthIn(0);
    axis.setTickLengthOut(3);
    axis.setTickLabelColor(t.secondary);
    axis.setLabelColor(t.secondary);
    axis.setTickLabelFont(smallFont());
    axis.setLabelFont(smallFont());
    axis.setTickLabelPadding(2);
    axis.setLabelPadding(2);
    axis.grid()->setPen(QPen(withAlpha(t.line, 0.6), 0));
    axis.grid()->setZeroLinePen(QPen(t.line, 0));
    axis.grid()->setSubGridVisible(false);
}

} // namespace

void stylePlot(QCustomPlot& plot) {
    plot.setBackground(QBrush(tokens().panel));
    for (QCPAxisRect* rect : plot.axisRects()) {
        for (QCPAxis* axis : rect->axes()) styleAxis(*axis);
    }
    if (plot.legend != nullptr) {
        plot.legend->setBrush(withAlpha(tokens().panel, 0.8));
        plot.legend->setBorderPen(Qt::NoPen);
        plot.legend->setTextColor(tokens().secondary);
        plot.legend->setFont(smallFont());
    }
}

void putLegendAbove(QCustomPlot& plot) {
    plot.legend->setVisible(true);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setMargins(QMargins(4, 0, 4, 0));
    plot.legend->setIconSize(14, 8);
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, plot.legend);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
}

} // namespace echolux
