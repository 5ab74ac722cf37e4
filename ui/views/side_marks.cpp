// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/side_marks.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace echolux {

void drawSideLetters(QPainter& painter, const QFont& font, const ViewTransform& view,
                     const SideLetters& letters) {
    if (letters.empty()) return;
    constexpr double kEdge = 4.0;         // from the letter's ground to the edge of the image
    constexpr double kGroundAlpha = 0.75; // opacity of that ground
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    const Rect box = view.visibleInPixels();
    const Vec2 middle = box.centre();
    const double height = std::ceil(metrics.height());
    painter.save();
    painter.setFont(bold);
    /// `x` and `y`: -1 at the left or upper edge, 1 at the other one, 0 in the middle.
    const auto letter = [&](const std::string& words, int x, int y) {
        const QString text = QString::fromStdString(words);
        const double width = std::ceil(metrics.horizontalAdvance(text)) + 2 * kEdge;
        if (words.empty() || width > box.width() || height > box.height()) return;
        const double left = x < 0   ? box.left + kEdge
                            : x > 0 ? box.right - kEdge - width
                                    : middle.x - width / 2;
        const double top = y < 0   ? box.top + kEdge
                           : y > 0 ? box.bottom - kEdge - height
                                   : middle.y - height / 2;
        const QRectF place(std::round(left), std::round(top), width, height);
        painter.fillRect(place, withAlpha(surroundTokens().surround, kGroundAlpha));
        painter.setPen(surroundTokens().text);
        painter.drawText(place, Qt::AlignCenter, text);
    };
    letter(letters.left, -1, 0);
    letter(letters.right, 1, 0);
    letter(letters.top, 0, -1);
    letter(letters.bottom, 0, 1);
    painter.restore();
}

} // namespace echolux
