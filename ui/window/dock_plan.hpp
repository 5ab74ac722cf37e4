// SPDX-License-Identifier: GPL-3.0-or-later
// How docks share the room beside the image: columns of places, and tabs where there are fewer
// places than docks.
#pragma once

#include <QSize>

#include <cstddef>
#include <vector>

namespace echolux {

struct DockPlan {
    using Tabs = std::vector<std::size_t>; ///< numbers of the docks that share one place
    using Column = std::vector<Tabs>;      ///< from the top
    std::vector<Column> columns;           ///< from the left

    bool operator==(const DockPlan&) const = default;
};

/// Docks in their order: down the first column, then down the next one. The plan has as many places
/// as fit into `room`; of those, the fewest columns. `least` holds the smallest size of each dock,
/// `gap` is the distance of two places, in pixels. All docks share one place where no plan fits.
DockPlan planDocks(const std::vector<QSize>& least, QSize room, int gap);

} // namespace echolux
