// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum of an ensemble: frames with one geometry, so that delays, weights and phases
// are computed once for all of them. The lanes of a warp hold 32 frames of a few pixels.
#include "gpu/beamform/beamform_tuned.cuh"

#if defined(__CUDACC__)

#include <type_traits>

namespace echolux::das {
namespace {

constexpr int kWarps = 8;
constexpr int kTileColumns = 8; ///< block = 8 x 8 pixels, one row for each warp
constexpr int kChunk = 16;      ///< elements whose records are computed together
constexpr int kTransposeRows = 8;

/// Values of one sample time, 32 frames: 16 bytes for each lane of a pixel.
template <class Sample> struct Lanes {
    using Device = std::conditional_t<sizeof(Sample) == sizeof(Complex), float2, float>;
    static constexpr int kPerLane = 16 / static_cast<int>(sizeof(Sample)); ///< frames: 4 or 2
    static constexpr int kLanes = kEnsembleFrames / kPerLane;              ///< 8 or 16
    static constexpr int kPixels = 32 / kLanes; ///< of a warp at once: 4 or 2
    static constexpr int kSteps = kTileColumns / kPixels;
};

/// [frame][transmit][element][sample] -> [group][transmit][element][padded sample][32 frames].
template <class Sample> __global__ void __launch_bounds__(32 * kTransposeRows)
    interleave(Constants k, int frames, int front, int pitch, const Sample* samples,
               Sample* packed) {
    __shared__ Sample block[kEnsembleFrames][kEnsembleFrames + 1];
    const int row = static_cast<int>(blockIdx.x); // transmit * elements + element
    const int group = static_cast<int>(blockIdx.z);
    const int t = row / k.elements;
    const std::int64_t line =
        static_cast<std::int64_t>(k.transmit[t].line) * k.elements + row % k.elements;
    const float weight = k.receiveWeight != nullptr ? k.receiveWeight[line] : 1.0F;
    const std::int64_t frameStride =
        static_cast<std::int64_t>(k.transmitsInFrame) * k.elements * k.samples;
    const int first = static_cast<int>(blockIdx.y) * 32;
    const int n = first + static_cast<int>(threadIdx.x) - front;
    for (int f = static_cast<int>(threadIdx.y); f < kEnsembleFrames; f += kTransposeRows) {
        const int frame = group * kEnsembleFrames + f;
        const bool inside = n >= 0 && n < k.samples && frame < frames && weight != 0.0F;
        block[f][threadIdx.x] =
            inside ? weight * samples[frame * frameStride + line * k.samples + n] : Sample{};
    }
    __syncthreads();
    Sample* out = packed + ((static_cast<std::int64_t>(group) * gridDim.x + row) * pitch + first) *
                               kEnsembleFrames;
    for (int s = static_cast<int>(threadIdx.y); s < 32 && first + s < pitch; s += kTransposeRows) {
        out[s * kEnsembleFrames + static_cast<int>(threadIdx.x)] = block[threadIdx.x][s];
    }
}

/// How one element enters one pixel: packed sample index, fraction, and weight (times phase for
/// IQ).
struct alignas(16) Record {
    int index;
    float fraction;
    float re;
    float im;
};

template <class Sample, bool kWindowed, bool kClamp>
__device__ Record recordOf(const TunedArguments& a, const TransmitConstants& t, float elementX,
                           float x, float z, float depth) {
    const Aperture aperture(a, x, depth);
    const float fromCentre = fabsf(elementX - aperture.centre);
    const float dx = x - elementX;
    const float receiveAt = fastSqrt(fmaf(dx, dx, depth * depth)) * a.indexPerMetre;
    float at = transmitIndex(t, a.indexPerMetre, x, z) + receiveAt + a.front;
    if (kClamp) at = fminf(fmaxf(at, 0.0F), a.lastIndex);
    const bool active = fromCentre <= aperture.half;
    const float whole = floorf(active ? at : 0.0F);
    Record record{static_cast<int>(whole), at - whole, 0.0F, 0.0F};
    if (!active) {
        record.fraction = 0.0F;
        return record;
    }
    record.re = kWindowed ? fastWindow(a, fromCentre * aperture.perHalf) : 1.0F;
    if constexpr (sizeof(Sample) == sizeof(Complex)) {
        const float2 phasor = fastPhasor(fmaf(at - a.front, a.cyclesPerSample, t.phaseCycles));
        record.im = record.re * phasor.y;
        record.re *= phasor.x;
    }
    return record;
}

__device__ inline float4 between(float4 x0, float4 x1, float f) {
    return {fmaf(f, x1.x - x0.x, x0.x), fmaf(f, x1.y - x0.y, x0.y), fmaf(f, x1.z - x0.z, x0.z),
            fmaf(f, x1.w - x0.w, x0.w)};
}

template <class Sample> __device__ void add(float4& sum, float4 x0, float4 x1, const Record& r) {
    if constexpr (sizeof(Sample) == sizeof(Complex)) {
        const float4 v = between(x0, x1, r.fraction);
        sum.x = fmaf(v.x, r.re, fmaf(-v.y, r.im, sum.x));
        sum.y = fmaf(v.x, r.im, fmaf(v.y, r.re, sum.y));
        sum.z = fmaf(v.z, r.re, fmaf(-v.w, r.im, sum.z));
        sum.w = fmaf(v.z, r.im, fmaf(v.w, r.re, sum.w));
    } else {
        const float w1 = r.re * r.fraction;
        const float w0 = r.re - w1;
        sum.x = fmaf(w0, x0.x, fmaf(w1, x1.x, sum.x));
        sum.y = fmaf(w0, x0.y, fmaf(w1, x1.y, sum.y));
        sum.z = fmaf(w0, x0.z, fmaf(w1, x1.z, sum.z));
        sum.w = fmaf(w0, x0.w, fmaf(w1, x1.w, sum.w));
    }
}

__device__ inline void storeFrames(const TunedArguments& a, float4 sum, int frame,
                                   std::int64_t pixel, float*) {
    const float values[4] = {sum.x, sum.y, sum.z, sum.w};
    for (int i = 0; i < 4 && frame + i < a.frames; ++i) {
        static_cast<float*>(a.image)[(frame + i) * a.grid.pixels() + pixel] = values[i];
    }
}
__device__ inline void storeFrames(const TunedArguments& a, float4 sum, int frame,
                                   std::int64_t pixel, float2*) {
    const float2 values[2] = {{sum.x, sum.y}, {sum.z, sum.w}};
    for (int i = 0; i < 2 && frame + i < a.frames; ++i) {
        static_cast<float2*>(a.image)[(frame + i) * a.grid.pixels() + pixel] = values[i];
    }
}

template <class Sample, bool kWindowed, bool kClamp> __global__ void __launch_bounds__(32 * kWarps)
    sumFrames(TunedArguments a) {
    using L = Lanes<Sample>;
    __shared__ Record records[kWarps][kChunk][kTileColumns];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int left = static_cast<int>(blockIdx.x) * kTileColumns;
    const int row = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kWarps + warp;
    if (row >= a.grid.depth) return; // whole warps
    const int group = static_cast<int>(blockIdx.z);
    const float z = a.grid.z(row);
    const float depth = z - a.element[0].z;

    // Elements that any pixel of this row of the tile can use.
    const Aperture first(a, a.grid.x(left), depth);
    const Aperture last(a, a.grid.x(left + kTileColumns - 1), depth);
    int low = 0;
    int high = a.elements;
    while (low < high && a.element[low].x < first.lowest()) ++low;
    while (high > low && a.element[high - 1].x > last.highest()) --high;

    float4 sum[L::kSteps] = {};
    for (int t = 0; t < a.transmits; ++t) {
        const TransmitConstants transmit = a.transmit[t];
        for (int start = low; start < high; start += kChunk) {
            __syncwarp();
            for (int i = lane; i < kChunk * kTileColumns; i += 32) {
                const int e = min(start + i / kTileColumns, a.elements - 1);
                Record record = recordOf<Sample, kWindowed, kClamp>(
                    a, transmit, a.element[e].x, a.grid.x(left + i % kTileColumns), z, depth);
                records[warp][i / kTileColumns][i % kTileColumns] = record;
            }
            __syncwarp();
            const int count = min(kChunk, high - start);
            const float4* line =
                static_cast<const float4*>(a.packed) +
                ((static_cast<std::int64_t>(group) * a.transmits + t) * a.elements + start) *
                    a.pitch * L::kLanes +
                lane % L::kLanes;
#pragma unroll 2
            for (int e = 0; e < count; ++e) {
                const float4* at = line + static_cast<std::int64_t>(e) * a.pitch * L::kLanes;
#pragma unroll
                for (int step = 0; step < L::kSteps; ++step) {
                    const Record r = records[warp][e][step * L::kPixels + lane / L::kLanes];
                    const float4* sample = at + r.index * L::kLanes;
                    add<Sample>(sum[step], __ldg(sample), __ldg(sample + L::kLanes), r);
                }
            }
        }
    }
    for (int step = 0; step < L::kSteps; ++step) {
        const int column = left + step * L::kPixels + lane / L::kLanes;
        if (column >= a.grid.lateral) continue;
        const std::int64_t pixel = static_cast<std::int64_t>(row) * a.grid.lateral + column;
        const int frame = group * kEnsembleFrames + lane % L::kLanes * L::kPerLane;
        storeFrames(a, sum[step], frame, pixel, static_cast<typename L::Device*>(nullptr));
    }
}

unsigned groupsOf(const TunedLayout& layout) {
    return static_cast<unsigned>((layout.frames + kEnsembleFrames - 1) / kEnsembleFrames);
}

template <class Sample> void pack(const Exec& exec, const Constants& k, const TunedLayout& layout,
                                  const void* samples, void* packed) {
    const dim3 blocks(static_cast<unsigned>(k.transmits * k.elements),
                      static_cast<unsigned>((layout.pitch + 31) / 32), groupsOf(layout));
    interleave<Sample>
        <<<blocks, dim3(32, kTransposeRows), 0, static_cast<cudaStream_t>(exec.stream)>>>(
            k, layout.frames, layout.front, layout.pitch, static_cast<const Sample*>(samples),
            static_cast<Sample*>(packed));
}

template <class Sample>
void sum(const Exec& exec, const TunedArguments& a, const TunedLayout& layout) {
    const dim3 blocks(static_cast<unsigned>((a.grid.lateral + kTileColumns - 1) / kTileColumns),
                      static_cast<unsigned>((a.grid.depth + kWarps - 1) / kWarps),
                      groupsOf(layout));
    const bool windowed = a.window != ApodizationWindow::Rectangular;
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    constexpr int kThreads = 32 * kWarps;
    if (windowed && layout.clamp) {
        sumFrames<Sample, true, true><<<blocks, kThreads, 0, stream>>>(a);
    } else if (windowed) {
        sumFrames<Sample, true, false><<<blocks, kThreads, 0, stream>>>(a);
    } else if (layout.clamp) {
        sumFrames<Sample, false, true><<<blocks, kThreads, 0, stream>>>(a);
    } else {
        sumFrames<Sample, false, false><<<blocks, kThreads, 0, stream>>>(a);
    }
}

} // namespace

void packEnsemble(const Exec& exec, const Constants& k, const TunedLayout& layout,
                  const void* samples, void* packed) {
    if (layout.complex) {
        pack<Complex>(exec, k, layout, samples, packed);
    } else {
        pack<float>(exec, k, layout, samples, packed);
    }
    device::checkLaunch("beamform");
}

void sumEnsemble(const Exec& exec, const Constants& k, const TunedLayout& layout,
                 const void* packed, void* image) {
    const TunedArguments a = tunedArguments(k, layout, packed, image);
    if (layout.complex) {
        sum<Complex>(exec, a, layout);
    } else {
        sum<float>(exec, a, layout);
    }
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
