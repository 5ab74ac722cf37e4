// SPDX-License-Identifier: GPL-3.0-or-later
// Hosting the volume canvas; mouse, words around the box.
#include "ui/views/volume_view.hpp"

#include "gpu/core/error.hpp"
#include "render/view/auto_range.hpp"
#include "render/view/ticks.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

/// A volume costs more to draw than an image: it follows news in such steps, in longer ones where
/// the graphics card is slow.
constexpr int kNewsPeriodMs = 40;
constexpr int kSlowNewsPeriodMs = 120;
constexpr int kStillMs = 250;
constexpr double kRoomForWords = 0.8; ///< zoom at which the axes' names fit beside the box

Rect scaled(const Rect& r, double ratio) {
    return {r.left * ratio, r.top * ratio, r.right * ratio, r.bottom * ratio};
}

} // namespace

VolumeView::VolumeView(QWidget* parent)
    : QWidget(parent), m_colourMapName(QString::fromUtf8(colourMaps().front().name.data())) {
    setMinimumSize(200, 160);
    setFocusPolicy(Qt::StrongFocus); // for the context menu
    setAccessibleName(tr("Volume"));
    setCursor(Qt::OpenHandCursor);
    m_scene.orbit.zoomBy(kRoomForWords);
    m_surface = GlSurface::make(*this, *this);
    if (m_surface == nullptr) setProblem(GlSurface::problem());
    m_newsTimer.setSingleShot(true);
    connect(&m_newsTimer, &QTimer::timeout, this, &VolumeView::repaintSoon);
    m_stillTimer.setSingleShot(true);
    m_stillTimer.setInterval(kStillMs);
    connect(&m_stillTimer, &QTimer::timeout, this, [this] {
        m_scene.detail = VolumeScene::Detail::Still;
        if (m_canvas && m_canvas->lastScale() < 1.0) repaintSoon();
    });
}

VolumeView::~VolumeView() {
    releaseGl();
    delete m_surface; // while the members that it draws with are alive
}

void VolumeView::repaintSoon() {
    if (m_surface != nullptr) {
        m_surface->update();
    } else {
        update();
    }
}

void VolumeView::moved() {
    m_scene.detail = VolumeScene::Detail::Moving;
    m_stillTimer.start();
    repaintSoon();
}

void VolumeView::setVolumeSupplier(VolumeSupplier* supplier) {
    m_supplier = supplier;
    if (supplier == nullptr) return;
    supplier->offerAgain();
    m_news = true;
    repaintSoon();
}

void VolumeView::volumeAvailable() {
    m_news = true;
    if (!isVisible() || m_newsTimer.isActive()) return;
    m_scene.detail = VolumeScene::Detail::Moving;
    m_stillTimer.start();
    const bool isSlow = m_canvas && m_canvas->lastScale() < 1.0;
    m_newsTimer.start(isSlow ? kSlowNewsPeriodMs : kNewsPeriodMs);
}

void VolumeView::setMode(VolumeScene::Mode mode) {
    if (mode == m_scene.mode) return;
    m_scene.mode = mode;
    followRange();
    moved();
    emit modeChanged(mode);
}

void VolumeView::setColourMap(const QString& name, bool inverted) {
    const std::string wanted = name.toStdString();
    if (std::ranges::none_of(colourMaps(),
                             [&](const ColourMap& map) { return map.name == wanted; }))
        return;
    m_colourMapName = name;
    m_colourMapStale = true;
    m_scene.display.inverted = inverted;
    moved();
}

void VolumeView::setSliceRange(double min, double max) {
    m_sliceLimits = {min, max};
    followRange();
    moved();
}

void VolumeView::followRange() {
    const bool projects = m_scene.mode == VolumeScene::Mode::Projection;
    const Limits& limits = projects && m_projectionLimits ? *m_projectionLimits : m_sliceLimits;
    m_scene.display.min = limits.first;
    m_scene.display.max = limits.second;
}

void VolumeView::autoRange() {
    m_exposure.reset();
    moved();
}

/// Looks for the limits of a projection; the context is current.
void VolumeView::expose() {
    m_exposure = m_canvas->exposure();
    const auto& meant = m_canvas->spec().valueRange;
    m_search = meant && meant->unit == "dB" ? Content::ProjectedDecibels : Content::Amplitudes;
    m_canvas->askForLevels(m_scene.orbit, *m_search);
}

void VolumeView::takeLimits() {
    if (!m_search) return;
    const auto levels = m_canvas->takeLevels();
    if (!levels && m_canvas->levelsPending()) {
        repaintSoon();
        return;
    }
    if (levels) {
        if (const auto range = echolux::autoRange(*levels, *m_search)) m_projectionLimits = range;
    }
    m_search.reset();
    followRange();
}

void VolumeView::setGamma(double gamma) {
    m_scene.display.gamma = gamma;
    moved();
}

void VolumeView::setSmooth(bool smooth) {
    m_scene.display.smooth = smooth;
    moved();
}

void VolumeView::setCrosshair(const Crosshair& crosshair) {
    if (m_crosshair == crosshair) return;
    m_crosshair = crosshair;
    followCrosshair();
    if (m_scene.mode == VolumeScene::Mode::Slices) moved();
}

void VolumeView::followCrosshair() {
    if (m_crosshair && m_hasVolume)
        m_scene.slicesAt = fractionsIn(VolumeBox::of(m_canvas->spec()), *m_crosshair);
}

void VolumeView::look(Look from) {
    m_scene.orbit = Orbit();
    m_scene.orbit.zoomBy(kRoomForWords);
    if (from == Look::Front) m_scene.orbit.lookAtBscan();
    if (from == Look::Top) m_scene.orbit.lookEnFace();
    if (from == Look::Side) m_scene.orbit.lookFromTheSide();
    moved();
}

void VolumeView::restoreOrbit(const Orbit::Turn& turn, double zoom) {
    m_scene.orbit.restore(turn, zoom);
    moved();
}

void VolumeView::clear() {
    m_hasVolume = false;
    m_projectionLimits.reset();
    m_exposure.reset();
    m_search.reset();
    m_crosshair.reset();
    if (m_canvas) m_surface->withContext([this] { m_canvas->clear(); });
    setProblem({});
    repaintSoon();
}

void VolumeView::initializeGl() {
    try {
        m_canvas = std::make_unique<VolumeCanvas>();
        m_colourMapStale = true;
        if (m_supplier != nullptr) m_supplier->offerAgain();
        m_news = true;
        setProblem({});
    } catch (const Error& error) {
        m_canvas.reset();
        setProblem(QString::fromUtf8(error.what()));
    }
}

void VolumeView::releaseGl() {
    if (!m_canvas) return;
    m_hasVolume = false;
    if (m_search) m_exposure.reset(); // what was looked for is lost
    m_search.reset();
    m_surface->withContext([this] { m_canvas.reset(); });
}

void VolumeView::takeNewest() {
    if (m_supplier == nullptr || !m_news) return;
    m_news = false;
    try {
        if (!m_canvas->takeNewest(*m_supplier)) return;
        const bool first = !m_hasVolume;
        m_hasVolume = true;
        followCrosshair();
        if (first) setProblem({});
    } catch (const std::exception& error) {
        m_supplier->offerAgain(); // with the next news
        m_hasVolume = false;
        setProblem(QString::fromUtf8(error.what()));
    }
}

Rect VolumeView::viewport() const {
    return {0.0, 0.0, static_cast<double>(width()), static_cast<double>(height())};
}

void VolumeView::paintGl() {
    const double ratio = m_surface->devicePixelRatioF();
    if (m_canvas) {
        takeNewest();
        if (m_colourMapStale) {
            m_canvas->setColourMap(colourMap(m_colourMapName.toStdString()));
            m_colourMapStale = false;
        }
        if (m_hasVolume && m_scene.mode == VolumeScene::Mode::Projection &&
            m_exposure != m_canvas->exposure())
            expose();
        takeLimits();
        const QSize size = m_surface->sizeInPixels();
        // A projection whose limits are unknown shows when they are.
        const bool shows = !m_search || m_projectionLimits.has_value();
        m_canvas->draw(m_scene, shows ? scaled(viewport(), ratio) : Rect{},
                       {static_cast<double>(size.width()), static_cast<double>(size.height())});
    }
    m_surface->paintOver([this](QPainter& painter) { drawOverlay(painter); });
}

QImage VolumeView::imageAt(double times) {
    if (!m_canvas || !m_hasVolume) return grab().toImage();
    const double ratio = times * devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    VolumeScene scene = m_scene;
    scene.detail = VolumeScene::Detail::Still;
    QImage image = m_surface->rendered(pixels, [&] {
        m_canvas->draw(scene, scaled(viewport(), ratio),
                       {static_cast<double>(pixels.width()), static_cast<double>(pixels.height())});
    });
    if (image.isNull()) return image;
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    drawOverlay(painter);
    painter.end();
    image.setDevicePixelRatio(1.0);
    return image;
}

void VolumeView::paintEvent(QPaintEvent*) {
    if (m_surface != nullptr) return; // it covers everything
    QPainter painter(this);
    painter.fillRect(rect(), surroundTokens().surround);
    drawOverlay(painter);
}

void VolumeView::drawOverlay(QPainter& painter) {
    painter.setFont(font());
    painter.setPen(surroundTokens().secondary);
    const QRectF room = QRectF(rect()).adjusted(2 * kGrid, kGrid, -2 * kGrid, -kGrid);
    if (!m_problem.isEmpty()) {
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, m_problem);
    } else if (m_hasVolume) {
        drawAxes(painter);
        if (m_tabbedTo) {
            painter.setPen(surroundTokens().accent);
            painter.drawRect(rect().adjusted(0, 0, -1, -1));
        }
        painter.setPen(surroundTokens().secondary);
        painter.drawText(room, Qt::AlignRight | Qt::AlignTop, rangeText());
    } else {
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The volume is being collected"));
    }
}

QString VolumeView::rangeText() const {
    const auto number = [](double value) {
        const bool whole = std::abs(value - std::round(value)) < 1e-6;
        return QString::fromStdString(formatNumber(value, whole ? 0 : 1));
    };
    const auto& meant = m_canvas->spec().valueRange;
    return QStringLiteral("%1 \u2026 %2 %3")
        .arg(number(m_scene.display.min), number(m_scene.display.max),
             QString::fromStdString(meant ? meant->unit : std::string()));
}

void VolumeView::drawAxes(QPainter& painter) {
    const VolumeProjection projection(VolumeBox::of(m_canvas->spec()), m_scene.orbit, viewport());
    const QFontMetricsF metrics(font());
    painter.setRenderHint(QPainter::Antialiasing);
    const auto drawCentred = [&](Vec2 at, const QString& text) {
        const double width = metrics.horizontalAdvance(text);
        painter.drawText(QPointF(std::round(at.x - width / 2.0),
                                 std::round(at.y + (metrics.ascent() - metrics.descent()) / 2.0)),
                         text);
    };
    for (const VolumeProjection::AxisMarks& axis : projection.axisMarks()) {
        painter.setPen(QPen(surroundTokens().secondary, 1.0));
        for (const auto& tick : axis.ticks) {
            painter.drawLine(QPointF(tick.from.x, tick.from.y), QPointF(tick.to.x, tick.to.y));
            drawCentred(tick.text, QString::fromStdString(tick.label));
        }
        drawTitle(painter, axis);
    }
}

/// Along its edge, which is square to the ticks, and never upside down.
void VolumeView::drawTitle(QPainter& painter, const VolumeProjection::AxisMarks& axis) {
    constexpr double kReach = 100.0;
    double degrees = 0.0;
    if (!axis.ticks.empty()) {
        const auto& tick = axis.ticks.front();
        degrees =
            std::atan2(tick.to.x - tick.from.x, tick.from.y - tick.to.y) * 180.0 / std::numbers::pi;
        if (degrees >= 89.0) degrees -= 180.0;
        if (degrees < -91.0) degrees += 180.0;
    }
    painter.save();
    painter.translate(axis.titleAt.x, axis.titleAt.y);
    painter.rotate(degrees);
    painter.drawText(QRectF(-kReach, -kReach, 2.0 * kReach, 2.0 * kReach), Qt::AlignCenter,
                     QString::fromStdString(axis.title));
    painter.restore();
}

void VolumeView::resizeEvent(QResizeEvent*) {
    if (m_surface != nullptr) m_surface->setGeometry(rect());
}

void VolumeView::setProblem(const QString& sentence) {
    if (sentence == m_problem) return;
    m_problem = sentence;
    repaintSoon();
    emit problemChanged(sentence);
}

} // namespace echolux
