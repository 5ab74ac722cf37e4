// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a picture over width and depth: a beam, interfering waves, differences of images.
#pragma once

#include "ui/lab/lab_picture.hpp"
#include "ui/plots/hint_plot.hpp"

namespace echolux {

class LabPicturePlot : public HintPlot {
    Q_OBJECT
public:
    /// `scale`: with a colour scale beside the map.
    LabPicturePlot(const QString& title, const QString& hint, bool scale,
                   QWidget* parent = nullptr);
    void setPicture(const LabPicture& picture);
    const LabPicture& picture() const { return m_picture; }

protected:
    void restyle() override;

private:
    void fillMap();
    void fitAxes();
    void paintLobe(QCPPainter& painter);
    void paintMarks(QCPPainter& painter);
    QPointF placeOf(const QPointF& at) const;

    QCPColorMap* m_map;
    QCPColorScale* m_colours = nullptr; ///< null: there is none
    LabPicture m_picture;
};

} // namespace echolux
