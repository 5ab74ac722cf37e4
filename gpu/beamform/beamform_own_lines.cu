// SPDX-License-Identifier: GPL-3.0-or-later
// Tuned delay and sum for beams that belong to one transmit each. A block images some rows of some
// lines of one transmit. Neighbouring threads image neighbouring lines, because their indices
// differ least. The plain sum computes the distance from |p|^2 - 2 p.e + |e|^2 in units of samples.
#include "gpu/beamform/beamform_own_lines.cuh"

#include "gpu/exec/device_api.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace echolux::das {
namespace {

constexpr int kMostListed = 2048;                 ///< elements, whose places lie in shared memory
constexpr std::int64_t kMostSamples = 0xFFFFFFFF; ///< of a frame; 32 bits can number no more

/// True where the tables of the elements and `more` bytes fit into the shared memory of a block.
bool fitsShared(int elements, std::size_t bytesPerElement, std::size_t more = 0) {
    constexpr std::size_t kTaken = 2 * 1024; // by the system and by variables of fixed size
    const std::size_t bytes = static_cast<std::size_t>(elements) * bytesPerElement + more + kTaken;
    return bytes <= device::sharedBytesEverywhere();
}

/// The beams that are summed along their lines.
const std::vector<Beam>& beamsOf(const Model& model) {
    return model.blended.empty() ? model.beams : model.blended;
}

/// The greatest difference, in samples, between the distances from one element to the pixels of one
/// row of a block. Where two lines start at o with directions d and d', a row cuts them at the
/// range s. Their distances to an element that is a away from o differ by |d - d'| min(s, a s / |s
/// - a|) <= 2 a |d - d'|. Their waves may be ahead of each other, too.
double spreadAcross(const Model& model, int across) {
    double widest = 0.0;
    const std::vector<Beam>& beams = beamsOf(model);
    for (std::size_t first = 0; first < beams.size(); first += static_cast<std::size_t>(across)) {
        const std::span lines(&beams[first], static_cast<std::size_t>(across));
        double reach = 0.0;
        for (const Element& e : model.elements)
            for (const Beam& line : {lines.front(), lines.back()})
                reach = std::max(reach, std::hypot<double>(e.x - line.x, e.z - line.z));
        for (const Beam& a : lines) {
            for (const Beam& b : lines) {
                const double turned = std::hypot<double>(a.sine - b.sine, a.cosine - b.cosine);
                const double apart = std::hypot<double>(a.x - b.x, a.z - b.z);
                const double ahead = std::abs(double{a.ahead} - b.ahead);
                widest = std::max(widest, 2.0 * (reach + apart) * turned + apart + ahead);
            }
        }
    }
    return widest * model.constants.indexPerMetre;
}

/// Decides whether windows in shared memory are worth filling, and for how many rows per thread.
void chooseWindows(const Model& model, OwnLinesLayout& layout) {
    constexpr double kFill = 7.0; // operations to make a line between samples
    constexpr double kGain = 8.0; // operations that windows save for a pixel and element
    constexpr std::int64_t kManyBlocks = 800;
    constexpr int kGuard = 10;         // samples, for rounding and alignment
    constexpr double kMostIndex = 4e6; // beyond it a float is not exact
    const Constants& k = model.constants;
    const std::size_t windows = 2 * kOwnLinesChunk *
                                static_cast<std::size_t>(ownPitch(layout.complex)) *
                                (layout.complex ? sizeof(Complex) : sizeof(float));
    const auto isFar = [&k](const TransmitConstants& t) {
        return std::abs(double{t.beamPath} * k.indexPerMetre + t.indexOffset) > kMostIndex;
    };
    if (!fitsShared(k.elements, kOwnBytesPerRead, windows) ||
        std::ranges::any_of(model.transmits, isFar))
        return;
    const double perRow = 2.0 * std::abs(k.grid.dz) * k.indexPerMetre;
    const double spread = spreadAcross(model, layout.across);
    const int groups = kOwnLinesThreads / layout.across;
    for (const int rows : {8, 4, 2}) {
        const int blockRows = groups * rows;
        const double span = perRow * (blockRows - 1) + spread;
        if (span * kFill > kGain * blockRows * layout.across) continue;
        if (std::ceil(span) + kGuard > ownPitch(layout.complex)) continue;
        layout.rows = rows;
        const std::int64_t blocks =
            std::ssize(model.beams) / layout.across * ((k.grid.depth + blockRows - 1) / blockRows);
        if (blocks >= kManyBlocks) return;
    }
}

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
    const bool plainSums = !layout.weighed && !layout.taps && samples <= kMostSamples;
    layout.plain = plainSums && k.apertureSlope == 0.0F;
    if (!fitsShared(k.elements, layout.plain ? kOwnBytesPerPlain : kOwnBytesPerPlace)) return {};
    while (layout.across < kMostAcross && model.linesTogether % (2 * layout.across) == 0)
        layout.across *= 2;
    const bool alike = k.apertureSlope == 0.0F || k.beamAperture; // apertures of one beam's pixels
    if (plainSums && alike && k.grid.dz > 0.0F) chooseWindows(model, layout);
    return layout;
}

#if defined(__CUDACC__)
namespace {

using Arguments = OwnLinesArguments;

struct alignas(16) Place4 {
    float x, y, z;
    std::int32_t record; ///< number of the record in the frame
};
static_assert(sizeof(Place4) == 16);

__device__ inline int listPlaces(const Constants& k, const Place& any, Heard* heard, Place4* places,
                                 SlotFace* faces) {
    const int count = listHeard(k, any.transmit, heard, [](int) { return true; });
    for (int at = static_cast<int>(threadIdx.x); at < count; at += kOwnLinesThreads) {
        const auto [e, record] = heard[at];
        const Element element = k.element[e];
        places[at] = {element.x, element.y, element.z, record};
        faces[at] = faceOf(k, e, any);
        faces[at].record = recordWeight(k, record);
    }
    __syncthreads();
    return count;
}

/// An element in units of samples, and its squared distance from the origin.
struct alignas(16) Plain {
    float x, z, squared;
    float weight;
};

/// The elements listed. The record of each begins at its offset plus the bits of 2^23, modulo 2^32.
struct HeardPlain {
    int count = 0;
    float reach = 0.0F; ///< greatest distance of an element from the origin, in samples
};

__device__ inline HeardPlain listPlain(const Constants& k, const Place& any, Heard* heard,
                                       Plain* elements, unsigned* offsets) {
    const int count = listHeard(k, any.transmit, heard, [](int) { return true; });
    for (int at = static_cast<int>(threadIdx.x); at < count; at += kOwnLinesThreads) {
        const Scaled e = scaledElement(k, heard[at], any);
        elements[at] = {e.x, e.z, fmaf(e.x, e.x, fmaf(e.y, e.y, e.z * e.z)), e.weight};
        offsets[at] = static_cast<unsigned>(heard[at].record) * static_cast<unsigned>(k.samples) -
                      kTwoTo23Bits;
    }
    __syncthreads();
    float squared = 0.0F;
    for (int s = static_cast<int>(threadIdx.x) % 32; s < count; s += 32)
        squared = fmaxf(squared, elements[s].squared);
    for (int distance = 16; distance > 0; distance >>= 1)
        squared = fmaxf(squared, __shfl_xor_sync(0xFFFFFFFFU, squared, distance));
    return {count, sqrtf(squared)};
}

/// The pixel of a thread.
struct Pixel {
    int column;
    int row;
    Place place;

    __device__ explicit Pixel(const Arguments& a) {
        const int thread = static_cast<int>(threadIdx.x);
        column = static_cast<int>(blockIdx.y) * a.across + thread % a.across;
        row = static_cast<int>(blockIdx.x) * (kOwnLinesThreads / a.across) + thread / a.across;
        place = a.k.grid.at(column, min(row, a.k.grid.depth - 1), 0);
    }
};

/// One thread computes one pixel. Element weights may differ from pixel to pixel. kWeighed: sums
/// powers and weights as well. kTaps: interpolation is not linear. It does not handle receive
/// weights that change over range, nor DelayInterpolation::Texture.
template <class Sample, bool kWeighed, bool kTaps>
__global__ void __launch_bounds__(kOwnLinesThreads) sumLines(const Arguments a) {
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    auto* elements = reinterpret_cast<Place4*>(sharedMemory);
    auto* faces = reinterpret_cast<SlotFace*>(elements + k.elements);
    auto* heard = reinterpret_cast<Heard*>(faces + k.elements);
    const Pixel pixel(a);
    const Place& place = pixel.place;
    const int t = ownTransmit(k, place.transmit);
    const int count = t < 0 ? 0 : listPlaces(k, place, heard, elements, faces);
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
    storeOwn(a, pixel.column, pixel.row, t, sum.pixel(), transmitAt);
}

/// The terms of a pixel in the squared distance |p|^2 - 2 p.e + |e|^2.
struct Squares {
    float own;    ///< |p|^2
    float timesX; ///< -2 p.x
    float timesZ;

    __device__ Squares(float perMetre, const Place& p) {
        own = perMetre * perMetre * fmaf(p.x, p.x, p.z * p.z);
        timesX = -2.0F * perMetre * p.x;
        timesZ = -2.0F * perMetre * p.z;
    }
    __device__ float receiveAt(const Plain& e) const {
        return fastSqrt(fabsf(fmaf(timesX, e.x, fmaf(timesZ, e.z, own + e.squared))));
    }
    /// True where all indices of a warp lie inside the records. No element may be farther than
    /// `reach` from the origin.
    __device__ bool allInside(float transmitAt, float reach, int samples) const {
        constexpr float kMargin = 2.0F;
        const float centre = transmitAt + sqrtf(own);
        return __all_sync(0xFFFFFFFFU,
                          centre - reach >= kMargin &&
                              centre + reach + kMargin < static_cast<float>(samples - 1));
    }
};

/// kInside: what Squares::allInside() returned. offsets: see HeardPlain.
template <class Sample, bool kInside>
__device__ Sample sumElements(const Constants& k, const Sample* samples, const Plain* elements,
                              const unsigned* offsets, int count, const Squares& squares,
                              float transmitAt) {
    Sample sum{};
#pragma unroll 8
    for (int s = 0; s < count; ++s) {
        const Plain element = elements[s];
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

template <class Sample> __global__ void __launch_bounds__(kOwnLinesThreads)
    sumLinesPlain(const Arguments a) {
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    auto* elements = reinterpret_cast<Plain*>(sharedMemory);
    auto* offsets = reinterpret_cast<unsigned*>(elements + k.elements);
    auto* listed = reinterpret_cast<Heard*>(offsets + k.elements);
    const Pixel pixel(a);
    const int t = ownTransmit(k, pixel.place.transmit);
    const HeardPlain heard =
        t < 0 ? HeardPlain{} : listPlain(k, pixel.place, listed, elements, offsets);
    const Squares squares(k.indexPerMetre, pixel.place);
    const float transmitAt = transmitIndex(k.transmit[max(t, 0)], k.indexPerMetre, pixel.place);
    const auto* samples = static_cast<const Sample*>(a.samples);
    const Sample sum = squares.allInside(transmitAt, heard.reach, k.samples)
                           ? sumElements<Sample, true>(k, samples, elements, offsets, heard.count,
                                                       squares, transmitAt)
                           : sumElements<Sample, false>(k, samples, elements, offsets, heard.count,
                                                        squares, transmitAt);
    storeOwn(a, pixel.column, pixel.row, t, PixelSum<Sample>{sum}, transmitAt);
}

template <class Kernel>
void launch(const Exec& exec, Kernel* kernel, const Arguments& a, std::size_t bytesPerElement) {
    const std::size_t bytes = static_cast<std::size_t>(a.k.elements) * bytesPerElement;
    const int rows = kOwnLinesThreads / a.across;
    const dim3 blocks(static_cast<unsigned>((a.k.grid.depth + rows - 1) / rows),
                      static_cast<unsigned>(a.k.grid.lateral / a.across));
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kOwnLinesThreads, bytes, static_cast<cudaStream_t>(exec.stream)>>>(a);
}

template <class Sample>
void choose(const Exec& exec, const Arguments& a, const OwnLinesLayout& layout) {
    constexpr std::size_t kPlain = kOwnBytesPerPlain;
    constexpr std::size_t kAny = kOwnBytesPerPlace;
    static_assert(kPlain == sizeof(Plain) + sizeof(unsigned) + sizeof(Heard));
    static_assert(kAny == sizeof(Place4) + sizeof(SlotFace) + sizeof(Heard));
    if (layout.plain) return launch(exec, sumLinesPlain<Sample>, a, kPlain);
    if (layout.taps && layout.weighed) return launch(exec, sumLines<Sample, true, true>, a, kAny);
    if (layout.taps) return launch(exec, sumLines<Sample, false, true>, a, kAny);
    if (layout.weighed) return launch(exec, sumLines<Sample, true, false>, a, kAny);
    launch(exec, sumLines<Sample, false, false>, a, kAny);
}

} // namespace

void sumOwnLines(const Exec& exec, const Constants& constants, const OwnLinesLayout& layout,
                 const void* samples, void* image) {
    Arguments a{constants, samples, image, layout.across};
    const int passes = std::max(constants.blendedBeams, 1);
    for (int b = 0; b < passes; ++b) {
        if (constants.blended != nullptr)
            a.k.grid.beam = constants.blended + static_cast<std::int64_t>(b) * a.k.grid.lateral;
        a.adds = b > 0;
        if (layout.rows > 0)
            sumOwnLineWindows(exec, a, layout);
        else
            layout.complex ? choose<Complex>(exec, a, layout) : choose<float>(exec, a, layout);
    }
    device::checkLaunch("beamform");
}

#endif

} // namespace echolux::das
