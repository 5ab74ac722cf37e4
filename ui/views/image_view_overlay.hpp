// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the parts around and over the image: axes, colour bar, marker, readout, messages. Lines are
// aligned to device pixels.
#pragma once

#include "render/view/screen_axis.hpp"
#include "ui/theme/theme.hpp"
#include "ui/views/image_view_layout.hpp"

#include <QColor>
#include <QImage>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>

class QPainter;

namespace echolux {

/// The colour bar: its full scale, and the range inside it that the colours span.
struct ColourBar {
    double scaleMin = -60.0;
    double scaleMax = 0.0;
    double min = -60.0;
    double max = 0.0;

    double pixelOf(const QRectF& bar, double value) const;
    double valueAt(const QRectF& bar, double y) const;
    double roundStep() const; ///< step of the values of a dragged end
};

class ImageViewOverlay {
public:
    ImageViewOverlay(QPainter& painter, const ImageViewLayout& layout);

    /// Draws the axes in `parts`, and a frame.
    void drawAxes(const ViewTransform& view, const ScreenAxis& across, const ScreenAxis& down,
                  const ViewParts& parts);
    void drawFocus(const ViewTransform& view); ///< a frame that shows the keyboard focus
    void drawZeroDelay(const ViewTransform& view, double place); ///< a dashed line
    /// Draws the name beside the image, to the right of the line.
    void drawZeroDelayName(const ViewTransform& view, double place);
    /// Draws a bar of a round length at the lower left. Where the two directions have different
    /// scales, also an upright bar. `above`: height that stays free below it.
    void drawScaleBar(const ViewTransform& view, const ScreenAxis& across, const ScreenAxis& down,
                      double above);
    /// Marks the mouse position in another view by a small cross with a gap, light on dark.
    void drawGhost(const ViewTransform& view, Vec2 place);
    /// `gradient`: one column; its top row is the highest value. `grabbed`: the end being dragged.
    enum class BarEnd { None, Min, Max };
    /// `zero`: meaning of value 0. It is written above the unit, where the axis title leaves space.
    void drawColourBar(const ColourBar& bar, const QImage& gradient, const QString& unit,
                       const QString& zero, BarEnd grabbed);
    /// Of several texts on the cursor, the first one that fits is drawn, otherwise the last one.
    void drawReadout(const ViewTransform& view, const QStringList& cursor, const QString& zoom);
    void drawMessage(const QString& text);

private:
    double onDevicePixel(double logical) const;
    void horizontalLine(double x0, double x1, double y, const QColor& colour);
    void verticalLine(double x, double y0, double y1, const QColor& colour);
    void fillTriangle(const QPolygonF& corners, const QColor& colour);
    void frame(const Rect& box, const QColor& colour);
    void drawAcross(const ViewTransform& view, const ScreenAxis& across);
    void drawDown(const ViewTransform& view, const ScreenAxis& down);
    void label(const QRectF& box, const QString& text, const QColor& ink); ///< on a dark background
    /// A number beside the bar: right of `x`, or left of it on a ground where the bar is inside.
    void barText(double x, double y, const QString& text, const QColor& ink);
    void barHandle(double y, const QString& label, bool grabbed, double labelY);

    QPainter& m_painter;
    const ImageViewLayout& m_layout;
    const ThemeTokens& m_ink;
    double m_deviceRatio;
    double m_acrossTitleRight = 0.0; ///< right end of the titles over the image; set by drawAxes()
    double m_hair; ///< thickness of a line: a whole number of device pixels, about 1 logical pixel
};

} // namespace echolux
