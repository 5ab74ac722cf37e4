// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a graph and the order within them: what comes before places.
#pragma once

#include "ui/graph/graph_model.hpp"

#include <vector>

namespace echolux {

/// A box, or the place where a long link passes a layer.
struct LayerItem {
    int node = -1; ///< below zero: passed by a link
    int layer = 0;
    int rank = 0; ///< place in the order of its layer
    bool isView = false;
    std::vector<int> in, out; ///< indices of steps
};

/// A link, or the part of it between neighbouring layers.
struct LayerStep {
    int from = 0, to = 0; ///< items
    double port = 0.5;    ///< where it enters, as a part of the width
};

struct LinkEnds {
    int from = -1, to = -1; ///< nodes
    qsizetype port = -1;
    bool ofFrameBefore = false;
    bool isKnown() const { return port >= 0; }
    /// `to` stands behind `from`.
    bool isInOrder() const { return isKnown() && !ofFrameBefore; }
};

class GraphLayers {
public:
    /// Layers by the longest way from a source; order by barycentres, with as few crossings as that
    /// finds.
    explicit GraphLayers(const GraphModel& model);

    const std::vector<LinkEnds>& ends() const { return m_ends; }    ///< per link
    const std::vector<LayerItem>& items() const { return m_items; } ///< nodes first
    const std::vector<LayerStep>& steps() const { return m_steps; }
    const std::vector<std::vector<int>>& layers() const { return m_layers; } ///< items, in order
    /// Per link, the items it passes.
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
