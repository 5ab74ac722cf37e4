// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of the boxes and links of a graph, in layers along the flow of data. Computed without
// widgets. All lengths in pixels at zoom 1.
#pragma once

#include "ui/graph/graph_model.hpp"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace echolux {

enum class GraphFlow { Down, Right };

struct GraphSpacing {
    QSizeF box;              ///< size of each node's box
    double layerGap = 24.0;  ///< along the flow
    double acrossGap = 32.0; ///< between neighbours in a layer
};

struct GraphLayout {
    std::vector<QRectF> boxes; ///< per node
    std::vector<int> layers;   ///< per node; increases along every link
    /// Per link, the points from output to input. Even hops (0 to 1, 2 to 3, ...) lie in a gap
    /// between layers and may bend; odd hops cross a layer straight. Empty where a node or the port
    /// is unknown.
    std::vector<std::vector<QPointF>> ways;
    QSizeF size; ///< of the whole graph, from (0, 0)
};

/// Layers by the longest path from a source, order within them by barycentres; chains are straight.
/// The same graph always gives the same layout. Where links form a circle, one of them does not
/// count.
/// Reference: K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical
/// system structures", IEEE Trans. Syst. Man Cybern. 11(2), 1981.
GraphLayout layOut(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow);

QPointF inputPoint(const QRectF& box, qsizetype port, qsizetype ports, GraphFlow flow);
QPointF outputPoint(const QRectF& box, GraphFlow flow, qsizetype port = 0, qsizetype ports = 1);

} // namespace echolux
