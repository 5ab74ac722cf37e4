// SPDX-License-Identifier: GPL-3.0-or-later
// The dock "Beam shape": beam patterns of transmission, reception and both across one pixel, in dB,
// with widths and side lobes as numbers.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QVector>
#include <QWidget>

#include <array>
#include <optional>

class QGridLayout;
class QLabel;

namespace echolux {

struct BeamShapeCurves {
    /// In the order transmit, receive, both.
    struct Curve {
        QVector<double> levelsDb;
        std::optional<double> width;      ///< at -6 dB, in the unit of `across`
        std::optional<double> sideLobeDb; ///< highest side lobe
    };
    QString text;           ///< pixel and transmits, for the title line
    QString unit;           ///< of `across`: "mm", or the degree sign
    QVector<double> across; ///< increasing; empty: nothing is shown
    double pixelAt = 0.0;   ///< position of the pixel on `across`
    std::array<Curve, 3> curves{};
};

class BeamShapePlot : public HintPlot {
    Q_OBJECT
public:
    explicit BeamShapePlot(QWidget* parent = nullptr);
    void setCurves(const BeamShapeCurves& curves);

protected:
    void restyle() override;

private:
    std::array<QCPGraph*, 3> m_graphs;
    QCPItemStraightLine* m_pixel;
    QCPItemStraightLine* m_half; ///< -6 dB
};

class BeamShapePanel : public QWidget {
    Q_OBJECT
public:
    explicit BeamShapePanel(QWidget* parent = nullptr);
    void setCurves(const BeamShapeCurves& curves);
    BeamShapePlot& plot() { return *m_plot; }
    /// "0.52 mm", "-13.3 dB", or a dash. `curve`: index as in BeamShapeCurves.
    QString widthText(int curve) const;
    QString sideLobeText(int curve) const;

signals:
    void cameIntoSight();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QLabel* addNumber(QGridLayout& grid, int row, int column, const QString& help);

    BeamShapePlot* m_plot;
    std::array<QLabel*, 3> m_widths;
    std::array<QLabel*, 3> m_sideLobes;
};

} // namespace echolux
