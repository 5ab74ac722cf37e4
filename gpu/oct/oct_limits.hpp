// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds that the OCT stages and the readers of recordings and calibrations share.
#pragma once

namespace echolux::oct {

/// Raw samples from one value of a resampling curve to the next, of either sign. A longer step
/// leaves raw samples out, and its weights would fill tables without end.
constexpr double kLongestCurveStep = 16.0;

/// rad that c1, c2 and c3 of the dispersion may have, of either sign. x reaches 1/2, so that each
/// turns the far end of the spectrum by up to 250 rad.
constexpr double kLargestDispersion[3] = {1000.0, 2000.0, 4000.0};

} // namespace echolux::oct
