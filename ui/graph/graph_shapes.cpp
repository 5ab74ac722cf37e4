// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of a graph, and which shape is at a place.
#include "ui/graph/graph_shapes.hpp"

#include <QLineF>

#include <algorithm>
#include <map>
#include <numeric>

namespace echolux {
namespace {

constexpr double kInset = 10.0;       ///< between a box and its content
constexpr double kFirstLine = 17.0;   ///< centre of the first line, below the top
constexpr double kOutlineRoom = 7.0;  ///< between boxes and the outline of their group
constexpr QSizeF kSwitch{26.0, 13.0}; ///< without its border
constexpr double kBadge = 16.0;

} // namespace

QPointF GraphScene::input(int index, qsizetype port) const {
    return inputPoint(box(index), port, node(index).inputs.size(), flow);
}

QPainterPath GraphScene::link(int index) const {
    const std::vector<QPointF>& way = layout.ways[static_cast<std::size_t>(index)];
    QPainterPath path;
    if (way.empty()) return path;
    path.moveTo(way.front());
    for (std::size_t k = 1; k < way.size(); ++k) {
        if (k % 2 == 1) {
            bendTo(path, way[k], flow);
        } else {
            path.lineTo(way[k]);
        }
    }
    return path;
}

bool GraphScene::isLinked(int index, qsizetype port) const {
    const GraphNode& to = node(index);
    return std::ranges::any_of(model.links, [&](const GraphLink& link) {
        return link.to == to.id && link.toPort == to.inputs[port];
    });
}

void bendTo(QPainterPath& path, QPointF to, GraphFlow flow) {
    const QPointF from = path.currentPosition();
    const QPointF middle = (from + to) / 2.0;
    if (flow == GraphFlow::Down) {
        path.cubicTo({from.x(), middle.y()}, {to.x(), middle.y()}, to);
    } else {
        path.cubicTo({middle.x(), from.y()}, {middle.x(), to.y()}, to);
    }
}

QRectF switchRect(const QRectF& box) {
    QRectF place({0.0, 0.0}, kSwitch);
    place.moveCenter({box.right() - kInset - kSwitch.width() / 2.0, box.top() + kFirstLine});
    return place;
}

QRectF badgeRect(const QRectF& box) {
    return {box.left() + kInset - 2.0, box.top() + kFirstLine - kBadge / 2.0, kBadge, kBadge};
}

GraphHit hitAt(const GraphScene& scene, QPointF point, double slack) {
    using Part = GraphHit::Part;
    const auto isNear = [&](QPointF port) {
        return QLineF(port, point).length() <= kPortRadius + slack;
    };
    const int count = static_cast<int>(scene.layout.boxes.size());
    for (int k = 0; k < count; ++k) {
        const GraphNode& node = scene.node(k);
        for (int port = 0; port < node.outputCount(); ++port) {
            if (isNear(scene.output(k, port))) return {Part::Output, k, port};
        }
        for (int port = 0; port < static_cast<int>(node.inputs.size()); ++port) {
            if (isNear(scene.input(k, port))) return {Part::Input, k, port};
        }
    }
    for (int k = 0; k < count; ++k) {
        if (!scene.box(k).contains(point)) continue;
        const bool isStage = scene.node(k).kind == GraphNode::Kind::Stage;
        if (isStage && switchRect(scene.box(k)).adjusted(-4, -4, 4, 4).contains(point))
            return {Part::Switch, k};
        if (!scene.node(k).error.isEmpty() && badgeRect(scene.box(k)).contains(point))
            return {Part::Badge, k};
        return {Part::Box, k};
    }
    QPainterPathStroker wide;
    wide.setWidth(2.0 * slack);
    for (int k = 0; k < static_cast<int>(scene.layout.ways.size()); ++k) {
        const QPainterPath path = scene.link(k);
        if (!path.isEmpty() && wide.createStroke(path).contains(point)) return {Part::Link, k};
    }
    return {};
}

std::vector<std::vector<int>> timedGroups(const GraphModel& model) {
    std::vector<int> first(static_cast<std::size_t>(model.nodes.size()));
    std::iota(first.begin(), first.end(), 0);
    for (const GraphLink& link : model.links) {
        const int from = nodeIndex(model, link.from);
        const int to = nodeIndex(model, link.to);
        if (from < 0 || to < 0 || model.nodes[from].timedAs.isEmpty() ||
            model.nodes[from].timedAs != model.nodes[to].timedAs)
            continue;
        const auto [low, high] =
            std::minmax(first[static_cast<std::size_t>(from)], first[static_cast<std::size_t>(to)]);
        std::ranges::replace(first, int(high), int(low));
    }
    std::map<int, std::vector<int>> members;
    for (std::size_t k = 0; k < first.size(); ++k) members[first[k]].push_back(static_cast<int>(k));
    std::vector<std::vector<int>> groups;
    for (auto& [start, group] : members) {
        if (group.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

int timeCarrier(const GraphModel& model, const std::vector<int>& group) {
    const auto timed =
        std::ranges::find_if(group, [&](int k) { return model.nodes[k].ms.areKnown(); });
    return timed == group.end() ? group.front() : *timed;
}

QPainterPath groupOutline(const GraphScene& scene, const std::vector<int>& group) {
    const auto holds = [&](const QString& id) {
        return std::ranges::any_of(group, [&](int k) { return scene.node(k).id == id; });
    };
    QPainterPath outline;
    outline.setFillRule(Qt::WindingFill);
    for (const int k : group) {
        QPainterPath box;
        const double room = kOutlineRoom;
        box.addRoundedRect(scene.box(k).adjusted(-room, -room, room, room), 10.0, 10.0);
        outline = outline.united(box);
    }
    for (int k = 0; k < static_cast<int>(scene.layout.ways.size()); ++k) {
        const GraphLink& link = scene.model.links[k];
        const std::vector<QPointF>& way = scene.layout.ways[static_cast<std::size_t>(k)];
        if (way.size() != 2 || !holds(link.from) || !holds(link.to)) continue;
        const QRectF& from = scene.box(nodeIndex(scene.model, link.from));
        const QRectF& to = scene.box(nodeIndex(scene.model, link.to));
        // Boxes in one line are joined over their whole width.
        const bool down = scene.flow == GraphFlow::Down;
        QPainterPath bridge;
        if (down ? from.left() == to.left() : from.top() == to.top()) {
            const double room = kOutlineRoom;
            const QRectF both = from.united(to);
            bridge.addRoundedRect(both.adjusted(-room, -room, room, room), 10.0, 10.0);
        } else {
            QPainterPathStroker wide;
            wide.setWidth(4.0 * kOutlineRoom);
            bridge = wide.createStroke(scene.link(k));
        }
        outline = outline.united(bridge);
    }
    return outline.simplified();
}

} // namespace echolux
