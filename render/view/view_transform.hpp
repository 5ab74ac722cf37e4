// SPDX-License-Identifier: GPL-3.0-or-later
// Converts positions in an image to pixels and back. Lengths have the same scale in both
// directions, so a circle stays a circle.
#pragma once

namespace echolux {

struct Vec2 {
    double x = 0.0; ///< horizontal position, or pixels to the right
    double y = 0.0; ///< vertical position, or pixels down
    bool operator==(const Vec2&) const = default;
};

struct Rect {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    Vec2 centre() const { return {0.5 * (left + right), 0.5 * (top + bottom)}; }
    bool contains(Vec2 p) const { return p.x >= left && p.x < right && p.y >= top && p.y < bottom; }
    bool operator==(const Rect&) const = default;
};

Rect intersection(const Rect& a, const Rect& b); ///< empty (zero size) where they do not meet

enum class Aspect {
    True, ///< the same scale in both directions
    Fill, ///< the fitted image fills the viewport; its directions have different units
};

/// The position of the image in the viewport. Positions are in view units: millimetres, or plain
/// indices where the scale is unknown. Zooming out stops at the fitted view, zooming in at
/// kMaxPixelsPerSample. The viewport's centre never leaves the image.
class ViewTransform {
public:
    static constexpr double kMaxPixelsPerSample = 64.0;

    /// `sample` holds the two spacings of samples. Keeps zoom and position unless the view is
    /// fitted.
    void setImage(const Rect& extent, Vec2 sample, Aspect aspect = Aspect::True);
    void setViewport(const Rect& pixels);

    void fit();
    void zoomAt(Vec2 pixel,
                double factor); ///< the place under `pixel` stays there, within the limits
    void panBy(Vec2 pixels);    ///< the image follows the mouse
    /// Restores centre() and zoom(), within the limits.
    void look(Vec2 centre, double zoom);

    bool fitted() const { return m_fitted; }
    Vec2 pixelsPerUnit() const { return {m_scale, m_scale * stretch()}; }
    double zoom() const { return m_scale / fittedScale(); } ///< 1 = fitted
    Vec2 centre() const {
        return m_centre;
    } ///< position in the middle of the
      ///< viewport
    Vec2 toPixel(Vec2 place) const;
    Vec2 toPlace(Vec2 pixel) const;
    const Rect& image() const { return m_image; }
    const Rect& viewport() const { return m_viewport; }
    Rect imageInPixels() const;
    Rect visibleInPixels() const { return intersection(imageInPixels(), m_viewport); }

private:
    double stretch() const; ///< vertical scale over horizontal scale
    double fittedScale() const;
    double maxScale() const;
    void limit();

    Rect m_image{0.0, 0.0, 1.0, 1.0};
    Vec2 m_sample{1.0, 1.0};
    Aspect m_aspect = Aspect::True;
    Rect m_viewport{0.0, 0.0, 1.0, 1.0};
    double m_scale = 1.0; ///< horizontal pixels per view unit
    Vec2 m_centre;        ///< position shown in the viewport's centre
    bool m_fitted = true;
};

} // namespace echolux
