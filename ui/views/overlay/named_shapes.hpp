// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes with names over an image, for measurements. Drawn one pixel wide at any zoom.
#pragma once

#include "render/view/view_transform.hpp"

#include <QFont>
#include <QString>

#include <vector>

class QPainter;

namespace echolux {

/// Positions are in view units.
struct NamedShape {
    QString name;
    std::vector<Vec2> places; ///< one: a cross; two or more: joined by lines
    bool closed = false;      ///< the last place is joined to the first one
    bool strong = false;      ///< selected
    int ink = 4;              ///< number of the plot colour
    bool operator==(const NamedShape&) const = default;
};

void drawNamedShapes(QPainter& painter, const QFont& font, const ViewTransform& view,
                     const std::vector<NamedShape>& shapes);

} // namespace echolux
