// SPDX-License-Identifier: GPL-3.0-or-later
// Places of image, axes, colour bar and readout in a view, and which of them are drawn.
#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>

namespace echolux {

constexpr double kMajorTick = 6.0; ///< length of a tick, in logical pixels
constexpr double kTextGap = 4.0;   ///< between a text and the part that it labels

/// The parts around the image of a view. A neighbouring view may draw an axis or the bar for both.
struct ViewParts {
    bool down = true;     ///< the axis to the left of the image
    bool across = true;   ///< the axis above it
    bool bar = true;      ///< the colour bar
    bool barRoom = true;  ///< reserve space for a bar, also where it is not drawn
    bool unitRoom = true; ///< reserve space for the bar's unit above it, also where it is not drawn
    bool slim = false;    ///< a narrow bar that leaves more space to the image
    bool barInside = false; ///< a short bar at the upper right of the image
    QSizeF most; ///< largest size of the image's viewport, in logical pixels; invalid: no limit

    bool operator==(const ViewParts&) const = default;
};

/// Places of the fixed parts, in logical pixels.
struct ImageViewLayout {
    QFont font;             ///< numbers and titles
    QRectF whole;           ///< the widget
    QRectF viewport;        ///< the area that the image may fill
    QRectF bar;             ///< colour bar; empty where it is not drawn
    QRectF barReach;        ///< area where the mouse acts on the bar: with its handles and numbers
    bool barInside = false; ///< the bar lies on the image, its numbers to its left
    QRectF readout;         ///< line under the image

    static ImageViewLayout of(QSizeF size, const QFont& font, const ViewParts& parts = {});
    /// Where the bar is inside: puts it at the upper right of the image, which may be smaller than
    /// the viewport.
    void putBarInto(const QRectF& image);
    /// Width and height of everything around the viewport.
    static QSizeF surroundings(const QFont& font, const ViewParts& parts);
};

} // namespace echolux
