// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a graph in the theme's colours.
#pragma once

#include "ui/graph/graph_shapes.hpp"

#include <QTransform>

#include <optional>

class QPainter;

namespace echolux {

/// A link that the user is drawing.
struct LooseLink {
    int from = -1; ///< index of the node
    int port = 0;  ///< among the node's outputs
    QPointF to = {};
    bool fits = false; ///< the link ends at a port that can accept it
};

/// What is drawn besides the graph.
struct GraphLook {
    GraphHit hovered;
    int chosen = -1; ///< index of the selected node
    bool focused = false;
    std::optional<LooseLink> loose;
    std::vector<int> takers; ///< nodes at which the loose link may end
};

/// In pixels at zoom 1.
void paintGraph(QPainter& painter, const GraphScene& scene, const GraphLook& look);
/// Size of the boxes for their texts, in whole grid steps; the same for all.
QSizeF boxSizeFor(const GraphModel& model);
/// "0.412 ms"
QString frameTimeText(double ms);

} // namespace echolux
