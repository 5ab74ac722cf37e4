// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that keep one resource of a card busy. All enqueue on `exec`; built without CUDA they
// throw std::logic_error.
#pragma once

#include "gpu/exec/exec.hpp"

#include <cstdint>

namespace echolux::microbench::card {

enum class Instruction { Ffma, Fmul, Fadd, Rsqrt, IntegerAdd, IntegerMultiply, Shift, Convert };

/// `threads` threads in all, in blocks of kThreads. Each does instructionsPerThread(turns).
constexpr int kThreads = 256;
constexpr std::int64_t kChains = 8;
constexpr std::int64_t instructionsPerThread(std::int64_t turns) { return turns * kChains; }
void run(const Exec& exec, Instruction instruction, std::int64_t blocks, std::int64_t turns,
         float* sink);

/// Instructions of one turn of a thread. One of the mixes of kMixes.
struct Mix {
    const char* name; ///< ratio of operations, an FFMA two
    int ffma;
    int fmul;
    int fadd;
    int rsqrt;
};
/// Van Bavel 2013: table 5.2, then the sweep of tables 5.3 to 5.5.
constexpr Mix kMixes[] = {
    {"FFMA:FMUL:FADD 10:2:8", 5, 2, 8, 0}, {"FFMA:FMUL:FADD 2:1:0", 4, 4, 0, 0},
    {"FFMA:FMUL:FADD 0:2:8", 0, 2, 8, 0},  {"FFMA:RSQRT 1:2", 2, 0, 0, 8},
    {"FFMA:RSQRT 1:1", 4, 0, 0, 8},        {"FFMA:RSQRT 2:1", 4, 0, 0, 4},
    {"FFMA:RSQRT 4:1", 8, 0, 0, 4},        {"FFMA:RSQRT 6:1", 12, 0, 0, 4},
    {"FFMA:RSQRT 8:1", 16, 0, 0, 4},       {"FFMA:RSQRT 12:1", 12, 0, 0, 2}};
constexpr int kMixCount = static_cast<int>(sizeof kMixes / sizeof *kMixes);
void runMix(const Exec& exec, int mix, std::int64_t blocks, std::int64_t turns, float* sink);

/// Per thread and turn: one load of 16 bytes from global memory, if `global`, and `sharedLoads`
/// (0 to kMostLoads) loads of 16 bytes from shared memory, none of which depends on another (figure
/// 5.2). `values` are 4 floats per thread and turn.
constexpr int kMostLoads = 8;
void runLoads(const Exec& exec, bool global, int sharedLoads, std::int64_t blocks,
              std::int64_t turns, const float* values, float* sink);

/// Per thread one load from global memory, then `stores` (1 to kMostStores) stores of the value to
/// shared memory (figure 5.4). `values` are one float per thread.
constexpr int kMostStores = 12;
void runStores(const Exec& exec, int stores, std::int64_t blocks, const float* values, float* sink);

/// Table 5.9: blocks of kWideThreads threads with so many bytes of shared memory; each fetches
/// `floats` floats per thread, computes `turns` FFMA on each, and stores one.
constexpr int kWideThreads = 768;
void runWide(const Exec& exec, std::int64_t blocks, std::size_t sharedBytes, int floats, int turns,
             const float* values, float* sink);

/// to = from, 16 bytes per thread; `count` floats, a multiple of 4.
void runCopy(const Exec& exec, const float* from, float* to, std::int64_t count);
/// All threads together read `count` floats, a multiple of 4, `rounds` times, past the first cache.
void runAgain(const Exec& exec, const float* from, std::int64_t count, std::int64_t blocks,
              int rounds, float* sink);
/// Blocks of one warp go through code of kStraight instructions that is not a loop.
constexpr int kStraight = 8192;
void runStraight(const Exec& exec, std::int64_t blocks, float* sink);
/// One warp computes `turns` multiply-adds, each of which needs the one before.
void runDependent(const Exec& exec, std::int64_t turns, float* sink);
/// One warp goes `steps` steps along a path of indices in shared memory.
void runSharedChase(const Exec& exec, std::int64_t steps, float* sink);
/// One thread goes `steps` steps along a path of indices, beginning with the index `from`.
void runChase(const Exec& exec, const std::uint32_t* path, std::uint32_t from, std::int64_t steps,
              float* sink);
/// A kernel of one thread that does nothing.
void runEmpty(const Exec& exec);

} // namespace echolux::microbench::card
