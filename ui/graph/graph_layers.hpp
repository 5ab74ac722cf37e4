// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a graph and the order within them. The positions follow from these.
#pragma once

#include "ui/graph/graph_model.hpp"

#include <vector>

namespace echolux {

/// A box, or the point where a long link crosses a layer.
struct LayerItem {
    int node = -1; ///< index of the node; below zero: a link crosses here
    int layer = 0;
    int rank = 0; ///< position in the order of its layer
    bool isView = false;
    std::vector<int> in, out; ///< indices of the steps that end or begin here
};

/// A link, or its part between neighbouring layers.
struct LayerStep {
    int from = 0, to = 0; ///< indices of items
    double port = 0.5;    ///< where it enters the box, as a fraction of its width
};

struct LinkEnds {
    int from = -1, to = -1; ///< indices of nodes
    qsizetype port = -1;
    bool ofFrameBefore = false;
    bool isKnown() const { return port >= 0; }
    /// True for a link that puts `to` in a later layer than `from`.
    bool isInOrder() const { return isKnown() && !ofFrameBefore; }
};

class GraphLayers {
public:
    /// The layer of a node is the length of the longest path from a source. The order within layers
    /// comes from barycentres, which keep crossings few.
    explicit GraphLayers(const GraphModel& model);

    const std::vector<LinkEnds>& ends() const { return m_ends; }    ///< per link
    const std::vector<LayerItem>& items() const { return m_items; } ///< the nodes come first
    const std::vector<LayerStep>& steps() const { return m_steps; }
    /// Indices of items, in order.
    const std::vector<std::vector<int>>& layers() const { return m_layers; }
    /// Per link, the items that it crosses.
    const std::vector<std::vector<int>>& passed() const { return m_passed; }
    bool cross(const LayerStep& a, const LayerStep& b) const;

private:
    void findLayers();
    void addLongLinks(const GraphModel& model);
    void order();
    bool sortLayer(std::vector<int>& layer, bool down);
    int crossings() const;
    void rankAll();
    LayerItem& item(int index) { return m_items[static_cast<std::size_t>(index)]; }
    const LayerItem& item(int index) const { return m_items[static_cast<std::size_t>(index)]; }
    const LayerStep& step(int index) const { return m_steps[static_cast<std::size_t>(index)]; }

    std::vector<LinkEnds> m_ends;
    std::vector<LayerItem> m_items;
    std::vector<LayerStep> m_steps;
    std::vector<std::vector<int>> m_layers;
    std::vector<std::vector<int>> m_passed;
};

} // namespace echolux
