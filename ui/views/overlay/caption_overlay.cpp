// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a caption and the ground under them.
#include "ui/views/overlay/caption_overlay.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace echolux {
namespace {

constexpr int kUsualCaptionLines = 2; ///< more are written in the small font
constexpr int kMostCaptionLines = 3;
constexpr double kMostShare = 0.25; ///< of the image's height; a lower image has no caption
constexpr double kCaptionEdge = 0.5 * kGrid;
constexpr double kCaptionGround = 0.75; ///< its opacity

QStringList fitting(const QStringList& texts, const QFontMetricsF& metrics, double room) {
    QStringList parts;
    for (const QString& text : texts)
        parts += metrics.horizontalAdvance(text) <= room ? QStringList{text} : text.split(", ");
    return parts;
}

QStringList captionLines(const QStringList& texts, const QFontMetricsF& metrics, double room) {
    const QString between(4, ' ');
    QStringList lines;
    for (const QString& text : fitting(texts, metrics, room)) {
        const QString longer = lines.isEmpty() ? text : lines.back() + between + text;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room) {
            lines.back() = longer;
        } else if (lines.size() < kMostCaptionLines) {
            lines += text;
        } else {
            lines.back() += between + QChar(0x2026);
            break;
        }
    }
    for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, room);
    return lines;
}

} // namespace

void CaptionOverlay::show(const QStringList& texts) {
    if (texts == m_texts) return;
    m_texts = texts;
    changed();
}

CaptionOverlay::Laid CaptionOverlay::laidOut(const OverlayPlace& place) const {
    const Rect seen = place.view.visibleInPixels();
    Laid laid;
    for (const QFont& font : {place.font, smallFont()}) {
        const QFontMetricsF metrics(font);
        laid.font = font;
        laid.lines = captionLines(m_texts, metrics, seen.width() - 2 * kCaptionEdge);
        laid.height =
            std::ceil(metrics.height()) * static_cast<double>(laid.lines.size()) + kCaptionEdge;
        if (laid.lines.size() <= kUsualCaptionLines) break;
    }
    if (laid.height > kMostShare * seen.height()) laid.height = 0.0;
    return laid;
}

double CaptionOverlay::takenBelow(const OverlayPlace& place) const {
    return m_texts.isEmpty() ? 0.0 : laidOut(place).height;
}

void CaptionOverlay::paint(QPainter& painter, const OverlayPlace& place) {
    if (m_texts.isEmpty()) return;
    const Laid laid = laidOut(place);
    if (laid.height <= 0.0) return;
    const Rect seen = place.view.visibleInPixels();
    const QRectF strip(seen.left, seen.bottom - laid.height, seen.width(), laid.height);
    painter.save();
    painter.setFont(laid.font);
    painter.fillRect(strip, withAlpha(surroundTokens().surround, kCaptionGround));
    painter.setPen(surroundTokens().text);
    painter.drawText(strip.adjusted(kCaptionEdge, 0.0, -kCaptionEdge, 0.0),
                     Qt::AlignLeft | Qt::AlignVCenter, laid.lines.join('\n'));
    painter.restore();
}

} // namespace echolux
