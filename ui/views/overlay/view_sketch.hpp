// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over an image that show how it was made: elements of the array, beams, foci, apertures.
// Drawn one pixel wide at any zoom.
#pragma once

#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <QFont>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace echolux {

/// Positions are in the units of the image's axes.
struct ViewSketch {
    enum class Ink {
        Transmit, ///< waves, their sources and foci
        Receive   ///< aperture of the selected pixel
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
    /// One element of the array. An element above the visible part is drawn at the upper edge.
    struct Face {
        Vec2 from;
        Vec2 to;
        double weight = 0.0; ///< 0 to 1: weight of its echo in the pixel
        bool fires = false;
    };
    /// A line through places of one value, in straight pieces.
    struct Contour {
        std::vector<std::pair<Vec2, Vec2>> pieces;
        Ink ink = Ink::Transmit;
        QString label;
        Vec2 labelAt;
    };
    std::vector<Contour> contours;
    std::vector<Area> areas;
    std::vector<Line> lines;
    std::vector<Mark> marks;
    std::vector<Face> faces;
    QString text; ///< in a corner: the drawn beams in numbers
};

void drawSketch(QPainter& painter, const QFont& font, const ViewTransform& view,
                const Picture& picture, const ViewSketch& sketch);

} // namespace echolux
