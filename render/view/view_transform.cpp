// SPDX-License-Identifier: GPL-3.0-or-later
// Fit, zoom and pan with their limits.
#include "render/view/view_transform.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {

Rect intersection(const Rect& a, const Rect& b) {
    Rect both{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
              std::min(a.bottom, b.bottom)};
    both.right = std::max(both.left, both.right);
    both.bottom = std::max(both.top, both.bottom);
    return both;
}

void ViewTransform::setImage(const Rect& extent, Vec2 sample, Aspect aspect) {
    m_image = extent;
    m_sample = sample;
    m_aspect = aspect;
    limit();
}

void ViewTransform::setViewport(const Rect& pixels) {
    m_viewport = pixels;
    limit();
}

void ViewTransform::fit() {
    m_fitted = true;
    limit();
}

void ViewTransform::zoomAt(Vec2 pixel, double factor) {
    const Vec2 anchor = toPlace(pixel);
    m_scale = std::clamp(m_scale * factor, fittedScale(), maxScale());
    m_fitted = m_scale <= fittedScale();
    const Vec2 scale = pixelsPerUnit();
    const Vec2 middle = m_viewport.centre();
    m_centre = {anchor.x - (pixel.x - middle.x) / scale.x,
                anchor.y - (pixel.y - middle.y) / scale.y};
    limit();
}

void ViewTransform::panBy(Vec2 pixels) {
    if (m_fitted) return;
    const Vec2 scale = pixelsPerUnit();
    m_centre.x -= pixels.x / scale.x;
    m_centre.y -= pixels.y / scale.y;
    limit();
}

void ViewTransform::look(Vec2 centre, double zoom) {
    m_scale = fittedScale() * zoom;
    m_fitted = !(zoom > 1.0);
    m_centre = centre;
    limit();
}

Vec2 ViewTransform::toPixel(Vec2 place) const {
    const Vec2 middle = m_viewport.centre();
    const Vec2 scale = pixelsPerUnit();
    return {middle.x + (place.x - m_centre.x) * scale.x,
            middle.y + (place.y - m_centre.y) * scale.y};
}

Vec2 ViewTransform::toPlace(Vec2 pixel) const {
    const Vec2 middle = m_viewport.centre();
    const Vec2 scale = pixelsPerUnit();
    return {m_centre.x + (pixel.x - middle.x) / scale.x,
            m_centre.y + (pixel.y - middle.y) / scale.y};
}

Rect ViewTransform::imageInPixels() const {
    const Vec2 topLeft = toPixel({m_image.left, m_image.top});
    const Vec2 bottomRight = toPixel({m_image.right, m_image.bottom});
    return {topLeft.x, topLeft.y, bottomRight.x, bottomRight.y};
}

double ViewTransform::stretch() const {
    if (m_aspect == Aspect::True) return 1.0;
    const double stretch =
        (m_viewport.height() / m_image.height()) / (m_viewport.width() / m_image.width());
    return stretch > 0.0 && std::isfinite(stretch) ? stretch : 1.0;
}

double ViewTransform::fittedScale() const {
    const double across = m_viewport.width() / m_image.width();
    const double down = m_viewport.height() / m_image.height();
    const double scale = m_aspect == Aspect::True ? std::min(across, down) : across;
    return scale > 0.0 ? scale : 1.0;
}

double ViewTransform::maxScale() const {
    return std::max({kMaxPixelsPerSample / m_sample.x,
                     kMaxPixelsPerSample / (m_sample.y * stretch()), fittedScale()});
}

void ViewTransform::limit() {
    if (!m_fitted) m_scale = std::clamp(m_scale, fittedScale(), maxScale());
    if (m_fitted || m_scale <= fittedScale()) {
        m_fitted = true;
        m_scale = fittedScale();
        m_centre = m_image.centre();
        return;
    }
    m_centre.x = std::clamp(m_centre.x, m_image.left, m_image.right);
    m_centre.y = std::clamp(m_centre.y, m_image.top, m_image.bottom);
}

} // namespace echolux
