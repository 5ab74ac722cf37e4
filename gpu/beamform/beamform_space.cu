// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum for arrays and pixels anywhere. A block of pixels reads, of one element and
// transmit, one short window of the record. For a tile of transmits and a few elements at a time
// the block loads those windows into shared memory, then each thread sums for its pixels.
#include "gpu/beamform/beamform_space.hpp"

#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_shared_lines.cuh"

#if defined(__CUDACC__)

namespace echolux::das {
namespace {

constexpr int kThreads = kSpaceThreads;
constexpr int kWarps = kThreads / 32;
constexpr int kGuard = 1; ///< samples before a window, for rounding

struct Arguments {
    Constants k;
    const void* samples;
    void* image;
    int across;
    int slices;
    int rows;
    int pitch;
    int chunk;
    int frames; ///< of an ensemble, whose frames are a tile instead of transmits; else 1
};

/// The places that a block images.
struct Bounds {
    float3 least;
    float3 most;

    /// Least and greatest distance to a point, of whose coordinates some count.
    __device__ float2 distances(float3 to, float countsX, float countsY) const {
        const float x = fmaxf(fmaxf(least.x - to.x, to.x - most.x), 0.0F) * countsX;
        const float y = fmaxf(fmaxf(least.y - to.y, to.y - most.y), 0.0F) * countsY;
        const float z = fmaxf(fmaxf(least.z - to.z, to.z - most.z), 0.0F);
        const float farX = fmaxf(fabsf(least.x - to.x), fabsf(most.x - to.x)) * countsX;
        const float farY = fmaxf(fabsf(least.y - to.y), fabsf(most.y - to.y)) * countsY;
        const float farZ = fmaxf(fabsf(least.z - to.z), fabsf(most.z - to.z));
        return {hypotenuse(x, z, y), hypotenuse(farX, farZ, farY)};
    }

    /// Least and greatest transmit path.
    __device__ float2 paths(const TransmitConstants& t) const {
        if (!t.plane) {
            const float2 d = distances({t.sourceX, t.sourceY, t.sourceZ}, t.countsX, t.countsY);
            return {t.pathOffset + d.x, t.pathOffset + d.y};
        }
        const auto along = [&](float direction, float low, float high) {
            return direction >= 0.0F ? make_float2(direction * low, direction * high)
                                     : make_float2(direction * high, direction * low);
        };
        const float2 x = along(t.directionX, least.x, most.x);
        const float2 y = along(t.directionY, least.y, most.y);
        const float2 z = along(t.directionZ, least.z, most.z);
        return {x.x + y.x + z.x, x.y + y.y + z.y};
    }
};

__device__ inline float warpLeast(float value) {
    for (int distance = 16; distance > 0; distance >>= 1)
        value = fminf(value, __shfl_xor_sync(0xFFFFFFFFU, value, distance));
    return value;
}

/// Of all threads' places, each from `a` to `b` along a line; `scratch` holds 6 floats a warp.
/// Synchronises.
__device__ inline Bounds boundsOf(const Place& a, const Place& b, float* scratch) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    // The greatest of a number is the least of its negative.
    const float values[6] = {fminf(a.x, b.x),  fminf(a.y, b.y),  fminf(a.z, b.z),
                             -fmaxf(a.x, b.x), -fmaxf(a.y, b.y), -fmaxf(a.z, b.z)};
    for (int i = 0; i < 6; ++i) {
        const float least = warpLeast(values[i]);
        if (threadIdx.x % 32 == 0) scratch[warp * 6 + i] = least;
    }
    __syncthreads();
    float all[6];
    for (int i = 0; i < 6; ++i) {
        all[i] = scratch[i];
        for (int w = 1; w < kWarps; ++w) all[i] = fminf(all[i], scratch[w * 6 + i]);
    }
    return {{all[0], all[1], all[2]}, {-all[3], -all[4], -all[5]}};
}

/// An element among those whose windows are loaded, m, and where these begin. Of arrays in a plane
/// `third` is x^2 + y^2 in squared samples, else z.
struct alignas(16) Slot {
    float x, y, third;
    float first;
};
static_assert(sizeof(Slot) == 16);

/// A transmit of the tile: where its windows begin and how far its paths reach beyond.
struct TileTransmit {
    int first;
    float reach;
};

/// The tables of a block in shared memory.
struct Tables {
    Slot* element;        ///< [elements]: place and first index
    float* reach;         ///< [elements] of the receive path beyond `first`, in samples
    std::uint16_t* order; ///< elements that the tile reads
};

/// What the pixels of this block can read of an element.
template <Weights kWeights> __device__ void
describeElement(const Constants& k, const Bounds& bounds, int e, const Tables& tables) {
    const Element place = k.element[e];
    const Face face = k.face != nullptr ? k.face[e] : Face{};
    const float2 d = bounds.distances({place.x, place.y, place.z}, face.countsX, face.countsY);
    const float first = floorf(d.x * k.indexPerMetre) - static_cast<float>(kGuard);
    if constexpr (kWeights == Weights::Faces) {
        tables.element[e] = {place.x, place.y, place.z, first};
    } else {
        const float squared = k.indexPerMetre * k.indexPerMetre;
        tables.element[e] = {place.x, place.y, squared * fmaf(place.x, place.x, place.y * place.y),
                             first};
    }
    tables.reach[e] = fmaf(d.y, k.indexPerMetre, -first);
    if (k.apertureSlope == 0.0F || face.normalZ != 1.0F) return;
    const float gapX =
        fmaxf(fmaxf(bounds.least.x - place.x, place.x - bounds.most.x), 0.0F) * face.countsX;
    const float gapY =
        fmaxf(fmaxf(bounds.least.y - place.y, place.y - bounds.most.y), 0.0F) * face.countsY;
    const float widest = k.apertureSlope * (bounds.most.z - place.z) * 1.0001F;
    if (hypotenuse(gapX, gapY) > widest) tables.reach[e] = -1.0F; // no pixel's aperture holds it
}

/// Whether a record of the tile's transmits holds the element.
template <int kTile> __device__ bool isHeard(const Constants& k, int firstTransmit, int e) {
    if (k.channelOf == nullptr) return true;
    for (int i = 0; i < kTile && firstTransmit + i < k.transmits; ++i) {
        if (recordOf(k, k.transmit[firstTransmit + i].line, e) >= 0) return true;
    }
    return false;
}

/// Lists the elements that the tile reads, in their order, by the first warp.
template <int kTile>
__device__ int listElements(const Constants& k, const Tables& tables, int firstTransmit) {
    return listByWarp(
        k.elements,
        [&](int e) { return tables.reach[e] >= 0.0F && isHeard<kTile>(k, firstTransmit, e); },
        [&](int at, int e) { tables.order[at] = static_cast<std::uint16_t>(e); });
}

__device__ inline float fromLane(float value, int lane) {
    return __shfl_sync(0xFFFFFFFFU, value, lane);
}
__device__ inline Complex fromLane(Complex value, int lane) {
    return {fromLane(value.re, lane), fromLane(value.im, lane)};
}

/// Of the tile of frames that a block images.
template <int kTile> __device__ int firstFrame() { return static_cast<int>(blockIdx.y) * kTile; }

/// What of one element is loaded: a record of each transmit, or frame, of the tile, from sample
/// `first` on; weight 0 where nobody listened.
template <class Sample, int kTile, bool kEnsemble> struct Records {
    const Sample* samples[kTile];
    float weight[kTile];
    int first[kTile];
    bool inside = true; ///< all that is read lies in the records, with weight 1

    __device__ Records(const Arguments& a, int firstTransmit, int e, int receiveFirst,
                       const TileTransmit* transmits, int size) {
        const Constants& k = a.k;
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const int t = kEnsemble ? 0 : firstTransmit + i;
            const int frame = kEnsemble ? firstFrame<kTile>() + i : 0;
            const bool exists = t < k.transmits && frame < a.frames;
            const std::int64_t record = exists ? recordOf(k, k.transmit[t].line, e) : -1;
            const bool heard = record >= 0;
            const std::int64_t records = static_cast<std::int64_t>(k.transmitsInFrame) * k.channels;
            weight[i] = !heard ? 0.0F : k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
            samples[i] = static_cast<const Sample*>(a.samples) +
                         (heard ? frame * records + record : 0) * k.samples;
            first[i] = receiveFirst + transmits[i].first;
            inside = inside && weight[i] == 1.0F && first[i] >= 0 && first[i] + size < k.samples;
        }
    }
    __device__ Sample at(int i, int n, int length) const {
        const int index = first[i] + n;
        const bool read = index >= 0 && index < length && weight[i] != 0.0F;
        return read ? weight[i] * loaded(samples[i] + index) : Sample{};
    }
};

/// Fills the windows of one element, [transmit of the tile][pitch], by one warp, with many loads in
/// flight. kTaps: samples, else lines.
template <class Sample, int kTile, bool kEnsemble, bool kTaps>
__device__ void loadWindows(const Records<Sample, kTile, kEnsemble>& from, int length, int size,
                            int pitch, std::conditional_t<kTaps, Sample, Line<Sample>>* windows) {
    constexpr int kSteps = kTile > 1 ? 2 : 4;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int base = 0; base < size; base += 32 * kSteps) {
        Sample values[kTile][kSteps + 1];
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
#pragma unroll
            for (int j = 0; j <= kSteps; ++j) {
                const int n = base + 32 * j + lane;
                const bool read = n <= size && (j < kSteps || lane == 0);
                if (from.inside) {
                    values[i][j] = read ? loaded(from.samples[i] + from.first[i] + n) : Sample{};
                } else {
                    values[i][j] = read ? from.at(i, n, length) : Sample{};
                }
            }
        }
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
#pragma unroll
            for (int j = 0; j < kSteps; ++j) {
                const int n = base + 32 * j + lane;
                if constexpr (kTaps) {
                    if (n < size) windows[i * pitch + n] = values[i][j];
                } else {
                    const Sample following = fromLane(values[i][j + 1], 0);
                    const Sample neighbour = fromLane(values[i][j], (lane + 1) % 32);
                    if (n < size) {
                        windows[i * pitch + n] = lineThrough(static_cast<float>(n), values[i][j],
                                                             lane == 31 ? following : neighbour);
                    }
                }
            }
        }
    }
}

/// How far an element is from a pixel, in samples, and its weight there.
struct Received {
    float at;
    float weight = 1.0F;
};

/// Of a pixel, below points in a plane: |p - e|^2 = |p|^2 - 2 p.e + |e|^2, in samples.
template <Weights kWeights> struct PixelTerms {
    float own;
    float timesX;
    float timesY;
    float x; ///< m, as what follows
    float y;
    float half; ///< of the aperture; below 0: none

    PixelTerms() = default;
    __device__ PixelTerms(const Constants& k, const Place& p) : x(p.x), y(p.y) {
        const float depth = p.z - k.element[0].z;
        const float squared = k.indexPerMetre * k.indexPerMetre;
        own = squared * fmaf(x, x, fmaf(y, y, depth * depth));
        timesX = -2.0F * squared * x;
        timesY = -2.0F * squared * y;
        half = k.apertureSlope * depth;
    }
    __device__ Received from(const Constants& k, const Slot& e, const SlotFace*) const {
        const float squared = fmaf(timesX, e.x, fmaf(timesY, e.y, own + e.third));
        Received received{fastSqrt(fabsf(squared))};
        if constexpr (kWeights == Weights::Flat) received.weight = weight(k, e);
        return received;
    }
    /// NOTE: of elements on a line, which ones count on the very edge must be found as in
    /// apodization().
    __device__ float weight(const Constants& k, const Slot& e) const {
        const float dx = e.x - x;
        const float dy = e.y - y;
        const float aside = k.arrayHalfHeight == 0.0F ? fabsf(dx) : fastSqrt(fmaf(dx, dx, dy * dy));
        return weightWithin(k, aside, half);
    }
};
template <> struct PixelTerms<Weights::Faces> {
    Place place;

    PixelTerms() = default;
    __device__ PixelTerms(const Constants&, const Place& p) : place(p) {}
    __device__ Received from(const Constants& k, const Slot& e, const SlotFace* face) const {
        const Way way(k, place, e.x, e.y, e.third, *face);
        return {way.distance * k.indexPerMetre, way.weight};
    }
};

template <class Sample, int kTile, Weights kWeights, bool kEnsemble, bool kWeighed, bool kTaps>
__global__ void __launch_bounds__(kThreads, spaceBlocks(kTile, !kWeighed && !kTaps))
    sumSpace(const Arguments a) {
    constexpr int kPixels = spacePixels(kIsComplex<Sample>, kTile, !kWeighed && !kTaps);
    using Stored = std::conditional_t<kTaps, Sample, Line<Sample>>;
    constexpr int kMargin = kTaps ? kMaxTaps : 0;
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    __shared__ float scratch[6 * kWarps];
    __shared__ TileTransmit tileTransmits[kTile];
    __shared__ int listed;
    Tables tables;
    tables.element = reinterpret_cast<Slot*>(sharedMemory);
    auto* slots = tables.element + k.elements;
    auto* faces = reinterpret_cast<SlotFace*>(slots + a.chunk);
    auto* windows = reinterpret_cast<Stored*>(faces + (kWeights == Weights::Faces ? a.chunk : 0));
    tables.reach = reinterpret_cast<float*>(windows + a.chunk * kTile * a.pitch);
    tables.order = reinterpret_cast<std::uint16_t*>(tables.reach + k.elements);

    // Deep blocks read the most elements: they start first, and the shallow ones fill the gaps.
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
    for (int p = 0; p < kPixels; ++p) pixels[p] = PixelTerms<kWeights>(k, placeAt(p));
    const Bounds bounds = boundsOf(placeAt(0), placeAt(kPixels - 1), scratch);
    for (int e = thread; e < k.elements; e += kThreads)
        describeElement<kWeights>(k, bounds, e, tables);

    float rowMagic[kTile];
#pragma unroll
    for (int i = 0; i < kTile; ++i) rowMagic[i] = kTwoTo23 + static_cast<float>(i * a.pitch);
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
                                static_cast<float>(kGuard + kMargin);
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
                                   static_cast<float>(tileTransmits[i].first);
            }
        }

        for (int base = 0; base < listed; base += a.chunk) {
            const int count = min(a.chunk, listed - base);
            for (int s = warp; s < count; s += kWarps) {
                const int e = tables.order[base + s];
                const Slot element = tables.element[e];
                if (thread % 32 == 0) {
                    slots[s] = element;
                    if constexpr (kWeights == Weights::Faces) faces[s] = faceOf(k, e, Place{});
                }
                const int size =
                    min(a.pitch, static_cast<int>(tables.reach[e] + reach) + 1 + kGuard + kMargin);
                const Records<Sample, kTile, kEnsemble> records(
                    a, firstTransmit, e, static_cast<int>(element.first), tileTransmits, size);
                loadWindows<Sample, kTile, kEnsemble, kTaps>(records, k.samples, size, a.pitch,
                                                             windows + s * kTile * a.pitch);
            }
            __syncthreads();
            unsigned address = windowsAddress;
#pragma unroll 2
            for (int s = 0; s < count; ++s) {
                const Slot element = slots[s];
#pragma unroll
                for (int p = 0; p < kPixels; ++p) {
                    const Received received = pixels[p].from(k, element, faces + s);
                    const float receiveAt = received.at - element.first;
                    float2 phasor{};
                    if constexpr (kIsComplex<Sample>) {
                        phasor = fastPhasor(received.at * k.cyclesPerSample);
                        phasor.x *= received.weight;
                        phasor.y *= received.weight;
                    }
#pragma unroll
                    for (int i = 0; i < kTile; ++i) {
                        const float index = transmitAt[p][kEnsemble ? 0 : i] + receiveAt;
                        Sample value;
                        if constexpr (kTaps) {
                            value = readTaps<Sample, true>(k, windows + (s * kTile + i) * a.pitch,
                                                           index);
                        } else {
                            value = valueAt(
                                sharedLine<Sample>(address, __fadd_rd(index, rowMagic[i])), index);
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
                if constexpr (!kTaps)
                    address += static_cast<unsigned>(kTile * a.pitch) << kLineLog2<Sample>;
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
void launch(const Exec& exec, const Arguments& a) {
    using Stored = std::conditional_t<kTaps, Sample, Line<Sample>>;
    const std::size_t bytes =
        static_cast<std::size_t>(a.chunk) *
            (static_cast<std::size_t>(kTile * a.pitch) * sizeof(Stored) + sizeof(Slot) +
             (kWeights == Weights::Faces ? sizeof(SlotFace) : 0)) +
        static_cast<std::size_t>(a.k.elements) *
            (sizeof(Slot) + sizeof(float) + sizeof(std::uint16_t));
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
void chooseSums(const Exec& exec, const Arguments& a, const SpaceLayout& layout) {
    if (layout.frames > 1) return launch<Sample, 4, kWeights, true, false, false>(exec, a);
    if (layout.tile == 4) return launch<Sample, 4, kWeights, false, false, false>(exec, a);
    if (layout.taps && layout.weighed)
        return launch<Sample, 1, kWeights, false, true, true>(exec, a);
    if (layout.taps) return launch<Sample, 1, kWeights, false, false, true>(exec, a);
    if (layout.weighed) return launch<Sample, 1, kWeights, false, true, false>(exec, a);
    launch<Sample, 1, kWeights, false, false, false>(exec, a);
}

template <class Sample>
void choose(const Exec& exec, const Arguments& a, const SpaceLayout& layout) {
    switch (layout.weights) {
    case Weights::None: return chooseSums<Sample, Weights::None>(exec, a, layout);
    case Weights::Flat: return chooseSums<Sample, Weights::Flat>(exec, a, layout);
    case Weights::Faces: return chooseSums<Sample, Weights::Faces>(exec, a, layout);
    }
}

} // namespace

void sumInSpace(const Exec& exec, const Constants& constants, const SpaceLayout& layout,
                const void* samples, void* image) {
    const Arguments a{constants,   samples,      image,        layout.across, layout.slices,
                      layout.rows, layout.pitch, layout.chunk, layout.frames};
    layout.complex ? choose<Complex>(exec, a, layout) : choose<float>(exec, a, layout);
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
