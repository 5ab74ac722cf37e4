// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the space beside the image among the docks: columns of places, with tabs where there are
// fewer places than docks.
#pragma once

#include <QSize>

#include <cstddef>
#include <vector>

namespace echolux {

struct DockPlan {
    using Tabs = std::vector<std::size_t>; ///< indices of the docks that share one place
    using Column = std::vector<Tabs>;      ///< from top to bottom
    std::vector<Column> columns;           ///< from left to right

    bool operator==(const DockPlan&) const = default;
};

/// The docks keep their order: down the first column, then down the next one. The plan has as many
/// places as fit into `room`, and as few columns as possible for them. `least`: smallest size of
/// each dock. `gap`: distance between two places in pixels. All docks share one place where no plan
/// fits.
DockPlan planDocks(const std::vector<QSize>& least, QSize room, int gap);

} // namespace echolux
