// SPDX-License-Identifier: GPL-3.0-or-later
// Which pixels a block of the kernel with windows images, and which samples of each record they
// read.
#pragma once

#include "gpu/beamform/beamform_tuned.cuh"

#if defined(__CUDACC__)

namespace echolux::das::windows {

constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;
constexpr int kPixels = 2; ///< pixels per thread
constexpr int kRows = kWarps * kPixels;
constexpr int kColumns = 32;
/// Blocks that share the elements of a pixel. With two the order of addition does not matter: 0 + a
/// + b = 0 + b + a.
constexpr int kParts = 2;
constexpr int kGuard = 1; ///< samples before a window, for rounding

/// The pixels of a block: centre and half sides.
struct Box {
    float x;
    float z;
    float halfX;
    float halfZ;

    /// Least and greatest distance to a point.
    __device__ float2 distances(float pointX, float pointZ) const {
        const float dx = fabsf(pointX - x);
        const float dz = fabsf(pointZ - z);
        return {hypotenuse(fmaxf(dx - halfX, 0.0F), fmaxf(dz - halfZ, 0.0F)),
                hypotenuse(dx + halfX, dz + halfZ)};
    }
};

/// The range of a block's indices: `first`, a whole number, and how far they reach beyond it.
struct Span {
    float first;
    float reach;

    __device__ static Span of(float2 paths, float indexPerMetre, float offset) {
        const float first =
            floorf(fmaf(paths.x, indexPerMetre, offset)) - static_cast<float>(kGuard);
        return {first, fmaf(paths.y, indexPerMetre, offset) - first};
    }
};

__device__ inline Span transmitSpan(const TransmitConstants& t, float indexPerMetre,
                                    const Box& box) {
    float2 paths;
    if (t.plane) {
        const float centre = fmaf(box.z, t.directionZ, box.x * t.directionX);
        const float half = fmaf(box.halfX, fabsf(t.directionX), box.halfZ * fabsf(t.directionZ));
        paths = {centre - half, centre + half};
    } else {
        paths = box.distances(t.sourceX, t.sourceZ);
        paths.x += t.pathOffset;
        paths.y += t.pathOffset;
    }
    return Span::of(paths, indexPerMetre, t.indexOffset);
}

/// A transmit, for one block.
struct Source {
    int line;  ///< index of its first element in receiveWeight and in the records; negative: beyond
               ///< the last transmit
    int first; ///< first index of the block's Span
    float reach;

    __device__ Source(const TunedArguments& a, int t, const Box& box) {
        const TransmitConstants& transmit = a.transmit[min(t, a.transmits - 1)];
        const Span span = transmitSpan(transmit, a.indexPerMetre, box);
        line = t < a.transmits ? transmit.line * a.elements : -1;
        first = static_cast<int>(span.first);
        reach = span.reach;
    }
    template <class Sample>
    __device__ const Sample* records(const TunedArguments& a, int element) const {
        const auto* samples = static_cast<const Sample*>(a.packed);
        return samples + static_cast<std::int64_t>(line + element) * a.samples;
    }
};

/// Which pixels, and which part of their elements, a block computes. Deep rows have the most
/// elements, so they start first, and shallow rows fill the gaps.
struct BlockPlace {
    int left;
    int top;
    int part;

    __device__ explicit BlockPlace(const TunedArguments& a) {
        const int index = static_cast<int>(blockIdx.x) / kParts;
        const int columns = (a.grid.lateral + kColumns - 1) / kColumns;
        left = index % columns * kColumns;
        top = (static_cast<int>(gridDim.x) / kParts / columns - 1 - index / columns) * kRows;
        part = static_cast<int>(blockIdx.x) % kParts;
    }

    __device__ Box box(const Grid& grid) const {
        const float x0 = grid.x(left);
        const float x1 = grid.x(min(left + kColumns, grid.lateral) - 1);
        const float z0 = grid.z(top);
        const float z1 = grid.z(min(top + kRows, grid.depth) - 1);
        return {0.5F * (x0 + x1), 0.5F * (z0 + z1), 0.5F * (x1 - x0), 0.5F * (z1 - z0)};
    }

    /// The block's part of the elements that its pixels may use.
    __device__ int2 elements(const TunedArguments& a, const float* elementX) const {
        const float depth = a.grid.z(min(top + kRows, a.grid.depth) - 1) - a.element[0].z;
        const int right = min(left + kColumns, a.grid.lateral) - 1;
        const int2 all = elementsWithin(a, elementX, Aperture(a, a.grid.x(left), depth).lowest(),
                                        Aperture(a, a.grid.x(right), depth).highest());
        const int count = max(0, all.y - all.x);
        return {all.x + count * part / kParts, all.x + count * (part + 1) / kParts};
    }
};

} // namespace echolux::das::windows

#endif
