// SPDX-License-Identifier: GPL-3.0-or-later
// The search for paths on CUDA: a block per B-scan. Both rows of costs lie in shared memory, and
// each thread holds four depths that follow each other. Nodes of the next kLinesAhead lines are on
// their way from global memory meanwhile; each thread copies those that it reads itself, so that
// one barrier per line is enough. Images whose rows do not fit keep them in global memory.
//
// The way back is a chain of moves, each of which says where the next one lies. They are fetched
// for some lines at once, as far as a path can come, and one warp follows them in shared memory.
#pragma once

#include "gpu/exec/device_api.hpp"
#include "gpu/exec/exec.hpp"
#include "gpu/oct/surface_paths.hpp"

#include <cstddef>
#include <cuda_pipeline.h>

namespace echolux::oct {

inline constexpr int kSearchThreads = 512; ///< at most
inline constexpr int kDepthsPerThread = 4;
inline constexpr int kLinesAhead = 8;

/// The part of moves that the way back through some lines can touch.
template <int kStep> struct WayBack {
    static constexpr int kLines = kStep <= 3 ? 64 : 32;
    /// Moves per line. Those that are fetched begin at a multiple of four.
    static constexpr int kWidth = (2 * kStep * kLines + 1 + 2 * 3) / 4 * 4;
    static constexpr int kBytes = kLines * kWidth;
};

/// Bytes of shared memory of a search. `inShared`: with rows and nodes.
template <int kStep> std::size_t searchBytes(std::int64_t pitch, bool inShared) {
    const auto rows = static_cast<std::size_t>(2 * PathRoom::rowSize(pitch)) * 4;
    const auto nodes = static_cast<std::size_t>(kLinesAhead * pitch) * 2;
    const std::size_t held = inShared ? rows + nodes : 0;
    const std::size_t back = WayBack<kStep>::kBytes;
    return held > back ? held : back;
}

/// Four values of a row, with `kReach` before and behind them.
template <int kReach> __device__ inline void
loadNeighbours(std::uint32_t (&values)[kDepthsPerThread + 2 * kReach], const std::uint32_t* row) {
#pragma unroll
    for (int i = 0; i < kDepthsPerThread + 2 * kReach; i += 4) {
        const uint4 four = *reinterpret_cast<const uint4*>(row + i - kReach);
        values[i] = four.x;
        values[i + 1] = four.y;
        values[i + 2] = four.z;
        values[i + 3] = four.w;
    }
}

/// Called by all threads of a block, with the same arguments.
template <int kStep, bool kInShared> struct BlockSearch {
    const PathRoom& room;
    const PathTask& task;
    std::uint32_t* rows;  ///< two
    std::uint16_t* ahead; ///< [kLinesAhead][pitch], shared memory

    __device__ void run(std::byte* shared) const {
        __shared__ unsigned long long best[kSearchThreads / 32];
        __shared__ int end;
        const std::uint32_t* last = costsOfTheLastLine();
        const int z = shallowestLeast(last, best);
        if (threadIdx.x == 0) end = z;
        __syncthreads(); // nobody needs the rows any more
        goBack(reinterpret_cast<std::int8_t*>(shared), &end);
    }

private:
    __device__ int groups() const { return room.pitch / kDepthsPerThread; }

    /// Asks for the nodes of a line that places within `near` need.
    __device__ void fetch(int line, PathBand near) const {
        if constexpr (kInShared) {
            if (line < room.lines) {
                const int reach = kStep * (kLinesAhead + 1);
                const std::uint16_t* from = room.nodes + std::int64_t{line} * room.pitch;
                std::uint16_t* to = ahead + line % kLinesAhead * room.pitch;
                for (int g = threadIdx.x; g < groups(); g += blockDim.x) {
                    const int z = g * kDepthsPerThread;
                    if (z + kDepthsPerThread > near.first - reach && z <= near.last + reach)
                        __pipeline_memcpy_async(to + z, from + z, 8);
                }
            }
            __pipeline_commit();
        }
    }

    __device__ const std::uint32_t* costsOfTheLastLine() const {
        const int size = static_cast<int>(PathRoom::rowSize(room.pitch));
        for (int i = threadIdx.x; i < 2 * size; i += blockDim.x) rows[i] = kFar;
        PathBand band = task.bandAt(0);
        for (int line = 0; line < kLinesAhead; ++line) fetch(line, band);
        __syncthreads();
        const std::uint32_t* from = rows + kRowMargin;
        std::uint32_t* to = rows + size + kRowMargin;
        for (int line = 0; line < room.lines; ++line) {
            const PathBand next = task.bandAt(line + 1 < room.lines ? line + 1 : line);
            if constexpr (kInShared) __pipeline_wait_prior(kLinesAhead - 1);
            for (int g = threadIdx.x; g < groups(); g += blockDim.x) {
                const int z = g * kDepthsPerThread;
                // The band moves by a step per line, and the next line looks a step beyond it.
                if (z + kDepthsPerThread > band.first - 2 * kStep && z <= band.last + 2 * kStep)
                    cross(line, z, band, from + z, to + z);
            }
            __syncthreads();
            fetch(line + kLinesAhead, next);
            const std::uint32_t* behind = to;
            to = const_cast<std::uint32_t*>(from);
            from = behind;
            band = next;
        }
        return from;
    }

    /// Four depths of a line.
    __device__ void cross(int line, int z, PathBand band, const std::uint32_t* from,
                          std::uint32_t* to) const {
        constexpr int kReach = kStep <= 4 ? 4 : 8;
        std::uint32_t before[kDepthsPerThread + 2 * kReach];
        loadNeighbours<kReach>(before, from);
        const std::int64_t place = std::int64_t{line} * room.pitch + z;
        const std::uint16_t* at =
            kInShared ? ahead + line % kLinesAhead * room.pitch + z : room.nodes + place;
        const ushort4 four = *reinterpret_cast<const ushort4*>(at);
        const std::uint32_t nodes[kDepthsPerThread] = {four.x, four.y, four.z, four.w};
        std::uint32_t moves = 0;
        std::uint32_t costs[kDepthsPerThread];
#pragma unroll
        for (int i = 0; i < kDepthsPerThread; ++i) {
            const std::uint32_t way =
                line == 0 ? 0U : cheapestWay<kStep>(before + kReach + i, room.costs);
            const bool inside = z + i >= band.first && z + i <= band.last;
            moves |= (way & kMoveMask) << (8 * i);
            costs[i] =
                inside ? (way & ~kMoveMask) + room.nodeCost(nodes[i], task.rises, line) : kFar;
        }
        *reinterpret_cast<uint4*>(to) = make_uint4(costs[0], costs[1], costs[2], costs[3]);
        *reinterpret_cast<std::uint32_t*>(room.moves + place) = moves;
    }

    /// The depth at which the cheapest path ends; to the threads of the first warp.
    __device__ int shallowestLeast(const std::uint32_t* row, unsigned long long* best) const {
        const PathBand band = task.bandAt(room.lines - 1);
        unsigned long long least = ~0ULL;
        const auto take = [&least](unsigned long long other) {
            least = other < least ? other : least;
        };
        for (int z = band.first + static_cast<int>(threadIdx.x); z <= band.last; z += blockDim.x)
            take((static_cast<unsigned long long>(row[z]) << 32U) | static_cast<unsigned>(z));
        for (int half = 16; half > 0; half /= 2) take(__shfl_xor_sync(0xffffffffU, least, half));
        if (threadIdx.x % 32 == 0) best[threadIdx.x / 32] = least;
        __syncthreads();
        if (threadIdx.x < 32) {
            least = threadIdx.x < blockDim.x / 32 ? best[threadIdx.x] : ~0ULL;
            for (int half = 16; half > 0; half /= 2)
                take(__shfl_xor_sync(0xffffffffU, least, half));
        }
        return static_cast<int>(least & 0xffffffffULL);
    }

    /// `end` is the depth in the last line; shared memory.
    __device__ void goBack(std::int8_t* staged, int* end) const {
        using Part = WayBack<kStep>;
        for (int last = room.lines - 1; last >= 0; last -= Part::kLines) {
            const int lines = last + 1 < Part::kLines ? last + 1 : Part::kLines;
            const int nearest = *end - kStep * Part::kLines;
            const int first = nearest > 0 ? nearest / 4 * 4 : 0;
            for (int i = threadIdx.x; i < lines * (Part::kWidth / 4); i += blockDim.x) {
                const int line = i / (Part::kWidth / 4);
                const int z = first + i % (Part::kWidth / 4) * 4;
                // NOTE: places beside the band were not written; no path leads there.
                if (z < room.pitch) stage(staged + i * 4, last - line, z);
            }
            __syncthreads();
            if (threadIdx.x < 32) {
                int z = *end;
                for (int line = 0; line < lines; ++line) {
                    if (threadIdx.x == 0) task.path[last - line] = z;
                    z += staged[line * Part::kWidth + z - first];
                }
                __syncwarp();
                if (threadIdx.x == 0) *end = z;
            }
            __syncthreads();
        }
    }

    /// Four moves as steps of depth.
    __device__ void stage(std::int8_t* to, int line, int z) const {
        const std::uint32_t moves = *reinterpret_cast<const std::uint32_t*>(
            room.moves + std::int64_t{line} * room.pitch + z);
        char4 steps;
        steps.x = static_cast<signed char>(moveBack(moves & kMoveMask));
        steps.y = static_cast<signed char>(moveBack(moves >> 8U & kMoveMask));
        steps.z = static_cast<signed char>(moveBack(moves >> 16U & kMoveMask));
        steps.w = static_cast<signed char>(moveBack(moves >> 24U & kMoveMask));
        *reinterpret_cast<char4*>(to) = steps;
    }
};

/// Task has roomOf(bscan), upperOf(bscan) and lowerOf(bscan).
template <class Task, int kStep, bool kInShared> __global__ void __launch_bounds__(kSearchThreads)
    searchKernel(Task whole) {
    extern __shared__ uint4 sharedMemory[];
    auto* shared = reinterpret_cast<std::byte*>(sharedMemory);
    const PathRoom room = whole.roomOf(blockIdx.x);
    const PathTask upper = whole.upperOf(blockIdx.x);
    const PathTask lower = whole.lowerOf(blockIdx.x);
    auto* rows = kInShared ? reinterpret_cast<std::uint32_t*>(shared) : room.rows;
    auto* ahead = reinterpret_cast<std::uint16_t*>(rows + 2 * PathRoom::rowSize(room.pitch));
    BlockSearch<kStep, kInShared>{room, upper, rows, ahead}.run(shared);
    BlockSearch<kStep, kInShared>{room, lower, rows, ahead}.run(shared);
}

template <int kStep> bool fitsShared(std::int64_t pitch) {
    constexpr std::size_t kOther = 1024; // of shared memory
    return searchBytes<kStep>(pitch, true) + kOther <= device::sharedBytesEverywhere();
}

template <int kStep, class Task>
void launchSearch(const Exec& exec, const char* name, const Task& task, std::int64_t bscans) {
    const int pitch = task.room.pitch;
    const int warps = (pitch / kDepthsPerThread + 31) / 32;
    const int threads = std::clamp(warps * 32, 128, kSearchThreads);
    const auto launch = [&](auto kernel, bool inShared) {
        kernel<<<static_cast<unsigned>(bscans), threads, searchBytes<kStep>(pitch, inShared),
                 static_cast<cudaStream_t>(exec.stream)>>>(task);
    };
    if (fitsShared<kStep>(pitch))
        launch(searchKernel<Task, kStep, true>, true);
    else
        launch(searchKernel<Task, kStep, false>, false);
    device::checkLaunch(name);
}

template <class Task, int kStep> void allowSearch() {
    constexpr std::size_t kOther = 1024;
    const std::size_t most = device::sharedBytesEverywhere();
    if (most <= kOther) return;
    cudaFuncSetAttribute(searchKernel<Task, kStep, true>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(most - kOther));
    device::checkLaunch("surfaces");
}

} // namespace echolux::oct
