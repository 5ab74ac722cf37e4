// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing a region on an image with the mouse, moving it and changing its size.
#pragma once

#include "render/view/region.hpp"
#include "render/view/screen_axis.hpp"

#include <QFont>
#include <QString>
#include <Qt>

#include <optional>
#include <utility>

class QPainter;

namespace echolux {

/// Pixels are those of `view`.
class RegionTool {
public:
    enum class Shape { Rectangle, FreeForm };

    /// `ink`: of plotColour(). `name` stands before its size.
    explicit RegionTool(int ink = 3, QString name = {}) : m_ink(ink), m_name(std::move(name)) {}

    /// The next drag draws such a region; nothing: drags do what they did before.
    void arm(std::optional<Shape> shape) { m_armed = shape; }
    std::optional<Shape> armed() const { return m_armed; }
    void setRegion(const std::optional<Region>& region) { m_region = region; }
    const std::optional<Region>& region() const { return m_region; }

    /// True where the mouse is the tool's until it is released.
    bool press(const ViewTransform& view, Vec2 pixel);
    void drag(const ViewTransform& view, Vec2 pixel);
    /// The whole of it follows the mouse, wherever it was pressed.
    void hold(const ViewTransform& view, Vec2 pixel);
    bool isInside(const ViewTransform& view, Vec2 pixel) const;
    /// True where the region has become another; what is too small to be meant is forgotten.
    bool release(const ViewTransform& view);
    bool holds() const { return m_held != Part::None; }
    bool holdsAll() const { return m_held == Part::Outline; } ///< which keeps its size
    std::optional<Qt::CursorShape> shapeAt(const ViewTransform& view, Vec2 pixel) const;
    void draw(QPainter& painter, const QFont& font, const ViewTransform& view,
              const Picture& picture) const;

private:
    /// Edges are held alone or, at corners, two at a time.
    enum class Part { None, Drawing, Outline, Edges };
    struct Edges {
        bool left = false, top = false, right = false, bottom = false;
        bool any() const { return left || top || right || bottom; }
    };
    Edges edgesAt(const ViewTransform& view, Vec2 pixel) const;
    bool onOutline(const ViewTransform& view, Vec2 pixel) const;

    int m_ink;
    QString m_name;
    std::optional<Region> m_region;
    std::optional<Region> m_before; ///< when the mouse took it
    std::optional<Shape> m_armed;
    Part m_held = Part::None;
    Shape m_drawn = Shape::Rectangle;
    Edges m_edges;
    Vec2 m_from; ///< place
};

} // namespace echolux
