// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels.
#include "gpu/microbench/card_kernels.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace echolux::microbench::card {

#if defined(__CUDACC__)
namespace {

/// One step of a chain. `x` and `y` are the chain's two values.
template <Instruction kInstruction>
__device__ __forceinline__ void step(float& x, float& y, bool = false) {
    if constexpr (kInstruction == Instruction::Ffma) x = __fmaf_rn(x, y, y);
    if constexpr (kInstruction == Instruction::Fmul) x = __fmul_rn(x, y);
    if constexpr (kInstruction == Instruction::Fadd) x = __fadd_rn(x, y);
    if constexpr (kInstruction == Instruction::Rsqrt) asm("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
}

/// Integers take turns, as in Fibonacci's series, so that products cannot be merged. Two sums would
/// be one instruction of three operands, so every other sum is an exclusive or, which is as fast.
template <Instruction kInstruction>
__device__ __forceinline__ void step(unsigned& x, unsigned& y, bool odd) {
    if constexpr (kInstruction == Instruction::IntegerAdd) x = odd ? x ^ y : x + y;
    if constexpr (kInstruction == Instruction::IntegerMultiply) x *= y;
    if constexpr (kInstruction == Instruction::Shift) x = __funnelshift_l(x, y, 7);
    if constexpr (kInstruction == Instruction::Convert)
        x = __float_as_uint(__int2float_rn(static_cast<int>(x)));
    const unsigned other = x;
    x = y;
    y = other;
}

template <Instruction kInstruction> struct NumberOf { using Type = float; };
template <> struct NumberOf<Instruction::IntegerAdd> { using Type = unsigned; };
template <> struct NumberOf<Instruction::IntegerMultiply> { using Type = unsigned; };
template <> struct NumberOf<Instruction::Shift> { using Type = unsigned; };
template <> struct NumberOf<Instruction::Convert> { using Type = unsigned; };

template <Instruction kInstruction> __global__ void __launch_bounds__(kThreads)
    chains(std::int64_t turns, float* sink) {
    using Number = typename NumberOf<kInstruction>::Type;
    Number x[kChains];
    Number y[kChains];
#pragma unroll
    for (int c = 0; c < kChains; ++c) {
        x[c] = static_cast<Number>(1 + threadIdx.x + static_cast<unsigned>(c));
        y[c] = static_cast<Number>(3 + blockIdx.x + static_cast<unsigned>(c));
    }
#pragma unroll 16
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int c = 0; c < kChains; ++c) step<kInstruction>(x[c], y[c], (turn & 1) != 0);
    }
    Number sum{};
#pragma unroll
    for (int c = 0; c < kChains; ++c) sum += x[c] + y[c];
    if (sum == static_cast<Number>(12345)) sink[threadIdx.x] = static_cast<float>(sum);
}

template <int kFfma, int kFmul, int kFadd, int kRsqrt> __global__ void __launch_bounds__(kThreads)
    mixed(std::int64_t turns, float* sink) {
    constexpr int kValues = 8;
    float a[kValues];
    float r[kValues];
#pragma unroll
    for (int i = 0; i < kValues; ++i) {
        a[i] = 1.0F + static_cast<float>(threadIdx.x + i);
        r[i] = 2.0F + static_cast<float>(threadIdx.x + i);
    }
    float y = 1.0F + 1e-6F * static_cast<float>(blockIdx.x);
#pragma unroll 4
    for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int i = 0; i < kFfma; ++i) step<Instruction::Ffma>(a[i % kValues], y);
#pragma unroll
        for (int i = 0; i < kFmul; ++i) step<Instruction::Fmul>(a[(i + kFfma) % kValues], y);
#pragma unroll
        for (int i = 0; i < kFadd; ++i)
            step<Instruction::Fadd>(a[(i + kFfma + kFmul) % kValues], y);
#pragma unroll
        for (int i = 0; i < kRsqrt; ++i) step<Instruction::Rsqrt>(r[i % kValues], y);
    }
    float sum = 0.0F;
#pragma unroll
    for (int i = 0; i < kValues; ++i) sum += a[i] + r[i];
    if (sum == 12345.0F) sink[threadIdx.x] = sum;
}

template <bool kGlobal, int kLoads> __global__ void __launch_bounds__(kThreads)
    loads(std::int64_t turns, const float4* values, float* sink) {
    __shared__ float4 shared[kThreads];
    shared[threadIdx.x] = make_float4(1.0F, 2.0F, 3.0F, static_cast<float>(threadIdx.x));
    __syncthreads();
    float sum = 0.0F;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
    std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    for (std::int64_t turn = 0; turn < turns; ++turn, at += step) {
        if constexpr (kGlobal) {
            const float4 value = __ldg(values + at);
            sum += value.x + value.w;
        }
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            // NOTE: both volatile, else one of the two compilers moves the loads out of the loop.
            const unsigned place = (threadIdx.x + static_cast<unsigned>(32 * i)) % kThreads;
            const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared + place));
            float4 value;
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
                         : "r"(address));
            sum += value.x;
        }
    }
    if (sum == 12345.0F) sink[threadIdx.x] = sum;
}

template <int kStores> __global__ void __launch_bounds__(kThreads)
    stores(const float* values, float* sink) {
    __shared__ float shared[kStores][kThreads];
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const float value = __ldg(values + at);
#pragma unroll
    for (int i = 0; i < kStores; ++i)
        reinterpret_cast<volatile float*>(shared[i])[threadIdx.x] = value;
    if (value == 12345.0F) sink[threadIdx.x] = shared[kStores - 1][threadIdx.x ^ 1U];
}

__global__ void __launch_bounds__(kWideThreads)
    wide(int floats, int turns, const float* values, float* sink) {
    extern __shared__ float held[];
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kWideThreads * floats;
    for (int i = 0; i < floats; ++i)
        held[i * kWideThreads + threadIdx.x] = values[first + i * kWideThreads + threadIdx.x];
    __syncthreads();
    float sum = 0.0F;
    for (int i = 0; i < floats; ++i) {
        const float value = held[i * kWideThreads + (threadIdx.x ^ 1U)];
#pragma unroll 8
        for (int turn = 0; turn < turns; ++turn) sum = __fmaf_rn(sum, value, value);
    }
    sink[static_cast<std::int64_t>(blockIdx.x) * kWideThreads + threadIdx.x] = sum;
}

__global__ void copyFours(const float4* from, float4* to, std::int64_t count) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i];
}

__global__ void readAgain(const float4* from, std::int64_t count, int rounds, float* sink) {
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    float sum = 0.0F;
    for (int round = 0; round < rounds; ++round) {
#pragma unroll 4
        for (std::int64_t i = first; i < count; i += step) {
            const float4 value = __ldcg(from + i); // past the first cache
            sum += value.x + value.w;
        }
    }
    if (sum == 12345.0F) sink[threadIdx.x] = sum;
}

/// Code that is not a loop. Neighbouring instructions do not wait for each other.
__global__ void straight(float y, float* sink) {
    constexpr int kValues = 16;
    float a[kValues];
#pragma unroll
    for (int i = 0; i < kValues; ++i) a[i] = static_cast<float>(threadIdx.x + i);
#pragma unroll
    for (int i = 0; i < kStraight; ++i) a[i % kValues] = __fmaf_rn(a[i % kValues], y, y);
    float sum = 0.0F;
#pragma unroll
    for (int i = 0; i < kValues; ++i) sum += a[i];
    if (sum == 12345.0F) sink[threadIdx.x] = sum;
}

__global__ void dependentSteps(std::int64_t turns, float y, float* sink) {
    float x = static_cast<float>(threadIdx.x);
#pragma unroll 32
    for (std::int64_t turn = 0; turn < turns; ++turn) x = __fmaf_rn(x, y, y);
    if (x == 12345.0F) sink[threadIdx.x] = x;
}

__global__ void chaseShared(std::int64_t steps, float* sink) {
    __shared__ volatile unsigned path[32];
    path[threadIdx.x] = (threadIdx.x + 5U) % 32U;
    __syncwarp();
    unsigned at = threadIdx.x;
#pragma unroll 8
    for (std::int64_t i = 0; i < steps; ++i) at = path[at];
    if (at == 0xFFFFFFFFU) sink[0] = 1.0F;
}

__global__ void chasePath(const std::uint32_t* path, std::uint32_t from, std::int64_t steps,
                          float* sink) {
    std::uint32_t at = from;
    for (std::int64_t i = 0; i < steps; ++i) at = path[at];
    if (at == 0xFFFFFFFFU) sink[0] = 1.0F;
}

__global__ void nothing() {}

cudaStream_t streamOf(const Exec& exec) { return static_cast<cudaStream_t>(exec.stream); }

template <Instruction kInstruction>
void launchChains(const Exec& exec, std::int64_t blocks, std::int64_t turns, float* sink) {
    chains<kInstruction>
        <<<static_cast<unsigned>(blocks), kThreads, 0, streamOf(exec)>>>(turns, sink);
}

} // namespace

void run(const Exec& exec, Instruction instruction, std::int64_t blocks, std::int64_t turns,
         float* sink) {
    const auto launch = [&] {
        switch (instruction) {
        case Instruction::Ffma: return launchChains<Instruction::Ffma>;
        case Instruction::Fmul: return launchChains<Instruction::Fmul>;
        case Instruction::Fadd: return launchChains<Instruction::Fadd>;
        case Instruction::Rsqrt: return launchChains<Instruction::Rsqrt>;
        case Instruction::IntegerAdd: return launchChains<Instruction::IntegerAdd>;
        case Instruction::IntegerMultiply: return launchChains<Instruction::IntegerMultiply>;
        case Instruction::Shift: return launchChains<Instruction::Shift>;
        case Instruction::Convert: break;
        }
        return launchChains<Instruction::Convert>;
    }();
    launch(exec, blocks, turns, sink);
    device::checkLaunch("microbench");
}

void runMix(const Exec& exec, int mix, std::int64_t blocks, std::int64_t turns, float* sink) {
    const auto tryAll = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        const auto launch = [&]<std::size_t kAt>() {
            constexpr Mix kMix = kMixes[kAt];
            mixed<kMix.ffma, kMix.fmul, kMix.fadd, kMix.rsqrt>
                <<<static_cast<unsigned>(blocks), kThreads, 0, streamOf(exec)>>>(turns, sink);
        };
        ((static_cast<int>(kIndex) == mix ? launch.template operator()<kIndex>() : void()), ...);
    };
    tryAll(std::make_index_sequence<kMixCount>());
    device::checkLaunch("microbench");
}

void runLoads(const Exec& exec, bool global, int sharedLoads, std::int64_t blocks,
              std::int64_t turns, const float* values, float* sink) {
    const auto* fours = reinterpret_cast<const float4*>(values);
    const auto tryAll = [&]<int... kLoads>(std::integer_sequence<int, kLoads...>) {
        const auto launch = [&]<int kCount>() {
            const auto kernel = global ? loads<true, kCount> : loads<false, kCount>;
            kernel<<<static_cast<unsigned>(blocks), kThreads, 0, streamOf(exec)>>>(turns, fours,
                                                                                   sink);
        };
        ((kLoads == sharedLoads ? launch.template operator()<kLoads>() : void()), ...);
    };
    tryAll(std::make_integer_sequence<int, kMostLoads + 1>());
    device::checkLaunch("microbench");
}

void runStores(const Exec& exec, int count, std::int64_t blocks, const float* values, float* sink) {
    const auto tryAll = [&]<int... kStores>(std::integer_sequence<int, kStores...>) {
        const auto launch = [&]<int kCount>() {
            stores<kCount>
                <<<static_cast<unsigned>(blocks), kThreads, 0, streamOf(exec)>>>(values, sink);
        };
        ((kStores + 1 == count ? launch.template operator()<kStores + 1>() : void()), ...);
    };
    tryAll(std::make_integer_sequence<int, kMostStores>());
    device::checkLaunch("microbench");
}

void runWide(const Exec& exec, std::int64_t blocks, std::size_t sharedBytes, int floats, int turns,
             const float* values, float* sink) {
    cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(sharedBytes));
    wide<<<static_cast<unsigned>(blocks), kWideThreads, sharedBytes, streamOf(exec)>>>(
        floats, turns, values, sink);
    device::checkLaunch("microbench");
}

void runCopy(const Exec& exec, const float* from, float* to, std::int64_t count) {
    const std::int64_t fours = count / 4;
    copyFours<<<static_cast<unsigned>((fours + kThreads - 1) / kThreads), kThreads, 0,
                streamOf(exec)>>>(reinterpret_cast<const float4*>(from),
                                  reinterpret_cast<float4*>(to), fours);
    device::checkLaunch("microbench");
}

void runAgain(const Exec& exec, const float* from, std::int64_t count, std::int64_t blocks,
              int rounds, float* sink) {
    readAgain<<<static_cast<unsigned>(blocks), kThreads, 0, streamOf(exec)>>>(
        reinterpret_cast<const float4*>(from), count / 4, rounds, sink);
    device::checkLaunch("microbench");
}

void runStraight(const Exec& exec, std::int64_t blocks, float* sink) {
    straight<<<static_cast<unsigned>(blocks), 32, 0, streamOf(exec)>>>(0.5F, sink);
    device::checkLaunch("microbench");
}

void runDependent(const Exec& exec, std::int64_t turns, float* sink) {
    dependentSteps<<<1, 32, 0, streamOf(exec)>>>(turns, 0.5F, sink);
    device::checkLaunch("microbench");
}

void runSharedChase(const Exec& exec, std::int64_t steps, float* sink) {
    chaseShared<<<1, 32, 0, streamOf(exec)>>>(steps, sink);
    device::checkLaunch("microbench");
}

void runChase(const Exec& exec, const std::uint32_t* path, std::uint32_t from, std::int64_t steps,
              float* sink) {
    chasePath<<<1, 1, 0, streamOf(exec)>>>(path, from, steps, sink);
    device::checkLaunch("microbench");
}

void runEmpty(const Exec& exec) {
    nothing<<<1, 1, 0, streamOf(exec)>>>();
    device::checkLaunch("microbench");
}

#else

namespace {
[[noreturn]] void refuse() { throw std::logic_error("microbench: built without CUDA"); }
} // namespace

void run(const Exec&, Instruction, std::int64_t, std::int64_t, float*) { refuse(); }
void runMix(const Exec&, int, std::int64_t, std::int64_t, float*) { refuse(); }
void runLoads(const Exec&, bool, int, std::int64_t, std::int64_t, const float*, float*) {
    refuse();
}
void runStores(const Exec&, int, std::int64_t, const float*, float*) { refuse(); }
void runWide(const Exec&, std::int64_t, std::size_t, int, int, const float*, float*) { refuse(); }
void runCopy(const Exec&, const float*, float*, std::int64_t) { refuse(); }
void runAgain(const Exec&, const float*, std::int64_t, std::int64_t, int, float*) { refuse(); }
void runStraight(const Exec&, std::int64_t, float*) { refuse(); }
void runDependent(const Exec&, std::int64_t, float*) { refuse(); }
void runSharedChase(const Exec&, std::int64_t, float*) { refuse(); }
void runChase(const Exec&, const std::uint32_t*, std::uint32_t, std::int64_t, float*) { refuse(); }
void runEmpty(const Exec&) { refuse(); }

#endif

} // namespace echolux::microbench::card
