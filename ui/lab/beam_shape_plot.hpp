// SPDX-License-Identifier: GPL-3.0-or-later
// Beam patterns across one pixel, in dB: computed as lines, measured by the beamformer dashed.
#pragma once

#include "ui/lab/beam_shape.hpp"
#include "ui/plots/hint_plot.hpp"

#include <array>
#include <cstddef>

namespace echolux {

class BeamShapePlot : public HintPlot {
    Q_OBJECT
public:
    static constexpr std::array kNames{"Transmit", "Receive", "Two-way"};
    static constexpr const char* kHint =
        "Point at a pixel of an image that is beamformed, or click it";

    explicit BeamShapePlot(QWidget* parent = nullptr);
    void setCurves(const BeamShapeCurves& curves);
    void setMeasured(const MeasuredCurves& curves);
    static QColor inkOf(std::size_t curve); ///< in the order of BeamShapeCurves

protected:
    void restyle() override;

private:
    std::array<QCPGraph*, 3> m_graphs;
    std::array<QCPGraph*, 3> m_measured;
    QCPItemStraightLine* m_pixel;
    QCPItemStraightLine* m_half; ///< -6 dB
};

} // namespace echolux
