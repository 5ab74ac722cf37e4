// SPDX-License-Identifier: GPL-3.0-or-later
// Margins of a view.
#include "ui/views/image_view_layout.hpp"

#include "ui/theme/theme.hpp"

#include <QFontMetricsF>

#include <cmath>

namespace echolux {
namespace {

constexpr double kBarWidth = 14.0;
constexpr double kSlimBarWidth = 10.0;

/// Distances from the edges of the widget to the viewport.
struct Margins {
    double left, top, right, bottom;
    double barGap, barWidth;
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
    margins.barGap = parts.slim ? 2 * kGrid : 3 * kGrid;
    margins.barWidth = parts.slim ? kSlimBarWidth : kBarWidth;
    const double barNumber =
        parts.slim ? std::ceil(metrics.horizontalAdvance(QStringLiteral("\u221200.0"))) + kTextGap
                   : number + kGrid;
    margins.right = parts.barRoom
                        ? margins.barGap + margins.barWidth + kMajorTick + kTextGap + barNumber
                        : 2 * kGrid; // for the name of the zero delay
    margins.bottom = kGrid + line + kGrid;
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
        QRectF(margins.left, layout.viewport.bottom() + kGrid, layout.viewport.width(), line);
    if (!parts.bar) return layout;
    layout.bar = QRectF(layout.viewport.right() + margins.barGap, margins.top, margins.barWidth,
                        layout.viewport.height());
    const double beside = margins.right - margins.barGap - margins.barWidth;
    layout.barReach = layout.bar.adjusted(-2 * kGrid, -2 * kGrid, beside, 2 * kGrid);
    return layout;
}

} // namespace echolux
