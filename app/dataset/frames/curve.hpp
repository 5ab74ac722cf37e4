// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of one value per sample, brought to another number of samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// `values` at `samples` places that are equally spaced from the first to the last value, straight
/// between values. At least two of each.
std::vector<double> stretched(std::span<const double> values, std::int64_t samples);

/// The same for positions in lines of as many samples as there are values: they grow with the line,
/// by (samples - 1) / (values.size() - 1).
std::vector<double> stretchedCurve(std::span<const double> positions, std::int64_t samples);

} // namespace echolux
