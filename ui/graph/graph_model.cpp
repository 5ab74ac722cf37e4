// SPDX-License-Identifier: GPL-3.0-or-later
// Finds nodes and links in a graph.
#include "ui/graph/graph_model.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace echolux {

int nodeIndex(const GraphModel& model, const QString& id) {
    const auto at = std::ranges::find(model.nodes, id, &GraphNode::id);
    return at == model.nodes.end() ? -1 : static_cast<int>(at - model.nodes.begin());
}

int outputIndex(const GraphNode& node, const GraphLink& link) {
    return link.fromPort.isEmpty() ? 0 : static_cast<int>(node.outputs.indexOf(link.fromPort));
}

QString outputId(const GraphNode& node, int port) {
    return outputId({node.id, {}, {}, port > 0 ? node.outputs[port] : QString(), false});
}

QString outputId(const GraphLink& link) {
    return link.fromPort.isEmpty() ? link.from : link.fromPort + '@' + link.from;
}

bool reaches(const GraphModel& model, const QString& from, const QString& to) {
    std::set<QString> seen{from};
    std::vector<QString> next{from};
    while (!next.empty()) {
        const QString id = next.back();
        next.pop_back();
        if (id == to) return true;
        for (const GraphLink& link : model.links) {
            if (link.from == id && seen.insert(link.to).second) next.push_back(link.to);
        }
    }
    return false;
}

} // namespace echolux
