// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum for arrays and pixels anywhere. A block of pixels reads, of one element and
// transmit, one short window of the record. For a tile of transmits and a few elements at a time
// the block loads those windows into shared memory, then each thread sums for its pixels.
#include "gpu/beamform/beamform_space.hpp"

#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_space_elements.cuh"
#include "gpu/beamform/beamform_space_windows.cuh"

#if defined(__CUDACC__)

namespace echolux::das {
namespace {

/// A sample of a window that holds samples.
template <Reading kReading, class Sample>
__device__ Sample readSpaceWindow(const Constants& k, const Sample* window, float index) {
    if constexpr (kReading == Reading::UsualLagrange) {
        return readLagrange<Sample, true, kUsualOrder>(k, window, index);
    } else if constexpr (kReading == Reading::UsualSinc) {
        return readSinc<Sample, true, kUsualTaps>(k, window, index);
    } else {
        return readTaps<Sample, true>(k, window, index);
    }
}

/// Which kernel: this one, changed by the structs below.
template <class SampleType, Weights kWeightsOf> struct SpaceSums {
    using Sample = SampleType;
    static constexpr Weights kWeights = kWeightsOf;
    static constexpr int kTile = 1;
    static constexpr bool kEnsemble = false;
    static constexpr bool kWeighed = false;
    static constexpr Reading kReading = Reading::Linear;
    static constexpr bool kOneAxis = false;
};
template <class Kind> struct SpaceTiled : Kind { static constexpr int kTile = 4; };
template <class Kind> struct SpaceEnsemble : SpaceTiled<Kind> {
    static constexpr bool kEnsemble = true;
};
template <class Kind> struct SpaceWeighed : Kind { static constexpr bool kWeighed = true; };
template <class Kind, Reading kReadingOf> struct SpaceReadBy : Kind {
    static constexpr Reading kReading = kReadingOf;
};
template <class Kind> struct SpaceOneAxis : Kind { static constexpr bool kOneAxis = true; };

template <class Kind>
__global__ void __launch_bounds__(spaceThreads(Kind::kEnsemble, Kind::kReading), kSpaceBlocks)
    sumSpace(const SpaceArguments a) {
    using Sample = typename Kind::Sample;
    constexpr int kTile = Kind::kTile;
    constexpr Weights kWeights = Kind::kWeights;
    constexpr bool kEnsemble = Kind::kEnsemble;
    constexpr bool kWeighed = Kind::kWeighed;
    constexpr bool kTaps = Kind::kReading != Reading::Linear;
    constexpr bool kOneAxis = Kind::kOneAxis;
    constexpr int kThreads = spaceThreads(Kind::kEnsemble, Kind::kReading);
    constexpr int kWarps = kThreads / 32;
    constexpr int kPixels = spacePixels(kIsComplex<Sample>, kTile, kEnsemble, !kWeighed && !kTaps);
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
    using Terms = PixelTerms<kWeights, kOneAxis>;
    Terms pixels[kPixels];
#pragma unroll
    for (int p = 0; p < kPixels; ++p) pixels[p] = Terms(a, placeAt(p));
    const Bounds bounds = boundsOf<kWarps>(placeAt(0), placeAt(kPixels - 1), scratch);
    float least = static_cast<float>(k.samples);
    for (int e = thread; e < k.elements; e += kThreads)
        least = fminf(least, describeElement<kWeights, kOneAxis>(a, bounds, e, tables));
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
                            value =
                                readSpaceWindow<Kind::kReading>(k, windows + element.first, index);
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

template <class Kind> void launch(const Exec& exec, const SpaceArguments& a) {
    constexpr int kTile = Kind::kTile;
    constexpr bool kTaps = Kind::kReading != Reading::Linear;
    constexpr int kThreads = spaceThreads(Kind::kEnsemble, Kind::kReading);
    const std::size_t windows = kTile > 1 ? kTile * kSpaceRowBytes
                                          : static_cast<std::size_t>(a.chunk * a.pitch) *
                                                sizeof(Stored<typename Kind::Sample, kTaps>);
    const std::size_t bytes =
        windows +
        static_cast<std::size_t>(a.chunk) *
            (sizeof(SpaceSlot) + (Kind::kWeights == Weights::Faces ? sizeof(SlotFace) : 0)) +
        static_cast<std::size_t>(a.k.elements) *
            (sizeof(SpaceSlot) + sizeof(float) + sizeof(std::uint16_t));
    const dim3 blocks(static_cast<unsigned>(blocksFor(a.k.grid.lateral, a.across) *
                                            blocksFor(a.k.grid.elevation, a.slices) *
                                            blocksFor(a.k.grid.depth, a.rows)),
                      static_cast<unsigned>(Kind::kEnsemble ? blocksFor(a.frames, kTile) : 1));
    const auto kernel = sumSpace<Kind>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kThreads, bytes, static_cast<cudaStream_t>(exec.stream)>>>(a);
}

/// Linear interpolation and sums of values alone.
template <class Kind>
void chooseSpaceSums(const Exec& exec, const SpaceArguments& a, const SpaceLayout& layout) {
    if (layout.frames > 1) return launch<SpaceEnsemble<Kind>>(exec, a);
    if (layout.tile == 4) return launch<SpaceTiled<Kind>>(exec, a);
    launch<Kind>(exec, a);
}

template <class Sample, Weights kWeights>
void chooseSums(const Exec& exec, const SpaceArguments& a, const SpaceLayout& layout) {
    using Kind = SpaceSums<Sample, kWeights>;
    if (layout.weighed && layout.reading != Reading::Linear)
        return launch<SpaceWeighed<SpaceReadBy<Kind, Reading::Any>>>(exec, a);
    if (layout.weighed) return launch<SpaceWeighed<Kind>>(exec, a);
    switch (layout.reading) {
    case Reading::Any: return launch<SpaceReadBy<Kind, Reading::Any>>(exec, a);
    case Reading::UsualLagrange: return launch<SpaceReadBy<Kind, Reading::UsualLagrange>>(exec, a);
    case Reading::UsualSinc: return launch<SpaceReadBy<Kind, Reading::UsualSinc>>(exec, a);
    case Reading::Linear: break;
    }
    if constexpr (kWeights != Weights::Faces) {
        if (layout.oneAxis) return chooseSpaceSums<SpaceOneAxis<Kind>>(exec, a, layout);
    }
    chooseSpaceSums<Kind>(exec, a, layout);
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
                           layout.frames, layout.countsX, layout.countsY, layout.firstHeard,
                           layout.alongY};
    layout.complex ? choose<Complex>(exec, a, layout) : choose<float>(exec, a, layout);
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
