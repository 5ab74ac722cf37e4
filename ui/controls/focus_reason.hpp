// SPDX-License-Identifier: GPL-3.0-or-later
// Whether somebody moved the focus with the keyboard and wants to see where it is.
#pragma once

#include <QFocusEvent>

namespace echolux {

inline bool isByTab(const QFocusEvent& event) {
    return event.reason() == Qt::TabFocusReason || event.reason() == Qt::BacktabFocusReason;
}

} // namespace echolux
