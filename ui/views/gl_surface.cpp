// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts of the views.
#include "ui/views/gl_surface.hpp"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLPaintDevice>
#include <QSurfaceFormat>

namespace echolux {
namespace {

QSurfaceFormat surfaceFormat() {
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

/// NOTE: Qt ends the program where a QOpenGLWidget is shown on a platform without OpenGL, so this
/// is asked before there is one.
bool openGlWorks() {
    QOpenGLContext context;
    context.setFormat(surfaceFormat());
    if (!context.create()) return false;
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    return context.makeCurrent(&surface);
}

} // namespace

GlSurface* GlSurface::make(QWidget& view, GlClient& client) {
    static const bool works = openGlWorks();
    return works ? new GlSurface(view, client) : nullptr;
}

QString GlSurface::problem() {
    return tr("The image cannot be drawn: this display offers no OpenGL 3.3. Install a graphics "
              "driver, or Mesa's software renderer.");
}

GlSurface::GlSurface(QWidget& view, GlClient& client) : QOpenGLWidget(&view), m_client(client) {
    setFormat(surfaceFormat());
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
}

GlSurface::~GlSurface() { disconnect(m_contextGoes); }

void GlSurface::initializeGL() {
    m_contextGoes = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this,
                            [this] { m_client.contextGoes(); });
    m_client.initializeGl();
}

void GlSurface::paintGL() { m_client.paintGl(); }

QImage GlSurface::rendered(const QSize& pixels, const std::function<void()>& draw) {
    QImage image;
    withContext([&] {
        QOpenGLFramebufferObject target(pixels);
        if (!target.isValid() || !target.bind()) return;
        draw();
        image = target.toImage();
        target.release();
    });
    return image;
}

/// NOTE: not the widget itself, since within QWidget::render() a painter on it is redirected and
/// the framebuffer then covers what it has drawn.
std::unique_ptr<QPaintDevice> GlSurface::paintDevice() const {
    auto device = std::make_unique<QOpenGLPaintDevice>(sizeInPixels());
    device->setDevicePixelRatio(devicePixelRatioF());
    return device;
}

} // namespace echolux
