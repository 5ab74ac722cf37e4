// SPDX-License-Identifier: GPL-3.0-or-later
// Layers, order within layers, places.
#include "ui/graph/graph_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

constexpr int kOrderSweeps = 16;
constexpr int kPlaceSweeps = 32;

/// A box, or the place where a long link passes a layer.
struct Item {
    int node = -1; ///< below zero: passed by a link
    int layer = 0;
    bool isView = false;
    double width = 0.0; ///< across the flow
    double place = 0.0; ///< of its centre, across the flow
    int rank = 0;       ///< place in the order of its layer
    int block = -1;
    std::vector<int> in, out; ///< indices of steps
};

/// A link, or the part of it between neighbouring layers.
struct Step {
    int from = 0, to = 0;
    double port = 0.5; ///< where it enters, as a part of the width
};

struct End {
    int from = -1, to = -1;
    qsizetype port = -1;
    bool isKnown() const { return port >= 0; }
};

class Layering {
public:
    Layering(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow);
    GraphLayout result() const;

private:
    void findLayers();
    void addLongLinks();
    void order();
    void makeBlocks();
    void place();
    bool sortLayer(std::vector<int>& layer, bool down);
    int crossings() const;
    bool cross(const Step& a, const Step& b) const;
    void rankAll();
    int onlyWay(const Item& item) const;
    double gapBetween(const Item& left, const Item& right) const;
    double wantedPlace(int block) const;
    /// Least and greatest place that the neighbours of the block leave it.
    std::pair<double, double> room(int block) const;
    double portShift(const Step& step) const {
        return (step.port - 0.5) * m_items[static_cast<std::size_t>(step.to)].width;
    }
    Item& item(int index) { return m_items[static_cast<std::size_t>(index)]; }
    const Item& item(int index) const { return m_items[static_cast<std::size_t>(index)]; }
    const Step& step(int index) const { return m_steps[static_cast<std::size_t>(index)]; }

    const GraphModel& m_model;
    GraphSpacing m_spacing;
    GraphFlow m_flow;
    std::vector<End> m_ends;
    std::vector<Item> m_items; ///< nodes first
    std::vector<Step> m_steps;
    std::vector<std::vector<int>> m_layers; ///< items, in order
    std::vector<std::vector<int>> m_passed; ///< per link, the items it passes
    std::vector<std::vector<int>> m_blocks; ///< items that stand in one line along the flow
};

Layering::Layering(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow)
    : m_model(model), m_spacing(spacing), m_flow(flow) {
    for (qsizetype k = 0; k < model.nodes.size(); ++k) {
        Item node;
        node.node = static_cast<int>(k);
        node.isView = model.nodes[k].kind == GraphNode::Kind::View;
        node.width = flow == GraphFlow::Down ? spacing.box.width() : spacing.box.height();
        m_items.push_back(node);
    }
    for (const GraphLink& link : model.links) {
        End end{nodeIndex(model, link.from), nodeIndex(model, link.to), -1};
        if (end.from >= 0 && end.to >= 0 && end.from != end.to)
            end.port = model.nodes[end.to].inputs.indexOf(link.toPort);
        m_ends.push_back(end);
    }
    findLayers();
    addLongLinks();
    order();
    makeBlocks();
    place();
}

/// Kahn's order; where a circle leaves nothing that could be next, the first that is left.
void Layering::findLayers() {
    const std::size_t count = m_items.size();
    std::vector<bool> done(count, false);
    for (std::size_t round = 0; round < count; ++round) {
        std::size_t next = count;
        for (std::size_t k = 0; k < count && next == count; ++k) {
            const bool waits = std::ranges::any_of(m_ends, [&](const End& end) {
                return end.isKnown() && end.to == static_cast<int>(k) &&
                       !done[static_cast<std::size_t>(end.from)];
            });
            if (!done[k] && !waits) next = k;
        }
        if (next == count)
            next = static_cast<std::size_t>(std::ranges::find(done, false) - done.begin());
        done[next] = true;
        for (const End& end : m_ends) {
            if (end.isKnown() && end.to == static_cast<int>(next) &&
                done[static_cast<std::size_t>(end.from)])
                m_items[next].layer = std::max(m_items[next].layer, item(end.from).layer + 1);
        }
    }
}

void Layering::addLongLinks() {
    m_passed.resize(m_ends.size());
    const auto connect = [&](int from, int to, double port) {
        item(from).out.push_back(static_cast<int>(m_steps.size()));
        item(to).in.push_back(static_cast<int>(m_steps.size()));
        m_steps.push_back({from, to, port});
    };
    for (std::size_t k = 0; k < m_ends.size(); ++k) {
        const End& end = m_ends[k];
        if (!end.isKnown() || item(end.from).layer >= item(end.to).layer) continue;
        int last = end.from;
        for (int layer = item(end.from).layer + 1; layer < item(end.to).layer; ++layer) {
            Item pass;
            pass.layer = layer;
            const int index = static_cast<int>(m_items.size());
            m_items.push_back(pass);
            m_passed[k].push_back(index);
            connect(last, index, 0.5);
            last = index;
        }
        const auto ports = static_cast<double>(m_model.nodes[end.to].inputs.size());
        connect(last, end.to, (static_cast<double>(end.port) + 1.0) / (ports + 1.0));
    }
    for (std::size_t k = 0; k < m_items.size(); ++k) {
        const auto layer = static_cast<std::size_t>(m_items[k].layer);
        if (m_layers.size() <= layer) m_layers.resize(layer + 1);
        m_layers[layer].push_back(static_cast<int>(k));
    }
    rankAll();
}

void Layering::rankAll() {
    for (const std::vector<int>& layer : m_layers) {
        for (std::size_t k = 0; k < layer.size(); ++k) item(layer[k]).rank = static_cast<int>(k);
    }
}

bool Layering::cross(const Step& a, const Step& b) const {
    if (item(a.from).layer != item(b.from).layer || a.from == b.from) return false;
    const double into = item(a.to).rank + a.port - item(b.to).rank - b.port;
    return (item(a.from).rank - item(b.from).rank) * into < 0.0;
}

int Layering::crossings() const {
    int count = 0;
    for (std::size_t a = 0; a < m_steps.size(); ++a) {
        for (std::size_t b = a + 1; b < m_steps.size(); ++b)
            count += cross(m_steps[a], m_steps[b]) ? 1 : 0;
    }
    return count;
}

/// By the mean place of what leads to each item, or of what it leads to.
bool Layering::sortLayer(std::vector<int>& layer, bool down) {
    const auto key = [&](int index) {
        const Item& it = item(index);
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

void Layering::order() {
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

/// The step that goes straight on: the only one, views aside where there is anything else. Below
/// zero where several do.
int Layering::onlyWay(const Item& from) const {
    int found = -1;
    int ways = 0;
    bool toView = true;
    for (const int k : from.out) {
        const bool view = item(step(k).to).isView;
        if (view && !toView) continue;
        if (!view && toView) ways = 0;
        toView = view;
        found = k;
        ++ways;
    }
    return ways == 1 ? found : -1;
}

void Layering::makeBlocks() {
    std::vector<int> straight;
    const auto take = [&](bool passing) {
        for (std::size_t k = 0; k < m_steps.size(); ++k) {
            const Step& it = m_steps[k];
            const bool passes = item(it.from).node < 0 && item(it.to).node < 0;
            if (passes != passing || item(it.to).in.size() != 1) continue;
            if (onlyWay(item(it.from)) != static_cast<int>(k)) continue;
            if (std::ranges::none_of(straight, [&](int other) { return cross(it, step(other)); }))
                straight.push_back(static_cast<int>(k));
        }
    };
    take(true);
    take(false);
    for (const std::vector<int>& layer : m_layers) {
        for (const int index : layer) {
            const std::vector<int>& in = item(index).in;
            if (!in.empty() && std::ranges::find(straight, in.front()) != straight.end()) {
                item(index).block = item(step(in.front()).from).block;
            } else {
                item(index).block = static_cast<int>(m_blocks.size());
                m_blocks.emplace_back();
            }
            m_blocks[static_cast<std::size_t>(item(index).block)].push_back(index);
        }
    }
}

double Layering::gapBetween(const Item& left, const Item& right) const {
    return (left.width + right.width) / 2.0 + m_spacing.acrossGap;
}

std::pair<double, double> Layering::room(int block) const {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    for (const int index : m_blocks[static_cast<std::size_t>(block)]) {
        const Item& it = item(index);
        const std::vector<int>& layer = m_layers[static_cast<std::size_t>(it.layer)];
        const auto rank = static_cast<std::size_t>(it.rank);
        if (rank > 0) {
            const Item& left = item(layer[rank - 1]);
            least = std::max(least, left.place + gapBetween(left, it));
        }
        if (rank + 1 < layer.size()) {
            const Item& right = item(layer[rank + 1]);
            most = std::min(most, right.place - gapBetween(it, right));
        }
    }
    return {least, most};
}

double Layering::wantedPlace(int block) const {
    double sum = 0.0;
    double weights = 0.0;
    const auto pull = [&](double place, double weight) {
        sum += weight * place;
        weights += weight;
    };
    for (const int index : m_blocks[static_cast<std::size_t>(block)]) {
        const Item& it = item(index);
        for (const int k : it.in) {
            const Item& from = item(step(k).from);
            if (from.block != block) pull(from.place - portShift(step(k)), 1.0);
        }
        for (const int k : it.out) {
            const Item& to = item(step(k).to);
            if (to.block != block) pull(to.place + portShift(step(k)), to.isView ? 1e-9 : 1.0);
        }
    }
    return weights > 0.0 ? sum / weights : item(m_blocks[static_cast<std::size_t>(block)][0]).place;
}

void Layering::place() {
    const auto move = [&](int block, double to) {
        for (const int index : m_blocks[static_cast<std::size_t>(block)]) item(index).place = to;
    };
    const int count = static_cast<int>(m_blocks.size());
    // As far to the left as the neighbours allow: blocks do not cross, so this comes to rest.
    bool moved = true;
    for (int round = 0; round <= count && moved; ++round) {
        moved = false;
        for (int k = 0; k < count; ++k) {
            const double least = room(k).first;
            if (item(m_blocks[static_cast<std::size_t>(k)][0]).place >= least) continue;
            move(k, least);
            moved = true;
        }
    }
    std::vector<int> turn(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) turn[static_cast<std::size_t>(k)] = k;
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
        // What stands right moves first, so that the others have room to follow.
        std::ranges::stable_sort(turn, [&](int a, int b) {
            return item(m_blocks[static_cast<std::size_t>(a)][0]).place >
                   item(m_blocks[static_cast<std::size_t>(b)][0]).place;
        });
        for (const int k : turn) {
            const auto [least, most] = room(k);
            if (least <= most) move(k, std::clamp(wantedPlace(k), least, most));
        }
    }
}

GraphLayout Layering::result() const {
    const bool down = m_flow == GraphFlow::Down;
    const double depth = down ? m_spacing.box.height() : m_spacing.box.width();
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const Item& it : m_items) {
        least = std::min(least, it.place - it.width / 2.0);
        most = std::max(most, it.place + it.width / 2.0);
    }
    const auto point = [&](double across, double along) {
        const double there = std::round(across - least);
        return down ? QPointF(there, along) : QPointF(along, there);
    };
    const auto start = [&](const Item& it) { return it.layer * (depth + m_spacing.layerGap); };
    GraphLayout layout;
    layout.ways.resize(m_ends.size());
    if (m_items.empty()) return layout;
    for (const Item& it : m_items) {
        if (it.node < 0) continue;
        layout.boxes.emplace_back(point(it.place - it.width / 2.0, start(it)), m_spacing.box);
        layout.layers.push_back(it.layer);
    }
    for (std::size_t k = 0; k < m_ends.size(); ++k) {
        std::vector<QPointF>& way = layout.ways[k];
        const End& end = m_ends[k];
        if (!end.isKnown()) continue;
        way.push_back(outputPoint(layout.boxes[static_cast<std::size_t>(end.from)], m_flow));
        for (const int passed : m_passed[k]) {
            way.push_back(point(item(passed).place, start(item(passed))));
            way.push_back(point(item(passed).place, start(item(passed)) + depth));
        }
        way.push_back(inputPoint(layout.boxes[static_cast<std::size_t>(end.to)], end.port,
                                 m_model.nodes[end.to].inputs.size(), m_flow));
    }
    const auto layers = static_cast<double>(m_layers.size());
    const double along = layers * depth + (layers - 1.0) * m_spacing.layerGap;
    const double across = std::round(most - least);
    layout.size = down ? QSizeF(across, along) : QSizeF(along, across);
    return layout;
}

} // namespace

GraphLayout layOut(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow) {
    return Layering(model, spacing, flow).result();
}

QPointF inputPoint(const QRectF& box, qsizetype port, qsizetype ports, GraphFlow flow) {
    const double part = static_cast<double>(port + 1) / static_cast<double>(ports + 1);
    return flow == GraphFlow::Down ? QPointF(box.left() + part * box.width(), box.top())
                                   : QPointF(box.left(), box.top() + part * box.height());
}

QPointF outputPoint(const QRectF& box, GraphFlow flow) {
    return flow == GraphFlow::Down ? QPointF(box.center().x(), box.bottom())
                                   : QPointF(box.right(), box.center().y());
}

} // namespace echolux
