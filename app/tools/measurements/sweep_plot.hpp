// SPDX-License-Identifier: GPL-3.0-or-later
// One figure over the values of a parameter, with the best value marked.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QString>
#include <QVector>

#include <optional>

namespace echolux {

/// Values of the parameter are in its display unit.
struct SweepCurve {
    QVector<double> values;
    QVector<double> figures; ///< NaN: not measured there
    QString parameter;       ///< "Speed of sound (m/s)"
    QString figure;          ///< "wire: Lateral width at -6 dB (mm)"
    double from = 0.0;       ///< ends of the axis
    double to = 1.0;
    std::optional<double> now = {};  ///< the value in force
    std::optional<double> best = {}; ///< one of `values`
};

class SweepPlot : public HintPlot {
    Q_OBJECT
public:
    explicit SweepPlot(QWidget* parent = nullptr);
    void setCurve(const SweepCurve& curve); ///< without values: shows a hint
    const SweepCurve& curve() const { return m_curve; }

protected:
    void restyle() override;

private:
    SweepCurve m_curve;
    QCPGraph* m_line;
    QCPGraph* m_best;
    QCPItemStraightLine* m_now;
};

} // namespace echolux
