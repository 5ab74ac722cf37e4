// SPDX-License-Identifier: GPL-3.0-or-later
// Philox4x32-10 and the numbers made of its words.
#include "gpu/core/counter_random.hpp"

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;
constexpr int kRounds = 10;

std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }
std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

} // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t a = kMultiplier0 * counter[0];
        const std::uint64_t b = kMultiplier1 * counter[2];
        counter = {high(b) ^ counter[1] ^ key[0], low(b), high(a) ^ counter[3] ^ key[1], low(a)};
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return counter;
}

CounterRandom::CounterRandom(std::uint64_t seed, RandomStream stream)
    : m_key{low(seed), high(seed)}, m_stream(static_cast<std::uint32_t>(stream)) {}

std::array<double, 4> CounterRandom::uniform(std::uint32_t a, std::uint32_t b,
                                             std::uint32_t c) const {
    constexpr double kStep = 1.0 / 4294967296.0;
    const std::array<std::uint32_t, 4> words = philox({a, b, c, m_stream}, m_key);
    return {(words[0] + 0.5) * kStep, (words[1] + 0.5) * kStep, (words[2] + 0.5) * kStep,
            (words[3] + 0.5) * kStep};
}

std::array<double, 4> CounterRandom::normal(std::uint32_t a, std::uint32_t b,
                                            std::uint32_t c) const {
    const std::array<double, 4> u = uniform(a, b, c);
    const std::array<double, 2> first = boxMuller(u[0], u[1]);
    const std::array<double, 2> second = boxMuller(u[2], u[3]);
    return {first[0], first[1], second[0], second[1]};
}

std::array<double, 2> boxMuller(double u1, double u2) {
    const double radius = std::sqrt(-2.0 * std::log(u1));
    const double angle = 2.0 * std::numbers::pi * u2;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

} // namespace echolux
