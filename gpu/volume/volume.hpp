// SPDX-License-Identifier: GPL-3.0-or-later
// A volume of processed A-scans in compute memory, [elevation][lateral][depth] in half precision:
// it is filled B-scan by B-scan, projected along depth, and reduced in size.
#pragma once

#include "gpu/exec/exec.hpp"
#include "gpu/volume/half.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux {

struct VolumeShape {
    std::int64_t bscans = 0; ///< elevation
    std::int64_t lines = 0;  ///< lateral
    std::int64_t bins = 0;   ///< depth

    std::int64_t slice() const { return lines * bins; } ///< voxels of one B-scan
    std::int64_t count() const { return bscans * slice(); }
    std::size_t bytes() const { return static_cast<std::size_t>(count()) * sizeof(Half); }
    bool operator==(const VolumeShape&) const = default;
};

enum class Projection { Maximum, Mean };

/// Bins first <= bin < last.
struct BinWindow {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const BinWindow&) const = default;
};

// All functions only enqueue on `exec`. B-scan numbers count modulo the number of B-scans in the
// volume.

void fillVolume(const Exec& exec, Half* volume, const VolumeShape& shape, float value);

/// Writes the `count` B-scans of `frame`, f32 [count][lateral][depth], to the B-scans from `first`
/// on.
void storeBscans(const Exec& exec, Half* volume, const VolumeShape& shape, const float* frame,
                 std::int64_t first, std::int64_t count);

/// The same for ultrasound images, f32 [count][depth][lateral].
void storeTurnedBscans(const Exec& exec, Half* volume, const VolumeShape& shape, const float* frame,
                       std::int64_t first, std::int64_t count);

/// enFace[b][line], f32 [elevation][lateral], of B-scans first .. first + count - 1: the maximum of
/// the values (NaN is ignored) or their arithmetic mean over the bins of `window`. For values in dB
/// it is the mean of the dB.
void projectBscans(const Exec& exec, const Half* volume, const VolumeShape& shape,
                   Projection projection, BinWindow window, std::int64_t first, std::int64_t count,
                   float* enFace);

/// Enqueues plane[b][bin], f32 [elevation][depth]: line number `line` of each B-scan.
void cutAlongLine(const Exec& exec, const Half* volume, const VolumeShape& shape, std::int64_t line,
                  float* plane);

/// How many voxels along each axis are merged to one.
struct Shrink {
    std::int64_t bscans = 1;
    std::int64_t lines = 1;
    std::int64_t bins = 1;

    bool none() const { return bscans == 1 && lines == 1 && bins == 1; }
    /// The last voxel of an axis may be made of fewer.
    VolumeShape of(const VolumeShape& shape) const {
        return {(shape.bscans + bscans - 1) / bscans, (shape.lines + lines - 1) / lines,
                (shape.bins + bins - 1) / bins};
    }
    bool operator==(const Shrink&) const = default;
};

/// The smallest reduction that makes `shape` fit into `maxBytes`, with at most `maxExtent` voxels
/// along each axis. The axis with most voxels is reduced first, so that no direction becomes much
/// coarser than the others.
Shrink shrinkToFit(const VolumeShape& shape, std::size_t maxBytes, std::int64_t maxExtent);

/// B-scans first .. first + count - 1 of the smaller volume, dense in `out`: each voxel is the
/// maximum of the merged voxels (NaN is ignored). So maximum projections keep their maxima, and
/// thin bright structures stay visible. Speckle looks brighter than in the volume itself.
void shrinkBscans(const Exec& exec, const Half* volume, const VolumeShape& shape, Shrink shrink,
                  std::int64_t first, std::int64_t count, Half* out);

} // namespace echolux
