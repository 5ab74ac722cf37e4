// SPDX-License-Identifier: GPL-3.0-or-later
// A region over an image that the mouse moves and, where it is a rectangle, resizes.
#pragma once

#include "ui/views/overlay/overlay.hpp"
#include "ui/views/overlay/region_tool.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace echolux {

/// In view units.
class RegionOverlay : public Overlay {
public:
    /// `released`: the mouse has changed the region.
    explicit RegionOverlay(std::function<void()> released)
        : Overlay(Layer::Box), m_released(std::move(released)) {}

    void show(const std::optional<Region>& region); ///< null: nothing is drawn
    const std::optional<Region>& region() const { return m_tool.region(); }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override; ///< at the outline
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace& place, Vec2 pixel) override;

private:
    std::function<void()> m_released;
    RegionTool m_tool;
};

} // namespace echolux
