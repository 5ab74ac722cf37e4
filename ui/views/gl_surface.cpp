// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts of the views.
#include "ui/views/gl_surface.hpp"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QOpenGLPixelTransferOptions>
#include <QOpenGLTexture>
#include <QOpenGLTextureBlitter>
#include <QPainter>
#include <QPicture>
#include <QSurfaceFormat>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

QSurfaceFormat surfaceFormat() {
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

/// NOTE: Qt ends the program where a QOpenGLWidget is shown on a platform without OpenGL. So this
/// check runs before there is one.
bool openGlWorks() {
    QOpenGLContext context;
    context.setFormat(surfaceFormat());
    if (!context.create()) return false;
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    return context.makeCurrent(&surface);
}

bool isBlank(const QImage& image) {
    const auto* pixels = reinterpret_cast<const QRgb*>(image.constBits());
    return std::all_of(pixels, pixels + image.sizeInBytes() / sizeof(QRgb),
                       [](QRgb pixel) { return pixel == 0; });
}

} // namespace

/// The pictures over the image. NOTE: no QPainter paints on the context. Qt has one OpenGL paint
/// engine per thread. Whenever this engine changes to another context it makes a surface for the
/// former one. With several views NVIDIA's driver kept some kilobytes of each surface.
class GlSurface::Layers {
public:
    Layers() { m_blitter.create(); }
    ~Layers() { m_blitter.destroy(); }
    Layers(const Layers&) = delete;
    Layers& operator=(const Layers&) = delete;

    void drawKept(const QImage& kept, const QSize& surface) { draw(m_kept, kept, surface); }

    /// Paints only if the content has changed since the last time.
    void drawMoving(const std::function<void(QPainter&)>& work, const QSize& surface,
                    double ratio) {
        QPicture recorded;
        QPainter recorder(&recorded);
        work(recorder);
        recorder.end();
        const QByteArray words(recorded.data(), static_cast<qsizetype>(recorded.size()));
        if (words != m_words || m_image.size() != surface || m_image.devicePixelRatio() != ratio) {
            m_words = words;
            m_image = QImage(surface, QImage::Format_ARGB32_Premultiplied);
            m_image.setDevicePixelRatio(ratio);
            m_image.fill(Qt::transparent);
            QPainter painter(&m_image);
            work(painter);
            painter.end();
            m_isBlank = isBlank(m_image);
        }
        if (!m_isBlank) draw(m_moving, m_image, surface);
    }

private:
    /// A picture in a texture. The texture is filled again for another picture.
    class Layer {
    public:
        GLuint textureOf(const QImage& image) {
            const QSize size = image.size();
            if (!m_texture || QSize(m_texture->width(), m_texture->height()) != size) {
                m_texture = std::make_unique<QOpenGLTexture>(QOpenGLTexture::Target2D);
                m_texture->setFormat(QOpenGLTexture::RGBA8_UNorm);
                m_texture->setSize(size.width(), size.height());
                m_texture->setMinMagFilters(QOpenGLTexture::Nearest, QOpenGLTexture::Nearest);
                m_texture->setWrapMode(QOpenGLTexture::ClampToEdge);
                m_texture->allocateStorage(QOpenGLTexture::BGRA, QOpenGLTexture::UInt8);
                m_key = 0;
            }
            if (std::exchange(m_key, image.cacheKey()) != image.cacheKey()) {
                QOpenGLPixelTransferOptions rows;
                rows.setAlignment(4);
                m_texture->setData(QOpenGLTexture::BGRA, QOpenGLTexture::UInt8, image.constBits(),
                                   &rows);
            }
            return m_texture->textureId();
        }

    private:
        std::unique_ptr<QOpenGLTexture> m_texture;
        qint64 m_key = 0;
    };

    void draw(Layer& layer, const QImage& image, const QSize& surface) {
        QOpenGLFunctions& gl = *QOpenGLContext::currentContext()->functions();
        const GLuint texture = layer.textureOf(image);
        gl.glViewport(0, 0, surface.width(), surface.height());
        gl.glDisable(GL_DEPTH_TEST);
        gl.glDisable(GL_SCISSOR_TEST);
        gl.glEnable(GL_BLEND);
        gl.glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA); // colours contain their alpha
        m_blitter.bind();
        m_blitter.blit(texture,
                       QOpenGLTextureBlitter::targetTransform(QRectF(QPointF(), image.size()),
                                                              QRect(QPoint(), surface)),
                       QOpenGLTextureBlitter::OriginTopLeft);
        m_blitter.release();
        gl.glDisable(GL_BLEND);
    }

    QOpenGLTextureBlitter m_blitter;
    Layer m_kept;
    Layer m_moving;
    QByteArray m_words; ///< the recorded drawing that m_image shows
    QImage m_image;
    bool m_isBlank = true;
};

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

GlSurface::~GlSurface() {
    disconnect(m_contextGoes);
    if (m_layers) withContext([this] { m_layers.reset(); });
}

void GlSurface::initializeGL() {
    m_contextGoes = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
        withContext([this] { m_layers.reset(); });
        m_client.contextGoes();
    });
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

void GlSurface::paintOver(const QImage* kept, const std::function<void(QPainter&)>& work) {
    if (!m_layers) m_layers = std::make_unique<Layers>();
    if (kept != nullptr) m_layers->drawKept(*kept, sizeInPixels());
    m_layers->drawMoving(work, sizeInPixels(), devicePixelRatioF());
}

} // namespace echolux
