// SPDX-License-Identifier: GPL-3.0-or-later
// Places in an image to pixels and back. Lengths have one scale for both directions, so that a
// circle stays a circle.
#pragma once

namespace echolux {

struct Vec2 {
    double x = 0.0; ///< across, or pixels to the right
    double y = 0.0; ///< down, or pixels down
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
    True, ///< one scale for both directions
    Fill, ///< the fitted image fills the viewport: its directions have nothing in common
};

/// Where the image lies in the viewport. Places are counted in view units: millimetres, or plain
/// indices where no scale is known. Zooming out stops at the fitted view; zooming in stops at
/// kMaxPixelsPerSample; the viewport's centre never leaves the image.
class ViewTransform {
public:
    static constexpr double kMaxPixelsPerSample = 64.0;

    /// `sample`: the two spacings. Keeps zoom and place unless fitted.
    void setImage(const Rect& extent, Vec2 sample, Aspect aspect = Aspect::True);
    void setViewport(const Rect& pixels);

    void fit();
    void zoomAt(Vec2 pixel,
                double factor); ///< what is under `pixel` stays there, within the limits
    void panBy(Vec2 pixels);    ///< the image follows the hand
    /// Brings back centre() and zoom(), within the limits.
    void look(Vec2 centre, double zoom);

    bool fitted() const { return m_fitted; }
    Vec2 pixelsPerUnit() const { return {m_scale, m_scale * stretch()}; }
    double zoom() const { return m_scale / fittedScale(); } ///< 1 = fitted
    Vec2 centre() const { return m_centre; }                ///< place in the middle of the viewport
    Vec2 toPixel(Vec2 place) const;
    Vec2 toPlace(Vec2 pixel) const;
    const Rect& image() const { return m_image; }
    const Rect& viewport() const { return m_viewport; }
    Rect imageInPixels() const;
    Rect visibleInPixels() const { return intersection(imageInPixels(), m_viewport); }

private:
    double stretch() const; ///< scale down over scale across
    double fittedScale() const;
    double maxScale() const;
    void limit();

    Rect m_image{0.0, 0.0, 1.0, 1.0};
    Vec2 m_sample{1.0, 1.0};
    Aspect m_aspect = Aspect::True;
    Rect m_viewport{0.0, 0.0, 1.0, 1.0};
    double m_scale = 1.0; ///< pixels per view unit, across
    Vec2 m_centre;        ///< place shown in the viewport's centre
    bool m_fitted = true;
};

} // namespace echolux
