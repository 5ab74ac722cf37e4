// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the volume canvas, with mouse input and texts round the box.
#include "ui/views/volume_view.hpp"

#include "render/view/auto_range.hpp"
#include "render/view/axis_labels.hpp"
#include "render/view/ticks.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

/// Drawing a volume takes longer than drawing an image. So it is drawn at most once per period, and
/// on slow graphics cards less often.
constexpr int kNewsPeriodMs = 40;
constexpr int kSlowNewsPeriodMs = 120;
constexpr int kStillMs = 250;
constexpr double kRoomForWords = 0.8; ///< zoom at which the axes' names have room beside the box

Rect scaled(const Rect& r, double ratio) {
    return {r.left * ratio, r.top * ratio, r.right * ratio, r.bottom * ratio};
}

} // namespace

VolumeView::VolumeView(QWidget* parent) : GlView(parent) {
    setMinimumSize(160, 120);
    setAccessibleName(tr("Volume"));
    setCursor(Qt::OpenHandCursor);
    m_scene.orbit.zoomBy(kRoomForWords);
    m_scene.depthCue = kDepthCue;
    m_scene.opacity = kOpacity;
    m_newsTimer.setSingleShot(true);
    connect(&m_newsTimer, &QTimer::timeout, this, [this] { repaintSoon(); });
    m_stillTimer.setSingleShot(true);
    m_stillTimer.setInterval(kStillMs);
    connect(&m_stillTimer, &QTimer::timeout, this, [this] {
        m_scene.detail = VolumeScene::Detail::Still;
        if (m_canvas && m_canvas->lastScale() < 1.0) repaintSoon();
    });
}

VolumeView::~VolumeView() { endGl(); }

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

void VolumeView::setDepthCue(double amount) {
    if (amount == m_scene.depthCue || !(amount >= 0.0 && amount <= 1.0)) return;
    m_scene.depthCue = amount;
    if (projects()) moved();
}

void VolumeView::setOpacity(double amount) {
    if (amount == m_scene.opacity || !(amount >= 0.0 && amount <= 1.0)) return;
    m_scene.opacity = amount;
    if (m_scene.mode == VolumeScene::Mode::Composite) moved();
}

void VolumeView::setColourMap(const QString& name, bool inverted) {
    if (!chooseColourMap(name)) return;
    m_scene.display.inverted = inverted;
    moved();
}

void VolumeView::setSliceRange(double min, double max) {
    m_sliceLimits = {min, max};
    followRange();
    moved();
}

void VolumeView::followRange() {
    const Limits& limits = projects() && m_projectionLimits ? *m_projectionLimits : m_sliceLimits;
    m_scene.display.min = limits.first;
    m_scene.display.max = limits.second;
}

void VolumeView::autoRange() {
    m_exposure.reset();
    moved();
}

/// Finds the limits of a projection. The context must be current.
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
    if (from == Look::Front) m_scene.orbit.lookAtBscan();
    if (from == Look::Top) m_scene.orbit.lookEnFace();
    if (from == Look::Side) m_scene.orbit.lookFromTheSide();
    m_scene.orbit.zoomBy(kRoomForWords);
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
    withCanvas([this] { m_canvas->clear(); });
    setProblem({});
    repaintSoon();
}

void VolumeView::makeCanvas() {
    m_canvas = std::make_unique<VolumeCanvas>();
    if (m_supplier != nullptr) m_supplier->offerAgain();
    m_news = true;
}

void VolumeView::dropCanvas() {
    m_hasVolume = false;
    if (m_search) m_exposure.reset(); // the search is lost
    m_search.reset();
    m_canvas.reset();
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
        m_supplier->offerAgain(); // with the next new volume
        m_hasVolume = false;
        setProblem(sentenceOf(error));
    }
}

Rect VolumeView::viewport() const {
    return {0.0, 0.0, static_cast<double>(width()), static_cast<double>(height())};
}

void VolumeView::showPicture(double ratio) {
    takeNewest();
    if (m_hasVolume && projects() && m_exposure != m_canvas->exposure()) expose();
    takeLimits();
    drawPicture(ratio, Shown::OnScreen);
}

void VolumeView::drawPicture(double ratio, Shown shown) {
    bringColours(*m_canvas);
    VolumeScene scene = m_scene;
    if (shown == Shown::InPictures) scene.detail = VolumeScene::Detail::Still;
    // A projection becomes visible when its limits are known.
    const bool shows = shown == Shown::InPictures || !m_search || m_projectionLimits.has_value();
    const QSize pixels = pixelsAt(ratio);
    m_canvas->draw(scene, shows ? scaled(viewport(), ratio) : Rect{},
                   {static_cast<double>(pixels.width()), static_cast<double>(pixels.height())});
}

void VolumeView::drawOver(QPainter& painter, double, Shown shown) {
    painter.setFont(font());
    painter.setPen(surroundTokens().secondary);
    const QRectF room = QRectF(rect()).adjusted(2 * kGrid, kGrid, -2 * kGrid, -kGrid);
    if (!problem().isEmpty()) {
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, problem());
    } else if (m_hasVolume) {
        constexpr int kCorner = Qt::AlignRight | Qt::AlignTop;
        const QRectF text = painter.boundingRect(room, kCorner, rangeText());
        painter.drawText(room, kCorner, rangeText());
        drawAxes(painter, {text.left(), text.top(), text.right(), text.bottom()});
        if (tabbedTo() && shown == Shown::OnScreen) {
            painter.setPen(surroundTokens().accent);
            painter.drawRect(rect().adjusted(0, 0, -1, -1));
        }
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
    QString text = QStringLiteral("%1 \u2026 %2 %3")
                       .arg(number(m_scene.display.min), number(m_scene.display.max),
                            QString::fromStdString(meant ? meant->unit : std::string()));
    // With a depth cue the colours do not show the values alone.
    if (projects() && m_scene.depthCue > 0.0)
        text += tr("\ndepth cue %1 %").arg(std::lround(100.0 * m_scene.depthCue));
    return text;
}

void VolumeView::drawAxes(QPainter& painter, const Rect& taken) {
    const VolumeProjection projection(VolumeBox::of(m_canvas->spec()), m_scene.orbit, viewport());
    const QFontMetricsF metrics(font());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(surroundTokens().secondary, 1.0));
    for (const VolumeProjection::AxisMarks& axis : projection.axisMarks()) {
        for (const auto& tick : axis.ticks)
            painter.drawLine(QPointF(tick.from.x, tick.from.y), QPointF(tick.to.x, tick.to.y));
    }
    const double height = metrics.ascent() + metrics.descent();
    const auto sizeOf = [&](const std::string& text) {
        return Vec2{metrics.horizontalAdvance(QString::fromStdString(text)), height};
    };
    for (const AxisLabel& label : layOutLabels(projection, viewport(), {&taken, 1}, sizeOf)) {
        const QPointF start(-0.5 * label.size.x, 0.5 * (metrics.ascent() - metrics.descent()));
        const QPointF centre(label.centre.x, label.centre.y);
        painter.save();
        if (label.angleRad == 0.0) { // on whole pixels, where text is sharp
            painter.translate((centre + start).toPoint() - start);
        } else {
            painter.translate(centre);
            painter.rotate(label.angleRad * 180.0 / std::numbers::pi);
        }
        painter.drawText(start, QString::fromStdString(label.text));
        painter.restore();
    }
}

} // namespace echolux
