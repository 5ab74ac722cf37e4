// SPDX-License-Identifier: GPL-3.0-or-later
// Small plots beside the sliders. Each shows the effect of a stage's parameters, over a line of "no
// effect".
#pragma once

#include "app/pipeline/snapshot.hpp"
#include "ui/parameters/mini_plot.hpp"

#include <vector>

namespace echolux {

/// Curves of one stage. Empty for stages that have none.
std::vector<CurveData> curvesOf(const StageState& stage);
/// True where two states of one stage have the same curves, because all values behind the curves
/// are equal.
bool haveSameCurves(const StageState& a, const StageState& b);

} // namespace echolux
