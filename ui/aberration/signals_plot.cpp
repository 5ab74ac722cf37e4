// SPDX-License-Identifier: GPL-3.0-or-later
// Paints aligned channels.
#include "ui/aberration/signals_plot.hpp"

#include "ui/aberration/aberration_values.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

float peakOf(std::span<const float> values) {
    float peak = 0.0F;
    for (const float value : values)
        if (std::isfinite(value)) peak = std::max(peak, std::abs(value));
    return peak;
}

} // namespace

SignalsPlot::SignalsPlot(const QString& title, QWidget* parent)
    : HintPlot(title, "Nothing has been estimated yet", parent) {
    new PlotPainting(plot(), [this](QCPPainter& painter) { paint(painter); });
    plot().xAxis->setLabel("channel");
    plot().yAxis->setLabel("time (\u00b5s)");
    plot().yAxis->setRangeReversed(true);
    plot().axisRect()->setBackground(QBrush(surroundTokens().surround));
    for (QCPAxis* axis : {plot().xAxis, plot().yAxis}) {
        axis->grid()->setVisible(false);
        axis->ticker()->setTickCount(4);
    }
}

void SignalsPlot::clear() {
    m_image = {};
    setHasData(false);
}

void SignalsPlot::setSignals(const AlignedSignals& aligned, std::span<const float> levels,
                             bool even) {
    const auto rows = static_cast<std::size_t>(std::max(aligned.rows, 0));
    if (aligned.empty() || levels.size() != rows * static_cast<std::size_t>(aligned.channels))
        return clear();
    m_image = QImage(aligned.channels, aligned.rows, QImage::Format_Grayscale8);
    const float all = peakOf(levels);
    for (int channel = 0; channel < aligned.channels; ++channel) {
        const auto own = levels.subspan(static_cast<std::size_t>(channel) * rows, rows);
        const float peak = even ? peakOf(own) : all;
        for (int row = 0; row < aligned.rows; ++row) {
            const float value = own[static_cast<std::size_t>(row)];
            const float part = peak > 0.0F && std::isfinite(value) ? value / peak : 0.0F;
            m_image.scanLine(row)[channel] =
                static_cast<uchar>(std::lround(127.5F + 127.5F * std::clamp(part, -1.0F, 1.0F)));
        }
    }
    m_startUs = aligned.startUs;
    m_stopUs = aligned.startUs + aligned.rows * aligned.stepUs;
    setHasData(true);
    tools().fit(plot().xAxis, 0.5, aligned.channels + 0.5);
    tools().fit(plot().yAxis, m_startUs, m_stopUs);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void SignalsPlot::paint(QCPPainter& painter) {
    if (m_image.isNull()) return;
    const QCPAxis& x = *plot().xAxis;
    const QCPAxis& y = *plot().yAxis;
    const QRectF target(QPointF(x.coordToPixel(0.5), y.coordToPixel(m_startUs)),
                        QPointF(x.coordToPixel(m_image.width() + 0.5), y.coordToPixel(m_stopUs)));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, target.width() < m_image.width());
    painter.drawImage(target, m_image);
}

} // namespace echolux
