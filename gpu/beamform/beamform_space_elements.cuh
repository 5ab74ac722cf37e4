// SPDX-License-Identifier: GPL-3.0-or-later
// What a block of pixels knows of the elements: where their windows begin, which ones it reads, how
// far they are from a pixel.
#pragma once

#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_space_bounds.cuh"
#include "gpu/beamform/beamform_space_windows.cuh"

#if defined(__CUDACC__)

namespace echolux::das {

constexpr int kSpaceGuard = 1; ///< samples before a window, for rounding

/// An element; x and y in m. `third` is z in m, or for arrays in a plane x^2 + y^2 in squared
/// samples, without coordinates that do not count. With one axis x is the coordinate along it.
struct alignas(16) SpaceSlot {
    float x, y, third;
    int first; ///< receive index of the windows' first sample. Once the windows are loaded: the
               ///< place of index 0 in shared memory, in samples of windows
};
static_assert(sizeof(SpaceSlot) == 16);

/// The tables of a block in shared memory.
struct Tables {
    SpaceSlot* element;   ///< [elements]: place and first index
    float* reach;         ///< [elements] longest receive path beyond `first`, in samples; below 0:
                          ///< none
    std::uint16_t* order; ///< elements that the tile reads
};

/// Describes what the pixels of this block read of an element. Returns the receive index of the
/// windows' first sample.
template <Weights kWeights, bool kOneAxis> __device__ float
describeElement(const SpaceArguments& a, const Bounds& bounds, int e, const Tables& tables) {
    const Constants& k = a.k;
    const Element place = k.element[e];
    const Face face = k.face != nullptr ? k.face[e] : Face{};
    const float2 d = bounds.distances({place.x, place.y, place.z}, face.countsX, face.countsY);
    const float first = floorf(d.x * k.indexPerMetre) - static_cast<float>(kSpaceGuard);
    SpaceSlot& slot = tables.element[e];
    slot = {place.x, place.y, place.z, static_cast<int>(first)};
    if constexpr (kWeights != Weights::Faces) {
        const float squared = k.indexPerMetre * k.indexPerMetre;
        slot.third = squared * fmaf(a.countsX * place.x, place.x, a.countsY * place.y * place.y);
        if (kOneAxis && a.alongY) slot.x = place.y;
    }
    tables.reach[e] = fmaf(d.y, k.indexPerMetre, -first);
    if (k.apertureSlope == 0.0F || face.normalZ != 1.0F) return first;
    if (k.beamAperture) { // beams of a fan, which begin at one place
        const Beam beam = k.grid.beam[0];
        const float range = bounds.distances({beam.x, 0.0F, beam.z}, 1.0F, 0.0F).y;
        if (fabsf(place.x - beam.x) > k.apertureSlope * range * 1.0001F) tables.reach[e] = -1.0F;
        return first;
    }
    const float gapX =
        fmaxf(fmaxf(bounds.least.x - place.x, place.x - bounds.most.x), 0.0F) * face.countsX;
    const bool flat = k.face == nullptr && k.arrayHalfHeight == 0.0F; // elevation does not count
    const float gapY =
        flat ? 0.0F
             : fmaxf(fmaxf(bounds.least.y - place.y, place.y - bounds.most.y), 0.0F) * face.countsY;
    const float widest = k.apertureSlope * (bounds.most.z - place.z) * 1.0001F;
    if (hypotenuse(gapX, gapY) > widest) tables.reach[e] = -1.0F; // no pixel's aperture holds it
    return first;
}

/// True where a transmit of the tile has a record of the element.
template <int kTile> __device__ bool isHeard(const Constants& k, int firstTransmit, int e) {
    if (k.channelOf == nullptr) return true;
    for (int i = 0; i < kTile && firstTransmit + i < k.transmits; ++i) {
        if (recordOf(k, k.transmit[firstTransmit + i].line, e) >= 0) return true;
    }
    return false;
}

/// Lists the elements that the tile reads, in increasing order, and returns their number. Only the
/// threads of the first warp may call it.
template <int kTile>
__device__ int listElements(const Constants& k, const Tables& tables, int firstTransmit) {
    return listByWarp(
        k.elements,
        [&](int e) {
            return tables.reach[e] >= 0.0F && isHeard<kTile>(k, firstTransmit, e) ? e : -1;
        },
        [&](int at, int e, std::int32_t) { tables.order[at] = static_cast<std::uint16_t>(e); });
}

/// How far an element is from a pixel, in samples, and its weight there.
struct Received {
    float at;
    float weight = 1.0F;
};

/// The terms of a pixel in |p - e|^2 = |p|^2 - 2 p.e + |e|^2, in squared samples. The elements are
/// points or lines in one plane.
template <Weights kWeights, bool kOneAxis> struct PixelTerms {
    float own;
    float timesX;   ///< with one axis: of the coordinate along it
    float timesY;   ///< with one axis: unused
    float centre;   ///< x of the middle of the aperture, m
    float half;     ///< half width of the aperture, m; below 0: none
    float farthest; ///< squared distance of the aperture's edge from the pixel, in squared samples;
                    ///< below 0: none

    PixelTerms() = default;
    __device__ PixelTerms(const SpaceArguments& a, const Place& p) {
        const Constants& k = a.k;
        centre = k.beamAperture ? p.beamX : p.x;
        const float depth = p.z - k.element[a.firstHeard].z;
        const float squared = k.indexPerMetre * k.indexPerMetre;
        own = squared * fmaf(a.countsX * p.x, p.x, fmaf(a.countsY * p.y, p.y, depth * depth));
        timesX = -2.0F * squared * a.countsX * p.x;
        timesY = -2.0F * squared * a.countsY * p.y;
        if (kOneAxis && a.alongY) timesX = timesY;
        half = k.apertureSlope * (k.beamAperture ? p.range : depth);
        farthest = half >= 0.0F ? squared * fmaf(half, half, depth * depth) : -1.0F;
    }
    __device__ Received from(const Constants& k, const SpaceSlot& e, const SlotFace*) const {
        float rest = own + e.third;
        if constexpr (!kOneAxis) rest = fmaf(timesY, e.y, rest);
        const float squared = fabsf(fmaf(timesX, e.x, rest));
        Received received{fastSqrt(squared)};
        if constexpr (kWeights == Weights::Flat) received.weight = weight(k, e, squared);
        return received;
    }
    /// NOTE: for elements on a line this must decide as apodization() which elements on the very
    /// edge count.
    __device__ float weight(const Constants& k, const SpaceSlot& e, float squared) const {
        if (k.arrayHalfHeight == 0.0F) return weightWithin(k, fabsf(e.x - centre), half);
        if (k.window == ApodizationWindow::Rectangular) return squared <= farthest ? 1.0F : 0.0F;
        const float depth = half / k.apertureSlope;
        const float perSample = 1.0F / (k.indexPerMetre * k.indexPerMetre);
        return weightWithin(k, fastSqrt(fabsf(fmaf(squared, perSample, -depth * depth))), half);
    }
};
template <> struct PixelTerms<Weights::Faces, false> {
    Place place;

    PixelTerms() = default;
    __device__ PixelTerms(const SpaceArguments&, const Place& p) : place(p) {}
    __device__ Received from(const Constants& k, const SpaceSlot& e, const SlotFace* face) const {
        const Way way(k, place, e.x, e.y, e.third, *face);
        return {way.distance * k.indexPerMetre, way.weight};
    }
};

} // namespace echolux::das

#endif
