// SPDX-License-Identifier: GPL-3.0-or-later
// What sliders span for one recording, where the parameter tables reach far beyond it.
#pragma once

#include "app/pipeline/snapshot.hpp"

#include <QHash>
#include <QString>

#include <utility>

namespace echolux {

/// By key, in SI; only rows whose slider differs from the table.
QHash<QString, std::pair<double, double>> sliderRangesOf(const StageState& stage);

} // namespace echolux
