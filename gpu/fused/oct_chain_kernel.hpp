// SPDX-License-Identifier: GPL-3.0-or-later
// What the fused OCT kernel is told: sizes, tables in device memory, places of input and output.
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
/// Points of the transform that one warp does.
ECHOLUX_HD constexpr int pointsPerWarp(int grid) { return pointsPerThread(grid) * kLanes; }
/// Warps that share one pair of lines.
ECHOLUX_HD constexpr int warpsPerPair(int grid) { return grid / pointsPerWarp(grid); }
/// Where a table of one value per grid point keeps the value of point `m`: so that the lanes of a
/// warp read neighbours. Point m = warps (32 turn + lane) + warp.
ECHOLUX_HD constexpr int tableIndex(int grid, int m) {
    const int warps = warpsPerPair(grid);
    const int turn = m / warps / kLanes;
    const int lane = m / warps % kLanes;
    return (m % warps * pointsPerThread(grid) + turn) * kLanes + lane;
}
/// Where a table of complex values per grid point keeps that of point `m`: as tableIndex(), but the
/// values of two turns side by side, so that a lane reads both at once.
ECHOLUX_HD constexpr int pairedTableIndex(int grid, int m) {
    const int at = tableIndex(grid, m);
    const int turn = at / kLanes;
    return (turn / 2 * kLanes + at % kLanes) * 2 + turn % 2;
}
/// Twiddles between the passes of a warp's transform: of its outputs 1 to pointsPerThread() / 2;
/// the others' are their conjugates.
ECHOLUX_HD constexpr int passTwiddles(int grid) { return pointsPerThread(grid) / 2 * kLanes; }
ECHOLUX_HD constexpr int passTwiddleIndex(int k, int lane) {
    return ((k - 1) / 2 * kLanes + lane) * 2 + (k - 1) % 2;
}
/// Twiddles where the warps of a pair combine; the first warp has none.
ECHOLUX_HD constexpr int warpTwiddles(int grid) {
    return (warpsPerPair(grid) - 1) * pointsPerWarp(grid);
}
/// Samples in a row of the line in shared memory. Where a moving average runs along them, a row is
/// followed by copies of the next row's first samples, so that all taps of a point lie side by
/// side, and its length is odd, so that the threads' rows lie in different banks.
ECHOLUX_HD constexpr int rowStride(int tapGroups, bool movingAverage) {
    return movingAverage ? kLanes + tapGroups * kTapsPerGroup - 1 : kLanes;
}
/// Where in the line in shared memory sample `i` lies.
ECHOLUX_HD constexpr int samplePlace(int stride, int i) { return i / kLanes * stride + i % kLanes; }

struct OctChainShape {
    int samples = 0;         ///< of a raw line; a multiple of 8, at most `grid`
    int grid = 0;            ///< points of the inverse transform, see oct::isKernelGrid()
    int depths = 0;          ///< pixels of a line, at most grid / 2, or grid
    bool fullRange = false;  ///< depths / 2 of them lie before zero delay
    int tapGroups = 1;       ///< raw samples that make one grid point, in fours
    int movingWindow = 0;    ///< of the moving average that is subtracted; 0 = none
    DType type = DType::U16; ///< U8, I16, U16, Packed12 or F32
    int shift = 0;           ///< raw codes are shifted right by this first; not floats
    bool linear = false;     ///< pixels are amplitudes, not decibels
    bool turned = false;     ///< samples are made complex before they are gathered
};

/// Values that a table of one per depth has room for: the kernel reads somewhat beyond `depths`.
ECHOLUX_HD constexpr int depthPlaces(const OctChainShape& shape) {
    const int warps = warpsPerPair(shape.grid);
    if (shape.fullRange) return shape.grid;
    return warps == 1 ? shape.grid / 2 : (warps + 1) / 2 * pointsPerWarp(shape.grid);
}

/// In device memory, in the order of tableIndex() where there is one value per grid point. Those of
/// one value per depth have depthPlaces().
struct OctChainTables {
    const std::uint16_t* firstTap = nullptr; ///< samplePlace() of a grid point's first tap
    const float* weights = nullptr;          ///< [tap group][grid point][4]
    /// Window, dispersion, scale: of grid point m at pairedTableIndex(), or, where samples are
    /// turned, of sample n at n. Has as many places as the grid has points.
    const Complex* factor = nullptr;
    /// At passTwiddleIndex(k, lane) exp(2 pi j k lane / pointsPerWarp()).
    const Complex* passTwiddle = nullptr;
    const Complex* warpTwiddle = nullptr; ///< [warp - 1][k] exp(2 pi j warp k / grid)
    const float* movingScale = nullptr;   ///< [turn][thread] 1 / samples averaged; for movingWindow
    const Complex* subtract = nullptr;    ///< [depth] of the background and the fixed pattern
    const float* offsetDb = nullptr;      ///< [depth] the gridding kernel's taper, undone; or null
};

struct OctChainPixels {
    const void* raw = nullptr; ///< of OctChainShape::type; begins at 16 bytes
    std::int64_t lines = 0;
    float* pixels = nullptr;    ///< [line][depth] decibels, kNothingDb at least, or amplitudes; or
                                ///< null
    Complex* complex = nullptr; ///< [line][depth], nothing subtracted; or null
};

struct OctChainDevice {
    int multiprocessors = 0;
    std::size_t sharedBytes = 0; ///< that one block can have
};

constexpr int kMostWarpsPerBlock = 16;
/// Places of a row in the exchange: even, so that two are read at once, and rows and columns lie in
/// different banks.
constexpr int kExchangePitch = kLanes + 2;

/// Places of 8 bytes that a warp's exchange takes.
ECHOLUX_HD constexpr int exchangePlaces(int grid) { return pointsPerThread(grid) * kExchangePitch; }

/// Places of 8 bytes in shared memory for a pair of lines: the samples, later the exchange.
constexpr int pairPlaces(const OctChainShape& shape) {
    const int rows = (shape.samples + kLanes - 1) / kLanes;
    const int line =
        rows * rowStride(shape.tapGroups, shape.movingWindow > 0) + shape.tapGroups * kTapsPerGroup;
    const int exchange = warpsPerPair(shape.grid) * exchangePlaces(shape.grid);
    return ((line > exchange ? line : exchange) + 1) / 2 * 2;
}
constexpr std::size_t pairBytes(const OctChainShape& shape) {
    return static_cast<std::size_t>(pairPlaces(shape)) * sizeof(Complex);
}
/// As many warps as fit, 16 at most; 0 where not even one pair of lines does.
constexpr int warpsPerBlock(const OctChainShape& shape, std::size_t sharedBytes) {
    const std::size_t fitting = sharedBytes / pairBytes(shape);
    const int most = kMostWarpsPerBlock / warpsPerPair(shape.grid);
    const int pairs = fitting < static_cast<std::size_t>(most) ? static_cast<int>(fitting) : most;
    return pairs * warpsPerPair(shape.grid);
}

} // namespace echolux::fused
