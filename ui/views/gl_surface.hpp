// SPDX-License-Identifier: GPL-3.0-or-later
// The one widget that hosts OpenGL: a view puts it over itself and is called where its context is
// current.
#pragma once

#include <QImage>
#include <QOpenGLWidget>

#include <functional>
#include <memory>

class QPainter;

namespace echolux {

/// What draws on a GlSurface.
class GlClient {
public:
    virtual ~GlClient() = default;
    virtual void initializeGl() = 0;
    /// Draws the picture, then what lies over it by GlSurface::paintOver().
    virtual void paintGl() = 0;
    /// The context is about to go, though the surface stays: what lives in it goes now.
    virtual void contextGoes() = 0;
};

/// As large as `view`, which takes all mouse events. The view deletes it before what it draws with.
class GlSurface : public QOpenGLWidget {
public:
    /// Null where this display offers no OpenGL 3.3: problem() says so.
    static GlSurface* make(QWidget& view, GlClient& client);
    static QString problem();
    ~GlSurface() override;

    /// Whatever `work` does with objects of the context.
    template <typename Work> void withContext(const Work& work) {
        makeCurrent();
        work();
        doneCurrent();
    }
    /// What `draw` draws into a framebuffer of that size, away from the screen; null where the
    /// graphics card has none so large.
    QImage rendered(const QSize& pixels, const std::function<void()>& draw);
    QSize sizeInPixels() const { return size() * devicePixelRatioF(); }
    /// Within paintGl(): lays `kept`, of sizeInPixels(), over what has been drawn, and over that
    /// what `work` paints in logical pixels. Null: nothing is kept. `work` is called once or twice.
    void paintOver(const QImage* kept, const std::function<void(QPainter&)>& work);

protected:
    void initializeGL() override;
    void paintGL() override;

private:
    class Layers;
    GlSurface(QWidget& view, GlClient& client);

    GlClient& m_client;
    std::unique_ptr<Layers> m_layers; ///< of the context, from the first picture on
    QMetaObject::Connection m_contextGoes;
};

} // namespace echolux
