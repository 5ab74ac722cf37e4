// SPDX-License-Identifier: GPL-3.0-or-later
// What samples that nobody described tell of themselves: how well each follows from those before,
// how alike lines are, and where their band lies.
#pragma once

#include "app/dataset/container/element_type.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// Values in a row from `offset`, at most `most` and as many as are there; not finite ones are 0.
std::vector<double> valuesAt(const InputFile& file, std::uint64_t offset, const ElementType& type,
                             std::size_t most);

/// `lines` of `length` values, `stride` apart from one to the next within a line.
struct LineGrid {
    std::size_t length = 0;
    std::size_t stride = 1;
    std::vector<std::size_t> starts; ///< of the lines
};

/// Prediction gain in dB of a linear predictor from the 8 values before, over all lines: high
/// along time, where echoes are oversampled, about 0 for noise. 0 for lines below 24 values.
double predictionGainDb(std::span<const double> values, const LineGrid& grid);

/// Correlation of `values` with themselves `lag` later, of their deviations from the mean: -1 to 1.
double selfLikeness(std::span<const double> values, std::size_t lag);

/// Magnitudes with their course over some values, as their logarithm: the shape of a line of
/// echoes, which its neighbours share.
std::vector<double> courseOf(std::span<const double> values);

/// Power at 0 to half the sampling frequency in 64 steps, the mean over Hann-windowed pieces of 128
/// values along the lines, without their means. Empty where no line is that long.
std::vector<double> powerSpectrum(std::span<const double> values, const LineGrid& grid);

/// Centroid of the band at -6 dB about the strongest step, as a share of the sampling frequency; 0
/// where there is none.
double bandCentreOf(std::span<const double> power);

} // namespace echolux
