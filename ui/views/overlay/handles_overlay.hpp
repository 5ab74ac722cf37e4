// SPDX-License-Identifier: GPL-3.0-or-later
// Places over an image that the mouse moves one by one.
#pragma once

#include "ui/views/overlay/overlay.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {

/// In view units. The owner shows them again where they have moved.
class HandlesOverlay : public Overlay {
public:
    using Moved = std::function<void(std::size_t handle, Vec2 to)>; ///< during the drag
    explicit HandlesOverlay(Moved moved) : Overlay(Layer::Handle), m_moved(std::move(moved)) {}

    void show(std::vector<Vec2> places) {
        if (places == m_places) return;
        m_places = std::move(places);
        changed();
    }
    const std::vector<Vec2>& places() const { return m_places; }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override;
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace&, Vec2) override { m_held.reset(); }

private:
    std::optional<std::size_t> handleAt(const OverlayPlace& place, Vec2 pixel) const;

    Moved m_moved;
    std::vector<Vec2> m_places;
    std::optional<std::size_t> m_held;
};

} // namespace echolux
