// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of regions as rows of CSV.
#pragma once

#include "app/measure/measurement.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace echolux {

inline constexpr const char* kHistogramHead = "frame,measurement,of,from,to,density,speckle\n";

/// A row for each bin, of amplitudes and of powers, see measure::distributionIn(). Regions that
/// have no distribution have no rows.
std::string histogramRows(std::int64_t frame, const measure::MeasuredImage& image,
                          const std::vector<measure::Measurement>& measurements);

} // namespace echolux
