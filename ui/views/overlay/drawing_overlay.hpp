// SPDX-License-Identifier: GPL-3.0-or-later
// Draws one form over an image with the mouse: by a drag, or by a click for each place.
#pragma once

#include "ui/views/overlay/overlay.hpp"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace echolux {

/// While it has a form, it takes the mouse, so that clicks and drags mean nothing else.
class DrawingOverlay : public Overlay {
public:
    enum class Form { Point, Line, Angle, Rectangle, Ellipse, FreeForm };
    struct Told {
        /// The places, in view units: one; the two ends; the three places, the corner in the
        /// middle; two opposite corners (also of the rectangle that an ellipse fills); all corners.
        /// Then there is no form any more.
        std::function<void(const std::vector<Vec2>& places)> drawn;
        std::function<void()> givenUp; ///< Esc, while nothing was drawn
    };
    explicit DrawingOverlay(Told told) : Overlay(Layer::Drawing), m_told(std::move(told)) {}

    void begin(Form form);
    void end(); ///< without telling anybody
    const std::optional<Form>& form() const { return m_form; }

    void paint(QPainter& painter, const OverlayPlace& place) override;
    std::optional<Qt::CursorShape> hit(const OverlayPlace& place, Vec2 pixel) override;
    bool press(const OverlayPlace& place, Vec2 pixel) override;
    void drag(const OverlayPlace& place, Vec2 pixel) override;
    void release(const OverlayPlace& place, Vec2 pixel) override;
    void hover(const OverlayPlace& place, Vec2 pixel) override;
    bool escape() override;

private:
    std::vector<Vec2> withMouse() const;

    Told m_told;
    std::optional<Form> m_form;
    std::vector<Vec2> m_places; ///< that are fixed
    Vec2 m_mouse;               ///< place of the next one
    Vec2 m_pressed;             ///< pixel
};

} // namespace echolux
