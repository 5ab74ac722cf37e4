// SPDX-License-Identifier: GPL-3.0-or-later
// An estimate of aberration in the units and the order of its dock.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/session/aberration_estimator.hpp"
#include "ui/aberration/aberration_values.hpp"

namespace echolux {

/// `truth`: nothing where nobody knows it.
AberrationValues valuesOf(const AberrationLook& look, const std::optional<AberrationTruth>& truth);

/// Delays of a filter per place, in seconds, unwrapped from neighbour to neighbour.
std::vector<double> delaysOf(const std::vector<Complex>& filter,
                             const aberration::ElementGrid& grid, double centreHz);

} // namespace echolux
