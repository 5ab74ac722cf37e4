// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as the list of the dock shows them.
#pragma once

#include "app/measure/measurement.hpp"
#include "app/tools/measurements/panel.hpp"

#include <QList>

#include <vector>

namespace echolux {

/// `reference`: figures that were kept for comparison, empty where there are none. A figure is
/// compared with that of the same name of a shape of the same name.
QList<ShownMeasurement> shownFigures(const std::vector<measure::Measured>& measured,
                                     const std::vector<measure::Measured>& reference);

} // namespace echolux
