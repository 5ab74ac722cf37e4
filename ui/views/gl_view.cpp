// SPDX-License-Identifier: GPL-3.0-or-later
// Life of the contexts, and pictures of what is drawn.
#include "ui/views/gl_view.hpp"

#include "gpu/core/error.hpp"
#include "ui/controls/focus_reason.hpp"
#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace echolux {

GlView::GlView(QWidget* parent)
    : View(parent), m_surface(GlSurface::make(*this, *this)),
      m_colourMap(QString::fromStdString(std::string(colourMaps().front().name))) {
    setFocusPolicy(Qt::StrongFocus); // for the context menu
    if (m_surface != nullptr) {
        connect(m_surface, &GlSurface::frameSwapped, this, [this] { swapped(); });
    } else {
        m_problem = GlSurface::problem();
    }
}

GlView::~GlView() = default;

void GlView::endGl() {
    withCanvas([this] { dropCanvas(); });
    delete std::exchange(m_surface, nullptr);
}

void GlView::initializeGl() {
    try {
        makeCanvas();
        m_colourMapStale = true;
        setProblem({});
    } catch (const Error& error) {
        dropCanvas();
        setProblem(QString::fromUtf8(error.what()));
    }
}

void GlView::contextGoes() {
    withCanvas([this] {
        keepPicture();
        dropCanvas();
    });
}

void GlView::paintGl() {
    const double ratio = m_surface->devicePixelRatioF();
    if (hasCanvas()) showPicture(ratio);
    m_surface->paintOver(keptOver(ratio),
                         [&](QPainter& painter) { drawOver(painter, ratio, Shown::OnScreen); });
}

QImage GlView::imageAt(double times) {
    if (!hasCanvas() || !hasPicture()) return grabImage();
    const double ratio = times * devicePixelRatioF();
    QImage image =
        m_surface->rendered(pixelsAt(ratio), [&] { drawPicture(ratio, Shown::InPictures); });
    if (image.isNull()) return image;
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    drawOver(painter, ratio, Shown::InPictures);
    painter.end();
    image.setDevicePixelRatio(1.0);
    return image;
}

QImage GlView::grabSurface() { return m_surface->grabFramebuffer(); }

void GlView::repaintSoon() {
    if (m_surface != nullptr) {
        m_surface->update();
    } else {
        update();
    }
}

void GlView::setProblem(const QString& sentence) {
    const QString holds = m_surface != nullptr ? sentence : GlSurface::problem();
    if (holds == m_problem) return;
    m_problem = holds;
    refresh();
    emit problemChanged(holds);
}

bool GlView::chooseColourMap(const QString& name) {
    const std::string wanted = name.toStdString();
    const bool isKnown =
        std::ranges::any_of(colourMaps(), [&](const ColourMap& map) { return map.name == wanted; });
    if (!isKnown) return false;
    m_colourMap = name;
    m_colourMapStale = true;
    return true;
}

void GlView::paintEvent(QPaintEvent*) {
    if (m_surface != nullptr) return; // the surface covers everything
    QPainter painter(this);
    painter.fillRect(rect(), surroundTokens().surround);
    const double ratio = devicePixelRatioF();
    if (const QImage* kept = keptOver(ratio)) painter.drawImage(0, 0, *kept);
    drawOver(painter, ratio, Shown::OnScreen);
}

void GlView::resizeEvent(QResizeEvent*) {
    if (m_surface != nullptr) m_surface->setGeometry(rect());
}

void GlView::focusInEvent(QFocusEvent* event) {
    m_tabbedTo = isByTab(*event);
    refresh();
}

void GlView::focusOutEvent(QFocusEvent*) {
    m_tabbedTo = false;
    refresh();
}

} // namespace echolux
