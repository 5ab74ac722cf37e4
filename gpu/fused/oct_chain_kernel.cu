// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT chain in one kernel: raw codes are read once, decibels are written once.
//
// A warp (2 or 4 of them for 2048 and 4096 points) takes a pair of lines at a time. The pair lies
// interleaved in shared memory, so that one 8-byte load serves both lines in the resampling and the
// tables are read once for two. Then each line in turn goes through the inverse transform: a thread
// transforms 32 points in registers, the warp transposes through shared memory, transforms 32
// again. Warps that share a line hold every second (fourth) sample and combine at the end.
#include "gpu/fused/oct_chain_kernel.hpp"

#include "gpu/core/error.hpp"

#include <stdexcept>

#if defined(__CUDACC__)

#include "gpu/fused/register_fft.cuh"

#include <cuda_runtime.h>

namespace echolux::fused {
namespace {

constexpr float kDecibelsPerOctave = 3.01029996F; ///< of power

struct ChainArguments {
    OctChainShape shape;
    OctChainTables tables;
    OctChainPixels pixels;
    int pairPlaces; ///< float2 of shared memory for a pair of lines
    int stride;     ///< rowStride()
};

__device__ __forceinline__ std::size_t bytesOfLine(const OctChainShape& shape) {
    const auto samples = static_cast<std::size_t>(shape.samples);
    switch (shape.type) {
    case DType::Packed12: return samples / 2 * 3;
    case DType::U8: return samples;
    case DType::F32: return samples * sizeof(float);
    default: return samples * sizeof(std::uint16_t);
    }
}

/// Samples 2p and 2p + 1 of a line.
template <DType kType>
__device__ __forceinline__ float2 samplePair(const unsigned char* line, int p, int shift) {
    if constexpr (kType == DType::U16) {
        const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(line)[p];
        if (shift == 0) return {static_cast<float>(word & 0xFFFFU), static_cast<float>(word >> 16)};
        return {static_cast<float>((word & 0xFFFFU) >> shift),
                static_cast<float>(word >> 16 >> shift)};
    } else if constexpr (kType == DType::I16) {
        const short2 both = reinterpret_cast<const short2*>(line)[p];
        return {static_cast<float>(both.x >> shift), static_cast<float>(both.y >> shift)};
    } else if constexpr (kType == DType::U8) {
        const uchar2 both = reinterpret_cast<const uchar2*>(line)[p];
        return {static_cast<float>(both.x >> shift), static_cast<float>(both.y >> shift)};
    } else if constexpr (kType == DType::F32) {
        return reinterpret_cast<const float2*>(line)[p];
    } else {
        // Three bytes lie in one or two aligned words.
        const int byte = 3 * p;
        const std::uint32_t* words = reinterpret_cast<const std::uint32_t*>(line) + (byte >> 2);
        const int within = byte & 3;
        const std::uint32_t low = words[0];
        const std::uint32_t high = within > 1 ? words[1] : 0U;
        const std::uint32_t three = __funnelshift_r(low, high, static_cast<unsigned>(8 * within));
        return {static_cast<float>((three & 0xFFFU) >> shift),
                static_cast<float>((three >> 12 & 0xFFFU) >> shift)};
    }
}

/// Threads that share a pair of lines; `Warps` of them.
template <int Warps> struct Team {
    int index; ///< within the block
    int warp;  ///< within the team
    int lane;
    int thread; ///< within the team

    __device__ Team()
        : index(static_cast<int>(threadIdx.x) / (kLanes * Warps)),
          warp(static_cast<int>(threadIdx.x) / kLanes % Warps),
          lane(static_cast<int>(threadIdx.x) % kLanes), thread(warp * kLanes + lane) {}

    __device__ __forceinline__ void sync() const {
        if constexpr (Warps == 1) {
            __syncwarp();
        } else {
            asm volatile("bar.sync %0, %1;" ::"r"(index + 1), "n"(Warps * kLanes) : "memory");
        }
    }
};

template <DType kType, int Warps>
__device__ __forceinline__ void loadPair(const ChainArguments& args, const Team<Warps>& team,
                                         const unsigned char* lineA, const unsigned char* lineB,
                                         float2* samples) {
    const int pairs = args.shape.samples / 2;
    const bool inRows = args.shape.movingWindow > 0;
#pragma unroll 8
    for (int p = team.thread; p < pairs; p += Warps * kLanes) {
        const float2 a = samplePair<kType>(lineA, p, args.shape.shift);
        const float2 b = samplePair<kType>(lineB, p, args.shape.shift);
        if (inRows) {
            float2* at = samples + samplePlace(args.stride, 2 * p);
            at[0] = {a.x, b.x};
            at[1] = {a.y, b.y};
        } else {
            reinterpret_cast<float4*>(samples)[p] = {a.x, b.x, a.y, b.y};
        }
    }
}

/// Subtracts the mean of the movingWindow samples round each one, fewer at the ends of the line. A
/// thread slides along a row.
template <int Warps> __device__ __forceinline__ void
subtractMovingAverage(const ChainArguments& args, const Team<Warps>& team, float2* samples) {
    const int count = args.shape.samples;
    const int before = args.shape.movingWindow / 2;
    const int after = (args.shape.movingWindow - 1) / 2;
    const int stride = args.stride;
    const int first = team.thread * kLanes;
    float2* row = samples + team.thread * stride;
    const auto place = [stride](int offset) {
        return (offset >> 5) * stride + (offset & (kLanes - 1));
    };
    float2 kept[kLanes];
    if (first < count) {
        float2 sum = {0.0F, 0.0F};
#pragma unroll 4
        for (int offset = -before; offset < after; ++offset) {
            if (static_cast<unsigned>(first + offset) < static_cast<unsigned>(count)) {
                const float2 x = row[place(offset)];
                sum.x += x.x;
                sum.y += x.y;
            }
        }
#pragma unroll
        for (int q = 0; q < kLanes; ++q) {
            if (first + q + after < count) {
                const float2 x = row[place(q + after)];
                sum.x += x.x;
                sum.y += x.y;
            }
            const float scale = args.tables.movingScale[q * Warps * kLanes + team.thread];
            const float2 x = row[q];
            kept[q] = {x.x - scale * sum.x, x.y - scale * sum.y};
            if (first + q >= before) {
                const float2 old = row[place(q - before)];
                sum.x -= old.x;
                sum.y -= old.y;
            }
        }
    }
    team.sync();
    if (first < count) {
        const int copies = stride - kLanes;
#pragma unroll
        for (int q = 0; q < kLanes; ++q) {
            row[q] = kept[q];
            if (q < copies && team.thread > 0) row[q + kLanes - stride] = kept[q];
        }
    }
}

/// Grid points of the thread: point 32 turn + lane of the warp's share, for lines A and B.
template <int Grid>
__device__ __forceinline__ void resample(const ChainArguments& args, const std::uint16_t* firstTap,
                                         const float4* weights, int entry, const float2* samples,
                                         float (&a)[pointsPerThread(Grid)],
                                         float (&b)[pointsPerThread(Grid)]) {
    constexpr int kPoints = pointsPerThread(Grid);
#pragma unroll
    for (int turn = 0; turn < kPoints; ++turn) a[turn] = b[turn] = 0.0F;
#pragma unroll 1
    for (int group = 0; group < args.shape.tapGroups; ++group) {
#pragma unroll
        for (int turn = 0; turn < kPoints; ++turn) {
            const float2* tap = samples + firstTap[entry + turn * kLanes] + group * kTapsPerGroup;
            const float4 w = weights[group * Grid + entry + turn * kLanes];
            const float2 s0 = tap[0];
            const float2 s1 = tap[1];
            const float2 s2 = tap[2];
            const float2 s3 = tap[3];
            a[turn] += w.x * s0.x + w.y * s1.x + w.z * s2.x + w.w * s3.x;
            b[turn] += w.x * s0.y + w.y * s1.y + w.z * s2.y + w.w * s3.y;
        }
    }
}

/// The thread's 32 (16) points, then the warp's second pass: on return v[j] is point lane + 32 j of
/// the warp's transform of min(Grid, 1024) points.
template <int Grid>
__device__ __forceinline__ void transform(Complex (&v)[pointsPerThread(Grid)], Complex* exchange,
                                          const Complex* passTwiddle, int lane) {
    constexpr int kPoints = pointsPerThread(Grid);
    RegisterFft<kPoints>::run(v);
#pragma unroll
    for (int k = 0; k < kPoints; ++k) {
        exchange[k * kExchangePitch + lane] = k == 0 ? v[0] : v[k] * passTwiddle[k * kLanes + lane];
    }
    __syncwarp();
    if constexpr (kPoints == kLanes) {
#pragma unroll
        for (int n = 0; n < kPoints; ++n) v[n] = exchange[lane * kExchangePitch + n];
    } else {
        // 16 transforms of 32 points for 32 lanes: the upper lanes take the odd outputs.
        const Complex* row = exchange + (lane & 15) * kExchangePitch;
        const bool odd = lane >= 16;
        const float sign = odd ? -1.0F : 1.0F;
#pragma unroll
        for (int n = 0; n < kPoints; ++n) {
            v[n] = row[n] + sign * row[n + kPoints];
        }
        if (odd) {
            const Complex step = root32<1>();
            Complex turn = step;
#pragma unroll
            for (int n = 1; n < kPoints; ++n) {
                v[n] = v[n] * turn;
                turn = turn * step;
            }
        }
    }
    RegisterFft<kPoints>::run(v);
}

/// log2, subnormals taken as 0.
__device__ __forceinline__ float log2Flushed(float x) {
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

struct LineOutput {
    const ChainArguments& args;
    float* decibels;
    Complex* complex;

    __device__ __forceinline__ void write(int depth, Complex value, const Complex* subtract,
                                          const float* offsetDb) const {
        if (depth >= args.shape.depths) return;
        if (complex != nullptr) {
            complex[depth] = value;
            return;
        }
        const Complex x = value - subtract[depth];
        const float db = kDecibelsPerOctave * log2Flushed(norm(x)) +
                         (offsetDb != nullptr ? offsetDb[depth] : 0.0F);
        decibels[depth] = fmaxf(db, args.pixels.minDb);
    }
};

/// exp(2 pi j turns / 4) z.
__device__ __forceinline__ Complex quarterTurned(Complex z, int turns) {
    switch (turns & 3) {
    case 1: return {-z.im, z.re};
    case 2: return {-z.re, -z.im};
    case 3: return {z.im, -z.re};
    default: return z;
    }
}

template <int Grid> constexpr int kPassTwiddles = Grid < 1024 ? Grid : 1024;
template <int Grid> constexpr int kWarpTwiddles = (warpsPerPair(Grid) - 1) * 1024;

/// Tables that every pair of lines needs: copied to shared memory where they fit, else read through
/// the cache.
template <int Grid, bool kShared> struct LocalTables {
    const float4* weights;
    const Complex* factor;
    const Complex* passTwiddle;
    const Complex* warpTwiddle;
    const Complex* subtract;
    const float* offsetDb;
    const std::uint16_t* firstTap;

    static std::size_t bytes(const OctChainShape& shape) {
        const auto depths = static_cast<std::size_t>(roundedUp(shape.depths));
        return Grid * (sizeof(float4) * static_cast<std::size_t>(shape.tapGroups) +
                       sizeof(Complex) + sizeof(std::uint16_t)) +
               (kPassTwiddles<Grid> + kWarpTwiddles<Grid>)*sizeof(Complex) +
               depths * (sizeof(Complex) + sizeof(float));
    }

    __device__ LocalTables(const ChainArguments& args, unsigned char* memory)
        : weights(reinterpret_cast<const float4*>(args.tables.weights)), factor(args.tables.factor),
          passTwiddle(args.tables.passTwiddle), warpTwiddle(args.tables.warpTwiddle),
          subtract(args.tables.subtract), offsetDb(args.tables.offsetDb),
          firstTap(args.tables.firstTap) {
        if constexpr (kShared) {
            const int depths = args.shape.depths;
            const int room = roundedUp(depths);
            const int taps = Grid * args.shape.tapGroups;
            weights = copied(weights, taps, taps, memory);
            factor = copied(factor, Grid, Grid, memory);
            passTwiddle = copied(passTwiddle, kPassTwiddles<Grid>, kPassTwiddles<Grid>, memory);
            warpTwiddle = copied(warpTwiddle, kWarpTwiddles<Grid>, kWarpTwiddles<Grid>, memory);
            if (subtract != nullptr) subtract = copied(subtract, depths, room, memory);
            if (offsetDb != nullptr) offsetDb = copied(offsetDb, depths, room, memory);
            firstTap = copied(firstTap, Grid, Grid, memory);
            __syncthreads();
        }
    }

private:
    __host__ __device__ static int roundedUp(int depths) { return (depths + 3) / 4 * 4; }

    template <class T>
    __device__ static const T* copied(const T* from, int count, int room, unsigned char*& memory) {
        T* to = reinterpret_cast<T*>(memory);
        for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
            to[i] = from[i];
        }
        memory += static_cast<std::size_t>(room) * sizeof(T);
        return to;
    }
};

template <int Grid, bool kSharedTables>
__global__ void __launch_bounds__(kMostWarpsPerBlock* kLanes, 1)
    octChain(const ChainArguments args) {
    constexpr int kPoints = pointsPerThread(Grid);
    constexpr int kWarps = warpsPerPair(Grid);
    constexpr int kTransform = Grid < 1024 ? Grid : 1024;
    extern __shared__ float4 sharedMemory[];
    auto* memory = reinterpret_cast<unsigned char*>(sharedMemory);
    const Team<kWarps> team;
    float2* samples = reinterpret_cast<float2*>(memory) + team.index * args.pairPlaces;
    Complex* exchange = reinterpret_cast<Complex*>(samples) + team.warp * kLanes * kExchangePitch;
    const Complex* exchangeOfTeam = reinterpret_cast<const Complex*>(samples);
    const int teams = static_cast<int>(blockDim.x) / (kLanes * kWarps);
    const LocalTables<Grid, kSharedTables> tables(
        args, memory + static_cast<std::size_t>(args.pairPlaces) * sizeof(float2) * teams);

    const std::size_t lineBytes = bytesOfLine(args.shape);
    const std::int64_t pairs = (args.pixels.lines + 1) / 2;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * teams;
    const int entry = team.warp * kPoints * kLanes + team.lane;

    // Neighbouring pairs go to different multiprocessors, so that a small frame uses them all.
    for (std::int64_t pair = static_cast<std::int64_t>(team.index) * gridDim.x + blockIdx.x;
         pair < pairs; pair += step) {
        const std::int64_t lineA = 2 * pair;
        const bool single = lineA + 1 >= args.pixels.lines;
        const auto* rawA = static_cast<const unsigned char*>(args.pixels.raw) +
                           static_cast<std::size_t>(lineA) * lineBytes;
        const auto* rawB = single ? rawA : rawA + lineBytes;
        switch (args.shape.type) {
        case DType::U16: loadPair<DType::U16>(args, team, rawA, rawB, samples); break;
        case DType::I16: loadPair<DType::I16>(args, team, rawA, rawB, samples); break;
        case DType::U8: loadPair<DType::U8>(args, team, rawA, rawB, samples); break;
        case DType::F32: loadPair<DType::F32>(args, team, rawA, rawB, samples); break;
        default: loadPair<DType::Packed12>(args, team, rawA, rawB, samples); break;
        }
        team.sync();
        if (args.shape.movingWindow > 0) {
            subtractMovingAverage(args, team, samples);
            team.sync();
        }
        float a[kPoints];
        float b[kPoints];
        resample<Grid>(args, tables.firstTap, tables.weights, entry, samples, a, b);
        team.sync();
#pragma unroll 1
        for (int which = 0; which < 2; ++which) {
            if (which == 1 && single) break;
            Complex v[kPoints];
#pragma unroll
            for (int turn = 0; turn < kPoints; ++turn) {
                v[turn] = a[turn] * tables.factor[entry + turn * kLanes];
                a[turn] = b[turn];
            }
            transform<Grid>(v, exchange, tables.passTwiddle, team.lane);
            const std::size_t at = static_cast<std::size_t>(lineA + which) *
                                   static_cast<std::size_t>(args.shape.depths);
            const LineOutput out{
                args, args.pixels.decibels != nullptr ? args.pixels.decibels + at : nullptr,
                args.pixels.complex != nullptr ? args.pixels.complex + at : nullptr};
            if constexpr (kWarps == 1) {
                __syncwarp();
#pragma unroll
                for (int j = 0; j < kPoints / 2; ++j) {
                    out.write(team.lane + kLanes * j, v[j], tables.subtract, tables.offsetDb);
                }
            } else {
                // X[k + 1024 r] = sum over warps w of exp(2 pi j (k w / Grid + 1024 r w / Grid))
                // V_w[k].
                __syncwarp();
#pragma unroll
                for (int j = 0; j < kPoints; ++j) {
                    const int k = team.lane + kLanes * j;
                    exchange[k] = team.warp == 0
                                      ? v[j]
                                      : v[j] * tables.warpTwiddle[(team.warp - 1) * kTransform + k];
                }
                team.sync();
                constexpr int kShare = kPoints / kWarps;
#pragma unroll
                for (int j = 0; j < kShare; ++j) {
                    const int k = team.lane + kLanes * (team.warp * kShare + j);
                    Complex share[kWarps];
#pragma unroll
                    for (int w = 0; w < kWarps; ++w) {
                        share[w] = exchangeOfTeam[w * kLanes * kExchangePitch + k];
                    }
#pragma unroll
                    for (int r = 0; r < kWarps / 2; ++r) {
                        Complex sum = share[0];
#pragma unroll
                        for (int w = 1; w < kWarps; ++w) {
                            sum = sum + quarterTurned(share[w], r * w * 4 / kWarps);
                        }
                        out.write(k + kTransform * r, sum, tables.subtract, tables.offsetDb);
                    }
                }
                team.sync();
            }
        }
        if constexpr (kWarps == 1) __syncwarp();
    }
}

/// The limit is the kernel's, not the launch's: one value for all, since several threads launch.
template <int Grid, bool kSharedTables> void launch(const Exec& exec, const ChainArguments& args,
                                                    const OctChainDevice& device, int warps,
                                                    std::size_t sharedBytes) {
    const auto kernel = octChain<Grid, kSharedTables>;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(device.sharedBytes)) != cudaSuccess) {
        cudaGetLastError(); // reported here, not again by the next check
        throw Error("The fused OCT kernel cannot have the shared memory of this GPU; update its "
                    "driver, or use the CPU backend.");
    }
    kernel<<<static_cast<unsigned>(device.multiprocessors), static_cast<unsigned>(warps * kLanes),
             sharedBytes, static_cast<cudaStream_t>(exec.stream)>>>(args);
    device::checkLaunch("oct_chain");
}

template <int Grid>
void launchGrid(const Exec& exec, ChainArguments args, const OctChainDevice& device) {
    args.stride = rowStride(args.shape.tapGroups, args.shape.movingWindow > 0);
    args.pairPlaces = pairPlaces(args.shape);
    const int warps = warpsPerBlock(args.shape, device.sharedBytes);
    if (warps == 0) {
        throw Error("The fused OCT kernel needs more shared memory than this GPU has; take fewer "
                    "taps in 'k_linearize'.");
    }
    const std::size_t pairs =
        pairBytes(args.shape) * static_cast<std::size_t>(warps / warpsPerPair(Grid));
    const std::size_t all = pairs + LocalTables<Grid, true>::bytes(args.shape);
    if (all <= device.sharedBytes) {
        launch<Grid, true>(exec, args, device, warps, all);
    } else {
        launch<Grid, false>(exec, args, device, warps, pairs);
    }
}

} // namespace

void runOctChain(const Exec& exec, const OctChainShape& shape, const OctChainTables& tables,
                 const OctChainPixels& pixels, const OctChainDevice& device) {
    const ChainArguments args{shape, tables, pixels, 0, 0};
    switch (shape.grid) {
    case 512: return launchGrid<512>(exec, args, device);
    case 1024: return launchGrid<1024>(exec, args, device);
    case 2048: return launchGrid<2048>(exec, args, device);
    case 4096: return launchGrid<4096>(exec, args, device);
    default: throw Error("The fused OCT kernel takes 512, 1024, 2048 or 4096 points.");
    }
}

} // namespace echolux::fused

#else

namespace echolux::fused {
void runOctChain(const Exec&, const OctChainShape&, const OctChainTables&, const OctChainPixels&,
                 const OctChainDevice&) {
    throw std::logic_error("runOctChain: built without CUDA");
}
} // namespace echolux::fused

#endif
