// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum for arrays and pixels anywhere. A block of pixels reads, of one element and
// transmit, one short window of the record. For a tile of transmits and a few elements at a time
// the block loads those windows into shared memory, then each thread sums for its pixels.
#include "gpu/beamform/beamform_space.hpp"

#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_space_bounds.cuh"
#include "gpu/beamform/beamform_space_windows.cuh"

#if defined(__CUDACC__)

namespace echolux::das {
namespace {

constexpr int kSpaceGuard = 1; ///< samples before a window, for rounding

/// An element; x and y in m. `third` is z in m, or for arrays in a plane x^2 + y^2 in squared
/// samples, without coordinates that do not count.
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
template <Weights kWeights> __device__ float
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
template <Weights kWeights> struct PixelTerms {
    float own;
    float timesX;
    float timesY;
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
        half = k.apertureSlope * (k.beamAperture ? p.range : depth);
        farthest = half >= 0.0F ? squared * fmaf(half, half, depth * depth) : -1.0F;
    }
    __device__ Received from(const Constants& k, const SpaceSlot& e, const SlotFace*) const {
        const float squared = fabsf(fmaf(timesX, e.x, fmaf(timesY, e.y, own + e.third)));
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
template <> struct PixelTerms<Weights::Faces> {
    Place place;

    PixelTerms() = default;
    __device__ PixelTerms(const SpaceArguments&, const Place& p) : place(p) {}
    __device__ Received from(const Constants& k, const SpaceSlot& e, const SlotFace* face) const {
        const Way way(k, place, e.x, e.y, e.third, *face);
        return {way.distance * k.indexPerMetre, way.weight};
    }
};

template <class Sample, int kTile, Weights kWeights, bool kEnsemble, bool kWeighed, bool kTaps>
__global__ void __launch_bounds__(spaceThreads(kTile, kTaps), kSpaceBlocks)
    sumSpace(const SpaceArguments a) {
    constexpr int kThreads = spaceThreads(kTile, kTaps);
    constexpr int kWarps = kThreads / 32;
    constexpr int kPixels = spacePixels(kIsComplex<Sample>, kTile, !kWeighed && !kTaps);
    constexpr int kRow = kWindowRow<Sample, kTaps>;
    constexpr int kMargin = kTaps ? kMaxTaps : 0;
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    __shared__ float scratch[kBoundsScratch * kWarps];
    __shared__ float warpLeasts[kWarps];
    __shared__ TileTransmit tileTransmits[kTile];
    __shared__ int listed;
    Tables tables;
    tables.element = reinterpret_cast<SpaceSlot*>(sharedMemory);
    auto* slots = tables.element + k.elements;
    auto* faces = reinterpret_cast<SlotFace*>(slots + a.chunk);
    auto* windows = reinterpret_cast<Stored<Sample, kTaps>*>(
        faces + (kWeights == Weights::Faces ? a.chunk : 0));
    tables.reach =
        reinterpret_cast<float*>(windows + (kTile > 1 ? kTile * kRow : a.chunk * a.pitch));
    tables.order = reinterpret_cast<std::uint16_t*>(tables.reach + k.elements);

    // Deep blocks read the most elements, so they start first and the shallow ones fill the gaps.
    const int thread = static_cast<int>(threadIdx.x);
    const int warp = thread / 32;
    const int columnBlocks = (k.grid.lateral + a.across - 1) / a.across;
    const int sliceBlocks = (k.grid.elevation + a.slices - 1) / a.slices;
    int block = static_cast<int>(gridDim.x - 1 - blockIdx.x);
    const int column = block % columnBlocks * a.across + thread % a.across;
    block /= columnBlocks;
    const int slice = block % sliceBlocks * a.slices + thread / a.across % a.slices;
    const int firstRow = block / sliceBlocks * a.rows + thread / (a.across * a.slices);
    const int rowStep = a.rows / kPixels;
    const auto placeAt = [&](int p) {
        return k.grid.at(min(column, k.grid.lateral - 1),
                         min(firstRow + p * rowStep, k.grid.depth - 1),
                         min(slice, k.grid.elevation - 1));
    };
    PixelTerms<kWeights> pixels[kPixels];
#pragma unroll
    for (int p = 0; p < kPixels; ++p) pixels[p] = PixelTerms<kWeights>(a, placeAt(p));
    const Bounds bounds = boundsOf<kWarps>(placeAt(0), placeAt(kPixels - 1), scratch);
    float least = static_cast<float>(k.samples);
    for (int e = thread; e < k.elements; e += kThreads)
        least = fminf(least, describeElement<kWeights>(a, bounds, e, tables));
    // Indices of the windows count from `zero`, so that they are small and exact.
    const float zero = leastOf<kWarps>(least, warpLeasts);

    const unsigned windowsAddress = static_cast<unsigned>(__cvta_generic_to_shared(windows)) -
                                    (kTaps ? 0U : kTwoTo23Bits << kLineLog2<Sample>);

    constexpr int kTotals = kEnsemble ? kTile : 1;
    PixelSum<Sample> totals[kPixels][kTotals];
    for (int firstTransmit = 0; firstTransmit < k.transmits; firstTransmit += kTile) {
        __syncthreads();
        if (thread < kTile) {
            const TransmitConstants& t =
                k.transmit[kEnsemble ? 0 : min(firstTransmit + thread, k.transmits - 1)];
            const float2 paths = bounds.paths(t);
            const float first = floorf(fmaf(paths.x, k.indexPerMetre, t.indexOffset)) -
                                static_cast<float>(kSpaceGuard + kMargin);
            tileTransmits[thread] = {static_cast<int>(first),
                                     fmaf(paths.y, k.indexPerMetre, t.indexOffset) - first};
        }
        if (warp == 0) {
            const int count = listElements<kTile>(k, tables, firstTransmit);
            if (thread == 0) listed = count;
        }
        __syncthreads();

        float transmitAt[kPixels][kTile];
        Sum<Sample, kWeighed> sums[kPixels][kTile];
        float reach = 0.0F;
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const TransmitConstants& t =
                k.transmit[kEnsemble ? 0 : min(firstTransmit + i, k.transmits - 1)];
            reach = fmaxf(reach, tileTransmits[i].reach);
#pragma unroll
            for (int p = 0; p < kPixels; ++p) {
                transmitAt[p][i] = transmitIndex(t, k.indexPerMetre, placeAt(p)) -
                                   static_cast<float>(tileTransmits[i].first) - zero;
            }
        }

        for (int base = 0; base < listed; base += a.chunk) {
            const int count = min(a.chunk, listed - base);
            for (int s = warp; s < count; s += kWarps) {
                const int e = tables.order[base + s];
                SpaceSlot element = tables.element[e];
                const int size = min(a.pitch, static_cast<int>(tables.reach[e] + reach) + 1 +
                                                  kSpaceGuard + kMargin);
                const Records<Sample, kTile, kEnsemble> records(a, firstTransmit, e, element.first,
                                                                tileTransmits, size + kReadBeyond);
                const int window = s * a.pitch;
                element.first -= static_cast<int>(zero);
                loadWindows<kTaps>(records, k.samples, size, static_cast<float>(element.first),
                                   windows + window);
                element.first = window - element.first;
                if (thread % 32 == 0) {
                    slots[s] = element;
                    if constexpr (kWeights == Weights::Faces) faces[s] = faceOf(k, e, Place{});
                }
            }
            __syncthreads();
#pragma unroll 2
            for (int s = 0; s < count; ++s) {
                const SpaceSlot element = slots[s];
                const unsigned address =
                    windowsAddress + (static_cast<unsigned>(element.first) << kLineLog2<Sample>);
#pragma unroll
                for (int p = 0; p < kPixels; ++p) {
                    const Received received = pixels[p].from(k, element, faces + s);
                    float2 phasor{};
                    if constexpr (kIsComplex<Sample>) {
                        phasor = fastPhasor(received.at, k.cyclesPerSample);
                        phasor.x *= received.weight;
                        phasor.y *= received.weight;
                    }
                    unsigned line = 0;
#pragma unroll
                    for (int i = 0; i < kTile; ++i) {
                        const float index = transmitAt[p][kEnsemble ? 0 : i] + received.at;
                        if (i == 0 || !kEnsemble)
                            line = sharedAddress<Sample>(address, __fadd_rd(index, kTwoTo23));
                        Sample value;
                        if constexpr (kTaps) {
                            value = readTaps<Sample, true>(k, windows + element.first, index);
                        } else {
                            value = valueAt(sharedLine<Sample>(line, i * kSpaceRowBytes), index);
                        }
                        Sum<Sample, kWeighed>& sum = sums[p][i];
                        sum.weigh(received.weight, value);
                        if constexpr (kIsComplex<Sample>) {
                            addTurned(sum.sum, value, phasor);
                        } else {
                            sum.sum = fmaf(received.weight, value, sum.sum);
                        }
                    }
                }
            }
            __syncthreads();
        }

#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
#pragma unroll
            for (int i = 0; i < kTile; ++i) {
                const int t = kEnsemble ? 0 : firstTransmit + i;
                if (t >= k.transmits || !reaches(k, t, placeAt(p))) continue;
                PixelSum<Sample> one = sums[p][i].pixel();
                if constexpr (kIsComplex<Sample>) {
                    const TransmitConstants& transmit = k.transmit[t];
                    one.sum = one.sum *
                              transmitPhasor(k, transmit,
                                             transmitIndex(transmit, k.indexPerMetre, placeAt(p)));
                }
                addTransmit(k, one, totals[p][kEnsemble ? i : 0]);
            }
        }
    }
    if (column >= k.grid.lateral || slice >= k.grid.elevation) return;
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
        const int row = firstRow + p * rowStep;
        if (row >= k.grid.depth) continue;
        const std::int64_t line = static_cast<std::int64_t>(slice) * k.grid.depth + row;
        auto* pixel = static_cast<Sample*>(a.image) + line * k.grid.lateral + column;
#pragma unroll
        for (int i = 0; i < kTotals; ++i) {
            const int frame = kEnsemble ? firstFrame<kTile>() + i : 0;
            if (frame < a.frames) pixel[frame * k.grid.pixels()] = finished(k, totals[p][i]);
        }
    }
}

int blocksFor(int size, int of) { return (size + of - 1) / of; }

template <class Sample, int kTile, Weights kWeights, bool kEnsemble, bool kWeighed, bool kTaps>
void launch(const Exec& exec, const SpaceArguments& a) {
    constexpr int kThreads = spaceThreads(kTile, kTaps);
    const std::size_t windows =
        kTile > 1 ? kTile * kSpaceRowBytes
                  : static_cast<std::size_t>(a.chunk * a.pitch) * sizeof(Stored<Sample, kTaps>);
    const std::size_t bytes =
        windows +
        static_cast<std::size_t>(a.chunk) *
            (sizeof(SpaceSlot) + (kWeights == Weights::Faces ? sizeof(SlotFace) : 0)) +
        static_cast<std::size_t>(a.k.elements) *
            (sizeof(SpaceSlot) + sizeof(float) + sizeof(std::uint16_t));
    const dim3 blocks(static_cast<unsigned>(blocksFor(a.k.grid.lateral, a.across) *
                                            blocksFor(a.k.grid.elevation, a.slices) *
                                            blocksFor(a.k.grid.depth, a.rows)),
                      static_cast<unsigned>(kEnsemble ? blocksFor(a.frames, kTile) : 1));
    const auto kernel = sumSpace<Sample, kTile, kWeights, kEnsemble, kWeighed, kTaps>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kThreads, bytes, static_cast<cudaStream_t>(exec.stream)>>>(a);
}

template <class Sample, Weights kWeights>
void chooseSums(const Exec& exec, const SpaceArguments& a, const SpaceLayout& layout) {
    if (layout.frames > 1) return launch<Sample, 4, kWeights, true, false, false>(exec, a);
    if (layout.tile == 4) return launch<Sample, 4, kWeights, false, false, false>(exec, a);
    if (layout.taps && layout.weighed)
        return launch<Sample, 1, kWeights, false, true, true>(exec, a);
    if (layout.taps) return launch<Sample, 1, kWeights, false, false, true>(exec, a);
    if (layout.weighed) return launch<Sample, 1, kWeights, false, true, false>(exec, a);
    launch<Sample, 1, kWeights, false, false, false>(exec, a);
}

template <class Sample>
void choose(const Exec& exec, const SpaceArguments& a, const SpaceLayout& layout) {
    switch (layout.weights) {
    case Weights::None: return chooseSums<Sample, Weights::None>(exec, a, layout);
    case Weights::Flat: return chooseSums<Sample, Weights::Flat>(exec, a, layout);
    case Weights::Faces: return chooseSums<Sample, Weights::Faces>(exec, a, layout);
    }
}

} // namespace

void sumInSpace(const Exec& exec, const Constants& constants, const SpaceLayout& layout,
                const void* samples, void* image) {
    const SpaceArguments a{constants,     samples,        image,          layout.across,
                           layout.slices, layout.rows,    layout.pitch,   layout.chunk,
                           layout.frames, layout.countsX, layout.countsY, layout.firstHeard};
    layout.complex ? choose<Complex>(exec, a, layout) : choose<float>(exec, a, layout);
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
