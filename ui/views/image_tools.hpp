// SPDX-License-Identifier: GPL-3.0-or-later
// The crosshair and the depth window over an image: their places, the part that the mouse holds,
// and their drawing.
#pragma once

#include "render/view/overlay_shapes.hpp"

#include <QFont>
#include <Qt>

#include <optional>
#include <vector>

class QColor;
class QPainter;

namespace echolux {

/// Pixels are those of `view`. `picture` describes the axes.
class ImageTools {
public:
    enum class Moved { Nothing, Crosshair, Window };

    void setCrosshair(const std::optional<Crosshair>& crosshair) { m_crosshair = crosshair; }
    void setWindow(const std::optional<DepthWindow>& window) { m_window = window; }
    const std::optional<Crosshair>& crosshair() const { return m_crosshair; }
    const std::optional<DepthWindow>& window() const { return m_window; }

    /// Takes hold of the part at `pixel`; false where there is none.
    bool grab(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    void grabCrosshair() { m_crosshairPart = CrosshairPart::Both; }
    bool holds() const;
    CrosshairPart heldCrosshair() const { return m_crosshairPart; }
    void release();
    Moved drag(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    Moved click(const ViewTransform& view, const Picture& picture, Vec2 pixel);
    /// Cursor shape over a part that is held or can be held.
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
    DepthWindow m_windowThen; ///< place of the window when it was grabbed
    Vec2 m_grabbedAt;
};

} // namespace echolux
