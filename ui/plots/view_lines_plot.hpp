// SPDX-License-Identifier: GPL-3.0-or-later
// The picked column as each view of the pipeline has it: a curve per view over a common depth or
// time, in the colour of the view's header.
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
        int view = 0; ///< its number, for the colour
        std::vector<float> values;
        double start = 0.0; ///< of values.front() on the axis across
        double step = 1.0;
        QString unit;                                     ///< "dB", or empty
        std::optional<std::pair<double, double>> meantTo; ///< be shown in, lowest and highest
    };
    QString title; ///< "channel 65", "3.2 mm"
    std::vector<Curve> curves;
    QString alongName = "depth";
    QString alongUnit;  ///< "mm", "µm", "µs"; empty: bins
    bool still = false; ///< of a frozen frame: the axes fit it at once
};

/// Zoomed and moved along depth or time alone. Curves of the first one's unit (where it has none,
/// of the same range meant) share the left axis, those of the next unit the right one; of further
/// units none is drawn, and the legend says so.
class ViewLinesPlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr int kMost = 4; ///< curves

    explicit ViewLinesPlot(QWidget* parent = nullptr);
    void setData(const ViewLinesData& lines); ///< without curves: as clear()
    void clear();
    QStringList legendTexts() const; ///< per curve that was given, also those not drawn

protected:
    void restyle() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// What curves on one axis have in common.
    struct Scale {
        QString unit;
        std::optional<std::pair<double, double>> meantTo; ///< where there is no unit
        bool operator==(const Scale&) const = default;
    };
    static Scale scaleOf(const ViewLinesData::Curve& curve);
    void fitAxis(QCPAxis& axis, StickyRange& range, const Scale& scale);
    void wrapLegend();

    ViewLinesData m_data;
    QCPLegend* m_legend; ///< above the curves, which it never covers
    std::array<QCPGraph*, kMost> m_curves;
    StickyRange m_leftRange, m_rightRange;
};

} // namespace echolux
