// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of sliders for one recording, where the parameter tables allow a far wider range.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QHash>
#include <QString>

#include <utility>

namespace echolux {

/// By key, in SI units. Only rows whose slider range differs from the table.
QHash<QString, std::pair<double, double>> sliderRangesOf(const StageState& stage);

} // namespace echolux
