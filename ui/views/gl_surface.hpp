// SPDX-License-Identifier: GPL-3.0-or-later
// The only widget that hosts OpenGL. A view places it over itself and is called while the context
// is current.
#pragma once

#include <QImage>
#include <QOpenGLWidget>

#include <functional>
#include <memory>

class QPainter;

namespace echolux {

/// Draws on a GlSurface.
class GlClient {
public:
    virtual ~GlClient() = default;
    virtual void initializeGl() = 0;
    /// Draws the image, then its overlay with GlSurface::paintOver().
    virtual void paintGl() = 0;
    /// The context is about to be destroyed, while the surface stays. Releases all objects of the
    /// context.
    virtual void contextGoes() = 0;
};

/// As large as `view`, which receives all mouse events. The view deletes the surface before the
/// objects that it draws with.
class GlSurface : public QOpenGLWidget {
public:
    /// Null where the display offers no OpenGL 3.3; problem() then says so.
    static GlSurface* make(QWidget& view, GlClient& client);
    static QString problem();
    ~GlSurface() override;

    /// Runs `work` with the context current.
    template <typename Work> void withContext(const Work& work) {
        makeCurrent();
        work();
        doneCurrent();
    }
    /// Output of `draw` in a framebuffer of `pixels`, off screen. Null where the graphics card
    /// cannot make one that large.
    QImage rendered(const QSize& pixels, const std::function<void()>& draw);
    QSize sizeInPixels() const { return size() * devicePixelRatioF(); }
    /// Call within paintGl(): draws the image `kept`, of sizeInPixels(), over the present content,
    /// then the output of `work` in logical pixels. `kept` may be null. `work` is called once or
    /// twice.
    void paintOver(const QImage* kept, const std::function<void(QPainter&)>& work);

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    class Layers;
    GlSurface(QWidget& view, GlClient& client);

    GlClient& m_client;
    std::unique_ptr<Layers> m_layers; ///< objects of the context; created with the first image
    QMetaObject::Connection m_contextGoes;
};

} // namespace echolux
