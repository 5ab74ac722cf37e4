// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which of several views draws an axis or the colour bar for its neighbours too.
#pragma once

#include "ui/views/image_view_layout.hpp"

#include <vector>

namespace echolux {

class ImageView;

/// A view in a grid. It may span rows or columns.
struct PlacedView {
    ImageView* view = nullptr;
    int row = 0;
    int column = 0;
    int rows = 1;
    int columns = 1;
};

/// One entry per view of `views`. Where neighbours show the same, the axis is at the first view of
/// a row or column, and the colour bar at the last view of a row and the first of a column.
/// Bars are narrow, and may lie inside the images.
std::vector<ViewParts> sharedParts(const std::vector<PlacedView>& views, bool barsInside);
/// Parts of views that draw all their own.
std::vector<ViewParts> ownParts(std::size_t views, bool barsInside);

/// Gives views that share an axis viewports of equal size by ViewParts::most. Where the sizes of
/// the widgets differ too much for that, each view draws its own axes.
void matchViewports(const std::vector<PlacedView>& views, std::vector<ViewParts>& parts);

} // namespace echolux
