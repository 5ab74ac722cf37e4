// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several views draws an axis or the colour bar for its neighbours, too.
#pragma once

#include "ui/views/image_view_layout.hpp"

#include <vector>

namespace echolux {

class ImageView;

/// A view in a grid; it may span rows or columns.
struct PlacedView {
    ImageView* view = nullptr;
    int row = 0;
    int column = 0;
    int rows = 1;
    int columns = 1;
};

/// One for each of `views`. An axis stands at the first view of a row or column, the colour bar at
/// the last view of a row and the first one of a column, where the neighbours show the same.
/// `slim`: bars are.
std::vector<ViewParts> sharedParts(const std::vector<PlacedView>& views, bool slim);

/// Views that share an axis have viewports of one size: sets ViewParts::most. Where the sizes of
/// the widgets differ too much for that, each view draws its own axes.
void matchViewports(const std::vector<PlacedView>& views, std::vector<ViewParts>& parts);

} // namespace echolux
