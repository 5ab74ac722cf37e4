// SPDX-License-Identifier: GPL-3.0-or-later
// The crosshair that links the images of a volume.
#pragma once

#include "render/view/overlay_shapes.hpp"
#include "ui/views/overlay/overlay.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace echolux {

class CrosshairOverlay : public Overlay {
public:
    /// Called for each place of a drag, and for a click.
    using Moved = std::function<void(const Crosshair&)>;
    explicit CrosshairOverlay(Moved moved) : Overlay(Layer::Crosshair), m_moved(std::move(moved)) {}

    void show(const std::optional<Crosshair>& crosshair); ///< null: none is drawn
    const std::optional<Crosshair>& crosshair() const { return m_crosshair; }
    CrosshairPart held() const { return m_held; } ///< by the mouse
    /// True: while the whole image is visible, a drag anywhere moves it instead of the image.
    void setScrubbing(bool on) { m_scrubbing = on; }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override; ///< at a line
    bool grab(const OverlayPlace& place, Vec2 pixel) override;  ///< anywhere, see setScrubbing()
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace& place, Vec2 pixel) override;
    bool click(const OverlayPlace& place, Vec2 pixel) override;

private:
    CrosshairPart partAt(const OverlayPlace& place, Vec2 pixel) const;
    void moveTo(const Picture& picture, Vec2 place);

    Moved m_moved;
    std::optional<Crosshair> m_crosshair;
    CrosshairPart m_held = CrosshairPart::None;
    bool m_scrubbing = false;
};

} // namespace echolux
