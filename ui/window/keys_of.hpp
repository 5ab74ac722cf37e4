// SPDX-License-Identifier: GPL-3.0-or-later
// All keys of a window, found at its menus and widgets, so that none can be left out.
#pragma once

#include "ui/dialogs/shortcut_sheet.hpp"

#include <vector>

class QMainWindow;

namespace echolux {

/// One section per menu of the menu bar, then the keys of parts that have the focus. Entries that
/// are hidden at present have no keys.
std::vector<ShortcutSection> keysOf(const QMainWindow& window);

} // namespace echolux
