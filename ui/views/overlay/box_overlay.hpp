// SPDX-License-Identifier: GPL-3.0-or-later
// A rectangle over an image that the mouse moves and resizes.
#pragma once

#include "ui/views/overlay/overlay.hpp"
#include "ui/views/overlay/region_tool.hpp"

#include <QString>

#include <functional>
#include <optional>

namespace echolux {

/// In the units of the image's axes.
class BoxOverlay : public Overlay {
public:
    /// Called during a drag. A box that is too small is not reported.
    using Dragged = std::function<void(const Rect& box)>;
    explicit BoxOverlay(Dragged dragged) : Overlay(Layer::Box), m_dragged(std::move(dragged)) {}

    /// Null: nothing is drawn. `name` stands before the size. A box that is being dragged stays.
    void show(const std::optional<Rect>& box, const QString& name = {});
    const std::optional<Rect>& box() const { return m_box; }
    void dragTo(const Rect& box); ///< as the mouse does

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override; ///< at an edge
    bool grab(const OverlayPlace& place, Vec2 pixel) override;  ///< inside
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace& place, Vec2 pixel) override;

private:
    void follow(const Picture& picture); ///< to the units of the view, which change with frames

    Dragged m_dragged;
    std::optional<Rect> m_box;
    RegionTool m_tool{2};
};

} // namespace echolux
