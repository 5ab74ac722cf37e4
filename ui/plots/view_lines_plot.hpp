// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column in each view of the pipeline: one curve per view over a common depth or time,
// in the colour of the view's header.
#pragma once

#include "ui/plots/hint_plot.hpp"
#include "ui/plots/sticky_range.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {

struct ViewLinesData {
    struct Curve {
        QString name;
        int view = 0; ///< number of the view, for its colour
        std::vector<float> values;
        double start = 0.0; ///< position of values.front() on the axis
        double step = 1.0;
        QString unit; ///< "dB", or empty
        /// Range to show them in: lowest, highest.
        std::optional<std::pair<double, double>> meantTo;
    };
    QString title; ///< "channel 65", "3.2 mm"
    std::vector<Curve> curves;
    QString alongName = "depth";
    QString alongUnit;  ///< "mm", "µm", "µs"; empty: bins
    bool still = false; ///< from a frozen frame: the axes fit it at once
};

/// Zoom and pan act only along depth or time. Curves with the unit of the first curve (without a
/// unit: with its range) share the left axis. Curves of the next unit share the right axis. Curves
/// of further units are not drawn, and the legend says so.
class ViewLinesPlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr int kMost = 4; ///< number of curves

    explicit ViewLinesPlot(QWidget* parent = nullptr);
    void setData(const ViewLinesData& lines); ///< an empty list acts as clear()
    void clear();
    /// One per curve of setData(), also for curves that are not drawn.
    QStringList legendTexts() const;

protected:
    void restyle() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What curves on one axis share.
    struct Scale {
        QString unit;
        std::optional<std::pair<double, double>> meantTo; ///< only where there is no unit
        bool operator==(const Scale&) const = default;
    };
    static Scale scaleOf(const ViewLinesData::Curve& curve);
    void fitAxis(QCPAxis& axis, StickyRange& range, const Scale& scale);
    void wrapLegend();

    ViewLinesData m_data;
    QCPLegend* m_legend; ///< above the curves; never covers them
    std::array<QCPGraph*, kMost> m_curves;
    StickyRange m_leftRange, m_rightRange;
};

} // namespace echolux
