// SPDX-License-Identifier: GPL-3.0-or-later
// The small plots beside the sliders: what a stage's current parameters mean, over "no effect".
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "ui/parameters/mini_plot.hpp"

#include <vector>

namespace echolux {

/// Curves of one stage; empty for stages whose sliders explain themselves.
std::vector<CurveData> curvesOf(const StageState& stage);
/// Nothing that they are computed from differs; of two states of one stage.
bool haveSameCurves(const StageState& a, const StageState& b);

} // namespace echolux
