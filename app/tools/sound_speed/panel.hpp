// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of a search for the speed of sound, with the speed that was found and the one in use.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QString>

#include <vector>

class QPushButton;

namespace echolux {

struct SpeedFigures {
    std::vector<double> triedMps;
    std::vector<double> unevenness;
    double foundMps = 0.0;  ///< of the shown frame; drawn where `doubt` is empty
    QString doubt = {};     ///< why nothing was found, a clause
    double medianMps = 0.0; ///< of the last frames; 0: none has been found
    double errorMps = 0.0;
    int frames = 0; ///< in the median
};

class SpeedPanel : public HintPlot {
    Q_OBJECT
public:
    explicit SpeedPanel(QWidget* parent = nullptr);

    void setFigures(const SpeedFigures& figures);
    /// Shows a sentence in place of the curve; empty: what it waits for.
    void clear(const QString& reason = {});
    void setInUse(double speedMps); ///< by the beamformer; 0: there is none
    QString readout() const;
    QPushButton& useButton() const { return *m_use; }

signals:
    void useWanted(); ///< the median

protected:
    void restyle() override;

private:
    void placeLines();

    QLabel* m_readout;
    QPushButton* m_use;
    QCPGraph* m_curve;
    QCPItemStraightLine* m_found; ///< belongs to the plot, as the next one
    QCPItemStraightLine* m_used;
    SpeedFigures m_figures;
    double m_inUseMps = 0.0;
};

} // namespace echolux
