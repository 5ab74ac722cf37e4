// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum of one frame of several transmits through shared memory. All pixels of a
// block read, of one element and transmit, one short window of the record. The block loads the
// windows of a few elements and a tile of transmits, as lines value = intercept + slope * index,
// and then gathers from them without waiting for device memory.
#include "gpu/beamform/beamform_shared_lines.cuh"
#include "gpu/beamform/beamform_window_spans.cuh"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <stdexcept>

#if defined(__CUDACC__)

namespace echolux::das {
namespace {

using namespace windows;

/// Fills the windows of one element, [transmit of the tile][a.pitch], by one warp. `sources` are
/// those of the tile.
template <int kTile, class Sample>
__device__ void loadWindows(const TunedArguments& a, const Source* sources, int e, Span receive,
                            float reach, Line<Sample>* windows) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int receiveFirst = static_cast<int>(receive.first);
    const int size = min(a.pitch, static_cast<int>(receive.reach + reach) + 1 + kGuard);
    const Sample* from[kTile];
    bool inside = a.receiveWeight == nullptr;
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
        const int first = receiveFirst + sources[i].first;
        inside = inside && first >= 0 && first + size < a.samples && sources[i].line >= 0;
        from[i] = sources[i].records<Sample>(a, e) + (first + lane);
    }
    if (inside) {
        constexpr int kUnroll = kTile > 3 ? 1 : 4; // unrolling a larger tile costs registers
        float at = static_cast<float>(lane);
#pragma unroll kUnroll
        for (int n = lane; n < size; n += 32, at += 32.0F) {
#pragma unroll
            for (int i = 0; i < kTile; ++i) {
                windows[i * a.pitch + n] = lineThrough(at, loaded(from[i]), loaded(from[i] + 1));
                from[i] += 32;
            }
        }
        return;
    }
#pragma unroll 1
    for (int i = 0; i < kTile; ++i) {
        const int line = sources[i].line;
        const float weight = line < 0                     ? 0.0F
                             : a.receiveWeight != nullptr ? a.receiveWeight[line + e]
                                                          : 1.0F;
        const int length = weight == 0.0F ? 0 : a.samples;
        const Sample* samples = sources[i].records<Sample>(a, e);
        const auto sample = [&](int at) {
            return at >= 0 && at < length ? weight * loaded(samples + at) : Sample{};
        };
        for (int n = lane; n < size; n += 32) {
            const int at = receiveFirst + sources[i].first + n;
            const Sample here = sample(at);
            const Sample next = sample(at + 1);
            windows[i * a.pitch + n] = lineThrough(static_cast<float>(n), here, next);
        }
    }
}

/// The transmits of a tile for one pixel: delays minus the beginnings of the windows, and the
/// phasors of complex samples.
template <class Sample, int kTile> struct TransmitTile {
    float at[kTile];

    __device__ void set(const TunedArguments&, int i, const TransmitConstants&, float index,
                        float first) {
        at[i] = index - first;
    }
    /// The sum over the tile for one element.
    __device__ float sum(const TunedArguments& a, float receiveAt, unsigned windows) const {
        float sum = 0.0F;
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const float index = at[i] + receiveAt;
            const auto line =
                sharedLine<float>(sharedAddress<float>(windows, __fadd_rd(index, a.rowMagic[i])));
            sum = fmaf(index, line.slope, i == 0 ? line.intercept : sum + line.intercept);
        }
        return sum;
    }
};
template <int kTile> struct TransmitTile<Complex, kTile> {
    float at[kTile];
    float2 phasor[kTile];

    __device__ void set(const TunedArguments& a, int i, const TransmitConstants& t, float index,
                        float first) {
        at[i] = index - first;
        phasor[i] = fastPhasor(fmaf(index, a.cyclesPerSample, t.phaseCycles));
    }
    __device__ Complex sum(const TunedArguments& a, float receiveAt, unsigned windows) const {
        Complex sum{};
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const float index = at[i] + receiveAt;
            const auto line = sharedLine<Complex>(
                sharedAddress<Complex>(windows, __fadd_rd(index, a.rowMagic[i])));
            addTurned(sum, valueAt(line, index), phasor[i]);
        }
        return sum;
    }
};

/// The pixels of a thread: one column, every kWarps-th row.
template <class Sample> struct Pixels {
    float x;
    float centre; ///< of the aperture
    float depth[kPixels];
    float half[kPixels]; ///< of the aperture
    Sample total[kPixels] = {};

    __device__ Pixels(const TunedArguments& a, int column, int firstRow) {
        x = a.grid.x(min(column, a.grid.lateral - 1));
#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
            depth[p] = a.grid.z(min(firstRow + p * kWarps, a.grid.depth - 1)) - a.element[0].z;
            half[p] = Aperture(a, x, depth[p]).half;
        }
        centre = Aperture(a, x, depth[0]).centre;
    }

    /// Elements that any pixel of the warp can use.
    __device__ int2 elements(const TunedArguments& a, const float* elementX) const {
        const Aperture deepest(a, x, depth[kPixels - 1]);
        float lowest = deepest.lowest();
        float highest = deepest.highest();
        for (int distance = 16; distance > 0; distance >>= 1) {
            lowest = fminf(lowest, __shfl_xor_sync(0xFFFFFFFFU, lowest, distance));
            highest = fmaxf(highest, __shfl_xor_sync(0xFFFFFFFFU, highest, distance));
        }
        return elementsWithin(a, elementX, lowest, highest);
    }

    /// Adds one element; `windows` is the shared address of its windows less the bits of 2^23.
    template <int kTile, bool kWindowed>
    __device__ void add(const TunedArguments& a, float elementX, float receiveFirst,
                        unsigned windows, const TransmitTile<Sample, kTile> (&tiles)[kPixels]) {
        const float fromCentre = fabsf(elementX - centre);
        const float dx = x - elementX;
#pragma unroll
        for (int p = 0; p < kPixels; ++p) {
            const float distance = fastSqrt(fmaf(dx, dx, depth[p] * depth[p]));
            const float receiveAt = fmaf(distance, a.indexPerMetre, -receiveFirst);
            const Sample sum = tiles[p].sum(a, receiveAt, windows);
            float weight = fromCentre <= half[p] ? 1.0F : 0.0F;
            if constexpr (kWindowed) {
                const float u = half[p] > 0.0F ? fromCentre / half[p] : 0.0F;
                weight *= fastWindow(a, fminf(u, 1.0F));
            }
            if constexpr (kIsComplex<Sample>) {
                const float2 phasor = fastPhasor(distance * a.indexPerMetre * a.cyclesPerSample);
                addTurned(total[p], sum, {weight * phasor.x, weight * phasor.y});
            } else {
                total[p] = fmaf(weight, sum, total[p]);
            }
        }
    }
};

/// Two blocks add to a pixel.
__device__ inline void addTo(float* pixel, float value) { atomicAdd(pixel, value); }
__device__ inline void addTo(Complex* pixel, Complex value) {
    atomicAdd(&pixel->re, value.re);
    atomicAdd(&pixel->im, value.im);
}

template <class Sample, int kTile, bool kWindowed>
__global__ void __launch_bounds__(kThreads, windowBlocks(kIsComplex<Sample>, kTile))
    sumWindows(TunedArguments a, int mostElements) {
    extern __shared__ float4 sharedMemory[];
    auto* windows = reinterpret_cast<Line<Sample>*>(sharedMemory);
    auto* receiveSpans = reinterpret_cast<Span*>(windows + mostElements * kTile * a.pitch);
    auto* elementX = reinterpret_cast<float*>(receiveSpans + a.elements + 1);
    auto* allSources = reinterpret_cast<Source*>(elementX + a.elements + 1);

    const BlockPlace place(a);
    const Box box = place.box(a.grid);
    for (int e = static_cast<int>(threadIdx.x); e < a.elements; e += kThreads) {
        const Element element = a.element[e];
        elementX[e] = element.x;
        receiveSpans[e] = Span::of(box.distances(element.x, element.z), a.indexPerMetre, 0.0F);
    }
    for (int t = static_cast<int>(threadIdx.x); t < a.tiles * kTile; t += kThreads) {
        allSources[t] = Source(a, t, box);
    }
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int across = 32 >> a.lanesAcrossLog2; // warps side by side; also rows of a warp
    const int column =
        place.left + (warp % across << a.lanesAcrossLog2) + (lane & ((1 << a.lanesAcrossLog2) - 1));
    const int firstRow = place.top + warp / across * across + (lane >> a.lanesAcrossLog2);
    Pixels<Sample> pixels(a, column, firstRow);
    __syncthreads();
    const int2 range = place.elements(a, elementX);
    const int2 own = pixels.elements(a, elementX);
    // A chunk is a multiple of kWarps elements where kWarps elements fit.
    const int count = range.y - range.x;
    const int chunk = mostElements < kWarps ? mostElements : mostElements / kWarps * kWarps;
    const int chunks = (count + chunk - 1) / chunk;
    const int transmits = chunks > 0 ? a.transmits : 0;
    for (int firstTransmit = 0; firstTransmit < transmits; firstTransmit += kTile) {
        const Source* sources = allSources + firstTransmit;
        float reach = 0.0F;
        TransmitTile<Sample, kTile> tiles[kPixels];
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            reach = fmaxf(reach, sources[i].reach);
            const TransmitConstants& t = a.transmit[min(firstTransmit + i, a.transmits - 1)];
#pragma unroll
            for (int p = 0; p < kPixels; ++p) {
                const float z = pixels.depth[p] + a.element[0].z;
                tiles[p].set(a, i, t, transmitIndex(t, a.indexPerMetre, pixels.x, z),
                             static_cast<float>(sources[i].first));
            }
        }
        for (int n = 0; n < chunks; ++n) {
            // Blocks begin at different elements, or they would queue for the same cache lines.
            const int first = range.x + (n + static_cast<int>(blockIdx.x)) % chunks * chunk;
            const int last = min(first + chunk, range.y);
            for (int e = first + warp; e < last; e += kWarps) {
                loadWindows<kTile>(a, sources, e, receiveSpans[e], reach,
                                   windows + (e - first) * kTile * a.pitch);
            }
            __syncthreads();
            unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(windows)) -
                               (kTwoTo23Bits << kLineLog2<Sample>);
            const int from = max(first, own.x);
            const int to = min(last, own.y);
            address += static_cast<unsigned>((from - first) * kTile * a.pitch) << kLineLog2<Sample>;
            float nextX = elementX[min(from, a.elements - 1)];
            float nextFirst = receiveSpans[min(from, a.elements - 1)].first;
            for (int e = from; e < to; ++e) {
                const float thisX = nextX;
                const float thisFirst = nextFirst;
                nextX = elementX[e + 1]; // read ahead; after the last element it is not used
                nextFirst = receiveSpans[e + 1].first;
                pixels.template add<kTile, kWindowed>(a, thisX, thisFirst, address, tiles);
                address += static_cast<unsigned>(kTile * a.pitch) << kLineLog2<Sample>;
            }
            __syncthreads();
        }
    }
#pragma unroll
    for (int p = 0; p < kPixels; ++p) {
        const int row = firstRow + p * kWarps;
        if (column < a.grid.lateral && row < a.grid.depth) {
            addTo(static_cast<Sample*>(a.image) + static_cast<std::int64_t>(row) * a.grid.lateral +
                      column,
                  pixels.total[p]);
        }
    }
}

using Kernel = void (*)(TunedArguments, int);

template <class Sample, int kTile>
void launch(const Exec& exec, const TunedArguments& a, const TunedLayout& layout) {
    const int columns = (a.grid.lateral + kColumns - 1) / kColumns;
    const auto blocks =
        static_cast<unsigned>(kParts * columns * ((a.grid.depth + kRows - 1) / kRows));
    const std::size_t bytes =
        static_cast<std::size_t>(layout.chunk * kTile * layout.pitch) * sizeof(Line<Sample>) +
        static_cast<std::size_t>(a.elements + 1) * (sizeof(Span) + sizeof(float)) +
        static_cast<std::size_t>(layout.tiles * kTile) * sizeof(Source);
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    fillBytes(exec, a.image, 0, static_cast<std::size_t>(a.grid.pixels()) * sizeof(Sample));
    const bool windowed = a.window != ApodizationWindow::Rectangular;
    const Kernel kernel =
        windowed ? sumWindows<Sample, kTile, true> : sumWindows<Sample, kTile, false>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kThreads, bytes, stream>>>(a, layout.chunk);
}

} // namespace

void sumWindowed(const Exec& exec, const Constants& k, const TunedLayout& layout,
                 const void* samples, void* image) {
    const TunedArguments a = tunedArguments(k, layout, samples, image);
    if (layout.complex && layout.tile == 5) {
        launch<Complex, 5>(exec, a, layout);
    } else if (!layout.complex && layout.tile == 5) {
        launch<float, 5>(exec, a, layout);
    } else if (!layout.complex && layout.tile == 3) {
        launch<float, 3>(exec, a, layout);
    } else if (!layout.complex && layout.tile == 1) {
        launch<float, 1>(exec, a, layout);
    } else {
        throw std::logic_error("tunedSum: no kernel for this tile of transmits");
    }
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
