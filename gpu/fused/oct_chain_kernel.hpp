// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the fused OCT kernel: sizes, tables in device memory, input and output.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/core/dtype.hpp"
#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::fused {

constexpr int kLanes = 32;
constexpr int kTapsPerGroup = 4;

/// Points of the transform that one thread holds.
ECHOLUX_HD constexpr int pointsPerThread(int grid) { return grid % 1024 == 0 ? 32 : 16; }
/// Points of the transform that one warp computes.
ECHOLUX_HD constexpr int pointsPerWarp(int grid) { return pointsPerThread(grid) * kLanes; }
/// Warps that share one pair of lines.
ECHOLUX_HD constexpr int warpsPerPair(int grid) { return grid / pointsPerWarp(grid); }
/// Index of point `m` in a table with one value per grid point. Lanes of a warp read neighbouring
/// values. Point m = warps (32 turn + lane) + warp.
ECHOLUX_HD constexpr int tableIndex(int grid, int m) {
    const int warps = warpsPerPair(grid);
    const int turn = m / warps / kLanes;
    const int lane = m / warps % kLanes;
    return (m % warps * pointsPerThread(grid) + turn) * kLanes + lane;
}
/// Index of point `m` in a table with one complex value per grid point. Like tableIndex(), but the
/// values of two turns are side by side, so that a lane reads both at once.
ECHOLUX_HD constexpr int pairedTableIndex(int grid, int m) {
    const int at = tableIndex(grid, m);
    const int turn = at / kLanes;
    return (turn / 2 * kLanes + at % kLanes) * 2 + turn % 2;
}
/// Number of twiddles between the two passes of a warp's transform, for the outputs 1 to
/// pointsPerThread() / 2. The other outputs use their conjugates.
ECHOLUX_HD constexpr int passTwiddles(int grid) { return pointsPerThread(grid) / 2 * kLanes; }
ECHOLUX_HD constexpr int passTwiddleIndex(int k, int lane) {
    return ((k - 1) / 2 * kLanes + lane) * 2 + (k - 1) % 2;
}
/// Number of twiddles for combining the warps of a pair; the first warp needs none.
ECHOLUX_HD constexpr int warpTwiddles(int grid) {
    return (warpsPerPair(grid) - 1) * pointsPerWarp(grid);
}
/// Distance between rows of the line in shared memory, in samples. For a moving average each row is
/// followed by copies of the next row's first samples, so that all taps of a point are side by
/// side. Then the distance is odd, so that the threads' rows are in different banks.
ECHOLUX_HD constexpr int rowStride(int tapGroups, bool movingAverage) {
    return movingAverage ? kLanes + tapGroups * kTapsPerGroup - 1 : kLanes;
}
/// Index of sample `i` in the line in shared memory.
ECHOLUX_HD constexpr int samplePlace(int stride, int i) { return i / kLanes * stride + i % kLanes; }

struct OctChainShape {
    int samples = 0;         ///< of a raw line; a multiple of 8, at most `grid`
    int grid = 0;            ///< points of the inverse transform, see oct::isKernelGrid()
    int depths = 0;          ///< pixels of a line, at most grid / 2, or grid
    bool fullRange = false;  ///< depths / 2 of the depths are before zero delay
    int tapGroups = 1;       ///< raw samples that make one grid point, in groups of four
    int movingWindow = 0;    ///< window of the moving average that is subtracted; 0 = none
    DType type = DType::U16; ///< U8, I16, U16, Packed12 or F32
    int shift = 0;           ///< integer codes are first shifted right by this
    bool linear = false;     ///< pixels are amplitudes, not decibels
    bool turned = false;     ///< samples become complex before they are gathered to the grid
};

/// With `turned`: the factor of each sample lies in complex weights, and lines stay real and in
/// pairs. So many more weights do not fit beside more points.
ECHOLUX_HD constexpr bool hasComplexWeights(const OctChainShape& shape) {
    return shape.turned && pointsPerThread(shape.grid) == 16;
}
/// Groups of four weights of a grid point: those of the taps; of complex ones, first the real parts
/// of all groups, then the imaginary parts.
ECHOLUX_HD constexpr int weightGroups(const OctChainShape& shape) {
    return hasComplexWeights(shape) ? 2 * shape.tapGroups : shape.tapGroups;
}

/// Number of values in a table with one value per depth. The kernel reads somewhat beyond `depths`.
ECHOLUX_HD constexpr int depthPlaces(const OctChainShape& shape) {
    const int warps = warpsPerPair(shape.grid);
    if (shape.fullRange) return shape.grid;
    return warps == 1 ? shape.grid / 2 : (warps + 1) / 2 * pointsPerWarp(shape.grid);
}

/// Tables in device memory. Those with one value per grid point are in the order of tableIndex();
/// those with one value per depth have depthPlaces() values.
struct OctChainTables {
    const std::uint16_t* firstTap = nullptr; ///< samplePlace() of a grid point's first tap
    const float* weights = nullptr;          ///< [weight group][grid point][4]
    /// Window, dispersion and scale in one factor. For grid point m it is at pairedTableIndex();
    /// with `turned`, for sample n it is at n; not used with hasComplexWeights(). The table has as
    /// many entries as the grid has points.
    const Complex* factor = nullptr;
    /// exp(2 pi j k lane / pointsPerWarp()) at passTwiddleIndex(k, lane).
    const Complex* passTwiddle = nullptr;
    const Complex* warpTwiddle = nullptr; ///< [warp - 1][k] exp(2 pi j warp k / grid)
    const float* movingScale = nullptr;   ///< [turn][thread] 1 / number of averaged samples; for
                                          ///< movingWindow
    const Complex* subtract = nullptr;    ///< [depth] background and fixed pattern
    const float* offsetDb = nullptr;      ///< [depth] correction of the gridding kernel's taper; or
                                          ///< null
};

struct OctChainPixels {
    const void* raw = nullptr; ///< of OctChainShape::type; aligned to 16 bytes
    std::int64_t lines = 0;
    float* pixels = nullptr;    ///< [line][depth] decibels (not below kNothingDb) or amplitudes; or
                                ///< null
    Complex* complex = nullptr; ///< [line][depth] before anything is subtracted; or null
};

struct OctChainDevice {
    int multiprocessors = 0;
    std::size_t sharedBytes = 0; ///< the most for one block
};

constexpr int kMostWarpsPerBlock = 16;
/// Length of a row in the exchange memory. It is even, so that two values are read at once; rows
/// and columns are in different banks.
constexpr int kExchangePitch = kLanes + 2;

/// Places of 8 bytes in the exchange memory of a warp.
ECHOLUX_HD constexpr int exchangePlaces(int grid) { return pointsPerThread(grid) * kExchangePitch; }

/// Places of 8 bytes in shared memory for the samples of a pair of lines.
constexpr int linePlaces(const OctChainShape& shape) {
    const int rows = (shape.samples + kLanes - 1) / kLanes;
    return rows * rowStride(shape.tapGroups, shape.movingWindow > 0) +
           shape.tapGroups * kTapsPerGroup;
}
/// The same for first so many places, later the exchange.
constexpr int placesWithExchange(const OctChainShape& shape, int places) {
    const int exchange = warpsPerPair(shape.grid) * exchangePlaces(shape.grid);
    return ((places > exchange ? places : exchange) + 1) / 2 * 2;
}
/// The same for first the samples, later the exchange.
constexpr int pairPlaces(const OctChainShape& shape) {
    return placesWithExchange(shape, linePlaces(shape));
}
constexpr std::size_t pairBytes(const OctChainShape& shape) {
    return static_cast<std::size_t>(pairPlaces(shape)) * sizeof(Complex);
}
// Where a moving average is subtracted, codes may lie beside the line, so that each thread can
// write its results while others still read.
constexpr int kCodeStride = kLanes + 1; ///< words of a row: odd, as in rowStride()
/// The longest window for which one row of zeros before and behind the codes is enough. Its sums of
/// codes are below 2^23.
constexpr int kMostCodeWindow = 2 * kLanes - 1;
ECHOLUX_HD constexpr int codeRows(int samples) { return (samples + kLanes - 1) / kLanes + 2; }
/// pairPlaces() with codes behind the samples.
constexpr int keptPlaces(const OctChainShape& shape) {
    return placesWithExchange(shape,
                              linePlaces(shape) + (codeRows(shape.samples) * kCodeStride + 1) / 2);
}
constexpr bool mayKeepCodes(const OctChainShape& shape) {
    return shape.movingWindow > 0 && shape.movingWindow <= kMostCodeWindow &&
           shape.type != DType::F32;
}

/// The number of warps that fit, at most 16; 0 where not even one pair of lines fits.
constexpr int warpsPerBlock(const OctChainShape& shape, std::size_t sharedBytes) {
    const std::size_t fitting = sharedBytes / pairBytes(shape);
    const int most = kMostWarpsPerBlock / warpsPerPair(shape.grid);
    const int pairs = fitting < static_cast<std::size_t>(most) ? static_cast<int>(fitting) : most;
    return pairs * warpsPerPair(shape.grid);
}

} // namespace echolux::fused
