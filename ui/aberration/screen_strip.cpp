// SPDX-License-Identifier: GPL-3.0-or-later
// Paints strips.
#include "ui/aberration/screen_strip.hpp"

#include "ui/controls/number_text.hpp"
#include "ui/plots/sticky_range.hpp"
#include "ui/theme/theme.hpp"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

constexpr int kCell = 180; ///< width and height of one picture, pixels
constexpr int kGap = 12;
constexpr int kTitle = 24;
constexpr int kScale = 96; ///< width on the right for the scale
constexpr std::size_t kMostWide = 12;

double largestOf(const std::vector<StripPicture>& pictures, ElementValues StripPicture::*of) {
    double most = 0.0;
    for (const StripPicture& picture : pictures)
        for (const double value : (picture.*of).values)
            if (std::isfinite(value)) most = std::max(most, std::abs(value));
    return most > 0.0 ? roundUp(most) : 1.0;
}

void paintMap(QPainter& painter, const QRectF& place, const ElementValues& of, double limit) {
    QImage image(of.columns, of.rows, QImage::Format_RGB32);
    image.fill(Qt::lightGray);
    for (int row = 0; row < of.rows; ++row) {
        for (int column = 0; column < of.columns; ++column) {
            const double value =
                of.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(of.columns) +
                          static_cast<std::size_t>(column)];
            if (std::isfinite(value)) image.setPixelColor(column, row, signedColour(value / limit));
        }
    }
    painter.drawImage(place, image);
}

void paintCurve(QPainter& painter, const QRectF& place, const ElementValues& of, double limit) {
    painter.fillRect(place, Qt::white);
    painter.setPen(QPen(QColor(200, 200, 200), 1.0));
    painter.drawLine(QPointF(place.left(), place.center().y()),
                     QPointF(place.right(), place.center().y()));
    QPolygonF curve;
    for (int i = 0; i < of.columns; ++i) {
        const double value = of.values[static_cast<std::size_t>(i)];
        if (!std::isfinite(value)) continue;
        curve << QPointF(place.left() + (i + 0.5) / of.columns * place.width(),
                         place.center().y() -
                             std::clamp(value / limit, -1.0, 1.0) * place.height() / 2.0);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(0, 114, 178), 1.5));
    painter.drawPolyline(curve);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintScale(QPainter& painter, const QRectF& place, bool map, double limit,
                const QString& unit) {
    const double width = map ? 12.0 : 0.0;
    for (int y = 0; map && y < static_cast<int>(place.height()); ++y) {
        painter.fillRect(QRectF(place.left(), place.top() + y, width, 1.0),
                         signedColour(1.0 - 2.0 * y / (place.height() - 1.0)));
    }
    painter.setPen(Qt::black);
    const std::array<std::pair<double, double>, 3> labels{
        {{limit, place.top()}, {0.0, place.center().y()}, {-limit, place.bottom()}}};
    for (const auto& [value, y] : labels) {
        const double held = std::clamp(y - 8.0, place.top(), place.bottom() - 16.0);
        painter.drawText(QRectF(place.left() + width + 6.0, held, kScale, 16.0),
                         Qt::AlignLeft | Qt::AlignVCenter, significantText(value, 3) + ' ' + unit);
    }
}

} // namespace

QColor signedColour(double part) {
    static const std::array<QColor, 5> kColours{QColor(0, 60, 110), QColor(90, 170, 225),
                                                QColor(248, 248, 248), QColor(235, 150, 60),
                                                QColor(140, 50, 0)};
    const double at = (std::clamp(part, -1.0, 1.0) + 1.0) * 2.0;
    const auto low = std::min(static_cast<std::size_t>(at), kColours.size() - 2);
    const double share = at - static_cast<double>(low);
    const QColor &a = kColours[low], &b = kColours[low + 1];
    const auto mixed = [&](int from, int to) {
        return static_cast<int>(std::lround(from + share * (to - from)));
    };
    return {mixed(a.red(), b.red()), mixed(a.green(), b.green()), mixed(a.blue(), b.blue())};
}

QImage paintStrip(const std::vector<StripPicture>& pictures) {
    if (pictures.empty()) return {};
    const int wide = static_cast<int>(std::min(pictures.size(), kMostWide));
    QImage strip(kGap + wide * (kCell + kGap) + kScale, kGap + kTitle + 2 * (kCell + kGap),
                 QImage::Format_RGB32);
    strip.fill(Qt::white);
    QPainter painter(&strip);
    QFont font = baseFont();
    font.setPixelSize(13);
    painter.setFont(font);
    const double delayLimit = largestOf(pictures, &StripPicture::delayNs);
    const double amplitudeLimit = largestOf(pictures, &StripPicture::amplitudeDb);
    const auto paint = [&](const QRectF& place, const ElementValues& of, double limit) {
        if (of.empty()) return;
        of.isLine() ? paintCurve(painter, place, of, limit) : paintMap(painter, place, of, limit);
        painter.setPen(QPen(QColor(120, 120, 120), 1.0));
        painter.drawRect(place);
    };
    const double top = kGap + kTitle;
    const double below = top + kCell + kGap;
    for (int i = 0; i < wide; ++i) {
        const StripPicture& picture = pictures[static_cast<std::size_t>(i)];
        const double left = kGap + i * (kCell + kGap);
        painter.setPen(Qt::black);
        painter.drawText(QRectF(left, kGap / 2.0, kCell, kTitle), Qt::AlignCenter, picture.title);
        paint({left, top, kCell, kCell}, picture.delayNs, delayLimit);
        paint({left, below, kCell, kCell}, picture.amplitudeDb, amplitudeLimit);
    }
    const double right = kGap + wide * (kCell + kGap);
    const bool map = !pictures.front().delayNs.isLine();
    paintScale(painter, {right, top, kScale, kCell}, map, delayLimit, "ns");
    paintScale(painter, {right, below, kScale, kCell}, map, amplitudeLimit, "dB");
    return strip;
}

} // namespace echolux
