// SPDX-License-Identifier: GPL-3.0-or-later
// True where the user moved the focus with the Tab key, so that the focus must be visible.
#pragma once

#include <QFocusEvent>

namespace echolux {

inline bool isByTab(const QFocusEvent& event) {
    return event.reason() == Qt::TabFocusReason || event.reason() == Qt::BacktabFocusReason;
}

} // namespace echolux
