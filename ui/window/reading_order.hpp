// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which Tab goes through the window: as the eye reads it.
#pragma once

class QMainWindow;
class QWidget;

namespace echolux {

/// The next widget that Tab reaches from `from`, or the one before; the first follows the last.
/// Bars come first that stand above the rest; then columns from the left: docks, the centre, docks;
/// within each of them rows from the top. Null where there is no other.
QWidget* besideInReadingOrder(const QMainWindow& window, const QWidget* from, bool next);

} // namespace echolux
