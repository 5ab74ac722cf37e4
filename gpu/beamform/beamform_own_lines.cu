// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum for beams that are one transmit's own. A block images some rows of some lines
// of one transmit; neighbouring threads are neighbouring lines, whose indices lie closest. The
// plain sum takes the distance from |p|^2 - 2 p.e + |e|^2 in units of samples.
#include "gpu/beamform/beamform_own_lines.hpp"

#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_shared_lines.cuh"

#include <algorithm>

namespace echolux::das {
namespace {

constexpr int kMostListed = 2048; ///< elements, whose places lie in shared memory
constexpr int kMostAcross = 16;
constexpr std::int64_t kMostSamples = 0xFFFFFFFF; ///< of a frame, that 32 bits can number

} // namespace

std::optional<OwnLinesLayout> ownLinesLayout(const Model& model, bool complex) {
    if (!model.rangeWeights.empty()) return {};
    const Constants& k = model.constants;
    const bool own = !model.beams.empty() && model.beams.front().transmit >= 0;
    if (!own || k.elements > kMostListed || k.interpolation == DelayInterpolation::Texture)
        return {};
    OwnLinesLayout layout{.complex = complex};
    layout.weighed = k.coherenceFactor || k.normalized;
    layout.taps = k.interpolation != DelayInterpolation::Linear;
    const std::int64_t samples = std::int64_t{k.transmitsInFrame} * k.channels * k.samples;
    layout.plain =
        !layout.weighed && !layout.taps && k.apertureSlope == 0.0F && samples <= kMostSamples;
    const auto perTransmit =
        std::ranges::count(model.beams, model.beams.front().transmit, &Beam::transmit);
    while (layout.across < kMostAcross && perTransmit % (2 * layout.across) == 0)
        layout.across *= 2;
    return layout;
}

#if defined(__CUDACC__)
namespace {

constexpr int kThreads = 256;

struct Arguments {
    Constants k;
    const void* samples;
    void* image;
    int across;
};

struct alignas(16) Place4 {
    float x, y, z;
    std::int32_t record; ///< of the frame
};
static_assert(sizeof(Place4) == 16);

/// The transmit among those switched on that images a beam, -1 where it is off. Synchronises.
__device__ inline int ownTransmit(const Constants& k, std::int32_t line) {
    __shared__ int found;
    if (threadIdx.x == 0) found = -1;
    __syncthreads();
    for (int t = static_cast<int>(threadIdx.x); t < k.transmits; t += kThreads) {
        if (k.transmit[t].line == line) found = t;
    }
    __syncthreads();
    return found;
}

/// Calls `put(at, element, record)` for the elements that the transmit's channels heard, in their
/// order, and returns how many there are. By the first warp; synchronises.
template <class Put> __device__ int forEachHeard(const Constants& k, std::int32_t line, Put put) {
    __shared__ int listed;
    if (threadIdx.x < 32) {
        const int count = listByWarp(
            k.elements, [&](int e) { return static_cast<std::int32_t>(recordOf(k, line, e)); },
            put);
        if (threadIdx.x == 0) listed = count;
    }
    __syncthreads();
    return listed;
}

__device__ inline float recordWeight(const Constants& k, std::int32_t record) {
    return k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
}

__device__ inline int listHeard(const Constants& k, const Place& any, Place4* places,
                                SlotFace* faces) {
    return forEachHeard(k, any.transmit, [&](int at, int e, std::int32_t record) {
        const Element element = k.element[e];
        places[at] = {element.x, element.y, element.z, record};
        faces[at] = faceOf(k, e, any);
        faces[at].record = recordWeight(k, record);
    });
}

/// The records of the elements listed begin 2^23's bits behind their offsets, modulo 2^32.
struct HeardPlain {
    int count = 0;
    float reach = 0.0F; ///< of the farthest element from the origin, in samples
};

template <class Scaled> __device__ HeardPlain listPlain(const Constants& k, const Place& any,
                                                        Scaled* elements, unsigned* offsets) {
    const int count = forEachHeard(k, any.transmit, [&](int at, int e, std::int32_t record) {
        const Element element = k.element[e];
        const float x = element.x * k.indexPerMetre;
        const float z = element.z * k.indexPerMetre;
        elements[at] = {x, z, fmaf(x, x, z * z), apodization(k, e, any) * recordWeight(k, record)};
        offsets[at] =
            static_cast<unsigned>(record) * static_cast<unsigned>(k.samples) - kTwoTo23Bits;
    });
    float squared = 0.0F;
    for (int s = static_cast<int>(threadIdx.x) % 32; s < count; s += 32)
        squared = fmaxf(squared, elements[s].squared);
    for (int distance = 16; distance > 0; distance >>= 1)
        squared = fmaxf(squared, __shfl_xor_sync(0xFFFFFFFFU, squared, distance));
    return {count, sqrtf(squared)};
}

/// A record between its samples, none of which lies beyond it. It begins 2^23's bits behind
/// samples + offset, modulo 2^32.
template <class Sample>
__device__ Sample readInside(const Sample* samples, unsigned offset, float index) {
    const float shifted = __fadd_rd(index, kTwoTo23);
    const Sample* at = samples + (offset + __float_as_uint(shifted));
    const float f = index - (shifted - kTwoTo23);
    const Sample here = loaded(at);
    return addScaled(f, loaded(at + 1), addScaled(-f, here, here));
}

/// A record between its samples, zeros beyond.
template <class Sample>
__device__ Sample readLinear(const Constants& k, const Sample* record, float index) {
    if (index >= 0.0F && index < static_cast<float>(k.samples - 1))
        return readInside(record, 0U - kTwoTo23Bits, index);
    return interpolate<Sample, DelayInterpolation::Linear>(k, record, index);
}

/// The pixel of a thread.
struct Pixel {
    int column;
    int row;
    Place place;

    __device__ explicit Pixel(const Arguments& a) {
        const int thread = static_cast<int>(threadIdx.x);
        column = static_cast<int>(blockIdx.y) * a.across + thread % a.across;
        row = static_cast<int>(blockIdx.x) * (kThreads / a.across) + thread / a.across;
        place = a.k.grid.at(column, min(row, a.k.grid.depth - 1), 0);
    }
};

template <class Sample> __device__ void store(const Arguments& a, const Pixel& pixel, int t,
                                              PixelSum<Sample> sum, float transmitAt) {
    const Constants& k = a.k;
    if (pixel.row >= k.grid.depth) return;
    PixelSum<Sample> total;
    if (t >= 0) {
        if constexpr (kIsComplex<Sample>)
            sum.sum = sum.sum * transmitPhasor(k, k.transmit[t], transmitAt);
        addTransmit(k, sum, total);
    }
    const std::int64_t line = static_cast<std::int64_t>(pixel.row) * k.grid.lateral;
    static_cast<Sample*>(a.image)[line + pixel.column] = finished(k, total);
}

/// Any weights and interpolation.
template <class Sample, bool kWeighed, bool kTaps> __global__ void __launch_bounds__(kThreads)
    sumLines(const Arguments a) {
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    auto* elements = reinterpret_cast<Place4*>(sharedMemory);
    auto* faces = reinterpret_cast<SlotFace*>(elements + k.elements);
    const Pixel pixel(a);
    const Place& place = pixel.place;
    const int t = ownTransmit(k, place.transmit);
    const int count = t < 0 ? 0 : listHeard(k, place, elements, faces);
    const float transmitAt = transmitIndex(k.transmit[max(t, 0)], k.indexPerMetre, place);
    Sum<Sample, kWeighed> sum;
#pragma unroll 4
    for (int s = 0; s < count; ++s) {
        const Place4 element = elements[s];
        const Sample* record = static_cast<const Sample*>(a.samples) +
                               static_cast<std::int64_t>(element.record) * k.samples;
        const Way way(k, place, element.x, element.y, element.z, faces[s]);
        const float weight = way.weight * faces[s].record;
        const float index = fmaf(way.distance, k.indexPerMetre, transmitAt);
        Sample value;
        if constexpr (kTaps) {
            value = readTaps<Sample, false>(k, record, index);
        } else {
            value = readLinear(k, record, index);
        }
        sum.weigh(weight, value);
        if constexpr (kIsComplex<Sample>) {
            float2 phasor = fastPhasor(way.distance * k.indexPerMetre, k.cyclesPerSample);
            addTurned(sum.sum, value, {weight * phasor.x, weight * phasor.y});
        } else {
            sum.sum = fmaf(weight, value, sum.sum);
        }
    }
    store(a, pixel, t, sum.pixel(), transmitAt);
}

/// An element in units of samples, for the plain sum.
struct alignas(16) Scaled {
    float x, z, squared;
    float weight;
};

/// What the distances from a pixel take.
struct Squares {
    float own;    ///< |p|^2
    float timesX; ///< -2 p.x
    float timesZ;

    __device__ Squares(float perMetre, const Place& p) {
        own = perMetre * perMetre * fmaf(p.x, p.x, p.z * p.z);
        timesX = -2.0F * perMetre * p.x;
        timesZ = -2.0F * perMetre * p.z;
    }
    __device__ float receiveAt(const Scaled& e) const {
        return fastSqrt(fabsf(fmaf(timesX, e.x, fmaf(timesZ, e.z, own + e.squared))));
    }
    /// All indices of a warp lie in the records, if no element is farther than `reach` from the
    /// origin.
    __device__ bool allInside(float transmitAt, float reach, int samples) const {
        constexpr float kMargin = 2.0F;
        const float centre = transmitAt + sqrtf(own);
        return __all_sync(0xFFFFFFFFU,
                          centre - reach >= kMargin &&
                              centre + reach + kMargin < static_cast<float>(samples - 1));
    }
};

/// kInside: as Squares::allInside() says. offsets: of the records, see HeardPlain.
template <class Sample, bool kInside>
__device__ Sample sumElements(const Constants& k, const Sample* samples, const Scaled* elements,
                              const unsigned* offsets, int count, const Squares& squares,
                              float transmitAt) {
    Sample sum{};
#pragma unroll 8
    for (int s = 0; s < count; ++s) {
        const Scaled element = elements[s];
        const float receiveAt = squares.receiveAt(element);
        const float index = transmitAt + receiveAt;
        Sample value;
        if constexpr (kInside) {
            value = readInside(samples, offsets[s], index);
        } else {
            value = interpolate<Sample, DelayInterpolation::Linear>(
                k, samples + (offsets[s] + kTwoTo23Bits), index);
        }
        if constexpr (kIsComplex<Sample>) {
            const float2 phasor = fastPhasor(receiveAt, k.cyclesPerSample);
            addTurned(sum, value, {element.weight * phasor.x, element.weight * phasor.y});
        } else {
            sum = fmaf(element.weight, value, sum);
        }
    }
    return sum;
}

template <class Sample> __global__ void __launch_bounds__(kThreads)
    sumLinesPlain(const Arguments a) {
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    auto* elements = reinterpret_cast<Scaled*>(sharedMemory);
    auto* offsets = reinterpret_cast<unsigned*>(elements + k.elements);
    const Pixel pixel(a);
    const int t = ownTransmit(k, pixel.place.transmit);
    const HeardPlain heard = t < 0 ? HeardPlain{} : listPlain(k, pixel.place, elements, offsets);
    const Squares squares(k.indexPerMetre, pixel.place);
    const float transmitAt = transmitIndex(k.transmit[max(t, 0)], k.indexPerMetre, pixel.place);
    const auto* samples = static_cast<const Sample*>(a.samples);
    const Sample sum = squares.allInside(transmitAt, heard.reach, k.samples)
                           ? sumElements<Sample, true>(k, samples, elements, offsets, heard.count,
                                                       squares, transmitAt)
                           : sumElements<Sample, false>(k, samples, elements, offsets, heard.count,
                                                        squares, transmitAt);
    store(a, pixel, t, PixelSum<Sample>{sum}, transmitAt);
}

template <class Kernel>
void launch(const Exec& exec, Kernel* kernel, const Arguments& a, std::size_t bytesPerElement) {
    const std::size_t bytes = static_cast<std::size_t>(a.k.elements) * bytesPerElement;
    const int rows = kThreads / a.across;
    const dim3 blocks(static_cast<unsigned>((a.k.grid.depth + rows - 1) / rows),
                      static_cast<unsigned>(a.k.grid.lateral / a.across));
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kThreads, bytes, static_cast<cudaStream_t>(exec.stream)>>>(a);
}

template <class Sample>
void choose(const Exec& exec, const Arguments& a, const OwnLinesLayout& layout) {
    constexpr std::size_t kPlain = sizeof(Scaled) + sizeof(unsigned);
    constexpr std::size_t kAny = sizeof(Place4) + sizeof(SlotFace);
    if (layout.plain) return launch(exec, sumLinesPlain<Sample>, a, kPlain);
    if (layout.taps && layout.weighed) return launch(exec, sumLines<Sample, true, true>, a, kAny);
    if (layout.taps) return launch(exec, sumLines<Sample, false, true>, a, kAny);
    if (layout.weighed) return launch(exec, sumLines<Sample, true, false>, a, kAny);
    launch(exec, sumLines<Sample, false, false>, a, kAny);
}

} // namespace

void sumOwnLines(const Exec& exec, const Constants& constants, const OwnLinesLayout& layout,
                 const void* samples, void* image) {
    const Arguments a{constants, samples, image, layout.across};
    layout.complex ? choose<Complex>(exec, a, layout) : choose<float>(exec, a, layout);
    device::checkLaunch("beamform");
}

#endif

} // namespace echolux::das
