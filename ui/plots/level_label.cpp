// SPDX-License-Identifier: GPL-3.0-or-later
// Unit and reference in brackets.
#include "ui/plots/level_label.hpp"

namespace echolux {

QString levelLabel(const QString& unit, const QString& reference, const QString& plain) {
    if (unit.isEmpty()) return plain;
    return reference.isEmpty() ? QString("level (%1)").arg(unit)
                               : QString("level (%1 re %2)").arg(unit, reference);
}

} // namespace echolux
