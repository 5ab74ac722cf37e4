// SPDX-License-Identifier: GPL-3.0-or-later
// The memory accesses. Each is a functor over values.
#include "gpu/ladder/bandwidth.hpp"

#include "gpu/exec/for_each.hpp"

#include <algorithm>
#include <stdexcept>

namespace echolux::ladder {
namespace {

/// Aligned to its size, so that a thread loads and stores it in one instruction.
template <int kWidth> struct alignas(kWidth * sizeof(float)) Wide { float part[kWidth]; };

/// Values in memory, or in a texture over it.
template <int kWidth, bool kTexture> struct Source {
    const Wide<kWidth>* in;
    device::Texture texture;
    ECHOLUX_HD Wide<kWidth> operator[](std::int64_t i) const {
#if defined(__CUDA_ARCH__)
        if constexpr (kTexture)
            return fetch(static_cast<int>(i));
        else
            return in[i];
#else
        return in[i];
#endif
    }
#if defined(__CUDACC__)
    __device__ Wide<kWidth> fetch(int i) const {
        if constexpr (kWidth == 1) {
            return {{tex1Dfetch<float>(texture, i)}};
        } else if constexpr (kWidth == 2) {
            const auto value = tex1Dfetch<float2>(texture, i);
            return {{value.x, value.y}};
        } else {
            const auto value = tex1Dfetch<float4>(texture, i);
            return {{value.x, value.y, value.z, value.w}};
        }
    }
#endif
};

template <int kWidth, bool kTexture> struct CopyWide {
    Source<kWidth, kTexture> in;
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const { out[i] = in[i]; }
};

template <int kWidth, bool kTexture> struct ReadWide {
    Source<kWidth, kTexture> in;
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        const Wide<kWidth> value = in[i];
        float sum = 0.0F;
        for (int part = 0; part < kWidth; ++part) sum += value.part[part];
        if (sum >= kMark) out[0].part[0] = 1.0F;
    }
};

template <int kWidth> struct WriteWide {
    Wide<kWidth>* out;
    ECHOLUX_HD void operator()(std::int64_t i) const {
        Wide<kWidth> value;
        for (int part = 0; part < kWidth; ++part) value.part[part] = kWritten;
        out[i] = value;
    }
};

/// Calls `act` with the functor of the work.
template <int kWidth, class Act> void withWidth(const MemoryWork& work, const Act& act) {
    const auto* in = reinterpret_cast<const Wide<kWidth>*>(work.in);
    auto* out = reinterpret_cast<Wide<kWidth>*>(work.out);
    const Source<kWidth, false> memory{in, 0};
    const Source<kWidth, true> texture{in, work.texture};
    switch (work.access) {
    case MemoryAccess::ReadAndWrite: return act(CopyWide<kWidth, false>{memory, out});
    case MemoryAccess::Read: return act(ReadWide<kWidth, false>{memory, out});
    case MemoryAccess::Write: return act(WriteWide<kWidth>{out});
    case MemoryAccess::TextureRead: return act(ReadWide<kWidth, true>{texture, out});
    case MemoryAccess::TextureReadAndWrite: return act(CopyWide<kWidth, true>{texture, out});
    }
}

template <class Act> void withFunctor(const MemoryWork& work, const Act& act) {
    switch (work.width) {
    case 1: return withWidth<1>(work, act);
    case 2: return withWidth<2>(work, act);
    case 4: return withWidth<4>(work, act);
    default: throw std::logic_error("ladder: a value has 1, 2 or 4 floats");
    }
}

#if defined(__CUDACC__)
template <class F> __global__ void inBlocksKernel(F functor) {
    functor(static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
}
#endif

constexpr const char* kMemory = "ladder memory";

} // namespace

void touchMemory(const Exec& exec, const MemoryWork& work, std::int64_t count) {
    if (count % std::max(work.width, 1) != 0)
        throw std::logic_error("ladder: the floats are no whole number of values");
    withFunctor(work,
                [&](const auto& touch) { forEach(exec, kMemory, count / work.width, touch); });
}

void touchMemoryInBlocks(const Exec& exec, const MemoryWork& work, std::int64_t blocks,
                         int threads) {
    if (threads < 1 || threads > 1024)
        throw std::logic_error("ladder: a block has 1 to 1024 threads");
    withFunctor(work, [&](const auto& touch) {
#if defined(__CUDACC__)
        if (exec.backend == Backend::Cuda) {
            inBlocksKernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0,
                             static_cast<cudaStream_t>(exec.stream)>>>(touch);
            device::checkLaunch(kMemory);
            return;
        }
#endif
        forEach(exec, kMemory, blocks * threads, touch);
    });
}

} // namespace echolux::ladder
