// SPDX-License-Identifier: GPL-3.0-or-later
// The crosshair and the depth window over an image: where they are, what the mouse holds of them,
// how they look.
#pragma once

#include "render/view/overlay_shapes.hpp"

#include <QFont>
#include <Qt>

#include <optional>
#include <vector>

class QColor;
class QPainter;

namespace echolux {

/// Pixels are those of `view`; `picture` tells what its axes are.
class ImageTools {
public:
    enum class Moved { Nothing, Crosshair, Window };

    void setCrosshair(const std::optional<Crosshair>& crosshair) { m_crosshair = crosshair; }
    void setWindow(const std::optional<DepthWindow>& window) { m_window = window; }
    const std::optional<Crosshair>& crosshair() const { return m_crosshair; }
    const std::optional<DepthWindow>& window() const { return m_window; }

    /// Takes hold of what is there; false where nothing is.
    bool grab(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    void grabCrosshair() { m_crosshairPart = CrosshairPart::Both; }
    bool holds() const;
    CrosshairPart heldCrosshair() const { return m_crosshairPart; }
    void release();
    Moved drag(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    Moved click(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    /// Of the mouse over what is held or could be.
    std::optional<Qt::CursorShape> shapeAt(const ViewTransform& view, const Picture& picture,
                                           Vec2 pixel) const;

    void draw(QPainter& painter, const QFont& font, const ViewTransform& view,
              const Picture& picture, double deviceRatio) const;

private:
    CrosshairPart crosshairPartUnder(const ViewTransform& view, const Picture& picture,
                                     Vec2 pixel) const;
    WindowPart windowPartUnder(const ViewTransform& view, const Picture& picture, Vec2 pixel) const;
    Moved moveTo(const Picture& picture, Vec2 place);
    void drawLimits(QPainter& painter, const QFont& font, const ViewTransform& view,
                    const Picture& picture) const;

    std::optional<Crosshair> m_crosshair;
    std::optional<DepthWindow> m_window;
    CrosshairPart m_crosshairPart = CrosshairPart::None; ///< held
    WindowPart m_windowPart = WindowPart::None;          ///< held
    DepthWindow m_windowThen;                            ///< when it was grabbed
    Vec2 m_grabbedAt;
};

} // namespace echolux
