// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over an image that tell how it is made: elements of an array, beams, foci, apertures.
// Painted in screen space, one pixel wide at any zoom.
#pragma once

#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <QFont>
#include <QString>

#include <vector>

class QPainter;

namespace echolux {

/// Places in the units of the image's axes.
struct ViewSketch {
    enum class Ink {
        Transmit, ///< waves, their sources and foci
        Receive   ///< what counts for the pixel that is meant
    };
    struct Line {
        Vec2 from;
        Vec2 to;
        Ink ink = Ink::Transmit;
        double strength = 1.0; ///< 0 to 1
        bool dashed = false;
    };
    struct Area {
        std::vector<Vec2> corners;
        Ink ink = Ink::Receive;
    };
    struct Mark {
        Vec2 place;
        double strength = 1.0;
    };
    /// One element of the array. Where it lies above what is seen it stands at the upper edge.
    struct Face {
        Vec2 from;
        Vec2 to;
        double weight = 0.0; ///< 0 to 1, of what it hears
        bool fires = false;
    };
    std::vector<Area> areas;
    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::vector<Face> faces;
    QString text; ///< in a corner: what is drawn, in numbers
};

void drawSketch(QPainter& painter, const QFont& font, const ViewTransform& view,
                const Picture& picture, const ViewSketch& sketch);

} // namespace echolux
