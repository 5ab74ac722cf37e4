// SPDX-License-Identifier: GPL-3.0-or-later
// Plain sums for beams that belong to one transmit each. A block images some rows of neighbouring
// lines. Its pixels read a short window of the record of each element. A warp loads this window
// into shared memory, as straight segments between samples (see Line). On a beam of a single
// transmit the index into an element's record grows with the range s,
//   index = s + sqrt(s (s + b) + c), s in samples from where the transmit path is 0,
// so the first row reads the smallest index and the last row the greatest.
#include "gpu/beamform/beamform_own_lines.cuh"

#include <cfloat>

#if defined(__CUDACC__)

namespace echolux::das {
namespace {

constexpr int kGuard = 1; ///< samples around a window, for rounding
template <class Sample> constexpr unsigned kSampleLog2 = kIsComplex<Sample> ? 3 : 2;

/// Start and direction of a beam, in units of samples. (x, z) is the point where s is 0. `ahead` is
/// how far the wave is ahead at the start of the beam, which is part of s.
struct LineTerms {
    float x;
    float z;
    float sine;
    float cosine;
    float ahead;

    LineTerms() = default;
    __device__ LineTerms(const Constants& k, const Beam& b, float from)
        : sine(b.sine), cosine(b.cosine), ahead(b.ahead * k.indexPerMetre) {
        x = fmaf(from - ahead, b.sine, b.x * k.indexPerMetre);
        z = fmaf(from - ahead, b.cosine, b.z * k.indexPerMetre);
    }
};

/// The squared distance from an element to the point s of a beam: s (s + b) + c.
struct alignas(8) WayAlong {
    float b;
    float c;

    WayAlong() = default;
    __device__ WayAlong(const LineTerms& line, const Scaled& e) {
        const float x = line.x - e.x;
        const float z = line.z - e.z;
        b = 2.0F * fmaf(x, line.sine, z * line.cosine);
        c = fmaf(x, x, fmaf(z, z, e.y * e.y));
    }
    __device__ float receiveAt(float s) const { return fastSqrt(fabsf(fmaf(s, s + b, c))); }
};

template <class Sample>
__device__ void add(const Constants& k, float weight, float receiveAt, Sample value, Sample& sum) {
    if constexpr (kIsComplex<Sample>) {
        const float2 phasor = fastPhasor(receiveAt, k.cyclesPerSample);
        addTurned(sum, value, {weight * phasor.x, weight * phasor.y});
    } else {
        sum = fmaf(weight, value, sum);
    }
}

/// An element whose window is loaded.
struct alignas(8) Slot {
    unsigned address; ///< in shared memory, of index 0, minus the contribution of the bits of 2^23
    float weight;
};

/// The samples of one element that a block reads. Their numbers count from the block's `zero`.
struct Window {
    std::int32_t record; ///< number of the record in the frame
    int first;
    int size;
};

/// The window of an element: from the least to the greatest index on any beam of the block, and
/// kGuard samples on both sides.
__device__ Window windowOf(const LineTerms* lines, int across, const Scaled& e, float first,
                           float last, std::int32_t record) {
    float least = FLT_MAX;
    float most = 0.0F;
    for (int i = 0; i < across; ++i) {
        const WayAlong way(lines[i], e);
        const float from = first + lines[i].ahead;
        const float until = last + lines[i].ahead;
        least = fminf(least, from + way.receiveAt(from));
        most = fmaxf(most, until + way.receiveAt(until));
    }
    const int from = static_cast<int>(floorf(least)) - kGuard;
    return {record, from, static_cast<int>(floorf(most)) + kGuard + 1 - from};
}

/// Neighbouring samples that are loaded and stored together.
template <class Sample> struct alignas(16) Together {
    static constexpr int kCount = 16 / sizeof(Sample);
    Sample at[kCount];
};

/// Distance in shared memory from the intercepts to the slopes of the segments, in bytes. Segments
/// lie as [intercept or slope][element][ownPitch()]. Neighbouring threads read neighbouring
/// segments. With intercepts and slopes in separate arrays these reads seldom have bank conflicts.
template <class Sample> constexpr int kSlopesBehind = kOwnLinesChunk* ownPitch(kIsComplex<Sample>) *
                                                      static_cast<int>(sizeof(Sample));

template <class Sample> __device__ Line<Sample> splitLine(unsigned address) {
    Line<Sample> line;
    if constexpr (kIsComplex<Sample>) {
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                     : "=f"(line.intercept.re), "=f"(line.intercept.im)
                     : "r"(address));
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                     : "=f"(line.slope.re), "=f"(line.slope.im)
                     : "r"(address + kSlopesBehind<Sample>));
    } else {
        asm volatile("ld.shared.f32 %0, [%1];" : "=f"(line.intercept) : "r"(address));
        asm volatile("ld.shared.f32 %0, [%1];"
                     : "=f"(line.slope)
                     : "r"(address + kSlopesBehind<Sample>));
    }
    return line;
}

/// Stores the segments between neighbouring samples. `n` is the number of the first sample.
template <class Sample>
__device__ void putLines(const Together<Sample>& here, Sample next, float n, Sample* window) {
    constexpr int kCount = Together<Sample>::kCount;
    Together<Sample> intercepts;
    Together<Sample> slopes;
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
        const Sample following = j + 1 < kCount ? here.at[(j + 1) % kCount] : next;
        const Line<Sample> line = lineThrough(n + static_cast<float>(j), here.at[j], following);
        intercepts.at[j] = line.intercept;
        slopes.at[j] = line.slope;
    }
    constexpr int kSlopes = kSlopesBehind<Sample> / static_cast<int>(sizeof(Sample));
    *reinterpret_cast<Together<Sample>*>(window) = intercepts;
    *reinterpret_cast<Together<Sample>*>(window + kSlopes) = slopes;
}

template <class Sample> __device__ Together<Sample> loadedTogether(const Sample* from) {
    Together<Sample> samples;
    *reinterpret_cast<float4*>(&samples) = __ldg(reinterpret_cast<const float4*>(from));
    return samples;
}

/// One warp fills one window. Its first sample is number n and lies at a multiple of 16 bytes.
/// Writes up to 32 * Together::kCount - 1 segments beyond the window.
template <class Sample> __device__ void fillWindow(const Sample* record, int samples, int first,
                                                   int size, float n, Sample* window) {
    constexpr int kCount = Together<Sample>::kCount;
    constexpr int kStride = 32 * kCount;
    const int own = static_cast<int>(threadIdx.x) % 32 * kCount;
    n += static_cast<float>(own);
    window += own;
    if (first >= 0 && first + size + kStride < samples) {
        const Sample* from = record + (first + own);
        for (; size > kStride; size -= 2 * kStride) {
            const Together<Sample> here = loadedTogether(from);
            const Together<Sample> there = loadedTogether(from + kStride);
            const Sample next = loaded(from + kCount);
            const Sample beyond = loaded(from + kStride + kCount);
            putLines(here, next, n, window);
            putLines(there, beyond, n + static_cast<float>(kStride), window + kStride);
            from += 2 * kStride;
            window += 2 * kStride;
            n += static_cast<float>(2 * kStride);
        }
        if (size > 0) putLines(loadedTogether(from), loaded(from + kCount), n, window);
        return;
    }
    const auto at = [&](int i) { return i >= 0 && i < samples ? loaded(record + i) : Sample{}; };
#pragma unroll 1
    for (int i = 0; i < size; i += kStride) {
        Together<Sample> here;
#pragma unroll
        for (int j = 0; j < kCount; ++j) here.at[j] = at(first + own + i + j);
        putLines(here, at(first + own + i + kCount), n, window + i);
        n += static_cast<float>(kStride);
    }
}

/// How far elements are from the begins of the beams [first, first + across), in m.
struct FromBeams {
    float least = FLT_MAX; ///< x of the begins
    float most = -FLT_MAX;

    __device__ FromBeams(const Constants& k, int first, int across) {
        for (int i = 0; i < across; ++i) {
            least = fminf(least, k.grid.beam[first + i].x);
            most = fmaxf(most, k.grid.beam[first + i].x);
        }
    }
    __device__ float nearest(float x) const { return fmaxf(least - x, x - most); }
    __device__ float farthest(float x) const { return fmaxf(x - least, most - x); }
};

/// kExpanding: the aperture grows with range, Constants::beamAperture.
template <class Sample, int kRows, bool kExpanding>
__global__ void __launch_bounds__(kOwnLinesThreads, kRows * sizeof(Sample) > 32 ? 2 : 4)
    sumOwnWindows(const OwnLinesArguments a) {
    constexpr int kPitch = ownPitch(kIsComplex<Sample>);
    const Constants& k = a.k;
    extern __shared__ float4 sharedMemory[];
    __shared__ LineTerms lines[kMostAcross];
    __shared__ WayAlong ways[kOwnLinesChunk][kMostAcross];
    __shared__ float asides[kExpanding ? kOwnLinesChunk : 1]
                           [kMostAcross]; // m, from elements to beams
    __shared__ Slot slots[kOwnLinesChunk];
    auto* windows = reinterpret_cast<Sample*>(sharedMemory);
    auto* elements = reinterpret_cast<Scaled*>(windows + 2 * kOwnLinesChunk * kPitch);
    auto* reads = reinterpret_cast<Window*>(elements + k.elements);
    auto* heard = reinterpret_cast<Heard*>(reads + k.elements);

    const int thread = static_cast<int>(threadIdx.x);
    const int warp = thread / 32;
    const int groups = kOwnLinesThreads / a.across;
    const int ownLine = thread & (a.across - 1); // `across` is a power of two
    const int ownRow = thread / a.across;
    const int firstColumn = static_cast<int>(blockIdx.y) * a.across;
    // With a growing aperture deep blocks read the most elements, so they start first.
    const unsigned rowBlock = kExpanding ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const int firstRow = static_cast<int>(rowBlock) * groups * kRows;
    const int lastRow = min(firstRow + groups * kRows, k.grid.depth) - 1;
    const Place any = k.grid.at(firstColumn, firstRow, 0);
    const int t = ownTransmit(k, any.transmit);
    const TransmitConstants& transmit = k.transmit[max(t, 0)];
    const float begins = fmaf(transmit.beamPath, k.indexPerMetre, transmit.indexOffset);
    const auto rangeAt = [&](int row) { return k.grid.z(min(row, lastRow)) * k.indexPerMetre; };
    float leastAhead = 0.0F;
    for (int i = 0; i < a.across; ++i)
        leastAhead = fminf(leastAhead, k.grid.beam[firstColumn + i].ahead * k.indexPerMetre);
    // Indices of the block count from sample `zero`, so that they are small, exact and not
    // negative.
    const float zero = floorf(begins + rangeAt(firstRow) + leastAhead) - 1.0F;
    const float zeroAt = zero - begins; // as a range
    if (thread < a.across) lines[thread] = LineTerms(k, k.grid.beam[firstColumn + thread], zeroAt);
    const float ahead = k.grid.beam[firstColumn + ownLine].ahead * k.indexPerMetre;
    float s[kRows];
    Sample sums[kRows];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        s[i] = rangeAt(firstRow + ownRow + i * groups) - zeroAt + ahead;
        sums[i] = Sample{};
    }
    const FromBeams beams(k, firstColumn, kExpanding ? a.across : 0);
    const auto counts = [&](int e) {
        constexpr float kWider = 1.0001F; // for rounding
        return !kExpanding ||
               beams.nearest(k.element[e].x) <= kWider * k.apertureSlope * k.grid.z(lastRow);
    };
    const int count = t < 0 ? 0 : listHeard(k, any.transmit, heard, counts); // synchronises
    for (int at = thread; at < count; at += kOwnLinesThreads) {
        elements[at] = scaledElement(k, heard[at], any);
        reads[at] = windowOf(lines, a.across, elements[at], rangeAt(firstRow) - zeroAt,
                             rangeAt(lastRow) - zeroAt, heard[at].record);
    }
    __syncthreads();

    const unsigned numberZero = static_cast<unsigned>(__cvta_generic_to_shared(windows)) -
                                (kTwoTo23Bits << kSampleLog2<Sample>);
    for (int base = 0; base < count; base += kOwnLinesChunk) {
        const int chunk = min(kOwnLinesChunk, count - base);
        bool whole = !kExpanding; // these elements have the weight 1 at all pixels of the block
        if (warp < chunk) {
            Window window = reads[base + warp];
            const Sample* record = static_cast<const Sample*>(a.samples) +
                                   static_cast<std::int64_t>(window.record) * k.samples;
            const int sample = window.first + static_cast<int>(zero);
            const auto bytes = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(record)) +
                               static_cast<unsigned>(sample) * sizeof(Sample);
            const int early = static_cast<int>(bytes % 16 / sizeof(Sample));
            window.first -= early;
            window.size += early;
            const int place = warp * kPitch;
            fillWindow(record, k.samples, sample - early, min(window.size, kPitch),
                       static_cast<float>(window.first), windows + place);
            const Scaled element = elements[base + warp];
            const int lane = thread % 32;
            if (lane < a.across) ways[warp][lane] = WayAlong(lines[lane], element);
            if constexpr (kExpanding) {
                constexpr float kNarrower = 0.9999F; // for rounding
                const float x = k.element[heard[base + warp].element].x;
                if (lane < a.across)
                    asides[warp][lane] = fabsf(x - k.grid.beam[firstColumn + lane].x);
                whole = k.window == ApodizationWindow::Rectangular &&
                        beams.farthest(x) <= kNarrower * k.apertureSlope * k.grid.z(firstRow);
            }
            if (lane == 0)
                slots[warp] = {numberZero + (static_cast<unsigned>(place - window.first)
                                             << kSampleLog2<Sample>),
                               element.weight};
        }
        if constexpr (kExpanding) {
            whole = __syncthreads_and(whole || warp >= chunk);
        } else {
            __syncthreads();
        }
        const auto addTo = [&](const WayAlong& way, const Slot& slot, int i, float weight) {
            const float receiveAt = way.receiveAt(s[i]);
            const float index = s[i] + receiveAt;
            const unsigned at =
                (__float_as_uint(__fadd_rd(index, kTwoTo23)) << kSampleLog2<Sample>)+slot.address;
            add(k, weight, receiveAt, valueAt(splitLine<Sample>(at), index), sums[i]);
        };
        if (whole) {
#pragma unroll 2
            for (int c = 0; c < chunk; ++c) {
                const WayAlong way = ways[c][ownLine];
                const Slot slot = slots[c];
#pragma unroll
                for (int i = 0; i < kRows; ++i) addTo(way, slot, i, slot.weight);
            }
        } else {
#pragma unroll 2
            for (int c = 0; c < chunk; ++c) {
                const WayAlong way = ways[c][ownLine];
                const Slot slot = slots[c];
                const float aside = asides[c][ownLine];
#pragma unroll
                for (int i = 0; i < kRows; ++i) {
                    const float half = k.apertureSlope * k.grid.z(firstRow + ownRow + i * groups);
                    addTo(way, slot, i, slot.weight * weightWithin(k, aside, half));
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        const int row = firstRow + ownRow + i * groups;
        storeOwn(a, firstColumn + ownLine, row, t, PixelSum<Sample>{sums[i]}, s[i] + zero);
    }
}

template <class Sample, int kRows, bool kExpanding>
void launch(const Exec& exec, const OwnLinesArguments& a) {
    static_assert(kOwnBytesPerRead == sizeof(Scaled) + sizeof(Window) + sizeof(Heard));
    const std::size_t bytes = static_cast<std::size_t>(a.k.elements) * kOwnBytesPerRead +
                              2 * kOwnLinesChunk * ownPitch(kIsComplex<Sample>) * sizeof(Sample);
    const int rows = kOwnLinesThreads / a.across * kRows;
    const dim3 blocks(static_cast<unsigned>((a.k.grid.depth + rows - 1) / rows),
                      static_cast<unsigned>(a.k.grid.lateral / a.across));
    const auto kernel = sumOwnWindows<Sample, kRows, kExpanding>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    kernel<<<blocks, kOwnLinesThreads, bytes, static_cast<cudaStream_t>(exec.stream)>>>(a);
}

template <class Sample, bool kExpanding>
void choose(const Exec& exec, const OwnLinesArguments& a, const OwnLinesLayout& layout) {
    if (layout.rows == 8) return launch<Sample, 8, kExpanding>(exec, a);
    if (layout.rows == 4) return launch<Sample, 4, kExpanding>(exec, a);
    launch<Sample, 2, kExpanding>(exec, a);
}

template <bool kExpanding>
void choose(const Exec& exec, const OwnLinesArguments& a, const OwnLinesLayout& layout) {
    layout.complex ? choose<Complex, kExpanding>(exec, a, layout)
                   : choose<float, kExpanding>(exec, a, layout);
}

} // namespace

void sumOwnLineWindows(const Exec& exec, const OwnLinesArguments& arguments,
                       const OwnLinesLayout& layout) {
    arguments.k.beamAperture ? choose<true>(exec, arguments, layout)
                             : choose<false>(exec, arguments, layout);
    device::checkLaunch("beamform");
}

} // namespace echolux::das

#endif
