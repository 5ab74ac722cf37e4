// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline of a device with each stage as a point.
#pragma once

#include "app/tools/prediction/data.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

/// Operations per second over operations per byte of global memory, both axes logarithmic.
class RooflinePlot : public HintPlot {
    Q_OBJECT
public:
    explicit RooflinePlot(QWidget* parent = nullptr);
    void setPipeline(const PredictedPipeline& pipeline);
    void clear();
    int points() const; ///< stages that compute and use global memory
    bool hasUtilisationRoof() const;

protected:
    void restyle() override;

private:
    QCPGraph* m_reached;
    QCPGraph* m_theory;
    QCPGraph* m_mixed; ///< the utilisation roof
    QCPGraph* m_predicted;
    QCPGraph* m_measured;
    QList<QCPItemText*> m_names;
};

} // namespace echolux
