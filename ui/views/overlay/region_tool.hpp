// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and resizes a region on an image with the mouse, and draws it.
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
    /// `ink`: index for plotColour().
    explicit RegionTool(int ink = 3) : m_ink(ink) {}
    const QString& name() const { return m_name; }
    void setName(const QString& name) { m_name = name; } ///< text before the region's size

    void setRegion(const std::optional<Region>& region) { m_region = region; }
    const std::optional<Region>& region() const { return m_region; }

    /// True where the tool uses the mouse until it is released.
    bool press(const ViewTransform& view, Vec2 pixel);
    void drag(const ViewTransform& view, Vec2 pixel);
    /// Moves the whole region with the mouse, wherever the mouse was pressed.
    void hold(const ViewTransform& view, Vec2 pixel);
    bool isInside(const ViewTransform& view, Vec2 pixel) const;
    /// True where the mouse held the region. One that became too small is as it was before.
    bool release(const ViewTransform& view);
    bool holds() const { return m_held != Part::None; }
    /// The region moves and keeps its size.
    bool holdsAll() const { return m_held == Part::Outline; }
    std::optional<Qt::CursorShape> shapeAt(const ViewTransform& view, Vec2 pixel) const;
    void draw(QPainter& painter, const QFont& font, const ViewTransform& view,
              const Picture& picture) const;
    /// Width and height of `box`, which is in view units, such as "12.34 x 5.60 mm".
    static QString sizeText(const Picture& picture, const Rect& box);

private:
    /// An edge is held alone or, at a corner, together with another one.
    enum class Part { None, Outline, Edges };
    struct Edges {
        bool left = false, top = false, right = false, bottom = false;
        bool any() const { return left || top || right || bottom; }
    };
    Edges edgesAt(const ViewTransform& view, Vec2 pixel) const;
    bool onOutline(const ViewTransform& view, Vec2 pixel) const;

    int m_ink;
    QString m_name;
    std::optional<Region> m_region;
    std::optional<Region> m_before; ///< when the mouse was pressed
    Part m_held = Part::None;
    Edges m_edges;
    Vec2 m_from; ///< position where the mouse was pressed
};

} // namespace echolux
