// SPDX-License-Identifier: GPL-3.0-or-later
// What its owner draws over an image, and what the mouse does there.
#pragma once

#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <QFont>
#include <Qt>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace echolux {

/// Where an overlay is drawn. Pixels are those of `view`.
struct OverlayPlace {
    const ViewTransform& view;
    const Picture& picture; ///< the axes of the shown frame
    QFont font;
    double deviceRatio = 1.0; ///< device pixels per pixel
    bool onScreen = true;     ///< false: in a copied or saved picture
};

/// Its owner adds it to views by ImageView::add(). It leaves them when it is destroyed.
class Overlay {
public:
    /// In the order of drawing. The mouse asks in the opposite order.
    enum class Layer {
        Crosshair,
        Window,
        Sketch,
        Course,
        Shape,
        Column,
        Box,
        Handle,
        Drawing,
        Caption
    };

    explicit Overlay(Layer layer) : m_layer(layer) {}
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;
    virtual ~Overlay();

    Layer layer() const { return m_layer; }

    virtual void paint(QPainter& painter, const OverlayPlace& place) = 0;
    /// Height of a strip along the image's lower edge that it fills; the scale bar stays above.
    virtual double takenBelow(const OverlayPlace&) const { return 0.0; }
    /// Shape of the mouse where the overlay would take it; null: it would not.
    virtual std::optional<Qt::CursorShape> hit(const OverlayPlace&, Vec2) { return std::nullopt; }
    /// True where it takes the mouse: drag() and release() follow, and the press is no click.
    virtual bool press(const OverlayPlace&, Vec2) { return false; }
    /// The same for a drag that began at `pixel` and that no press() took.
    virtual bool grab(const OverlayPlace&, Vec2) { return false; }
    virtual void drag(const OverlayPlace&, Vec2) {}
    /// A click that no press() took: true where the overlay follows it, so that it picks no column.
    virtual bool click(const OverlayPlace&, Vec2) { return false; }
    virtual void release(const OverlayPlace&, Vec2) {}
    virtual void hover(const OverlayPlace&, Vec2) {} ///< the mouse moves, and nobody holds it
    virtual bool escape() { return false; }          ///< Esc: true where it ended something

protected:
    void changed(); ///< its views are painted again

private:
    friend class ImageView;
    /// A view that it was added to.
    struct Attached {
        const void* view;
        std::function<void()> repaint, remove;
    };

    Layer m_layer;
    std::vector<Attached> m_attached;
};

} // namespace echolux
