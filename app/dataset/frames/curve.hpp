// SPDX-License-Identifier: GPL-3.0-or-later
// Resamples curves of one value per sample to another number of samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// `values` at `samples` equally spaced places from the first to the last value, with linear
/// interpolation. There must be at least two of each.
std::vector<double> stretched(std::span<const double> values, std::int64_t samples);

/// The same for positions in lines of values.size() samples. The positions are scaled with the line
/// by (samples - 1) / (values.size() - 1).
std::vector<double> stretchedCurve(std::span<const double> positions, std::int64_t samples);

} // namespace echolux
