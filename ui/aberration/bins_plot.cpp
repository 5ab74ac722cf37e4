// SPDX-License-Identifier: GPL-3.0-or-later
// A curve with its marks.
#include "ui/aberration/bins_plot.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/plot_painting.hpp"
#include "ui/plots/plot_tools.hpp"
#include "ui/theme/theme.hpp"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kLowestDb = -60.0;
constexpr double kReachPx = 6.0;
constexpr double kLeastMhz = 0.1; ///< width of the band

} // namespace

BinsPlot::BinsPlot(QWidget* parent)
    : HintPlot("Spectrum", "Nothing has been estimated yet", parent), m_curve(nullptr) {
    new PlotPainting(plot(), [this](QCPPainter& painter) { paint(painter); });
    m_curve = plot().addGraph();
    m_curve->setName("mean of the channels (dB)");
    plot().setToolTip("Mean power of the channels in the region. Lines: the frequencies that the "
                      "estimate uses. Drag the band or its edges");
    plot().xAxis->setLabel("frequency (MHz)");
    plot().yAxis->setLabel("level (dB)");
    plot().yAxis->ticker()->setTickCount(4);
    plot().setMinimumHeight(13 * kGrid);
    plot().setMouseTracking(true);
    plot().installEventFilter(this);
    restyle();
}

void BinsPlot::restyle() { m_curve->setPen(QPen(plotColour(0), 1.25)); }

void BinsPlot::clear() {
    m_bins.clear();
    m_curve->data()->clear();
    setHasData(false);
}

void BinsPlot::setSpectrum(const ChannelSpectrum& spectrum) {
    if (spectrum.frequencyMhz.isEmpty()) return clear();
    m_bins = spectrum.binsMhz;
    if (!m_bins.isEmpty() && m_held == Part::None) {
        const double last = static_cast<double>(m_bins.size() - 1);
        const double half = last > 0.0 ? 0.5 * (m_bins.back() - m_bins.front()) / last : 0.0;
        m_band = {m_bins.front() - half, m_bins.back() + half};
    }
    m_curve->setData(spectrum.frequencyMhz, spectrum.levelDb, true);
    setHasData(true);
    if (!m_bins.isEmpty()) {
        setSubtitle(m_bins.size() == 1
                        ? QString("1 bin at %1 MHz").arg(numberText(m_bins.front(), 2))
                        : QString("%1 bins, %2 to %3 MHz")
                              .arg(m_bins.size())
                              .arg(numberText(m_bins.front(), 2), numberText(m_bins.back(), 2)));
    }
    tools().fit(plot().xAxis, spectrum.frequencyMhz.front(), spectrum.frequencyMhz.back());
    tools().fit(plot().yAxis, kLowestDb, 3.0);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void BinsPlot::paint(QCPPainter& painter) {
    if (m_bins.isEmpty()) return;
    const QRectF area(plot().axisRect()->rect());
    const auto pixel = [this](double mhz) { return plot().xAxis->coordToPixel(mhz); };
    const double low = std::clamp(pixel(m_band.low), area.left(), area.right());
    const double high = std::clamp(pixel(m_band.high), area.left(), area.right());
    painter.fillRect(QRectF(QPointF(low, area.top()), QPointF(high, area.bottom())),
                     withAlpha(plotColour(1), 0.12));
    painter.setPen(QPen(withAlpha(plotColour(1), 0.7), 1.0));
    for (const double bin : m_bins) {
        const double x = pixel(bin);
        if (x >= area.left() && x <= area.right())
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

BinsPlot::Part BinsPlot::partAt(double pixel) {
    if (m_bins.isEmpty()) return Part::None;
    const double low = plot().xAxis->coordToPixel(m_band.low);
    const double high = plot().xAxis->coordToPixel(m_band.high);
    const bool isWide = high - low > 3.0 * kReachPx;
    if (isWide && std::abs(pixel - low) <= kReachPx) return Part::Low;
    if (isWide && std::abs(pixel - high) <= kReachPx) return Part::High;
    return pixel >= low - kReachPx && pixel <= high + kReachPx ? Part::Whole : Part::None;
}

void BinsPlot::drag(double pixel) {
    const double at = plot().xAxis->pixelToCoord(pixel) - m_grip;
    if (m_held == Part::Low) m_band.low = std::clamp(at, 0.0, m_band.high - kLeastMhz);
    if (m_held == Part::High) m_band.high = std::max(at, m_band.low + kLeastMhz);
    if (m_held == Part::Whole) {
        const double width = m_band.high - m_band.low;
        m_band.low = std::max(at, 0.0);
        m_band.high = m_band.low + width;
    }
    emit bandDragged(0.5 * (m_band.low + m_band.high), m_band.high - m_band.low);
    plot().replot(QCustomPlot::rpQueuedReplot);
}

/// Mouse events on the band must not move the plot.
bool BinsPlot::eventFilter(QObject* watched, QEvent* event) {
    const bool pressed = event->type() == QEvent::MouseButtonPress;
    const bool released = event->type() == QEvent::MouseButtonRelease;
    if (!pressed && !released && event->type() != QEvent::MouseMove)
        return HintPlot::eventFilter(watched, event);
    const auto& mouse = *static_cast<QMouseEvent*>(event);
    const double pixel = mouse.position().x();
    if (pressed && mouse.button() == Qt::LeftButton) {
        m_held = plot().axisRect()->rect().contains(mouse.position().toPoint()) ? partAt(pixel)
                                                                                : Part::None;
        const double edge = m_held == Part::High ? m_band.high : m_band.low;
        m_grip = plot().xAxis->pixelToCoord(pixel) - edge;
        return m_held != Part::None;
    }
    if (released && m_held != Part::None) {
        m_held = Part::None;
        return true;
    }
    if (m_held != Part::None) {
        drag(pixel);
        return true;
    }
    const Part part = partAt(pixel);
    plot().setCursor(part == Part::None    ? Qt::ArrowCursor
                     : part == Part::Whole ? Qt::SizeAllCursor
                                           : Qt::SplitHCursor);
    return HintPlot::eventFilter(watched, event);
}

} // namespace echolux
