// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a laid-out graph: parts of boxes, paths of links, outlines around nodes that are
// timed together; and hit tests. All in pixels at zoom 1.
#pragma once

#include "ui/graph/graph_layout.hpp"

#include <QPainterPath>

#include <optional>

namespace echolux {

constexpr double kPortRadius = 3.5;

struct GraphScene {
    GraphModel model;
    GraphLayout layout;
    GraphFlow flow = GraphFlow::Down;

    const GraphNode& node(int index) const { return model.nodes[index]; }
    const QRectF& box(int index) const { return layout.boxes[static_cast<std::size_t>(index)]; }
    QPointF input(int index, qsizetype port) const;
    QPointF output(int index, int port = 0) const {
        return outputPoint(box(index), flow, port, node(index).outputCount());
    }
    QPainterPath link(int index) const;
    bool isLinked(int index, qsizetype port) const;
};

struct GraphHit {
    enum class Part { Nothing, Box, Switch, Badge, Input, Output, Link };
    Part part = Part::Nothing;
    int index = -1; ///< index of the node or the link
    int port = -1;  ///< of an input or output
    bool isNode() const { return part != Part::Nothing && part != Part::Link; }
    bool operator==(const GraphHit&) const = default;
};
/// `slack`: distance from ports and links that still counts as a hit.
GraphHit hitAt(const GraphScene& scene, QPointF point, double slack);

/// Place of the switch that stages have, at the right of the first line.
QRectF switchRect(const QRectF& box);
/// Place of the error sign, left of the first line.
QRectF badgeRect(const QRectF& box);
/// Adds a curve to `to` that leaves and arrives along the flow.
void bendTo(QPainterPath& path, QPointF to, GraphFlow flow);

/// Groups of two or more nodes that are timed together, in the model's order.
std::vector<std::vector<int>> timedGroups(const GraphModel& model);
/// The node that holds the time of a group.
int timeCarrier(const GraphModel& model, const std::vector<int>& group);
/// Outline around the boxes of a group and the links between them.
QPainterPath groupOutline(const GraphScene& scene, const std::vector<int>& group);

} // namespace echolux
