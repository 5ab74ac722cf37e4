// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a graph in the colours of the theme.
#pragma once

#include "ui/graph/graph_shapes.hpp"

#include <QTransform>

#include <optional>

class QPainter;

namespace echolux {

/// A link that is being drawn by hand.
struct LooseLink {
    int from = -1; ///< node
    int port = 0;  ///< of its outputs
    QPointF to = {};
    bool fits = false; ///< it ends at a port that may take it
};

/// What a picture of a graph shows besides the graph.
struct GraphLook {
    GraphHit hovered;
    int chosen = -1; ///< node
    bool focused = false;
    std::optional<LooseLink> loose;
    std::vector<int> takers; ///< nodes that the loose link may end at
};

/// In pixels at zoom 1.
void paintGraph(QPainter& painter, const GraphScene& scene, const GraphLook& look);
/// Size that boxes need for their texts: whole grid steps, the same for all.
QSizeF boxSizeFor(const GraphModel& model);
/// "0.412 ms"
QString frameTimeText(double ms);

} // namespace echolux
