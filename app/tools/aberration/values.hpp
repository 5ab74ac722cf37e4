// SPDX-License-Identifier: GPL-3.0-or-later
// Converts an estimate of aberration to the units and the order of its dock.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/session/aberration_estimator.hpp"
#include "ui/aberration/aberration_values.hpp"

namespace echolux {

/// `truth`: empty where the true screen is unknown.
AberrationValues valuesOf(const AberrationLook& look, const std::optional<AberrationTruth>& truth);

/// Delay of a filter at each place of `grid`, in seconds, from its phase at `centreHz`, unwrapped
/// from neighbour to neighbour.
std::vector<double> delaysOf(const std::vector<Complex>& filter,
                             const aberration::ElementGrid& grid, double centreHz);

} // namespace echolux
