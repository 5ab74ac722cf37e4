// SPDX-License-Identifier: GPL-3.0-or-later
// Layers, long links, and the order within layers.
#include "ui/graph/graph_layers.hpp"

#include <algorithm>

namespace echolux {
namespace {

constexpr int kOrderSweeps = 16;

} // namespace

GraphLayers::GraphLayers(const GraphModel& model) {
    for (qsizetype k = 0; k < model.nodes.size(); ++k) {
        LayerItem node;
        node.node = static_cast<int>(k);
        node.isView = model.nodes[k].kind == GraphNode::Kind::View;
        m_items.push_back(node);
    }
    for (const GraphLink& link : model.links) {
        LinkEnds end{nodeIndex(model, link.from), nodeIndex(model, link.to), -1,
                     link.ofFrameBefore};
        if (end.from >= 0 && end.to >= 0 && end.from != end.to)
            end.port = model.nodes[end.to].inputs.indexOf(link.toPort);
        m_ends.push_back(end);
    }
    findLayers();
    addLongLinks(model);
    order();
}

/// Order by Kahn's algorithm. Where a cycle leaves no item without unfinished inputs, it takes the
/// first item left.
void GraphLayers::findLayers() {
    const std::size_t count = m_items.size();
    std::vector<bool> done(count, false);
    for (std::size_t round = 0; round < count; ++round) {
        std::size_t next = count;
        for (std::size_t k = 0; k < count && next == count; ++k) {
            const bool waits = std::ranges::any_of(m_ends, [&](const LinkEnds& end) {
                return end.isInOrder() && end.to == static_cast<int>(k) &&
                       !done[static_cast<std::size_t>(end.from)];
            });
            if (!done[k] && !waits) next = k;
        }
        if (next == count)
            next = static_cast<std::size_t>(std::ranges::find(done, false) - done.begin());
        done[next] = true;
        for (const LinkEnds& end : m_ends) {
            if (end.isInOrder() && end.to == static_cast<int>(next) &&
                done[static_cast<std::size_t>(end.from)])
                m_items[next].layer = std::max(m_items[next].layer, item(end.from).layer + 1);
        }
    }
}

void GraphLayers::addLongLinks(const GraphModel& model) {
    m_passed.resize(m_ends.size());
    const auto connect = [&](int from, int to, double port) {
        item(from).out.push_back(static_cast<int>(m_steps.size()));
        item(to).in.push_back(static_cast<int>(m_steps.size()));
        m_steps.push_back({from, to, port});
    };
    for (std::size_t k = 0; k < m_ends.size(); ++k) {
        const LinkEnds& end = m_ends[k];
        if (!end.isKnown() || item(end.from).layer >= item(end.to).layer) continue;
        int last = end.from;
        for (int layer = item(end.from).layer + 1; layer < item(end.to).layer; ++layer) {
            LayerItem pass;
            pass.layer = layer;
            const int index = static_cast<int>(m_items.size());
            m_items.push_back(pass);
            m_passed[k].push_back(index);
            connect(last, index, 0.5);
            last = index;
        }
        const auto ports = static_cast<double>(model.nodes[end.to].inputs.size());
        connect(last, end.to, (static_cast<double>(end.port) + 1.0) / (ports + 1.0));
    }
    for (std::size_t k = 0; k < m_items.size(); ++k) {
        const auto layer = static_cast<std::size_t>(m_items[k].layer);
        if (m_layers.size() <= layer) m_layers.resize(layer + 1);
        m_layers[layer].push_back(static_cast<int>(k));
    }
    rankAll();
}

void GraphLayers::rankAll() {
    for (const std::vector<int>& layer : m_layers) {
        for (std::size_t k = 0; k < layer.size(); ++k) item(layer[k]).rank = static_cast<int>(k);
    }
}

bool GraphLayers::cross(const LayerStep& a, const LayerStep& b) const {
    if (item(a.from).layer != item(b.from).layer || a.from == b.from) return false;
    const double into = item(a.to).rank + a.port - item(b.to).rank - b.port;
    return (item(a.from).rank - item(b.from).rank) * into < 0.0;
}

int GraphLayers::crossings() const {
    int count = 0;
    for (std::size_t a = 0; a < m_steps.size(); ++a) {
        for (std::size_t b = a + 1; b < m_steps.size(); ++b)
            count += cross(m_steps[a], m_steps[b]) ? 1 : 0;
    }
    return count;
}

/// Sorts by the mean place of an item's inputs, or of its outputs.
bool GraphLayers::sortLayer(std::vector<int>& layer, bool down) {
    const auto key = [&](int index) {
        const LayerItem& it = item(index);
        const std::vector<int>& steps = down ? it.in : it.out;
        if (steps.empty()) return static_cast<double>(it.rank);
        double sum = 0.0;
        for (const int k : steps)
            sum += down ? item(step(k).from).rank : item(step(k).to).rank + step(k).port - 0.5;
        return sum / static_cast<double>(steps.size());
    };
    const std::vector<int> before = layer;
    std::ranges::stable_sort(layer, {}, key);
    for (std::size_t k = 0; k < layer.size(); ++k) item(layer[k]).rank = static_cast<int>(k);
    return layer != before;
}

void GraphLayers::order() {
    auto best = m_layers;
    int fewest = crossings();
    for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
        const bool down = sweep % 2 == 0;
        bool moved = false;
        for (std::size_t k = 0; k < m_layers.size(); ++k)
            moved |= sortLayer(m_layers[down ? k : m_layers.size() - 1 - k], down);
        if (const int now = crossings(); now < fewest) {
            fewest = now;
            best = m_layers;
        }
        if (!moved && sweep > 0) break;
    }
    m_layers = best;
    rankAll();
}

} // namespace echolux
