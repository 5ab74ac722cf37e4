// SPDX-License-Identifier: GPL-3.0-or-later
// The limits in depth of an en face image, over an image with depth.
#pragma once

#include "render/view/overlay_shapes.hpp"
#include "ui/views/overlay/overlay.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace echolux {

class DepthWindowOverlay : public Overlay {
public:
    using Moved = std::function<void(const DepthWindow&)>; ///< called for each place of a drag
    explicit DepthWindowOverlay(Moved moved) : Overlay(Layer::Window), m_moved(std::move(moved)) {}

    void show(const std::optional<DepthWindow>& window); ///< null: none is drawn
    const std::optional<DepthWindow>& window() const { return m_window; }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override;
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace& place, Vec2 pixel) override;

private:
    WindowPart partAt(const OverlayPlace& place, Vec2 pixel) const;
    void drawLimit(QPainter& painter, const OverlayPlace& place, double depth, bool above) const;

    Moved m_moved;
    std::optional<DepthWindow> m_window;
    WindowPart m_held = WindowPart::None;
    DepthWindow m_before; ///< when the mouse was pressed
    Vec2 m_pressed;
};

} // namespace echolux
