// SPDX-License-Identifier: GPL-3.0-or-later
// Margins of a view.
#include "ui/views/image_view_layout.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr double kBarWidth = 14.0;
constexpr double kSlimBarWidth = 10.0;
constexpr double kBarGap = 3 * kGrid; ///< for the name of the zero delay and the handles
constexpr double kBarInside = 0.4;    ///< of the viewport's height, where the bar is inside

/// Distances from the edges of the widget to the viewport.
struct Margins {
    double left, top, right, bottom;
    double barWidth;
};

Margins marginsOf(const QFont& font, const ViewParts& parts) {
    const QFontMetricsF metrics(font);
    const double line = std::ceil(metrics.height());
    const double number = std::ceil(metrics.horizontalAdvance(QStringLiteral("\u2212000.0")));
    Margins margins{};
    margins.left =
        parts.down ? kGrid + line + kTextGap + number + kTextGap + kMajorTick : double(kGrid);
    // Room for a title and numbers, or for the unit of the bar.
    const double word = line + kTextGap;
    margins.top = kGrid + (parts.across     ? 2 * word + kMajorTick
                           : parts.unitRoom ? word + kMajorTick
                                            : 0.0);
    margins.barWidth = parts.slim ? kSlimBarWidth : kBarWidth;
    const double barNumber =
        parts.slim ? std::ceil(metrics.horizontalAdvance(QStringLiteral("\u221200.0"))) + kTextGap
                   : number + kGrid;
    // Without a bar beside the image there is room for the name of the zero delay.
    const double narrow = parts.barInside ? kGrid : 2 * kGrid;
    margins.right =
        parts.barRoom ? kBarGap + margins.barWidth + kMajorTick + kTextGap + barNumber : narrow;
    margins.bottom = line + kGrid;
    return margins;
}

} // namespace

QSizeF ImageViewLayout::surroundings(const QFont& font, const ViewParts& parts) {
    const Margins margins = marginsOf(font, parts);
    return {margins.left + margins.right, margins.top + margins.bottom};
}

ImageViewLayout ImageViewLayout::of(QSizeF size, const QFont& font, const ViewParts& parts) {
    const Margins margins = marginsOf(font, parts);
    QSizeF image = (size - surroundings(font, parts)).expandedTo({1.0, 1.0});
    if (parts.most.isValid()) image = image.boundedTo(parts.most);
    ImageViewLayout layout;
    layout.font = font;
    layout.whole = QRectF(QPointF(), size);
    layout.viewport = QRectF(QPointF(margins.left, margins.top), image);
    const double line = std::ceil(QFontMetricsF(font).height());
    layout.readout =
        QRectF(margins.left, layout.viewport.bottom() + kGrid / 2, layout.viewport.width(), line);
    if (!parts.bar) return layout;
    layout.barInside = parts.barInside;
    layout.putBarInto(layout.viewport);
    if (parts.barInside) return layout;
    layout.bar = QRectF(layout.viewport.right() + kBarGap, margins.top, margins.barWidth,
                        layout.viewport.height());
    const double beside = margins.right - kBarGap - margins.barWidth;
    layout.barReach = layout.bar.adjusted(-2 * kGrid, -2 * kGrid, beside, 2 * kGrid);
    return layout;
}

void ImageViewLayout::putBarInto(const QRectF& image) {
    if (!barInside) return;
    const double line = std::ceil(QFontMetricsF(font).height());
    const double top = image.top() + line + 2 * kGrid; // below the unit
    bar = QRectF(image.right() - kGrid - kSlimBarWidth, top, kSlimBarWidth,
                 std::max(1.0, kBarInside * image.height()));
    barReach = bar.adjusted(-2 * kGrid, -kGrid, kGrid, kGrid);
}

} // namespace echolux
