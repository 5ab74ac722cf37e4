// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA kernels of short-lag coherence, with the formula of combine_short_lags.hpp: a thread per
// pixel of an image [depth][lateral]. The channels of kRows rows go by, some at once in shared
// memory, each weighed by its inverse norm; registers hold the last kLags of them, and a sum for
// each lag.
#pragma once

#include "gpu/stages/combine_short_lags.hpp"

#if defined(__CUDACC__)

#include "gpu/exec/exec.hpp"
#include "gpu/exec/for_each.hpp"

#include <cuda_pipeline.h>

namespace echolux::channels {

constexpr int kLags = 10;   ///< lags whose sums a thread holds
constexpr int kStaged = 5;  ///< channels in shared memory at once, twice: others are on the way
constexpr int kAcross = 32; ///< pixels of a block
constexpr int kDown = 8;
constexpr int kLagBlocks = 2; ///< at once on a multiprocessor

struct PixelOfThread {
    int column;
    int row;
    __device__ PixelOfThread()
        : column(static_cast<int>(blockIdx.x * kAcross + threadIdx.x)),
          row(static_cast<int>(blockIdx.y * kDown + threadIdx.y)) {}
    __device__ bool isInside(const CombineShape& shape) const {
        return column < shape.laterals && row < shape.depths;
    }
    __device__ std::int64_t number(const CombineShape& shape) const {
        return row * shape.laterals + column;
    }
};

/// InverseNorms of the channel blockIdx.z.
template <class Value> __global__ void __launch_bounds__(kAcross* kDown)
    inverseNorms(const Value* in, float* out, CombineShape shape) {
    const PixelOfThread own;
    if (!own.isInside(shape)) return;
    const std::int64_t at = blockIdx.z * shape.pixels + own.number(shape);
    const int above = min(static_cast<int>(shape.halfRows), own.row);
    const int below =
        min(static_cast<int>(shape.halfRows), static_cast<int>(shape.depths) - 1 - own.row);
    float energy = 0.0F;
    for (int k = -above; k <= below; ++k) {
        const float value = realOf(in[at + k * shape.laterals]);
        energy = fmaf(value, value, energy);
    }
    out[at] = energy > 0.0F ? 1.0F / sqrtf(energy) : 0.0F;
}

/// Real parts of channels and rows round the pixels of a block, zeros beyond the image.
template <int kRows> struct LagTile {
    static constexpr int kHeight = kDown + kRows - 1;
    float values[kStaged][kHeight][kAcross];

    /// Begins to copy. `firstRow`: from a pixel's own row.
    template <class Value> __device__ void fetch(const Value* in, const CombineShape& shape,
                                                 const PixelOfThread& own, int firstChannel,
                                                 int firstRow) {
        const int column = min(own.column, static_cast<int>(shape.laterals) - 1);
        const int top = static_cast<int>(blockIdx.y) * kDown + firstRow;
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.y); i < kStaged * kHeight; i += kDown) {
            const int channel = firstChannel + i / kHeight;
            const int row = top + i % kHeight;
            const bool inside = channel < shape.channels && row >= 0 && row < shape.depths;
            const std::int64_t at =
                inside ? channel * shape.pixels + row * shape.laterals + column : 0;
            __pipeline_memcpy_async(&values[i / kHeight][i % kHeight][threadIdx.x], in + at,
                                    sizeof(float), inside ? 0 : sizeof(float));
        }
    }
    /// A channel at the thread's pixel; only `rows` rows count.
    __device__ void weigh(int channel, float scale, int rows, float (&to)[kRows]) const {
#pragma unroll
        for (int r = 0; r < kRows; ++r)
            to[r] = r < rows && scale != 0.0F // else it is not heard, or not a number
                        ? scale * values[channel][threadIdx.y + r][threadIdx.x]
                        : 0.0F;
    }
};

template <int kRows, bool kNear> struct LagTiles {
    LagTile<kRows> own[2];
    LagTile<kRows> before[kNear ? 1 : 2]; ///< with kNear not used
};

/// Adds to sums[n] the products of all channels that lie from + n + 1 apart. Of the channels
/// `from` before the current one, `history` holds the last kLags, number c at c modulo kLags.
/// kNear: `from` is 0.
template <class Value, int kRows, bool kNear> struct LagSums {
    const ShortLags<Value>& task;
    const PixelOfThread& own;
    LagTiles<kRows, kNear>& tiles;
    int from;

    __device__ void add(int firstRow, float (&sums)[kLags]) const {
        const auto channels = static_cast<int>(task.shape.channels);
        const int rows = static_cast<int>(task.shape.halfRows) + 1 - firstRow;
        float history[kLags][kRows] = {};
        fetch(0, firstRow, 0);
        for (int turn = 0; turn + from < channels; turn += kLags) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int first = turn + half * kStaged;
                float scales[kStaged];
                float earlier[kStaged];
#pragma unroll
                for (int n = 0; n < kStaged; ++n) {
                    scales[n] = scaleOf(first + from + n);
                    earlier[n] = kNear ? 0.0F : scaleOf(first + n);
                }
                fetch(first + kStaged, firstRow, 1 - half);
                __pipeline_wait_prior(1);
                __syncthreads();
#pragma unroll
                for (int n = 0; n < kStaged; ++n) {
                    const int slot = half * kStaged + n;
                    float values[kRows];
                    tiles.own[half].weigh(n, scales[n], rows, values);
                    addProducts(values, history, slot, sums);
                    if constexpr (kNear) {
#pragma unroll
                        for (int r = 0; r < kRows; ++r) history[slot][r] = values[r];
                    } else {
                        tiles.before[half].weigh(n, earlier[n], rows, history[slot]);
                    }
                }
                __syncthreads(); // the other half is fetched into this one
            }
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }

private:
    static_assert(kLags == 2 * kStaged);

    __device__ void fetch(int before, int firstRow, int half) const {
        tiles.own[half].fetch(task.in, task.shape, own, before + from, firstRow);
        if constexpr (!kNear) tiles.before[half].fetch(task.in, task.shape, own, before, firstRow);
        __pipeline_commit();
    }
    __device__ float scaleOf(int channel) const {
        const bool exists = channel < task.shape.channels && own.isInside(task.shape);
        return exists ? task.inverseNorm[channel * task.shape.pixels + own.number(task.shape)]
                      : 0.0F;
    }
    static __device__ void addProducts(const float (&values)[kRows],
                                       const float (&history)[kLags][kRows], int slot,
                                       float (&sums)[kLags]) {
#pragma unroll
        for (int other = 0; other < kLags; ++other) {
            const int lag = (slot - other + kLags - 1) % kLags; // less 1
#pragma unroll
            for (int r = 0; r < kRows; ++r)
                sums[lag] = fmaf(values[r], history[other][r], sums[lag]);
        }
    }
};

/// Counts pairs of channels that lie from + n + 1 apart and are both heard, 64 channels at once.
__device__ inline void countPairs(const float* inverseNorm, const CombineShape& shape, int from,
                                  int (&pairs)[kLags]) {
    const auto channels = static_cast<int>(shape.channels);
    unsigned long long before = 0;
    for (int first = 0; first < channels; first += 64) {
        unsigned long long heard = 0;
        for (int i = first; i < min(first + 64, channels); ++i)
            if (inverseNorm[i * shape.pixels] != 0.0F) heard |= 1ULL << (i - first);
#pragma unroll
        for (int n = 0; n < kLags; ++n) {
            const int lag = from + n + 1; // up to 70
            const unsigned long long moved =
                lag < 64 ? heard << lag | before >> (64 - lag) : before << (lag - 64);
            pairs[n] += __popcll(heard & moved);
        }
        before = heard;
    }
}

/// Adds the lags from + 1 to from + kLags, as many as there are, to the sums of the means.
template <class Value, int kRows, bool kNear>
__global__ void __launch_bounds__(kAcross* kDown, kLagBlocks)
    shortLags(ShortLags<Value> task, int from) {
    __shared__ LagTiles<kRows, kNear> tiles;
    const CombineShape& shape = task.shape;
    const PixelOfThread own;
    const auto half = static_cast<int>(shape.halfRows);
    float sums[kLags] = {};
    for (int row = -half; row <= half; row += kRows)
        LagSums<Value, kRows, kNear>{task, own, tiles, from}.add(row, sums);
    if (!own.isInside(shape)) return;
    const std::int64_t pixel = own.number(shape);
    int pairs[kLags] = {};
    countPairs(task.inverseNorm + pixel, shape, from, pairs);
    float mean = 0.0F;
#pragma unroll
    for (int n = 0; n < kLags; ++n)
        if (from + n < task.lags && pairs[n] > 0) mean += sums[n] / static_cast<float>(pairs[n]);
    mean /= static_cast<float>(task.lags);
    task.out[pixel] = kNear ? mean : task.out[pixel] + mean;
}

template <class Value, int kRows>
void launchLags(const dim3& blocks, cudaStream_t stream, const ShortLags<Value>& task) {
    const dim3 threads(kAcross, kDown);
    shortLags<Value, kRows, true><<<blocks, threads, 0, stream>>>(task, 0);
    for (int from = kLags; from < task.lags; from += kLags)
        shortLags<Value, kRows, false><<<blocks, threads, 0, stream>>>(task, from);
}

template <class Value> void launchShortLags(const Exec& exec, const char* name, float* norms,
                                            const ShortLags<Value>& task) {
    const CombineShape& shape = task.shape;
    const dim3 threads(kAcross, kDown);
    const dim3 blocks(static_cast<unsigned>((shape.laterals + kAcross - 1) / kAcross),
                      static_cast<unsigned>((shape.depths + kDown - 1) / kDown));
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    inverseNorms<<<dim3(blocks.x, blocks.y, static_cast<unsigned>(shape.channels)), threads, 0,
                   stream>>>(task.in, norms, shape);
    constexpr int kFew = 5;
    constexpr int kMany = 7;
    if (2 * shape.halfRows + 1 <= kFew) {
        launchLags<Value, kFew>(blocks, stream, task);
    } else {
        launchLags<Value, kMany>(blocks, stream, task);
    }
    device::checkLaunch(name);
}

} // namespace echolux::channels

#endif
