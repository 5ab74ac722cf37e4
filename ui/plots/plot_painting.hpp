// SPDX-License-Identifier: GPL-3.0-or-later
// A painting by a function inside a plot's axes, below curves and labels.
#pragma once

#include <functional>
#include <utility>

#include <qcustomplot.h>

namespace echolux {

/// Owned by the plot. Clipped to the axes, in pixels of the plot. PlotTools does not treat it as a
/// curve.
class PlotPainting : public QCPLayerable {
public:
    PlotPainting(QCustomPlot& plot, std::function<void(QCPPainter&)> paint)
        : QCPLayerable(&plot, "main"), m_paint(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        applyAntialiasingHint(painter, mAntialiased, QCP::aePlottables);
    }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void draw(QCPPainter* painter) override { m_paint(*painter); }

private:
    std::function<void(QCPPainter&)> m_paint;
};

} // namespace echolux
