// SPDX-License-Identifier: GPL-3.0-or-later
// The loops. They are compiled with contraction, so that a * b + c is one instruction.
#include "gpu/microbench/host_loops.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

namespace echolux::microbench::loops {
namespace {

using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Integers = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

/// Different from each other, so that chains are not merged.
std::array<Floats, kChains> start() {
    std::array<Floats, kChains> values;
    for (int c = 0; c < kChains; ++c) values[c] = Floats{} + (1.0F + 0.01F * static_cast<float>(c));
    return values;
}

/// Hides a value from the optimiser.
template <class T> T opaque(T value) {
    asm volatile("" : "+m"(value));
    return value;
}

/// Hides a vector from the optimiser and, on x86, leaves it in its register.
void hideInRegister(Integers& vector) {
#if defined(__x86_64__)
    asm volatile("" : "+x"(vector));
#else
    asm volatile("" : "+m"(vector));
#endif
}

template <class Values> float folded(const Values& values) {
    float sum = 0.0F;
    for (const auto& value : values)
        for (int lane = 0; lane < kLanes; ++lane) sum += static_cast<float>(value[lane]);
    return sum;
}

template <class Step> float repeat(std::int64_t turns, const Step& step) {
    auto values = start();
    for (std::int64_t turn = 0; turn < turns; ++turn)
        for (int c = 0; c < kChains; ++c) values[c] = step(values[c]);
    return folded(values);
}

Floats rootOf(Floats value) {
    for (int lane = 0; lane < kLanes; ++lane) value[lane] = __builtin_sqrtf(value[lane]);
    return value;
}

template <int kPerRoot> float mix(std::int64_t turns) {
    const Floats factor = Floats{} + opaque(0.999F);
    const Floats summand = Floats{} + opaque(0.001F);
    auto values = start();
    std::array<Floats, kChains / kPerRoot> radicands;
    for (auto& value : radicands) value = Floats{} + opaque(2.0F);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        for (int c = 0; c < kChains; ++c) values[c] = values[c] * factor + summand;
        for (auto& value : radicands) value = rootOf(value);
    }
    return folded(values) + folded(radicands);
}

} // namespace

float multiplyAdds(std::int64_t turns) {
    const Floats factor = Floats{} + opaque(0.999F);
    const Floats summand = Floats{} + opaque(0.001F);
    return repeat(turns, [&](Floats value) { return value * factor + summand; });
}

float products(std::int64_t turns) {
    const Floats factor = Floats{} + opaque(0.999999F);
    return repeat(turns, [&](Floats value) { return value * factor; });
}

float sums(std::int64_t turns) {
    const Floats summand = Floats{} + opaque(0.001F);
    return repeat(turns, [&](Floats value) { return value + summand; });
}

float roots(std::int64_t turns) {
    return repeat(turns, [](Floats value) { return rootOf(value); });
}

float integerSums(std::int64_t turns) {
    std::array<Integers, kChains> values{};
    Integers summand = Integers{} + opaque(3);
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        for (int c = 0; c < kChains; ++c) values[c] += summand;
        hideInRegister(summand); // else the turns become one product
    }
    return folded(values);
}

float gathers(std::int64_t turns) {
    constexpr int kTable = 1024;
    std::array<float, kTable> table;
    for (int i = 0; i < kTable; ++i) table[i] = static_cast<float>(i);
    std::array<float, kLanes> sum{};
    std::uint32_t place = 1;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
        place = opaque(place * 5 + 1);
        for (int c = 0; c < kChains; ++c)
            for (int lane = 0; lane < kLanes; ++lane)
                sum[lane] +=
                    table[(place + static_cast<std::uint32_t>(37 * lane + 61 * c)) % kTable];
    }
    return std::accumulate(sum.begin(), sum.end(), 0.0F);
}

float multiplyAddsWithRoots(std::int64_t turns, int perRoot) {
    switch (perRoot) {
    case 1: return mix<1>(turns);
    case 2: return mix<2>(turns);
    case 3: return mix<3>(turns);
    case 4: return mix<4>(turns);
    case 6: return mix<6>(turns);
    default: return mix<12>(turns);
    }
}

std::uint64_t dependentProducts(std::int64_t count) {
    std::uint64_t value = 3;
#if defined(__x86_64__)
    for (std::int64_t i = 0; i < count; i += 8) {
        asm volatile("imulq %0, %0\n\timulq %0, %0\n\timulq %0, %0\n\timulq %0, %0\n\t"
                     "imulq %0, %0\n\timulq %0, %0\n\timulq %0, %0\n\timulq %0, %0"
                     : "+r"(value));
    }
#else
    (void)count;
#endif
    return value;
}

void copy(std::span<const float> from, std::span<float> to) {
    const float* in = from.data();
    float* out = to.data();
#pragma GCC ivdep
    for (std::size_t i = 0; i < to.size(); ++i) out[i] = in[i] * 1.5F;
}

float load(std::span<const float> from, std::int64_t times) {
    constexpr std::size_t kSums = 8; // enough to hide the latency of an addition
    std::array<Floats, kSums> sum{};
    for (std::int64_t time = 0; time < times; ++time) {
        for (std::size_t i = 0; i + kSums * kLanes <= from.size(); i += kSums * kLanes) {
            for (std::size_t part = 0; part < kSums; ++part) {
                Floats value;
                std::memcpy(&value, from.data() + i + part * kLanes, sizeof value);
                sum[part] += value;
            }
        }
        asm volatile("" : : : "memory");
    }
    return folded(sum);
}

std::uint32_t chase(std::span<const std::uint32_t> path, std::int64_t count) {
    std::uint32_t at = 0;
    for (std::int64_t i = 0; i < count; ++i) at = path[at];
    return at;
}

} // namespace echolux::microbench::loops
