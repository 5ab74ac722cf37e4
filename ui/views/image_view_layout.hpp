// SPDX-License-Identifier: GPL-3.0-or-later
// Where image, axes, colour bar and readout of a view are, and which of them it draws.
#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>

namespace echolux {

constexpr double kMajorTick = 6.0; ///< length of a tick, in logical pixels
constexpr double kTextGap = 4.0;   ///< between a text and what it belongs to

/// What stands around the image of a view. A neighbour may draw an axis or the bar for both.
struct ViewParts {
    bool down = true;     ///< the axis to the left of the image
    bool across = true;   ///< the axis above it
    bool bar = true;      ///< the colour bar
    bool barRoom = true;  ///< the room of a bar, also where it is not drawn
    bool unitRoom = true; ///< the room of its unit above, also where that is not drawn
    bool slim = false;    ///< a bar that leaves more room to the image
    QSizeF most;          ///< of the image's viewport, in logical pixels; not valid: no limit

    bool operator==(const ViewParts&) const = default;
};

/// Places of the fixed parts, in logical pixels.
struct ImageViewLayout {
    QFont font;      ///< numbers and titles
    QRectF whole;    ///< the widget
    QRectF viewport; ///< where the image may be
    QRectF bar;      ///< colour bar; empty where it is not drawn
    QRectF barReach; ///< what the mouse takes for the bar: with its handles and numbers
    QRectF readout;  ///< line under the image

    static ImageViewLayout of(QSizeF size, const QFont& font, const ViewParts& parts = {});
    /// Width and height of all that stands around the viewport.
    static QSizeF surroundings(const QFont& font, const ViewParts& parts);
};

} // namespace echolux
