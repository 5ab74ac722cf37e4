// SPDX-License-Identifier: GPL-3.0-or-later
// Two surfaces of tissue in each B-scan, as the cheapest paths along edges.
//
// The edge at depth z compares `halfDepth` depths from z on with as many above z, over 2 halfLines
// + 1 lines; beyond its borders the image repeats them. g is the difference, from the least to the
// largest of the searched depths of its B-scan normalised to 0 .. 1; for edges from bright to dark
// it is 1 - g. What the cost of a path is says gpu/oct/surface_paths.hpp. Of equal paths the one
// that ends shallowest counts. So in an image without edges both surfaces are straight, each at the
// shallowest depth that it may have.
#pragma once

#include "gpu/core/portable.hpp"
#include "gpu/exec/exec.hpp"

#include <cstddef>
#include <cstdint>

namespace echolux::oct {

inline constexpr int kMostEdgeDepths = 31; ///< SurfaceRules::halfDepth
inline constexpr int kMostEdgeLines = 31;  ///< 2 halfLines + 1

/// Levels that count. Others, and NaN, count as `nothing`, so that pixels without a level make no
/// edge.
struct CountedLevels {
    float least;
    float most;
    float nothing;

    ECHOLUX_HD float of(float value) const {
        return value >= least && value <= most ? value : nothing;
    }
};

/// How surfaces are searched. Lengths are in pixels.
struct SurfaceRules {
    bool upperRises; ///< dark above bright
    bool lowerRises;
    int halfDepth; ///< 1 to kMostEdgeDepths
    int halfLines;
    int step;          ///< 1 to kMostPathStep
    int first;         ///< searched depth, within the image
    int last;          ///< likewise, not less than `first`
    int least;         ///< distance of the lower surface below the upper one, 0 or more
    int most;          ///< likewise, not less than `least`
    double smoothness; ///< see PathCosts
    CountedLevels levels;
};

/// Real B-scans, [bscan][lateral][depth].
struct SurfaceScans {
    const float* image;
    std::int64_t bscans;
    std::int64_t lines;
    std::int64_t depths;
};

/// B-scans that are searched at once; the others wait, so that volumes need no more memory.
inline constexpr std::int64_t kScansAtOnce = 128;

/// Bytes of compute memory that findSurfaces() needs.
std::size_t surfaceBytes(const SurfaceScans& scans);

/// Writes the pixels of both surfaces, [bscan][lateral] each. `scratch` has surfaceBytes(). On CUDA
/// a block searches a B-scan, on the CPU a thread.
void findSurfaces(const Exec& exec, const char* name, const SurfaceScans& scans,
                  const SurfaceRules& rules, void* scratch, int* upper, int* lower);

/// Lets the kernels have the shared memory that they use. Call it before the first findSurfaces()
/// on CUDA, not while work is recorded.
void allowSurfaces();

} // namespace echolux::oct
