// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds and sizes that the OCT stages, their fusion and the readers of recordings and calibrations
// share.
#pragma once

#include <array>
#include <cstdint>

namespace echolux::oct {

/// Raw samples from one value of a resampling curve to the next, of either sign. A longer step
/// leaves raw samples out, and its weights would fill tables without end.
constexpr double kLongestCurveStep = 16.0;

/// rad that c1 to c8 of the dispersion may have, of either sign. x reaches 1/2, so that each turns
/// the far end of the spectrum by up to 250 rad.
constexpr double kLargestDispersion[8] = {1000.0,  2000.0,  4000.0,  8000.0,
                                          16000.0, 32000.0, 64000.0, 128000.0};

/// Points of a line that one kernel brings from codes to pixels on CUDA.
constexpr std::array<int, 10> kKernelGrids = {512,  1024, 1536, 2048, 2560,
                                              3072, 4096, 5120, 6144, 8192};
constexpr bool isKernelGrid(std::int64_t points) {
    for (const int grid : kKernelGrids)
        if (grid == points) return true;
    return false;
}

} // namespace echolux::oct
