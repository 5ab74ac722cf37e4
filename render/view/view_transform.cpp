// SPDX-License-Identifier: GPL-3.0-or-later
// Fit, zoom and pan with their limits.
#include "render/view/view_transform.hpp"

#include <algorithm>

namespace echolux {

Rect intersection(const Rect& a, const Rect& b) {
    Rect both{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
              std::min(a.bottom, b.bottom)};
    both.right = std::max(both.left, both.right);
    both.bottom = std::max(both.top, both.bottom);
    return both;
}

void ViewTransform::setImage(const Rect& extent, double sampleMm) {
    m_image = extent;
    m_sampleMm = sampleMm;
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
    const Vec2 anchor = toMm(pixel);
    const double scale = std::clamp(m_scale * factor, fittedScale(), maxScale());
    const Vec2 fromCentre{pixel.x - m_viewport.centre().x, pixel.y - m_viewport.centre().y};
    m_centre = {anchor.x - fromCentre.x / scale, anchor.y - fromCentre.y / scale};
    m_scale = scale;
    m_fitted = scale <= fittedScale();
    limit();
}

void ViewTransform::panBy(Vec2 pixels) {
    if (m_fitted) return;
    m_centre.x -= pixels.x / m_scale;
    m_centre.y -= pixels.y / m_scale;
    limit();
}

Vec2 ViewTransform::toPixel(Vec2 mm) const {
    const Vec2 middle = m_viewport.centre();
    return {middle.x + (mm.x - m_centre.x) * m_scale, middle.y + (mm.y - m_centre.y) * m_scale};
}

Vec2 ViewTransform::toMm(Vec2 pixel) const {
    const Vec2 middle = m_viewport.centre();
    return {m_centre.x + (pixel.x - middle.x) / m_scale,
            m_centre.y + (pixel.y - middle.y) / m_scale};
}

Rect ViewTransform::imageInPixels() const {
    const Vec2 topLeft = toPixel({m_image.left, m_image.top});
    const Vec2 bottomRight = toPixel({m_image.right, m_image.bottom});
    return {topLeft.x, topLeft.y, bottomRight.x, bottomRight.y};
}

double ViewTransform::fittedScale() const {
    const double scale =
        std::min(m_viewport.width() / m_image.width(), m_viewport.height() / m_image.height());
    return scale > 0.0 ? scale : 1.0;
}

double ViewTransform::maxScale() const {
    return std::max(kMaxPixelsPerSample / m_sampleMm, fittedScale());
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
