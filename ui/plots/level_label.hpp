// SPDX-License-Identifier: GPL-3.0-or-later
// The label of an axis of levels.
#pragma once

#include <QString>

namespace echolux {

/// "level (dB re 1 code)", "level (dB)" where `reference` is empty; `plain` where `unit` is empty.
QString levelLabel(const QString& unit, const QString& reference, const QString& plain);

} // namespace echolux
