// SPDX-License-Identifier: GPL-3.0-or-later
// The sums. The steps of a tree are written once: which value a thread adds to, at which stride. A
// block on CUDA does the steps with barriers between them. The CPU does them one thread after the
// other.
#include "gpu/ladder/course_sum.hpp"

#include "gpu/exec/for_each.hpp"

#include <stdexcept>

namespace echolux::ladder {
namespace {

struct SequentialSum {
    const float* in;
    float* out;
    int length;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const float* values = in + i * length;
        float sum = 0.0F;
        for (int e = 0; e < length; ++e) sum += values[e];
        out[i] = sum;
    }
};

constexpr int kWarp = 32;

/// shared[target] += shared[target + stride], for one stride after the other.
template <SumStep kStep> struct Tree {
    static constexpr bool kGrows = kStep == SumStep::Parallel || kStep == SumStep::StridedIndex;
    static constexpr bool kFirstAdd = kStep == SumStep::FirstAdd || kStep == SumStep::LastWarp;
    static constexpr int kLeastStride = kStep == SumStep::LastWarp ? 2 * kWarp : 1;

    ECHOLUX_HD static int threads(int length) { return kFirstAdd ? length / 2 : length; }
    ECHOLUX_HD static int firstStride(int threads) { return kGrows ? 1 : threads / 2; }
    ECHOLUX_HD static bool goesOn(int stride, int threads) {
        return kGrows ? stride < threads : stride >= kLeastStride;
    }
    ECHOLUX_HD static int nextStride(int stride) { return kGrows ? stride * 2 : stride / 2; }
    /// -1 where the thread does nothing.
    ECHOLUX_HD static int target(int thread, int stride, int threads) {
        if constexpr (kStep == SumStep::Parallel) return thread % (2 * stride) == 0 ? thread : -1;
        if constexpr (kStep == SumStep::StridedIndex)
            return 2 * stride * thread < threads ? 2 * stride * thread : -1;
        return thread < stride ? thread : -1;
    }
    ECHOLUX_HD static float load(const float* in, int thread, int threads) {
        return kFirstAdd ? in[thread] + in[thread + threads] : in[thread];
    }
};

/// A block's work on the CPU.
template <SumStep kStep> struct TreeSum {
    const float* in;
    float* out;
    int length;
    void operator()(std::int64_t i) const {
        using Steps = Tree<kStep>;
        float shared[kMostSummed];
        const int threads = Steps::threads(length);
        for (int t = 0; t < threads; ++t) shared[t] = Steps::load(in + i * length, t, threads);
        int stride = Steps::firstStride(threads);
        for (; Steps::goesOn(stride, threads); stride = Steps::nextStride(stride)) {
            for (int t = 0; t < threads; ++t) {
                const int target = Steps::target(t, stride, threads);
                if (target >= 0) shared[target] += shared[target + stride];
            }
        }
        if constexpr (kStep == SumStep::LastWarp) {
            for (; stride > 0; stride /= 2)
                for (int t = 0; t < stride; ++t) shared[t] += shared[t + stride];
        }
        out[i] = shared[0];
    }
};

#if defined(__CUDACC__)
template <SumStep kStep> __global__ void treeKernel(const float* in, float* out, int length) {
    using Steps = Tree<kStep>;
    extern __shared__ float shared[];
    const auto thread = static_cast<int>(threadIdx.x);
    const auto threads = static_cast<int>(blockDim.x);
    shared[thread] =
        Steps::load(in + static_cast<std::int64_t>(blockIdx.x) * length, thread, threads);
    __syncthreads();
    int stride = Steps::firstStride(threads);
    for (; Steps::goesOn(stride, threads); stride = Steps::nextStride(stride)) {
        const int target = Steps::target(thread, stride, threads);
        if (target >= 0) shared[target] += shared[target + stride];
        __syncthreads();
    }
    float sum = shared[0];
    if constexpr (kStep == SumStep::LastWarp) {
        // NOTE: the threads of a warp need not run in step. So within a warp shared memory without
        // barriers, volatile or not, gives no correct sum.
        if (thread >= kWarp) return;
        sum = shared[thread] + shared[thread + kWarp];
        for (int lanes = kWarp / 2; lanes > 0; lanes /= 2)
            sum += __shfl_down_sync(0xFFFFFFFFU, sum, lanes);
    }
    if (thread == 0) out[blockIdx.x] = sum;
}
#endif

template <SumStep kStep>
void sumByTree(const Exec& exec, std::int64_t sums, int length, const float* in, float* out) {
#if defined(__CUDACC__)
    if (exec.backend == Backend::Cuda) {
        const int threads = Tree<kStep>::threads(length);
        treeKernel<kStep><<<static_cast<unsigned>(sums), static_cast<unsigned>(threads),
                            static_cast<std::size_t>(threads) * sizeof(float),
                            static_cast<cudaStream_t>(exec.stream)>>>(in, out, length);
        device::checkLaunch("ladder sum");
        return;
    }
#endif
    host::eachIndex(sums, TreeSum<kStep>{in, out, length});
    (void)exec;
}

} // namespace

void sumNeighbours(const Exec& exec, SumStep step, std::int64_t sums, int length, const float* in,
                   float* out) {
    if (length < kLeastSummed || length > kMostSummed || (length & (length - 1)) != 0)
        throw std::logic_error("ladder: sums take a power of two of values, 128 to 1024");
    switch (step) {
    case SumStep::Sequential:
        return forEach(exec, "ladder sum", sums, SequentialSum{in, out, length});
    case SumStep::Parallel: return sumByTree<SumStep::Parallel>(exec, sums, length, in, out);
    case SumStep::StridedIndex:
        return sumByTree<SumStep::StridedIndex>(exec, sums, length, in, out);
    case SumStep::Halving: return sumByTree<SumStep::Halving>(exec, sums, length, in, out);
    case SumStep::FirstAdd: return sumByTree<SumStep::FirstAdd>(exec, sums, length, in, out);
    case SumStep::LastWarp: return sumByTree<SumStep::LastWarp>(exec, sums, length, in, out);
    }
}

} // namespace echolux::ladder
