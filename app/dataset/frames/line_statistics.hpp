// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of samples without a description: how well a sample follows from earlier ones, how
// similar lines are, and the band of frequencies.
#pragma once

#include "app/dataset/container/element_type.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// Up to `most` consecutive values from `offset` on. Values that are not finite become 0.
std::vector<double> valuesAt(const InputFile& file, std::uint64_t offset, const ElementType& type,
                             std::size_t most);

/// Lines of `length` values. Values of a line are `stride` apart.
struct LineGrid {
    std::size_t length = 0;
    std::size_t stride = 1;
    std::vector<std::size_t> starts; ///< index of the first value of each line
};

/// Gain in dB of a linear predictor that uses the 8 values before, over all lines. It is high along
/// time, where echoes are oversampled, and about 0 for noise. 0 for lines of fewer than 24 values.
double predictionGainDb(std::span<const double> values, const LineGrid& grid);

/// Autocorrelation at `lag` of the deviations from the mean: -1 to 1.
double selfLikeness(std::span<const double> values, std::size_t lag);

/// Logarithm of the magnitudes, smoothed over some values: the shape of a line of echoes, which
/// neighbouring lines share.
std::vector<double> courseOf(std::span<const double> values);

/// Power spectrum from 0 to half the sampling frequency in 64 steps. It is the mean over pieces of
/// 128 values along the lines, without their means and with a Hann window. Empty where no line is
/// that long.
std::vector<double> powerSpectrum(std::span<const double> values, const LineGrid& grid);

/// Centroid of the -6 dB band around the strongest frequency, of the power above the noise, as a
/// fraction of the sampling frequency; 0 where nothing stands out of the noise. The noise is white:
/// the mean of the quarter of the frequencies that has the least power.
double bandCentreOf(std::span<const double> power);

} // namespace echolux
