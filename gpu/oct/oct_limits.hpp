// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds and sizes that the OCT stages, their fusion and the readers of recordings and calibrations
// share.
#pragma once

#include <array>
#include <cstdint>

namespace echolux::oct {

/// Largest step between neighbouring values of a resampling curve, in raw samples, of either sign.
/// A longer step would skip raw samples, and its table of weights would have no bound.
constexpr double kLongestCurveStep = 16.0;

/// Longest line that c0 to c3 of k_linearize can be given for, in samples.
constexpr double kLongestLine = 65536.0;

/// Largest magnitudes of c1 to c8 of the dispersion, in rad. x reaches 1/2, so each term changes
/// the phase at the end of the spectrum by up to 250 rad.
constexpr double kLargestDispersion[8] = {1000.0,  2000.0,  4000.0,  8000.0,
                                          16000.0, 32000.0, 64000.0, 128000.0};

/// Grid sizes for which one CUDA kernel computes pixels from codes.
constexpr std::array<int, 10> kKernelGrids = {512,  1024, 1536, 2048, 2560,
                                              3072, 4096, 5120, 6144, 8192};
constexpr bool isKernelGrid(std::int64_t points) {
    for (const int grid : kKernelGrids)
        if (grid == points) return true;
    return false;
}

} // namespace echolux::oct
