// SPDX-License-Identifier: GPL-3.0-or-later
// Collects all shortcut keys of a window from its menus and widgets, so that none is forgotten.
#pragma once

#include "ui/dialogs/shortcut_sheet.hpp"

#include <vector>

class QMainWindow;

namespace echolux {

/// One section per menu of the menu bar, then the keys of widgets that have the focus. Entries that
/// are hidden at present have no keys.
std::vector<ShortcutSection> keysOf(const QMainWindow& window);

} // namespace echolux
