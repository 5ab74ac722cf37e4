// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds that the OCT stages and the readers of recordings and calibrations share.
#pragma once

namespace echolux::oct {

/// Raw samples from one value of a resampling curve to the next, of either sign. A longer step
/// leaves raw samples out, and its weights would fill tables without end.
constexpr double kLongestCurveStep = 16.0;

} // namespace echolux::oct
