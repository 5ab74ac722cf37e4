// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum of one frame: pairs of samples, tiles of transmits, one pixel per thread.
#include "gpu/beamform/beamform_tuned.cuh"

#include "gpu/core/error.hpp"

#include <algorithm>
#include <stdexcept>

namespace echolux::das {

TunedArguments tunedArguments(const Constants& k, const TunedLayout& layout, const void* packed,
                              void* image) {
    TunedArguments a;
    a.grid = k.grid;
    a.elements = k.elements;
    a.transmits = k.transmits;
    a.tiles = layout.tiles;
    a.pitch = layout.pitch;
    a.front = static_cast<float>(layout.front);
    a.lastIndex = static_cast<float>(layout.pitch - 2);
    a.indexPerMetre = k.indexPerMetre;
    a.cyclesPerSample = k.cyclesPerSample;
    a.apertureSlope = k.apertureSlope;
    a.arrayCentre = k.arrayCentre;
    a.arrayHalfWidth = k.arrayHalfWidth;
    a.window = k.window;
    a.tukeyAlpha = k.tukeyAlpha;
    while ((1 << a.lanesAcrossLog2) < layout.variant.lanesAcross) ++a.lanesAcrossLog2;
    while ((1 << a.lanesAcrossLog2) > layout.variant.lanesAcross) --a.lanesAcrossLog2;
    a.split = layout.variant.split;
    a.frames = layout.frames;
    a.samples = k.samples;
    a.receiveWeight = k.receiveWeight;
    a.element = k.element;
    a.transmit = k.transmit;
    a.packed = packed;
    a.image = image;
    for (int i = 0; i <= kMaxTile; ++i) a.rowMagic[i] = kTwoTo23 + static_cast<float>(i * a.pitch);
    return a;
}

#if defined(__CUDACC__)
namespace {

constexpr int kPackThreads = 256;
constexpr int kBlockColumns = 32;
constexpr int kTurns = 128; ///< different elements at which blocks begin

template <class Sample> struct PairOf;
template <> struct PairOf<float> { using Type = float2; };
template <> struct PairOf<Complex> { using Type = float4; };

__device__ inline float2 pairOf(float value, float slope, float index) {
    return {fmaf(-index, slope, value), slope};
}
__device__ inline float4 pairOf(Complex value, Complex slope, float index) {
    return {fmaf(-index, slope.re, value.re), fmaf(-index, slope.im, value.im), slope.re, slope.im};
}
__device__ inline float minus(float a, float b) { return a - b; }
__device__ inline Complex minus(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }

/// Block = one packed row. kExact: value at the sample; otherwise the value that the line through
/// this pair has at index 0 of the row.
template <class Sample, bool kExact> __global__ void __launch_bounds__(kPackThreads)
    packPairs(Constants k, int tile, int front, int pitch, const Sample* samples,
              typename PairOf<Sample>::Type* packed) {
    const int row = static_cast<int>(blockIdx.x); // (tile index * elements + element) * tile + i
    const int i = row % tile;
    const int e = row / tile % k.elements;
    const int t = row / tile / k.elements * tile + i;
    const bool used = t < k.transmits;
    const std::int64_t line =
        used ? static_cast<std::int64_t>(k.transmit[t].line) * k.elements + e : 0;
    const float weight = !used ? 0.0F : k.receiveWeight != nullptr ? k.receiveWeight[line] : 1.0F;
    const int length = weight == 0.0F ? 0 : k.samples;
    const Sample* in = samples + line * k.samples;
    auto* out = packed + static_cast<std::int64_t>(row) * pitch;
    for (int n = static_cast<int>(threadIdx.x); n < pitch; n += kPackThreads) {
        const Sample here =
            weight * (n - front >= 0 && n - front < length ? in[n - front] : Sample{});
        const Sample next =
            weight * (n - front + 1 >= 0 && n - front + 1 < length ? in[n - front + 1] : Sample{});
        out[n] = pairOf(here, minus(next, here), kExact ? 0.0F : static_cast<float>(n));
    }
}

__device__ inline float sumAt(float2 pair, float at) { return fmaf(at, pair.y, pair.x); }
__device__ inline float2 sumAt(float4 pair, float at) {
    return {fmaf(at, pair.z, pair.x), fmaf(at, pair.w, pair.y)};
}

/// Sums of one tile of transmits for one pixel. RF needs one sum for the whole tile; IQ one for
/// each transmit, whose phase is applied at the end.
template <class Sample, int kTile> struct TileSum;
template <int kTile> struct TileSum<float, kTile> {
    float sum[2] = {};

    __device__ void add(int i, float value, float weight, float2) {
        sum[i % 2] = fmaf(weight, value, sum[i % 2]);
    }
    __device__ void add(int i, float value) { sum[i % 2] += value; }
    __device__ void finish(const TunedArguments&, int, const float*, float& total) const {
        total += sum[0] + sum[1];
    }
};
template <int kTile> struct TileSum<Complex, kTile> {
    float2 sum[kTile] = {};

    /// `phasor` carries the weight.
    __device__ void add(int i, float2 value, float, float2 phasor) {
        sum[i].x = fmaf(value.x, phasor.x, fmaf(-value.y, phasor.y, sum[i].x));
        sum[i].y = fmaf(value.x, phasor.y, fmaf(value.y, phasor.x, sum[i].y));
    }
    __device__ void finish(const TunedArguments& a, int firstTransmit, const float* transmitAt,
                           Complex& total) const {
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const int t = min(firstTransmit + i, a.transmits - 1);
            const float2 p = fastPhasor(
                fmaf(transmitAt[i] - a.front, a.cyclesPerSample, a.transmit[t].phaseCycles));
            total.re += sum[i].x * p.x - sum[i].y * p.y;
            total.im += sum[i].x * p.y + sum[i].y * p.x;
        }
    }
};

template <class Sample, int kTile, bool kWindowed, bool kClamp, bool kExact> struct TunedPixel {
    using Pair = typename PairOf<Sample>::Type;
    static constexpr bool kComplex = sizeof(Sample) == sizeof(Complex);

    const TunedArguments& a;
    float x;
    float squaredDepth;
    Aperture aperture;

    /// Reads every element, so that loads of several elements are in flight. Elements outside the
    /// aperture are read at index 0, where there are zeros.
    __device__ void addElement(const Pair* rows, float elementX, const float (&transmitAt)[kTile],
                               TileSum<Sample, kTile>& sum) const {
        const float fromCentre = fabsf(elementX - aperture.centre);
        const bool active = fromCentre <= aperture.half;
        const float dx = x - elementX;
        const float receiveAt = fastSqrt(fmaf(dx, dx, squaredDepth)) * a.indexPerMetre;
        const float weight = kWindowed ? fastWindow(a, fromCentre * aperture.perHalf) : 1.0F;
        float2 phasor{};
        if constexpr (kComplex) {
            phasor = fastPhasor(receiveAt * a.cyclesPerSample);
            phasor.x *= weight;
            phasor.y *= weight;
        }
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            float at = transmitAt[i] + receiveAt;
            if (kClamp) at = fminf(fmaxf(at, 0.0F), a.lastIndex);
            at = active ? at : 0.0F;
            const float shifted = __fadd_rd(at, a.rowMagic[i]);
            const Pair pair = __ldg(rows + __float_as_uint(shifted));
            const auto value = sumAt(pair, kExact ? at - (shifted - a.rowMagic[i]) : at);
            if constexpr (kComplex || kWindowed) {
                sum.add(i, value, weight, phasor);
            } else {
                sum.add(i, value);
            }
        }
    }
};

template <class Sample, int kTile, bool kWindowed, bool kClamp, bool kExact>
__global__ void __launch_bounds__(256) sumTiles(TunedArguments a) {
    using Pair = typename PairOf<Sample>::Type;
    extern __shared__ float shared[];
    float* elementX = shared;
    for (int e = static_cast<int>(threadIdx.x); e < a.elements; e += static_cast<int>(blockDim.x)) {
        elementX[e] = a.element[e].x;
    }
    __syncthreads();

    // Warps of one group lie side by side over 32 columns, then below each other.
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int groupWarps = static_cast<int>(blockDim.x) / 32 / a.split;
    const int warp = static_cast<int>(threadIdx.x) / 32 % groupWarps;
    const int group = static_cast<int>(threadIdx.x) / 32 / groupWarps;
    const int across = 32 >> a.lanesAcrossLog2; // warps side by side; also rows of a warp
    const int left =
        static_cast<int>(blockIdx.x) * kBlockColumns + (warp % across << a.lanesAcrossLog2);
    const int column = left + (lane & ((1 << a.lanesAcrossLog2) - 1));
    // Deep rows have the most elements: they start first.
    const int block = static_cast<int>(gridDim.y - 1 - blockIdx.y);
    const int row = block * groupWarps + warp / across * across + (lane >> a.lanesAcrossLog2);
    const float x = a.grid.x(min(column, a.grid.lateral - 1));
    const float z = a.grid.z(min(row, a.grid.depth - 1));
    const float depth = z - a.element[0].z;
    const TunedPixel<Sample, kTile, kWindowed, kClamp, kExact> pixel{a, x, depth * depth,
                                                                     Aperture(a, x, depth)};

    float lowest = pixel.aperture.lowest();
    float highest = pixel.aperture.highest();
    for (int distance = 16; distance > 0; distance >>= 1) {
        lowest = fminf(lowest, __shfl_xor_sync(0xFFFFFFFFU, lowest, distance));
        highest = fmaxf(highest, __shfl_xor_sync(0xFFFFFFFFU, highest, distance));
    }
    const int2 range = elementsWithin(a, elementX, lowest, highest);
    const int share = (range.y - range.x + a.split - 1) / a.split;
    const int first = range.x + group * share;
    const int last = min(first + share, range.y);
    // Each block begins at another element. If all went through the same rows at the same time,
    // they would queue for the same few lines of the L2 cache.
    const int turn = static_cast<int>(blockIdx.x * 37 + blockIdx.y * 101) % kTurns;
    const int pivot = min(first + share * turn / kTurns, last);

    Sample total{};
    for (int tile = 0; tile < a.tiles; ++tile) {
        float transmitAt[kTile];
#pragma unroll
        for (int i = 0; i < kTile; ++i) {
            const int t = min(tile * kTile + i, a.transmits - 1);
            transmitAt[i] = transmitIndex(a.transmit[t], a.indexPerMetre, x, z) + a.front;
        }
        TileSum<Sample, kTile> sum;
        const std::int64_t stride = static_cast<std::int64_t>(kTile) * a.pitch;
        const Pair* tileRows = static_cast<const Pair*>(a.packed) +
                               static_cast<std::int64_t>(tile) * a.elements * stride -
                               static_cast<std::int64_t>(kTwoTo23Bits);
#pragma unroll 1
        for (int part = 0; part < 2; ++part) {
            const int begin = part == 0 ? pivot : first;
            const int end = part == 0 ? last : pivot;
            const Pair* rows = tileRows + begin * stride;
#pragma unroll 4
            for (int e = begin; e < end; ++e, rows += stride) {
                pixel.addElement(rows, elementX[e], transmitAt, sum);
            }
        }
        sum.finish(a, tile * kTile, transmitAt, total);
    }

    if (a.split > 1) {
        auto* partial = reinterpret_cast<Sample*>(shared + (a.elements + 1) / 2 * 2);
        partial[threadIdx.x] = total;
        __syncthreads();
        if (group > 0) return;
        total = Sample{};
        for (int g = 0; g < a.split; ++g) {
            total = sumOf(total, partial[static_cast<int>(threadIdx.x) + g * groupWarps * 32]);
        }
    }
    if (column < a.grid.lateral && row < a.grid.depth) {
        static_cast<Sample*>(a.image)[static_cast<std::int64_t>(row) * a.grid.lateral + column] =
            total;
    }
}

template <class Sample, int kTile, bool kWindowed, bool kClamp, bool kExact>
void launch(const Exec& exec, const TunedArguments& a, int warps) {
    const int rows = warps / a.split;
    const dim3 blocks(static_cast<unsigned>((a.grid.lateral + kBlockColumns - 1) / kBlockColumns),
                      static_cast<unsigned>((a.grid.depth + rows - 1) / rows));
    const std::size_t partial =
        a.split > 1 ? sizeof(Sample) * 32 * static_cast<unsigned>(warps) : 0;
    const std::size_t bytes =
        static_cast<std::size_t>((a.elements + 1) / 2 * 2) * sizeof(float) + partial;
    sumTiles<Sample, kTile, kWindowed, kClamp, kExact>
        <<<blocks, static_cast<unsigned>(32 * warps), bytes,
           static_cast<cudaStream_t>(exec.stream)>>>(a);
}

template <class Sample, int kTile>
void chooseFlags(const Exec& exec, const TunedArguments& a, const TunedLayout& layout) {
    const bool windowed = a.window != ApodizationWindow::Rectangular;
    const int warps = layout.variant.warps;
    const auto go = [&]<bool kWindowed, bool kClamp>() {
        if (layout.variant.exact) {
            launch<Sample, kTile, kWindowed, kClamp, true>(exec, a, warps);
        } else {
            launch<Sample, kTile, kWindowed, kClamp, false>(exec, a, warps);
        }
    };
    if (windowed && layout.clamp) {
        go.template operator()<true, true>();
    } else if (windowed) {
        go.template operator()<true, false>();
    } else if (layout.clamp) {
        go.template operator()<false, true>();
    } else {
        go.template operator()<false, false>();
    }
}

template <class Sample>
void chooseTile(const Exec& exec, const TunedArguments& a, const TunedLayout& layout) {
    switch (layout.tile) {
    case 1: return chooseFlags<Sample, 1>(exec, a, layout);
    case 3: return chooseFlags<Sample, 3>(exec, a, layout);
    default: break;
    }
    throw std::logic_error("tunedSum: no kernel for this tile of transmits");
}

template <class Sample> void packTuned(const Exec& exec, const Constants& k,
                                       const TunedLayout& layout, const void* samples,
                                       void* packed) {
    using Pair = typename PairOf<Sample>::Type;
    const auto rows = static_cast<unsigned>(layout.tiles * layout.tile * k.elements);
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    const auto* in = static_cast<const Sample*>(samples);
    auto* out = static_cast<Pair*>(packed);
    if (layout.variant.exact) {
        packPairs<Sample, true><<<rows, kPackThreads, 0, stream>>>(k, layout.tile, layout.front,
                                                                   layout.pitch, in, out);
    } else {
        packPairs<Sample, false><<<rows, kPackThreads, 0, stream>>>(k, layout.tile, layout.front,
                                                                    layout.pitch, in, out);
    }
}

} // namespace

void tunedPack(const Exec& exec, const Constants& k, const TunedLayout& layout, const void* samples,
               void* packed) {
    if (layout.chunk > 0) return;
    if (layout.frames > 1) return packEnsemble(exec, k, layout, samples, packed);
    if (layout.complex) {
        packTuned<Complex>(exec, k, layout, samples, packed);
    } else {
        packTuned<float>(exec, k, layout, samples, packed);
    }
    device::checkLaunch("beamform");
}

void tunedSum(const Exec& exec, const Constants& k, const TunedLayout& layout, const void* samples,
              const void* packed, void* image) {
    if (layout.chunk > 0) return sumWindowed(exec, k, layout, samples, image);
    if (layout.frames > 1) return sumEnsemble(exec, k, layout, packed, image);
    const TunedArguments a = tunedArguments(k, layout, packed, image);
    if (layout.complex) {
        chooseTile<Complex>(exec, a, layout);
    } else {
        chooseTile<float>(exec, a, layout);
    }
    device::checkLaunch("beamform");
}

#else

namespace {
[[noreturn]] void refuse() { throw std::logic_error("the tuned beamformer needs CUDA"); }
} // namespace
void tunedPack(const Exec&, const Constants&, const TunedLayout&, const void*, void*) { refuse(); }
void tunedSum(const Exec&, const Constants&, const TunedLayout&, const void*, const void*, void*) {
    refuse();
}

#endif

} // namespace echolux::das
