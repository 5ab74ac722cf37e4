// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA kernels of minimum variance, with the formulas of combine_minimum_variance.hpp: a warp per
// pixel, four neighbours per block. Lane d sums the entries of the covariance of lag d, and of lag
// d
// + 32 and so on; then each lane holds a row of it for Cholesky's factors. In the eigenspace: a
// block per pixel.
#pragma once

#include "gpu/stages/combine_eigenspace.hpp"

#if defined(__CUDACC__)

#include "gpu/exec/team.hpp"

namespace echolux::channels {

constexpr int kWarpPixels = 4; ///< pixels of a block
constexpr int kEigenThreads = 64;
constexpr int kVarianceBlocks = 4; ///< at once on a multiprocessor; what spills costs less
constexpr unsigned kAllLanes = 0xffffffffU;

/// What the warps of a block share.
template <int kMost> struct VarianceRoom {
    float2 matrix[kWarpPixels][kMost * (kMost + 1)];
    alignas(16) float2 column[kWarpPixels][2][kMost];
    float4 solved[kWarpPixels][2];
};

/// The least of all lanes' values.
__device__ inline int warpLeast(int value) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        value = min(value, __shfl_xor_sync(kAllLanes, value, apart));
    return value;
}

/// A pixel's channels in shared memory.
struct HeldChannels {
    const float2* first;
    __device__ Complex operator[](std::int64_t i) const { return {first[i].x, first[i].y}; }
};

/// Minimum variance of the pixel of a warp. `x`: its channels. kGrid: of a matrix array.
template <int kMost, bool kGrid> struct WarpVariance {
    const MinimumVariance& plain;
    const float2* x;
    float2* matrix;
    float2 (*column)[kMost];
    float4* solved;
    int lane;

    __device__ GridBox heard() const {
        if constexpr (kGrid) return boxOfGrid();
        const Aperture own = aperture();
        return {own.first, own.length, 1};
    }

    /// Adds a row of the image to the covariance.
    __device__ void addRow(const Subarrays& parts, bool isFirst) const {
        if constexpr (kGrid) return addLags(parts, isFirst);
        addDiagonal(parts, isFirst);
    }

    /// Covariance::averageBackwards() of the lane's row.
    __device__ void averageBackwards(int size) const {
        if (lane >= size) return;
        for (int i = 0; i <= lane; ++i) {
            const int row = size - 1 - i; // of the entry that it is mirrored in
            const int column = size - 1 - lane;
            if (lane * size + i > row * size + column) continue;
            float2& a = matrix[lane * (kMost + 1) + i];
            float2& b = matrix[row * (kMost + 1) + column];
            a = b = {0.5F * (a.x + b.x), 0.5F * (a.y + b.y)};
        }
    }

    /// Sum over the subarrays of their channel number `lane`.
    __device__ float2 echo(const Subarrays& parts) const {
        if constexpr (!kGrid) return echoOfLine(parts);
        if (lane >= parts.size()) return {0.0F, 0.0F};
        const Complex sum = MinimumVariance::echoOf(HeldChannels{x}, parts, lane);
        return {sum.re, sum.im};
    }

    /// w^H `own` of all lanes, by Cholesky's factors: y = L^-1 1 and L^-1 own are solved with them.
    __device__ float2 throughFactors(float2 own, int size) const {
        float2 row[kMost];
#pragma unroll
        for (int j = 0; j < kMost; ++j)
            row[j] = lane < size && j <= lane ? matrix[lane * (kMost + 1) + j] : float2{0.0F, 0.0F};
        const float diagonal = lane < size ? matrix[lane * (kMost + 1) + lane].x : 0.0F;
        const float level = warpSum(diagonal) / static_cast<float>(size);
        float2 y{lane < size ? 1.0F : 0.0F, 0.0F};
#pragma unroll
        for (int k = 0; k < kMost; ++k) {
            if (k >= size) break;
            if (lane == k) row[k].x += plain.loading * level;
            const float square = __shfl_sync(kAllLanes, row[k].x, k);
            const float least = kLeastOfCovariance * level;
            const float inverse = 1.0F / sqrtf(square > least ? square : least);
            const float2 factor{inverse * row[k].x, inverse * row[k].y};
            if (lane < kMost) column[k % 2][lane] = factor;
            if (lane == k) {
                y = {inverse * y.x, inverse * y.y};
                own = {inverse * own.x, inverse * own.y};
                solved[k % 2] = {y.x, y.y, own.x, own.y};
            }
            __syncwarp();
            const float4 known = solved[k % 2];
            const bool isBelow = lane > k; // what the other lanes hold from here on is not read
            const float2 taken{isBelow ? factor.x : 0.0F, isBelow ? factor.y : 0.0F};
            takeProduct(y, taken, {known.x, known.y});
            takeProduct(own, taken, {known.z, known.w});
#pragma unroll
            for (int j = (k + 1) / 2 * 2; j < kMost; j += 2) {
                const float4 two = *reinterpret_cast<const float4*>(&column[k % 2][j]);
                if (j > k) takeConjugate(row[j], factor, {two.x, two.y});
                takeConjugate(row[j + 1], factor, {two.z, two.w});
            }
        }
        const float bottom = warpSum(y.x * y.x + y.y * y.y);
        const float re = warpSum(y.x * own.x + y.y * own.y);
        const float im = warpSum(y.x * own.y - y.y * own.x);
        return bottom > 0.0F ? float2{re / bottom, im / bottom} : float2{0.0F, 0.0F};
    }

private:
    __device__ Aperture aperture() const {
        const auto channels = static_cast<int>(plain.shape.channels);
        int first = channels;
        int end = 0;
        for (int i = 0; i < channels; i += 32) {
            const bool heard =
                i + lane < channels &&
                !(x[i + lane].x * x[i + lane].x + x[i + lane].y * x[i + lane].y == 0.0F);
            const unsigned which = __ballot_sync(kAllLanes, heard);
            if (which == 0U) continue;
            first = min(first, i + __ffs(static_cast<int>(which)) - 1);
            end = i + 32 - __clz(static_cast<int>(which));
        }
        return {first, end > first ? end - first : 0};
    }

    __device__ GridBox boxOfGrid() const {
        const auto channels = static_cast<int>(plain.shape.channels);
        const auto perLine = static_cast<int>(plain.shape.perLine);
        GridReach reach(channels);
        for (int i = lane; i < channels; i += 32)
            if (x[i].x * x[i].x + x[i].y * x[i].y != 0.0F) reach.add(i % perLine, i / perLine);
        reach.left = warpLeast(reach.left);
        reach.right = -warpLeast(-reach.right);
        reach.top = warpLeast(reach.top);
        reach.bottom = -warpLeast(-reach.bottom);
        return reach.box(perLine);
    }

    __device__ void addLags(const Subarrays& parts, bool isFirst) const {
        for (int lag = lane; lag < parts.lags(); lag += 32)
            eachOfLag(HeldChannels{x}, parts, lagOf(parts, lag), [&](int i, int j, Complex value) {
                put(i, j, {value.re, value.im}, isFirst);
            });
    }

    /// addLags() of a line; the lane is the lag.
    __device__ void addDiagonal(const Subarrays& parts, bool isFirst) const {
        if (lane >= parts.width) return;
        const float2* from = x + parts.first;
        const int count = parts.along;
        float2 sum{0.0F, 0.0F};
#pragma unroll 4
        for (int l = 0; l < count; ++l) addProduct(sum, from[l + lane], from[l], 1.0F);
        put(lane, 0, sum, isFirst);
        for (int i = 1; i + lane < parts.width; ++i) {
            addProduct(sum, from[i - 1 + count + lane], from[i - 1 + count], 1.0F);
            addProduct(sum, from[i - 1 + lane], from[i - 1], -1.0F);
            put(i + lane, i, sum, isFirst);
        }
    }

    /// The first lane's sum, and from lane to lane a channel comes and one goes.
    __device__ float2 echoOfLine(const Subarrays& parts) const {
        const float2* from = x + parts.first;
        const int count = parts.along;
        float2 sum{0.0F, 0.0F};
        for (int l = lane; l < count; l += 32) sum = {sum.x + from[l].x, sum.y + from[l].y};
        sum = {warpSum(sum.x), warpSum(sum.y)};
        float2 change{0.0F, 0.0F};
        if (lane > 0 && lane < parts.width) {
            const float2 come = from[count + lane - 1];
            change = {come.x - from[lane - 1].x, come.y - from[lane - 1].y};
        }
        for (int step = 1; step < 32; step *= 2) {
            const float re = __shfl_up_sync(kAllLanes, change.x, step);
            const float im = __shfl_up_sync(kAllLanes, change.y, step);
            if (lane >= step) change = {change.x + re, change.y + im};
        }
        if (lane >= parts.width) return {0.0F, 0.0F};
        return {sum.x + change.x, sum.y + change.y};
    }

    __device__ void put(int row, int at, float2 value, bool isFirst) const {
        float2& entry = matrix[row * (kMost + 1) + at];
        entry = isFirst ? value : float2{entry.x + value.x, entry.y + value.y};
    }
    /// sum + sign a conj(b).
    static __device__ void addProduct(float2& sum, float2 a, float2 b, float sign) {
        const float2 c{sign * b.x, sign * b.y};
        sum.x = fmaf(a.x, c.x, fmaf(a.y, c.y, sum.x));
        sum.y = fmaf(a.y, c.x, fmaf(-a.x, c.y, sum.y));
    }
    static __device__ void takeProduct(float2& from, float2 a, float2 b) {
        from.x = fmaf(-a.x, b.x, fmaf(a.y, b.y, from.x));
        from.y = fmaf(-a.x, b.y, fmaf(-a.y, b.x, from.y));
    }
    static __device__ void takeConjugate(float2& from, float2 a, float2 b) {
        from.x = fmaf(-a.x, b.x, fmaf(-a.y, b.y, from.x));
        from.y = fmaf(a.x, b.y, fmaf(-a.y, b.x, from.y));
    }
};

/// Reads a row of the channels of a block's pixels into x [kWarpPixels][channels].
__device__ inline void loadChannels(const MinimumVariance& plain, float2* x, int below) {
    const auto channels = static_cast<int>(plain.shape.channels);
    const std::int64_t pixel = static_cast<std::int64_t>(blockIdx.x) * kWarpPixels +
                               static_cast<int>(threadIdx.x) % kWarpPixels;
    const std::int64_t row = pixel / plain.shape.laterals % plain.shape.depths + below;
    const std::int64_t at = pixel + below * plain.shape.laterals;
    const bool inside = pixel < plain.shape.pixels && row >= 0 && row < plain.shape.depths;
    __syncthreads(); // all have read the row before
    for (int i = static_cast<int>(threadIdx.x); i < channels * kWarpPixels; i += 32 * kWarpPixels) {
        const int channel = i / kWarpPixels;
        const Complex value =
            inside ? plain.in[channel * plain.shape.pixels + at] : Complex{0.0F, 0.0F};
        x[i % kWarpPixels * channels + channel] = {value.re, value.im};
    }
    __syncthreads();
}

template <int kMost, bool kGrid>
__global__ void __launch_bounds__(32 * kWarpPixels, kVarianceBlocks)
    minimumVariance(MinimumVariance plain, Complex* image, float blend) {
    extern __shared__ float2 heard[];
    __shared__ VarianceRoom<kMost> room;
    const auto warp = static_cast<int>(threadIdx.x) / 32;
    const auto channels = static_cast<int>(plain.shape.channels);
    const WarpVariance<kMost, kGrid> own{plain,
                                         heard + warp * channels,
                                         room.matrix[warp],
                                         room.column[warp],
                                         room.solved[warp],
                                         static_cast<int>(threadIdx.x) % 32};
    const std::int64_t pixel = static_cast<std::int64_t>(blockIdx.x) * kWarpPixels + warp;
    loadChannels(plain, heard, 0);
    const Subarrays parts = plain.subarraysOf(own.heard());
    const int size = parts.size();
    float2 sum{0.0F, 0.0F};
    for (int i = own.lane; i < channels; i += 32) sum = {sum.x + own.x[i].x, sum.y + own.x[i].y};
    sum = {warpSum(sum.x), warpSum(sum.y)};
    const float2 echo = size > 0 ? own.echo(parts) : float2{0.0F, 0.0F};
    own.addRow(parts, true);
    for (int k = 1; k <= plain.halfRows; ++k) {
        loadChannels(plain, heard, -k); // zeros outside the image add nothing
        own.addRow(parts, false);
        loadChannels(plain, heard, k);
        own.addRow(parts, false);
    }
    __syncwarp();
    if (plain.backwards) own.averageBackwards(size);
    __syncwarp();
    if (pixel >= plain.shape.pixels) return; // whole warps
    float2 value{0.0F, 0.0F};
    if (size > 0) value = own.throughFactors(echo, size);
    const float scale = size > 0 ? blend * MinimumVariance::scaleOf(parts) : 0.0F;
    if (own.lane == 0)
        image[pixel] = {fmaf(scale, value.x, (1.0F - blend) * sum.x),
                        fmaf(scale, value.y, (1.0F - blend) * sum.y)};
}

template <int kThreads> __global__ void __launch_bounds__(kThreads)
    eigenspaceVariance(EigenspaceVariance task, Complex* image, float blend) {
    __shared__ EigenspaceMemory memory;
    __shared__ float partials[32 * kMostAtOnce];
    const auto pixel = static_cast<std::int64_t>(blockIdx.x);
    const Complex value = task(BlockOf<kThreads>{partials}, pixel, memory.room());
    if (threadIdx.x > 0) return;
    image[pixel] = (1.0F - blend) * sumOf(task.plain.rowAt(pixel, 0)) + blend * value;
}

/// Whether a block's shared memory holds the channels beside VarianceRoom.
template <int kMost> bool holdsChannels(std::size_t bytes) {
    int device = 0;
    int most = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return bytes + sizeof(VarianceRoom<kMost>) <= static_cast<std::size_t>(most);
}

/// The eigenspace of a threshold of 0 is all.
inline void launchEigenspace(const Exec& exec, const MinimumVariance& plain, Complex* image,
                             float blend) {
    eigenspaceVariance<kEigenThreads>
        <<<static_cast<unsigned>(plain.shape.pixels), kEigenThreads, 0,
           static_cast<cudaStream_t>(exec.stream)>>>({plain}, image, blend);
}

template <int kMost, bool kGrid>
void launchFactors(const Exec& exec, const MinimumVariance& plain, Complex* image, float blend) {
    const std::size_t bytes =
        static_cast<std::size_t>(kWarpPixels * plain.shape.channels) * sizeof(float2);
    if (!holdsChannels<kMost>(bytes)) return launchEigenspace(exec, plain, image, blend);
    constexpr std::size_t kUnasked = 8 * 1024; // beside the room, without asking for more
    if (bytes > kUnasked) {
        cudaFuncSetAttribute(minimumVariance<kMost, kGrid>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    }
    const auto blocks = static_cast<unsigned>((plain.shape.pixels + kWarpPixels - 1) / kWarpPixels);
    minimumVariance<kMost, kGrid>
        <<<blocks, 32 * kWarpPixels, bytes, static_cast<cudaStream_t>(exec.stream)>>>(plain, image,
                                                                                      blend);
}

inline void launchMinimumVariance(const Exec& exec, const char* name, const MinimumVariance& plain,
                                  Complex* image, float blend) {
    if (plain.eigenspace > 0.0F) {
        launchEigenspace(exec, plain, image, blend);
    } else if (plain.shape.isGrid()) {
        launchFactors<kMostSubarray, true>(exec, plain, image, blend);
    } else if (plain.largest().size() <= kMostSubarray / 2) {
        launchFactors<kMostSubarray / 2, false>(exec, plain, image, blend);
    } else {
        launchFactors<kMostSubarray, false>(exec, plain, image, blend);
    }
    device::checkLaunch(name);
}

} // namespace echolux::channels

#endif
