// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that keep a processor's pipelines full. Each returns a number that depends on all results,
// so that the compiler keeps them.
#pragma once

#include <cstdint>
#include <span>

namespace echolux::microbench::loops {

/// Numbers of one vector of these loops, and vectors that do not depend on each other.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kChains = 12;

/// `turns` times kChains vectors.
float multiplyAdds(std::int64_t turns);
float products(std::int64_t turns);
float sums(std::int64_t turns);
float roots(std::int64_t turns);
float integerSums(std::int64_t turns);
/// Loads of single floats from a small table, kLanes at once, kChains times per turn.
float gathers(std::int64_t turns);
/// kChains vectors of FFMA for each 12 / `perRoot` vectors of roots: `perRoot` is 1, 2, 3, 4, 6 or
/// 12.
float multiplyAddsWithRoots(std::int64_t turns, int perRoot);
/// Dependent multiplications of integers; each takes kMultiplyClocks. 0 turns where the
/// architecture is not known.
constexpr double kMultiplyClocks = 3.0;
constexpr bool kKnowsMultiply =
#if defined(__x86_64__)
    true;
#else
    false;
#endif
std::uint64_t dependentProducts(std::int64_t count);

/// to = from; both of the same size, a multiple of kLanes.
void copy(std::span<const float> from, std::span<float> to);
/// Sum of all values, `times` times.
float load(std::span<const float> from, std::int64_t times);
/// Goes `count` steps along a closed path of indices.
std::uint32_t chase(std::span<const std::uint32_t> path, std::int64_t count);

} // namespace echolux::microbench::loops
