// SPDX-License-Identifier: GPL-3.0-or-later
// Places of items within their layers.
#include "ui/graph/graph_layout.hpp"

#include "ui/graph/graph_layers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux {
namespace {

constexpr int kPlaceSweeps = 32;

class GraphPlaces {
public:
    GraphPlaces(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow)
        : m_model(model), m_spacing(spacing), m_flow(flow), m_graph(model),
          m_place(m_graph.items().size(), 0.0), m_block(m_graph.items().size(), -1) {
        makeBlocks();
        placeBlocks();
        placeViews();
    }
    GraphLayout result() const;

private:
    void makeBlocks();
    void placeBlocks();
    void placeViews();
    int onlyWay(const LayerItem& item) const;
    /// A step has little weight if it leads to a view or is part of a long link.
    bool isMinor(const LayerStep& step) const {
        return item(step.to).isView || item(step.to).node < 0 || item(step.from).node < 0;
    }
    /// True for a view that is a block of its own. placeViews() places it last.
    bool isLoose(int index) const {
        return item(index).isView && block(blockOf(index)).size() == 1;
    }
    double width(int index) const {
        if (item(index).node < 0) return 0.0;
        return m_flow == GraphFlow::Down ? m_spacing.box.width() : m_spacing.box.height();
    }
    double gapBetween(int left, int right) const {
        return (width(left) + width(right)) / 2.0 + m_spacing.acrossGap;
    }
    double portShift(const LayerStep& step) const { return (step.port - 0.5) * width(step.to); }
    double wantedPlace(int block) const;
    std::pair<double, double> room(int block) const;

    const LayerItem& item(int index) const {
        return m_graph.items()[static_cast<std::size_t>(index)];
    }
    const LayerStep& step(int index) const {
        return m_graph.steps()[static_cast<std::size_t>(index)];
    }
    double& place(int index) { return m_place[static_cast<std::size_t>(index)]; }
    double place(int index) const { return m_place[static_cast<std::size_t>(index)]; }
    int& blockOf(int index) { return m_block[static_cast<std::size_t>(index)]; }
    int blockOf(int index) const { return m_block[static_cast<std::size_t>(index)]; }
    const std::vector<int>& block(int index) const {
        return m_blocks[static_cast<std::size_t>(index)];
    }

    const GraphModel& m_model;
    GraphSpacing m_spacing;
    GraphFlow m_flow;
    GraphLayers m_graph;
    std::vector<double> m_place;            ///< per item: place of its centre, across the flow
    std::vector<int> m_block;               ///< per item
    std::vector<std::vector<int>> m_blocks; ///< items that stand in one line along the flow
};

/// The step by which the line of `from` continues. Minor steps count only where all steps are
/// minor. -1 where there is no step, or where several steps count.
int GraphPlaces::onlyWay(const LayerItem& from) const {
    const bool all = std::ranges::all_of(from.out, [&](int k) { return isMinor(step(k)); });
    int found = -1;
    for (const int k : from.out) {
        if (!all && isMinor(step(k))) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

void GraphPlaces::makeBlocks() {
    std::vector<int> straight;
    const auto take = [&](bool passing) {
        for (int k = 0; k < static_cast<int>(m_graph.steps().size()); ++k) {
            const LayerStep& it = step(k);
            const bool passes = item(it.from).node < 0 && item(it.to).node < 0;
            if (passes != passing || item(it.to).in.size() != 1) continue;
            if (onlyWay(item(it.from)) != k) continue;
            if (std::ranges::none_of(straight,
                                     [&](int other) { return m_graph.cross(it, step(other)); }))
                straight.push_back(k);
        }
    };
    take(true);
    take(false);
    for (const std::vector<int>& layer : m_graph.layers()) {
        for (const int index : layer) {
            const std::vector<int>& in = item(index).in;
            if (!in.empty() && std::ranges::find(straight, in.front()) != straight.end()) {
                blockOf(index) = blockOf(step(in.front()).from);
            } else {
                blockOf(index) = static_cast<int>(m_blocks.size());
                m_blocks.emplace_back();
            }
            m_blocks[static_cast<std::size_t>(blockOf(index))].push_back(index);
        }
    }
}

/// Least and greatest place of the block, so that its neighbours and the views between keep their
/// room.
std::pair<double, double> GraphPlaces::room(int block) const {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    for (const int index : this->block(block)) {
        const auto& layer = m_graph.layers()[static_cast<std::size_t>(item(index).layer)];
        const auto rank = static_cast<std::size_t>(item(index).rank);
        double away = 0.0;
        for (std::size_t k = rank; k > 0; --k) {
            away += gapBetween(layer[k - 1], layer[k]);
            if (isLoose(layer[k - 1])) continue;
            least = std::max(least, place(layer[k - 1]) + away);
            break;
        }
        away = 0.0;
        for (std::size_t k = rank + 1; k < layer.size(); ++k) {
            away += gapBetween(layer[k - 1], layer[k]);
            if (isLoose(layer[k])) continue;
            most = std::min(most, place(layer[k]) - away);
            break;
        }
    }
    return {least, most};
}

double GraphPlaces::wantedPlace(int block) const {
    double sum = 0.0;
    double weights = 0.0;
    const auto pull = [&](double place, const LayerStep& by) {
        const double weight = isMinor(by) ? 1e-9 : 1.0;
        sum += weight * place;
        weights += weight;
    };
    for (const int index : this->block(block)) {
        for (const int k : item(index).in) {
            const int from = step(k).from;
            if (blockOf(from) != block) pull(place(from) - portShift(step(k)), step(k));
        }
        for (const int k : item(index).out) {
            const int to = step(k).to;
            if (blockOf(to) != block) pull(place(to) + portShift(step(k)), step(k));
        }
    }
    return weights > 0.0 ? sum / weights : place(this->block(block).front());
}

void GraphPlaces::placeBlocks() {
    const auto placeOf = [&](int k) { return place(block(k).front()); };
    const auto move = [&](int k, double to) {
        for (const int index : block(k)) place(index) = to;
    };
    std::vector<int> turn;
    for (int k = 0; k < static_cast<int>(m_blocks.size()); ++k) {
        if (!isLoose(block(k).front())) turn.push_back(k);
    }
    // Moves blocks to the right until their left neighbours have room. Blocks do not cross, so this
    // ends.
    bool moved = true;
    for (std::size_t round = 0; round <= turn.size() && moved; ++round) {
        moved = false;
        for (const int k : turn) {
            const double least = room(k).first;
            if (placeOf(k) >= least) continue;
            move(k, least);
            moved = true;
        }
    }
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
        // Blocks on the right move first, so that others have room to move after them.
        std::ranges::stable_sort(turn, [&](int a, int b) { return placeOf(a) > placeOf(b); });
        for (const int k : turn) {
            const auto [least, most] = room(k);
            if (least <= most) move(k, std::clamp(wantedPlace(k), least, most));
        }
    }
}

/// Places each loose view as near to its source as the neighbours in its layer allow. placeBlocks()
/// has left room for it.
void GraphPlaces::placeViews() {
    for (const std::vector<int>& layer : m_graph.layers()) {
        for (std::size_t k = 0; k < layer.size(); ++k) {
            if (!isLoose(layer[k])) continue;
            place(layer[k]) = wantedPlace(blockOf(layer[k]));
            if (k == 0) continue;
            const double least = place(layer[k - 1]) + gapBetween(layer[k - 1], layer[k]);
            place(layer[k]) = std::max(place(layer[k]), least);
        }
        for (std::size_t k = layer.size() - 1; k > 0; --k) {
            if (!isLoose(layer[k - 1])) continue;
            const double most = place(layer[k]) - gapBetween(layer[k - 1], layer[k]);
            place(layer[k - 1]) = std::min(place(layer[k - 1]), most);
        }
    }
}

GraphLayout GraphPlaces::result() const {
    GraphLayout layout;
    layout.ways.resize(m_graph.ends().size());
    if (m_graph.items().empty()) return layout;
    const bool down = m_flow == GraphFlow::Down;
    const double depth = down ? m_spacing.box.height() : m_spacing.box.width();
    const int count = static_cast<int>(m_graph.items().size());
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (int k = 0; k < count; ++k) {
        least = std::min(least, place(k) - width(k) / 2.0);
        most = std::max(most, place(k) + width(k) / 2.0);
    }
    const auto point = [&](double across, double along) {
        const double there = std::round(across - least);
        return down ? QPointF(there, along) : QPointF(along, there);
    };
    const auto start = [&](int k) { return item(k).layer * (depth + m_spacing.layerGap); };
    for (int k = 0; k < static_cast<int>(m_model.nodes.size()); ++k) {
        layout.boxes.emplace_back(point(place(k) - width(k) / 2.0, start(k)), m_spacing.box);
        layout.layers.push_back(item(k).layer);
    }
    for (std::size_t k = 0; k < layout.ways.size(); ++k) {
        const LinkEnds& end = m_graph.ends()[k];
        if (!end.isKnown()) continue;
        std::vector<QPointF>& way = layout.ways[k];
        const GraphNode& from = m_model.nodes[end.from];
        way.push_back(outputPoint(layout.boxes[static_cast<std::size_t>(end.from)], m_flow,
                                  outputIndex(from, m_model.links[static_cast<qsizetype>(k)]),
                                  from.outputCount()));
        for (const int passed : m_graph.passed()[k]) {
            way.push_back(point(place(passed), start(passed)));
            way.push_back(point(place(passed), start(passed) + depth));
        }
        way.push_back(inputPoint(layout.boxes[static_cast<std::size_t>(end.to)], end.port,
                                 m_model.nodes[end.to].inputs.size(), m_flow));
    }
    const auto layers = static_cast<double>(m_graph.layers().size());
    const double along = layers * depth + (layers - 1.0) * m_spacing.layerGap;
    const double across = std::round(most - least);
    layout.size = down ? QSizeF(across, along) : QSizeF(along, across);
    return layout;
}

} // namespace

GraphLayout layOut(const GraphModel& model, const GraphSpacing& spacing, GraphFlow flow) {
    return GraphPlaces(model, spacing, flow).result();
}

QPointF inputPoint(const QRectF& box, qsizetype port, qsizetype ports, GraphFlow flow) {
    const double part = static_cast<double>(port + 1) / static_cast<double>(ports + 1);
    return flow == GraphFlow::Down ? QPointF(box.left() + part * box.width(), box.top())
                                   : QPointF(box.left(), box.top() + part * box.height());
}

QPointF outputPoint(const QRectF& box, GraphFlow flow, qsizetype port, qsizetype ports) {
    const double part = static_cast<double>(port + 1) / static_cast<double>(ports + 1);
    return flow == GraphFlow::Down ? QPointF(box.left() + part * box.width(), box.bottom())
                                   : QPointF(box.right(), box.top() + part * box.height());
}

} // namespace echolux
