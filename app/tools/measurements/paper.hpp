// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and reports of the shown image.
#pragma once

#include "app/desktop/workbench/workbench.hpp"
#include "app/measure/measurement.hpp"
#include "app/paper/figure.hpp"
#include "app/session/pixels_look.hpp"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace echolux {

class MeasurementsPanel;

class MeasurementPaper : public QObject {
    Q_OBJECT
public:
    MeasurementPaper(MeasurementsPanel& panel, Workbench& bench);
    /// `image`: what was measured; null: nothing. `measured`: the figures; empty where it cannot be
    /// measured.
    void setMeasurements(std::shared_ptr<const ImagePixels> image,
                         const std::vector<measure::Measurement>& measurements,
                         const std::vector<measure::Measured>& measured);
    void askFigure(); ///< shows the figure, whose size and parts the user chooses
    void askReport();
    /// Writes in the background, by the ending of `path`, and says where it is or why it failed. A
    /// page of A4 is a report, also as PDF.
    void writeFigure(const QString& path, const FigurePanel& panel, const FigureStyle& style);
    void writeReport(const QString& path);

    /// The image that was measured last, as it is shown. Precondition: there is one.
    FigurePanel panel() const;
    const FigureStyle& style() const { return m_style; } ///< chosen last

private:
    bool hasImage() const;
    static FigureStyle shownIn(FigureStyle style, const Workbench::DisplayRange& range);

    MeasurementsPanel& m_panel;
    Workbench& m_bench;
    std::shared_ptr<const ImagePixels> m_image;
    std::vector<measure::Measurement> m_drawn; ///< as measure::asDrawn()
    std::vector<measure::Measured> m_measured;
    FigureStyle m_style;
};

} // namespace echolux
