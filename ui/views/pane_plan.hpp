// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the room of the views into rows or columns, so that their images become as large as
// possible. Knows no widgets.
#pragma once

#include <QSizeF>

#include <cstddef>
#include <functional>
#include <vector>

namespace echolux {

/// Rows, or columns, of panes that keep their order.
struct PaneLines {
    bool rows = true;                ///< false: columns
    std::vector<std::size_t> counts; ///< panes per row or column
    bool barsInside = false;         ///< colour bars lie on the images

    bool operator==(const PaneLines&) const = default;
};

struct PanePlan {
    PaneLines lines;
    std::vector<QSizeF> panes;  ///< size of each pane, in logical pixels
    std::vector<QSizeF> images; ///< size of the image in each pane
    double area = 0.0;          ///< sum of the images, in square pixels
};

struct PaneImage {
    double shape = 1.0; ///< width over height; > 0
    bool fills = false; ///< takes any shape; `shape` is the preferred one
};

struct PaneWishes {
    std::vector<PaneImage> images; ///< one per pane, at least one
    bool firstIsMain = false;      ///< no other image may be larger than the first
    QSizeF room;                   ///< of all panes, in logical pixels
    double gap = 0.0;              ///< between two panes
    /// What stands around each image, headers included, in these lines.
    std::function<std::vector<QSizeF>(const PaneLines&)> around;
};

/// The lines in which all images together are largest; among nearly equal ones (5 %) those with
/// the largest first image. Bars are inside only where this makes the images a tenth larger.
PanePlan planPanes(const PaneWishes& wishes);

} // namespace echolux
