// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over an image that show how it was made.
#pragma once

#include "ui/views/overlay/overlay.hpp"
#include "ui/views/overlay/view_sketch.hpp"

#include <optional>
#include <utility>

namespace echolux {

class SketchOverlay : public Overlay {
public:
    SketchOverlay() : Overlay(Layer::Sketch) {}

    void show(std::optional<ViewSketch> sketch) {
        if (!sketch && !m_sketch) return;
        m_sketch = std::move(sketch);
        changed();
    }
    const std::optional<ViewSketch>& sketch() const { return m_sketch; }

    void paint(QPainter& painter, const OverlayPlace& place) override {
        if (m_sketch) drawSketch(painter, place.font, place.view, place.picture, *m_sketch);
    }

private:
    std::optional<ViewSketch> m_sketch;
};

} // namespace echolux
