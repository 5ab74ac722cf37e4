// SPDX-License-Identifier: GPL-3.0-or-later
// Finds neighbouring views that show the same parts.
#include "ui/views/shared_parts.hpp"

#include "ui/views/image_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace echolux {
namespace {

constexpr double kSameSize = 4.0; ///< pixels by which viewports may differ

bool sameExtent(const ImageView& a, const ImageView& b) {
    return a.hasImage() && b.hasImage() && a.stretched() == b.stretched() &&
           a.picture().sameAxes(b.picture()) && a.picture().extent() == b.picture().extent();
}

bool sameColours(const ImageView& a, const ImageView& b) {
    const auto& range = a.spec().valueRange;
    return a.hasImage() && b.hasImage() && range && range == b.spec().valueRange &&
           a.displayMin() == b.displayMin() && a.displayMax() == b.displayMax() &&
           a.colourMapName() == b.colourMapName() && a.inverted() == b.inverted();
}

/// True for views side by side with the same height.
bool isLeftOf(const PlacedView& a, const PlacedView& b) {
    return a.row == b.row && a.rows == b.rows && a.column + a.columns == b.column;
}
bool isAbove(const PlacedView& a, const PlacedView& b) {
    return a.column == b.column && a.columns == b.columns && a.row + a.rows == b.row;
}
bool touchesFromTheRight(const PlacedView& a, const PlacedView& b) {
    return a.column == b.column + b.columns && a.row < b.row + b.rows && b.row < a.row + a.rows;
}

bool shareAnAxis(const PlacedView& a, const PlacedView& b) {
    return (isLeftOf(a, b) || isAbove(a, b)) && sameExtent(*a.view, *b.view);
}

QSizeF viewportOf(const PlacedView& placed, const ViewParts& parts) {
    return placed.view->size() - ImageViewLayout::surroundings(placed.view->font(), parts);
}

/// So that views below each other have the same width, and views side by side the same height.
void keepRoomForBars(const std::vector<PlacedView>& views, std::vector<ViewParts>& parts) {
    for (std::size_t i = 0; i < views.size(); ++i) {
        parts[i].barRoom = parts[i].unitRoom = false;
        for (std::size_t k = 0; k < views.size(); ++k) {
            if (!parts[k].bar) continue;
            const int lastColumn = views[i].column + views[i].columns;
            const bool endTogether = views[k].column + views[k].columns == lastColumn;
            parts[i].barRoom = parts[i].barRoom || endTogether;
            parts[i].unitRoom = parts[i].unitRoom || views[k].row == views[i].row;
        }
    }
}

} // namespace

std::vector<ViewParts> ownParts(std::size_t views, bool barsInside) {
    ViewParts own;
    own.slim = true;
    own.barInside = barsInside;
    own.barRoom = own.unitRoom = !barsInside;
    return std::vector<ViewParts>(views, own);
}

std::vector<ViewParts> sharedParts(const std::vector<PlacedView>& views, bool barsInside) {
    std::vector<ViewParts> all = ownParts(views.size(), barsInside);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const PlacedView& own = views[i];
        ViewParts& parts = all[i];
        bool isLast = true;
        bool sameToTheRight = true;
        for (const PlacedView& other : views) {
            if (shareAnAxis(other, own)) {
                parts.down = parts.down && !isLeftOf(other, own);
                parts.across = parts.across && !isAbove(other, own);
            }
            const bool same = sameColours(*other.view, *own.view);
            if (isAbove(other, own) && same) parts.bar = false;
            if (!touchesFromTheRight(other, own)) continue;
            isLast = false;
            sameToTheRight = sameToTheRight && same;
        }
        parts.bar = parts.bar && (isLast || !sameToTheRight);
    }
    if (!barsInside) keepRoomForBars(views, all);
    return all;
}

void matchViewports(const std::vector<PlacedView>& views, std::vector<ViewParts>& parts) {
    std::vector<QSizeF> sizes(views.size());
    for (std::size_t i = 0; i < views.size(); ++i) sizes[i] = viewportOf(views[i], parts[i]);
    // A size may have to travel from neighbour to neighbour through all views.
    for (std::size_t turn = 0; turn < views.size(); ++turn) {
        for (std::size_t i = 0; i < views.size(); ++i) {
            for (std::size_t k = 0; k < views.size(); ++k) {
                if (!shareAnAxis(views[i], views[k])) continue;
                const QSizeF most = sizes[i].boundedTo(sizes[k]);
                sizes[i] = sizes[k] = most;
                parts[i].most = parts[k].most = most;
            }
        }
    }
    for (std::size_t i = 0; i < views.size(); ++i) {
        const QSizeF own = viewportOf(views[i], parts[i]);
        const bool fits = own.width() - sizes[i].width() <= kSameSize &&
                          own.height() - sizes[i].height() <= kSameSize;
        if (fits) continue;
        for (ViewParts& each : parts) {
            each.down = each.across = true;
            each.most = {};
        }
        return;
    }
}

} // namespace echolux
