// SPDX-License-Identifier: GPL-3.0-or-later
// Frames and drawing of the image view. image_view_input.cpp has the mouse, image_view_settings.cpp
// the colours.
#include "ui/views/image_view.hpp"

#include "gpu/core/sector.hpp"
#include "ui/controls/failure_sentence.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/views/side_marks.hpp"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

ImageView::ImageView(QWidget* parent) : GlView(parent) {
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Image"));
    updateGradient();
    updateLayout();
}

ImageView::~ImageView() {
    endGl();
    for (Overlay* each : std::vector(m_overlays)) remove(*each);
}

void ImageView::refresh() {
    m_overlayStale = true;
    repaintSoon();
}

void ImageView::setFrameSupplier(FrameSupplier* supplier) {
    m_supplier = supplier;
    m_pendingSerial.reset();
    if (supplier != nullptr) refresh();
}

QStringList ImageView::colourMapNames() {
    QStringList names;
    for (const ColourMap& map : colourMaps()) {
        names += QString::fromUtf8(map.name.data(), static_cast<qsizetype>(map.name.size()));
    }
    return names;
}

QImage ImageView::grabImage() {
    if (!hasSurface()) return View::grabImage();
    takeNewest();
    QImage image = grabSurface();
    if (m_pendingSerial) refresh();
    return image;
}

void ImageView::frameAvailable() { repaintSoon(); }

void ImageView::resetView() {
    m_view.fit();
    refresh();
    emit viewChanged();
}

void ImageView::clear() {
    m_hasImage = false;
    m_kept.reset();
    m_spec = {};
    m_beneathExtent.reset();
    m_ownRange.reset();
    m_exposure.reset();
    m_chosen.clear();
    m_search.reset();
    m_isExposed = false;
    m_asked.reset();
    m_ghost.reset();
    m_awaitedLook.reset();
    m_pendingSerial.reset();
    withCanvas([this] { m_canvas->clear(); });
    updatePath();
    setProblem({});
    refresh();
}

void ImageView::makeCanvas() {
    m_canvas = std::make_unique<FrameCanvas>();
    m_canvas->setParticles(m_particles);
    m_beneathMapStale = true;
    if (m_kept) m_canvas->restore(m_kept->spec, m_kept->pixels);
    if (m_kept && m_kept->beneath)
        m_canvas->restoreBeneath(*m_kept->beneath, m_kept->beneathPixels);
    if (m_search && m_kept) m_canvas->askForLevels(m_search->content);
    m_asked.reset();
    m_kept.reset();
}

void ImageView::keepPicture() {
    if (!m_hasImage) return;
    m_kept = Kept{m_canvas->spec(), m_canvas->readBack(), std::nullopt, {}};
    if (const FrameSpec* beneath = m_canvas->beneath()) {
        m_kept->beneath = *beneath;
        m_kept->beneathPixels = m_canvas->readBackBeneath();
    }
}

void ImageView::showPicture(double ratio) {
    if (!m_hasImage) takeNewestFrame(); // the context is new
    takeLimits();
    drawPicture(ratio, Shown::OnScreen);
    updateCursorText();
}

void ImageView::drawOver(QPainter& painter, double ratio, Shown shown) {
    if (shown == Shown::InPictures) {
        painter.save();
        drawOverlay(painter, shown);
        painter.restore();
        drawOverlays(painter, ratio, shown);
        return;
    }
    drawOverlays(painter, ratio, shown);
    if (m_ghost && m_hasImage) ImageViewOverlay(painter, m_layout).drawGhost(m_view, *m_ghost);
}

/// Axes, colour bar and texts change rarely and take longer to paint than the image, so their
/// picture is kept.
const QImage* ImageView::keptOver(double ratio) {
    const QSize pixels = pixelsAt(ratio);
    const bool moves = m_scaleBar && takenBelow() != m_keptAbove;
    if (m_overlayStale || moves || m_overlay.size() != pixels ||
        m_overlay.devicePixelRatio() != ratio) {
        m_overlay = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_overlay.setDevicePixelRatio(ratio);
        m_overlay.fill(Qt::transparent);
        QPainter painter(&m_overlay);
        m_keptAbove = takenBelow();
        drawOverlay(painter, Shown::OnScreen);
        m_overlayStale = false;
    }
    return &m_overlay;
}

void ImageView::takeNewest() {
    if (m_supplier != nullptr) withCanvas([this] { takeNewestFrame(); });
}

void ImageView::takeNewestFrame() {
    if (m_supplier == nullptr) return;
    try {
        const auto serial = m_canvas->takeNewest(*m_supplier);
        if (!serial) return;
        m_pendingSerial = *serial;
        ++m_framesTaken;
        m_overlayStale = m_overlayStale || !m_hasImage;
        m_hasImage = true;
        setProblem({});
        followSpec(m_canvas->spec());
        followBeneath();
        if (m_exposing) followExposure(m_canvas->exposure());
        repaintSoon();
        emit frameTaken();
    } catch (const std::exception& error) {
        m_hasImage = false;
        setProblem(sentenceOf(error));
    }
    updatePath();
}

void ImageView::followSpec(const FrameSpec& spec) {
    m_spec.within = spec.within;
    if (takeSides(m_spec, spec)) m_overlayStale = true;
    if (spec.axes == m_spec.axes && spec.valueRange == m_spec.valueRange) return;
    m_overlayStale = true;
    const bool otherUnit = unitOf(spec.valueRange) != rangeUnit().toStdString();
    const bool first = m_spec.axes.empty();
    const bool otherRange = first || spec.valueRange != m_spec.valueRange;
    m_spec = spec;
    m_search.reset();
    const Picture picture = pictureOf(spec);
    if (!picture.sameAxes(m_picture)) m_ghost.reset();
    m_picture = picture;
    m_view.setImage(m_picture.extent(), m_picture.sample(), aspect());
    followLook();
    emit viewChanged();
    if (m_exposing) {
        if (first || !otherUnit) return;
        m_chosen.clear();
        m_exposure.reset();
        return;
    }
    if (!otherRange) return;
    m_holdsAmplitudes = false;
    if (m_led) {
        if (spec.valueRange) m_scale = {spec.valueRange->min, spec.valueRange->max};
        return;
    }
    if (spec.valueRange && spec.valueRange->min < spec.valueRange->max) {
        m_scale = {spec.valueRange->min, spec.valueRange->max};
    } else {
        findLimits(LimitsOf::FirstFrame);
    }
    if (m_ownRange && m_ownRange->meant == spec.valueRange) {
        m_ownRange->seen = true;
    } else if (m_ownRange && m_ownRange->seen) {
        m_ownRange.reset();
    }
    if (!m_ownRange && !m_search) applyRange(m_scale.first, m_scale.second);
}

void ImageView::drawPicture(double ratio, Shown) {
    bringColours(*m_canvas);
    if (std::exchange(m_beneathMapStale, false))
        m_canvas->setColourMapBeneath(colourMap(m_beneath.colourMap.toStdString()));
    const auto inDevicePixels = [ratio](const Rect& r) {
        return Rect{r.left * ratio, r.top * ratio, r.right * ratio, r.bottom * ratio};
    };
    // A frame becomes visible when its limits are known.
    const bool shows = m_hasImage && (m_isExposed || !m_search);
    const Rect clip = shows ? m_view.visibleInPixels() : Rect{};
    const QSize pixels = pixelsAt(ratio);
    ImageBeneath beneath{{}, m_beneath.settings, m_blend};
    if (m_beneathExtent) {
        const Vec2 first = m_view.toPixel({m_beneathExtent->left, m_beneathExtent->top});
        const Vec2 last = m_view.toPixel({m_beneathExtent->right, m_beneathExtent->bottom});
        beneath.image = inDevicePixels({first.x, first.y, last.x, last.y});
    }
    m_canvas->draw(inDevicePixels(m_view.imageInPixels()), inDevicePixels(clip),
                   {static_cast<double>(pixels.width()), static_cast<double>(pixels.height())},
                   m_settings, beneath);
}

void ImageView::drawOverlay(QPainter& painter, Shown shown) {
    const Rect box = m_view.visibleInPixels();
    m_layout.putBarInto({box.left, box.top, box.width(), box.height()});
    ImageViewOverlay overlay(painter, m_layout);
    if (!problem().isEmpty()) {
        overlay.drawMessage(problem());
        return;
    }
    if (!m_hasImage) {
        overlay.drawMessage(tr("Open a recording (Ctrl+O) or drop a file here"));
        return;
    }
    overlay.drawAxes(m_view, m_picture.across, m_picture.down, parts());
    drawSideLetters(painter, m_layout.font, m_view, sideLettersOf(m_spec));
    if (tabbedTo() && shown == Shown::OnScreen) overlay.drawFocus(m_view);
    if (m_picture.zeroDelay) overlay.drawZeroDelay(m_view, *m_picture.zeroDelay);
    if (parts().bar) {
        overlay.drawColourBar(colourBar(), m_gradient, rangeUnit(),
                              m_exposing ? QString() : zeroText(),
                              m_drag == Drag::Bar ? m_barEnd : BarEnd::None);
    }
    if (m_scaleBar && m_picture.across.metric)
        overlay.drawScaleBar(m_view, m_picture.across, m_picture.down, takenBelow());
    if (!m_notice.isEmpty()) overlay.drawMessage(m_notice);
    const QString cursor = shown == Shown::OnScreen ? m_cursorText : QString();
    overlay.drawReadout(m_view, {cursor, QString(cursor).remove(referenceText())},
                        m_view.fitted() ? QString()
                                        : QStringLiteral("%1\u00d7").arg(m_view.zoom(), 0, 'f', 1));
}

void ImageView::drawOverlays(QPainter& painter, double ratio, Shown shown) {
    if (!m_hasImage || !problem().isEmpty()) return;
    const OverlayPlace place{m_view, m_picture, font(), ratio, shown == Shown::OnScreen};
    for (Overlay* each : m_overlays) each->paint(painter, place);
    // Drawn over the depth window, whose limits are often at the zero delay.
    if (m_picture.zeroDelay)
        ImageViewOverlay(painter, m_layout).drawZeroDelayName(m_view, *m_picture.zeroDelay);
}

void ImageView::swapped() {
    if (!m_pendingSerial) return;
    const quint64 serial = *m_pendingSerial;
    m_pendingSerial.reset();
    if (m_supplier != nullptr) m_supplier->presented(serial);
    emit framePresented(serial);
}

void ImageView::updatePath() {
    PathText text;
    if (m_canvas && m_canvas->path()) {
        text = {QString::fromStdString(m_canvas->path()->badge),
                QString::fromStdString(m_canvas->path()->reason)};
    }
    if (text.badge == m_pathText.badge && text.reason == m_pathText.reason) return;
    m_pathText = text;
    emit displayPathChanged();
}

void ImageView::setNotice(const QString& sentence) {
    if (sentence == m_notice) return;
    m_notice = sentence;
    refresh();
}

void ImageView::updateLayout() {
    m_overlayStale = true;
    m_layout = ImageViewLayout::of(size(), font(), parts());
    const QRectF& v = m_layout.viewport;
    m_view.setViewport({v.left(), v.top(), v.right(), v.bottom()});
}

ViewParts ImageView::parts() const {
    if (m_parts) return *m_parts;
    ViewParts all;
    all.slim = m_exposing || width() < kNarrow;
    return all;
}

void ImageView::setParts(const std::optional<ViewParts>& parts) {
    if (parts == m_parts) return;
    m_parts = parts;
    updateLayout();
    refresh();
    emit viewChanged();
}

QImage ImageView::imageAt(double times) {
    const auto parts = std::exchange(m_parts, std::nullopt);
    const ViewTransform view = m_view;
    updateLayout();
    const QImage image = GlView::imageAt(times);
    m_parts = parts;
    updateLayout();
    m_view = view;
    return image;
}

/// Requests the value of the pixel at `place`, once per frame. The context must be current.
void ImageView::askForValue(Vec2 place) {
    const Rect& extent = m_view.image();
    const auto sample = [](double part, int count) {
        return std::clamp(static_cast<int>(part * count), 0, count - 1);
    };
    const AskedPixel pixel{sample((place.x - extent.left) / extent.width(), m_canvas->width()),
                           sample((place.y - extent.top) / extent.height(), m_canvas->height()),
                           m_framesTaken};
    const QString text = QString::fromStdString(m_picture.placeText(place));
    if (m_asked == pixel && m_askedPlace == text) return;
    m_asked = pixel;
    m_askedPlace = text;
    m_canvas->askForValue(pixel.column, pixel.row);
}

QString ImageView::valueText(float value) const {
    const QString unit = rangeUnit();
    if (std::isnan(value)) return tr("no value");
    if (unit != QLatin1String("dB"))
        return QStringLiteral("%1 %2").arg(significantText(value, 4), unit).trimmed();
    return numberText(value, 1) + QStringLiteral(" dB") + referenceText();
}

QString ImageView::referenceText() const {
    if (!m_spec.valueRange || m_spec.valueRange->reference.empty()) return {};
    return tr(" re %1").arg(QString::fromStdString(m_spec.valueRange->reference));
}

/// True where scan conversion left the place empty.
bool ImageView::isBesideSector(Vec2 place) const {
    return m_spec.within != nullptr &&
           !m_spec.within->contains(place.x / m_picture.across.viewPerAxis,
                                    place.y / m_picture.down.viewPerAxis);
}

/// Place and value appear together, once the value is known.
void ImageView::updateCursorText() {
    QString text = m_cursorText;
    const auto place = placeRead();
    if (place && isBesideSector(*place)) {
        text =
            tr("%1   outside the sector").arg(QString::fromStdString(m_picture.placeText(*place)));
        m_asked.reset();
    } else if (place) {
        if (const auto value = m_canvas->takeValue())
            text = QStringLiteral("%1   %2").arg(m_askedPlace, valueText(*value));
        if (!m_canvas->valuePending()) askForValue(*place);
        if (m_canvas->valuePending()) repaintSoon();
    } else {
        text.clear();
        m_asked.reset();
    }
    if (text == m_cursorText) return;
    m_cursorText = text;
    m_overlayStale = true;
    emit cursorMoved(text);
}

} // namespace echolux
