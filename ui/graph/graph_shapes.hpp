// SPDX-License-Identifier: GPL-3.0-or-later
// What a laid out graph looks like as shapes: parts of a box, paths of links, outlines of what is
// timed together, and what stands at a point. All in pixels at zoom 1.
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
    int index = -1; ///< of the node, or of the link
    int port = -1;  ///< of an input or an output
    bool isNode() const { return part != Part::Nothing && part != Part::Link; }
    bool operator==(const GraphHit&) const = default;
};
/// `slack`: how far beside ports and links still counts.
GraphHit hitAt(const GraphScene& scene, QPointF point, double slack);

/// Stages have a switch, at the right of their first line.
QRectF switchRect(const QRectF& box);
/// The sign of an error, left of the first line.
QRectF badgeRect(const QRectF& box);
/// A curve from `from` to `to` that leaves and arrives along the flow.
void bendTo(QPainterPath& path, QPointF to, GraphFlow flow);

/// Nodes that are timed together, in the model's order; two or more each.
std::vector<std::vector<int>> timedGroups(const GraphModel& model);
/// The node of a group that carries its time.
int timeCarrier(const GraphModel& model, const std::vector<int>& group);
/// Around the boxes of a group and the links between them.
QPainterPath groupOutline(const GraphScene& scene, const std::vector<int>& group);

} // namespace echolux
