// SPDX-License-Identifier: GPL-3.0-or-later
// Figures for papers: panels with axes, colour bars and shapes, of a stated size.
#pragma once

#include "app/export/picture.hpp"
#include "app/measure/measurement.hpp"

#include <QSizeF>

#include <string>
#include <vector>

class QPainter;

namespace echolux {

struct FigurePanel {
    HostFrameData image; ///< f32 with depth along the first axis, see depthDown()
    ValueRange range;    ///< values of black and white
    std::string title = {};
    std::vector<measure::Measurement> shapes = {}; ///< drawn over the image
};

struct FigureStyle {
    double widthMm = 85.0;       ///< of the whole figure; 85 is one column of most journals
    double mostHeightMm = 110.0; ///< of an image; a higher one becomes narrower
    double dpi = 300.0;          ///< of PNG and TIFF
    std::string font = {};       ///< family; empty: Helvetica or what stands for it
    double fontPt = 8.0;
    bool dark = false;    ///< light text on black
    int columns = 0;      ///< 0: all panels side by side
    bool letters = false; ///< (a), (b), ... before the titles
    bool colourBar = true;
    bool names = true;    ///< of the shapes
    ExportLook look = {}; ///< colour map, gamma, inverted
};

/// Unit of the painter's coordinates: a tenth of a point.
inline constexpr double kFigureUnitsPerMm = 720.0 / 25.4;

/// Size in figure units. Throws Error where there is no panel, or where the width leaves no room
/// for the images. Needs a QGuiApplication.
QSizeF sizeOfFigure(const std::vector<FigurePanel>& panels, const FigureStyle& style);

/// Paints on the rectangle (0, 0, sizeOfFigure()). Throws as sizeOfFigure().
void paintFigure(QPainter& painter, const std::vector<FigurePanel>& panels,
                 const FigureStyle& style);

} // namespace echolux
