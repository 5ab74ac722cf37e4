// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the kernels for beams that belong to one transmit each: their arguments, which transmit
// and which elements a block reads, how a record is read and a pixel is stored.
#pragma once

#include "gpu/beamform/beamform_own_lines.hpp"
#include "gpu/beamform/beamform_places.cuh"
#include "gpu/beamform/beamform_shared_lines.cuh"

#if defined(__CUDACC__)

namespace echolux::das {

struct OwnLinesArguments {
    Constants k;
    const void* samples;
    void* image;
    int across;
    bool adds = false; ///< to what the image holds: not the first of the beams that are blended
};

void sumOwnLineWindows(const Exec& exec, const OwnLinesArguments& arguments,
                       const OwnLinesLayout& layout);

/// An element in units of samples, for plain sums.
struct alignas(16) Scaled {
    float x, y, z;
    float weight;
};

/// Index in Constants::transmit of the transmit that images a beam; -1 where that transmit is
/// switched off. `line` is the number of the transmit in the frame. Synchronises.
__device__ inline int ownTransmit(const Constants& k, std::int32_t line) {
    __shared__ int found;
    if (threadIdx.x == 0) found = -1;
    __syncthreads();
    for (int t = static_cast<int>(threadIdx.x); t < k.transmits; t += kOwnLinesThreads) {
        if (k.transmit[t].line == line) found = t;
    }
    __syncthreads();
    return found;
}

/// An element that a channel heard in a transmit.
struct Heard {
    std::int32_t element;
    std::int32_t record; ///< number of its record in the frame
};

/// Lists the elements e that the transmit's channels heard and for which counts(e) is true, in
/// increasing order, and returns their number. All threads of the block must call it. Synchronises
/// them.
template <class Counts> __device__ int listHeard(const Constants& k, std::int32_t line,
                                                 Heard* heard, const Counts& counts) {
    __shared__ int listed;
    if (threadIdx.x < 32) {
        const int count = listByWarp(
            k.elements,
            [&](int e) { return counts(e) ? static_cast<std::int32_t>(recordOf(k, line, e)) : -1; },
            [&](int at, int e, std::int32_t record) {
                heard[at] = {e, record};
            });
        if (threadIdx.x == 0) listed = count;
    }
    __syncthreads();
    return listed;
}

__device__ inline float recordWeight(const Constants& k, std::int32_t record) {
    return k.receiveWeight != nullptr ? k.receiveWeight[record] : 1.0F;
}

/// `any` is any pixel. The weight lacks the window of an aperture that grows with range.
__device__ inline Scaled scaledElement(const Constants& k, const Heard& heard, const Place& any) {
    const Element element = k.element[heard.element];
    return {element.x * k.indexPerMetre, element.y * k.indexPerMetre, element.z * k.indexPerMetre,
            wholeWeight(k, heard.element, any) * recordWeight(k, heard.record)};
}

/// Reads a record between the samples around `index`, which must lie inside the record. The record
/// begins at samples + offset + (the bits of 2^23), modulo 2^32.
template <class Sample>
__device__ Sample readInside(const Sample* samples, unsigned offset, float index) {
    const float shifted = __fadd_rd(index, kTwoTo23);
    const Sample* at = samples + (offset + __float_as_uint(shifted));
    const float f = index - (shifted - kTwoTo23);
    const Sample here = loaded(at);
    return addScaled(f, loaded(at + 1), addScaled(-f, here, here));
}

/// Reads a record between its samples, with zeros outside.
template <class Sample>
__device__ Sample readLinear(const Constants& k, const Sample* record, float index) {
    if (index >= 0.0F && index < static_cast<float>(k.samples - 1))
        return readInside(record, 0U - kTwoTo23Bits, index);
    return interpolate<Sample, DelayInterpolation::Linear>(k, record, index);
}

/// Stores the pixel of transmit t, or adds it; t is -1 where the transmit is off.
template <class Sample> __device__ void storeOwn(const OwnLinesArguments& a, int column, int row,
                                                 int t, PixelSum<Sample> sum, float transmitAt) {
    const Constants& k = a.k;
    if (row >= k.grid.depth) return;
    PixelSum<Sample> total;
    if (t >= 0) {
        if constexpr (kIsComplex<Sample>)
            sum.sum = sum.sum * transmitPhasor(k, k.transmit[t], transmitAt);
        addTransmit(k, sum, total);
    }
    Sample& pixel =
        static_cast<Sample*>(a.image)[static_cast<std::int64_t>(row) * k.grid.lateral + column];
    if (k.blended == nullptr) {
        pixel = finished(k, total);
    } else {
        pixel =
            addScaled(k.grid.beam[column].weight, finished(k, total), a.adds ? pixel : Sample{});
    }
}

} // namespace echolux::das

#endif
