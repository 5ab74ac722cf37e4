// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes with names over an image.
#pragma once

#include "ui/views/overlay/named_shapes.hpp"
#include "ui/views/overlay/overlay.hpp"

#include <utility>
#include <vector>

namespace echolux {

/// In view units.
class ShapesOverlay : public Overlay {
public:
    explicit ShapesOverlay(Layer layer = Layer::Shape) : Overlay(layer) {}

    void show(std::vector<NamedShape> shapes) {
        if (shapes == m_shapes) return;
        m_shapes = std::move(shapes);
        changed();
    }
    const std::vector<NamedShape>& shapes() const { return m_shapes; }

    void paint(QPainter& painter, const OverlayPlace& place) override {
        drawNamedShapes(painter, place.font, place.view, m_shapes);
    }

private:
    std::vector<NamedShape> m_shapes;
};

} // namespace echolux
