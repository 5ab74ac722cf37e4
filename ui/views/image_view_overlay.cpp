// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of axes, colour bar, marker and texts around the image.
#include "ui/views/image_view_overlay.hpp"

#include "render/view/ticks.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

constexpr double kMinorTick = 3.0;
constexpr double kPointer = 6.0;      ///< of handles: height, and half the base
constexpr double kGroundAlpha = 0.75; ///< opacity of the ground under text and lines
constexpr double kMinDepthTickPx = 44.0;
constexpr double kMinLateralTickPx = 56.0;
constexpr double kMinBarTickPx = 56.0;

/// Ticks are closer than usual where a narrow image would have fewer than three, as close as the
/// labels allow.
Ticks lateralTicks(const ScreenAxis& axis, double from, double to, double pixelsPerPlace,
                   const QFontMetricsF& metrics) {
    constexpr std::size_t kFew = 3;
    const Ticks usual = axis.ticks(from, to, kMinLateralTickPx / pixelsPerPlace);
    if (usual.major.size() >= kFew) return usual;
    const Ticks close = axis.ticks(from, to, 0.5 * kMinLateralTickPx / pixelsPerPlace);
    double widest = 0.0;
    for (const double at : close.major) {
        widest =
            std::max(widest, metrics.horizontalAdvance(QString::fromStdString(close.label(at))));
    }
    const double apart = close.step / axis.labelPerView * pixelsPerPlace;
    return widest + kGrid <= apart ? close : usual;
}

/// A number with as many decimals as fit. As a power of ten where even the whole number is too
/// long.
QString fittingNumber(double value, int decimals, double room, const QFontMetricsF& metrics) {
    for (int places = decimals; places >= 0; --places) {
        const QString text = QString::fromStdString(formatNumber(value, places));
        if (metrics.horizontalAdvance(text) <= room) return text;
    }
    QString text = QString::number(value, 'g', 2);
    return text.replace('-', QChar(0x2212)).remove('+');
}

} // namespace

double ColourBar::pixelOf(const QRectF& bar, double value) const {
    return bar.top() + (scaleMax - value) / (scaleMax - scaleMin) * bar.height();
}
double ColourBar::valueAt(const QRectF& bar, double y) const {
    return scaleMax - (y - bar.top()) / bar.height() * (scaleMax - scaleMin);
}
double ColourBar::roundStep() const {
    constexpr double kStepsPerScale = 150.0;
    return makeTicks(0.0, scaleMax - scaleMin, (scaleMax - scaleMin) / kStepsPerScale).step;
}

ImageViewOverlay::ImageViewOverlay(QPainter& painter, const ImageViewLayout& layout)
    : m_painter(painter), m_layout(layout), m_ink(surroundTokens()),
      m_deviceRatio(painter.device()->devicePixelRatioF()),
      m_hair(std::max(1.0, std::floor(m_deviceRatio)) / m_deviceRatio) {
    m_painter.setFont(layout.font);
    m_painter.setRenderHint(QPainter::TextAntialiasing);
}

double ImageViewOverlay::onDevicePixel(double logical) const {
    return std::round(logical * m_deviceRatio) / m_deviceRatio;
}
void ImageViewOverlay::horizontalLine(double x0, double x1, double y, const QColor& colour) {
    const double left = onDevicePixel(x0);
    m_painter.fillRect(QRectF(left, onDevicePixel(y), onDevicePixel(x1) - left, m_hair), colour);
}
void ImageViewOverlay::verticalLine(double x, double y0, double y1, const QColor& colour) {
    const double top = onDevicePixel(y0);
    m_painter.fillRect(QRectF(onDevicePixel(x), top, m_hair, onDevicePixel(y1) - top), colour);
}

/// The edges run at 45 degrees between device pixels, so they are even without anti-aliasing.
void ImageViewOverlay::fillTriangle(const QPolygonF& corners, const QColor& colour) {
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    m_painter.drawPolygon(corners);
}

void ImageViewOverlay::frame(const Rect& box, const QColor& colour) {
    horizontalLine(box.left - m_hair, box.right + m_hair, box.top - m_hair, colour);
    horizontalLine(box.left - m_hair, box.right + m_hair, box.bottom, colour);
    verticalLine(box.left - m_hair, box.top, box.bottom, colour);
    verticalLine(box.right, box.top, box.bottom, colour);
}

void ImageViewOverlay::drawFocus(const ViewTransform& view) {
    frame(view.visibleInPixels(), m_ink.accent);
}

void ImageViewOverlay::drawAxes(const ViewTransform& view, const ScreenAxis& across,
                                const ScreenAxis& down, const ViewParts& parts) {
    const Rect box = view.visibleInPixels();
    if (box.width() < 1.0 || box.height() < 1.0) return;
    frame(box, m_ink.line);
    if (parts.across) drawAcross(view, across);
    if (parts.down) drawDown(view, down);
}

void ImageViewOverlay::drawAcross(const ViewTransform& view, const ScreenAxis& across) {
    const Rect box = view.visibleInPixels();
    const QFontMetricsF metrics(m_layout.font);
    const double line = metrics.height();
    const double from = view.toPlace({box.left, box.top}).x;
    const double to = view.toPlace({box.right, box.bottom}).x;
    const Ticks acrossTicks = lateralTicks(across, from, to, view.pixelsPerUnit().x, metrics);
    const auto xOf = [&](double label) { return view.toPixel({across.placeOf(label), 0.0}).x; };
    const double labelBottom = box.top - m_hair - kMajorTick - kTextGap;
    for (const double at : acrossTicks.minor)
        verticalLine(xOf(at), box.top - m_hair - kMinorTick, box.top - m_hair, m_ink.edge);
    for (const double at : acrossTicks.major) {
        verticalLine(xOf(at), box.top - m_hair - kMajorTick, box.top - m_hair, m_ink.secondary);
        m_painter.setPen(m_ink.secondary);
        m_painter.drawText(QRectF(xOf(at) - 50.0, labelBottom - line, 100.0, line), Qt::AlignCenter,
                           QString::fromStdString(acrossTicks.label(at)));
    }
    m_painter.setPen(m_ink.secondary);
    const QString acrossTitle = QString::fromStdString(across.title());
    const double titleWidth = metrics.horizontalAdvance(acrossTitle) + kGrid;
    m_acrossTitleRight = box.centre().x + titleWidth / 2;
    m_painter.drawText(QRectF(box.centre().x - titleWidth / 2, labelBottom - line - kTextGap - line,
                              titleWidth, line),
                       Qt::AlignCenter, acrossTitle);
}

void ImageViewOverlay::drawDown(const ViewTransform& view, const ScreenAxis& down) {
    const Rect box = view.visibleInPixels();
    const QFontMetricsF metrics(m_layout.font);
    const double line = metrics.height();
    const double from = view.toPlace({box.left, box.top}).y;
    const double to = view.toPlace({box.right, box.bottom}).y;
    const Ticks downTicks = down.ticks(from, to, kMinDepthTickPx / view.pixelsPerUnit().y);
    const auto yOf = [&](double label) { return view.toPixel({0.0, down.placeOf(label)}).y; };
    const double labelRight = box.left - m_hair - kMajorTick - kTextGap;
    double widest = 0.0;
    for (const double at : downTicks.minor)
        horizontalLine(box.left - m_hair - kMinorTick, box.left - m_hair, yOf(at), m_ink.edge);
    for (const double at : downTicks.major) {
        const double y = yOf(at);
        const QString label = QString::fromStdString(downTicks.label(at));
        widest = std::max(widest, metrics.horizontalAdvance(label));
        horizontalLine(box.left - m_hair - kMajorTick, box.left - m_hair, y, m_ink.secondary);
        m_painter.setPen(m_ink.secondary);
        m_painter.drawText(QRectF(labelRight - 100.0, y - line / 2, 100.0, line),
                           Qt::AlignRight | Qt::AlignVCenter, label);
    }
    m_painter.save();
    m_painter.translate(onDevicePixel(labelRight - widest - kGrid - line / 2),
                        onDevicePixel(box.centre().y));
    m_painter.rotate(-90.0);
    m_painter.setPen(m_ink.secondary);
    const double reach = std::max(box.height(), 120.0) / 2;
    m_painter.drawText(QRectF(-reach, -line / 2, 2 * reach, line), Qt::AlignCenter,
                       QString::fromStdString(down.title()));
    m_painter.restore();
}

void ImageViewOverlay::drawZeroDelay(const ViewTransform& view, double place) {
    const Rect box = view.visibleInPixels();
    const double y = view.toPixel({0.0, place}).y;
    if (y < box.top || y >= box.bottom) return;
    // Dashes in light and dark, because the image may be either.
    constexpr double kDash = 6.0;
    for (double x = box.left; x < box.right; x += 2 * kDash) {
        const double end = std::min(x + kDash, box.right);
        horizontalLine(x, end, y, m_ink.text);
        horizontalLine(end, std::min(end + kDash, box.right), y,
                       withAlpha(m_ink.surround, kGroundAlpha));
    }
}

void ImageViewOverlay::drawZeroDelayName(const ViewTransform& view, double place) {
    const Rect box = view.visibleInPixels();
    const double y = view.toPixel({0.0, place}).y;
    if (y < box.top || y >= box.bottom) return;
    const QString text = QStringLiteral("zero delay");
    const QFontMetricsF metrics(m_layout.font);
    const double line = std::ceil(metrics.height());
    const double width = std::ceil(metrics.horizontalAdvance(text));
    const double gap = m_hair + kTextGap;
    m_painter.setPen(m_ink.secondary);
    if (box.right + gap + width <= m_layout.viewport.right()) {
        m_painter.drawText(QRectF(box.right + gap, y - line / 2, width, line),
                           Qt::AlignLeft | Qt::AlignVCenter, text);
        return;
    }
    // Upright in the narrow room before the colour bar, as near to its line as the image allows.
    const double reach = std::min(width / 2, box.height() / 2);
    m_painter.save();
    const double left = std::min(box.right + m_hair, m_layout.whole.right() - line);
    m_painter.translate(onDevicePixel(left + line / 2),
                        onDevicePixel(std::clamp(y, box.top + reach, box.bottom - reach)));
    m_painter.rotate(-90.0);
    m_painter.drawText(QRectF(-width / 2, -line / 2, width, line), Qt::AlignCenter, text);
    m_painter.restore();
}

void ImageViewOverlay::label(const QRectF& box, const QString& text, const QColor& ink) {
    m_painter.fillRect(box, withAlpha(m_ink.surround, kGroundAlpha));
    m_painter.setPen(ink);
    m_painter.drawText(box, Qt::AlignCenter, text);
}

void ImageViewOverlay::drawScaleBar(const ViewTransform& view, const ScreenAxis& across,
                                    const ScreenAxis& down, double above) {
    const Rect box = view.visibleInPixels();
    const Vec2 perUnit = view.pixelsPerUnit();
    const QFontMetricsF metrics(m_layout.font);
    const double line = std::ceil(metrics.height());
    constexpr double kThick = 3.0;
    constexpr double kShare = 0.25; // largest part of the image
    /// The longest round length that is no longer than this part.
    const auto lengthOf = [](const ScreenAxis& axis, double roomPx, double pxPerView) {
        const double most = kShare * roomPx / pxPerView * axis.labelPerView;
        return most > 0.0 ? roundDown(most) : 0.0;
    };
    const auto textOf = [](const ScreenAxis& axis, double length) {
        const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(length))));
        return QString::fromStdString(formatNumber(length, decimals) + ' ' + axis.unit);
    };
    const double length = lengthOf(across, box.width(), perUnit.x);
    if (!(length > 0.0)) return;
    const double wide = length / across.labelPerView * perUnit.x;
    const double x = onDevicePixel(box.left + 2 * kGrid);
    const double y = onDevicePixel(box.bottom - above - 2 * kGrid);
    const QString text = textOf(across, length);
    const double textWidth = std::ceil(metrics.horizontalAdvance(text)) + 2 * kTextGap;
    const auto bar = [this](const QRectF& place) {
        m_painter.fillRect(place.adjusted(-1, -1, 1, 1), withAlpha(m_ink.surround, kGroundAlpha));
        m_painter.fillRect(place, m_ink.text);
    };
    bar(QRectF(x, y - kThick, wide, kThick));
    label(QRectF(x, y - kThick - kTextGap - line, textWidth, line), text, m_ink.text);
    if (!down.metric || std::abs(perUnit.x - perUnit.y) < 1e-6 * perUnit.x) return;
    const double upright = lengthOf(down, box.height(), perUnit.y);
    if (!(upright > 0.0)) return;
    const double high = upright / down.labelPerView * perUnit.y;
    const double foot = y - kThick - 2 * kTextGap - line;
    bar(QRectF(x, foot - high, kThick, high));
    const QString uprightText = textOf(down, upright);
    label(QRectF(x + kThick + kTextGap, foot - high,
                 std::ceil(metrics.horizontalAdvance(uprightText)) + 2 * kTextGap, line),
          uprightText, m_ink.text);
}

void ImageViewOverlay::drawGhost(const ViewTransform& view, Vec2 place) {
    const Vec2 at = view.toPixel(place);
    if (!view.visibleInPixels().contains(at)) return;
    constexpr double kGapPx = 4.0;
    constexpr double kArmPx = 10.0;
    const double x = onDevicePixel(at.x);
    const double y = onDevicePixel(at.y);
    const double far = kGapPx + kArmPx;
    const std::array arms{QRectF(x - far, y, kArmPx, m_hair), QRectF(x + kGapPx, y, kArmPx, m_hair),
                          QRectF(x, y - far, m_hair, kArmPx),
                          QRectF(x, y + kGapPx, m_hair, kArmPx)};
    for (const QRectF& arm : arms)
        m_painter.fillRect(arm.adjusted(-m_hair, -m_hair, m_hair, m_hair),
                           withAlpha(m_ink.surround, kGroundAlpha));
    for (const QRectF& arm : arms) m_painter.fillRect(arm, m_ink.text);
}

void ImageViewOverlay::barHandle(double y, const QString& label, bool grabbed, double labelY) {
    const QRectF& bar = m_layout.bar;
    const QColor colour = grabbed ? m_ink.accent : m_ink.text;
    const double end = bar.right() + (m_layout.barInside ? 0.0 : kMajorTick);
    horizontalLine(bar.left() - m_hair, end, y - m_hair / 2, colour);
    const double x = onDevicePixel(bar.left() - 2 * m_hair);
    const double middle = onDevicePixel(y - m_hair / 2) + m_hair / 2;
    fillTriangle(
        {{x - kPointer, middle - kPointer}, {x, middle}, {x - kPointer, middle + kPointer}},
        colour);
    barText(m_layout.barInside ? x - kPointer - kTextGap : bar.right() + kMajorTick + kTextGap,
            labelY, label, colour);
}

void ImageViewOverlay::barText(double x, double y, const QString& text, const QColor& ink) {
    const QFontMetricsF metrics(m_layout.font);
    const double line = metrics.height();
    if (m_layout.barInside) {
        const double width = std::ceil(metrics.horizontalAdvance(text)) + kTextGap;
        return label(QRectF(x - width, y - line / 2, width, line), text, ink);
    }
    m_painter.setPen(ink);
    m_painter.drawText(QRectF(x, y - line / 2, 100.0, line), Qt::AlignLeft | Qt::AlignVCenter,
                       text);
}

void ImageViewOverlay::drawColourBar(const ColourBar& range, const QImage& gradient,
                                     const QString& unit, const QString& zero, BarEnd grabbed) {
    const QRectF& bar = m_layout.bar;
    const double line = QFontMetricsF(m_layout.font).height();
    const double top = onDevicePixel(range.pixelOf(bar, range.max));
    const double bottom = onDevicePixel(range.pixelOf(bar, range.min));
    const QRectF colours(bar.left(), top, bar.width(), bottom - top);
    m_painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), top - bar.top()),
                       gradient.pixelColor(0, 0));
    m_painter.fillRect(QRectF(bar.left(), bottom, bar.width(), bar.bottom() - bottom),
                       gradient.pixelColor(0, gradient.height() - 1));
    m_painter.drawImage(colours, gradient);
    frame({bar.left(), bar.top(), bar.right(), bar.bottom()}, m_ink.line);

    // Where the two ends come close, their numbers move apart and stay readable.
    double maxLabelY = top;
    double minLabelY = bottom;
    if (minLabelY - maxLabelY < line) {
        const double middle = (maxLabelY + minLabelY) / 2;
        maxLabelY = middle - line / 2;
        minLabelY = middle + line / 2;
    }
    const QFontMetricsF metrics(m_layout.font);
    const double room = m_layout.barInside
                            ? 0.5 * m_layout.viewport.width()
                            : m_layout.whole.right() - bar.right() - kMajorTick - kTextGap;
    const Ticks ticks = makeTicks(range.scaleMin, range.scaleMax,
                                  kMinBarTickPx * (range.scaleMax - range.scaleMin) / bar.height());
    for (const double value : ticks.major) {
        if (m_layout.barInside) break; // the two ends are enough on an image
        const double y = range.pixelOf(bar, value);
        horizontalLine(bar.right() + m_hair, bar.right() + kMajorTick, y - m_hair / 2,
                       m_ink.secondary);
        if (std::abs(y - maxLabelY) < line || std::abs(y - minLabelY) < line) continue;
        barText(bar.right() + kMajorTick + kTextGap, y,
                fittingNumber(value, ticks.decimals, room, metrics), m_ink.secondary);
    }
    const Ticks fine = makeTicks(range.scaleMin, range.scaleMax, range.roundStep());
    const auto exact = [&](double value) {
        const bool whole = std::abs(value - std::round(value)) < 1e-6;
        return fittingNumber(value, whole ? 0 : fine.decimals, room, metrics);
    };
    barHandle(top, exact(range.max), grabbed == BarEnd::Max, maxLabelY);
    barHandle(bottom, exact(range.min), grabbed == BarEnd::Min, minLabelY);

    const double unitTop = bar.top() - kMajorTick - kTextGap - line;
    if (m_layout.barInside) {
        if (!unit.isEmpty()) barText(bar.right(), unitTop + line / 2, unit, m_ink.text);
        return; // a tooltip shows the meaning of 0
    }
    m_painter.setPen(m_ink.secondary);
    m_painter.drawText(QRectF(bar.center().x() - 50.0, unitTop, 100.0, line), Qt::AlignCenter,
                       unit);
    const double right = m_layout.whole.right() - kGrid;
    const bool hasRoom = unitTop - kTextGap - line >= 0.0 &&
                         right - metrics.horizontalAdvance(zero) >= m_acrossTitleRight;
    if (!hasRoom) return; // a tooltip shows it too
    m_painter.drawText(QRectF(right - 300.0, unitTop - kTextGap - line, 300.0, line),
                       Qt::AlignRight | Qt::AlignVCenter, zero);
}

void ImageViewOverlay::drawReadout(const ViewTransform& view, const QStringList& cursor,
                                   const QString& zoom) {
    QRectF line = m_layout.readout;
    const QFontMetricsF metrics(m_layout.font);
    const double most = m_layout.whole.width() - 2 * kGrid;
    const auto fits = [&](const QString& each) { return metrics.horizontalAdvance(each) <= most; };
    const auto fitting = std::ranges::find_if(cursor, fits);
    const QString text = fitting != cursor.end() ? *fitting
                         : cursor.isEmpty()      ? QString()
                                                 : cursor.back();
    const double needed = metrics.horizontalAdvance(text);
    line.setLeft(std::min(view.visibleInPixels().left, m_layout.whole.right() - kGrid - needed));
    m_painter.setPen(m_ink.text);
    m_painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    if (needed + metrics.horizontalAdvance(zoom) + 2 * kGrid > line.width())
        return; // the value is more important
    m_painter.setPen(m_ink.secondary);
    m_painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, zoom);
}

void ImageViewOverlay::drawMessage(const QString& text) {
    m_painter.setPen(m_ink.secondary);
    m_painter.drawText(m_layout.viewport.adjusted(kGrid, 0, -kGrid, 0),
                       Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace echolux
