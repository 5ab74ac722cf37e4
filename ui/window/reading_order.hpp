// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which Tab moves through the window: reading order.
#pragma once

class QMainWindow;
class QWidget;

namespace echolux {

/// The next (or previous) widget that Tab reaches from `from`; after the last comes the first. Bars
/// above the rest come first, then the columns from the left: docks, centre, docks. Within a
/// column, rows go from top to bottom. Null where there is no other widget.
QWidget* besideInReadingOrder(const QMainWindow& window, const QWidget* from, bool next);

} // namespace echolux
