// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a kernel from its counts and a device's rates.
#include "gpu/model/prediction.hpp"

#include "gpu/model/occupancy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux::model {
namespace {

std::array<Work, 3> floatWork(const Part& part, const Rates& rates) {
    return {Work{2.0 * part.ffma, rates.ffma}, Work{part.fmul, rates.fmul},
            Work{part.fadd, rates.fadd}};
}

/// Fills floats, special and offsets.
PartTime arithmeticOf(const Part& part, const Rates& rates, double hiddenInstructions) {
    const auto kinds = floatWork(part, rates);
    const double hidden =
        hiddenOperations(part.instructions(), part.operations(), hiddenInstructions);
    PartTime time;
    time.special = specialSeconds({part.special, rates.special});
    time.floats = unhiddenSeconds({part.operations(), computeRoof(kinds)}, part.special, hidden);
    time.offsets = offsetTime(part.offsets, rates.offsetHigh, rates.offsetLow);
    return time;
}

/// What the cache serves: of repeated accesses, and of the first ones.
struct CacheShares {
    double hits = 0.0;
    double warm = 0.0;
};

/// Share of the repeated accesses that the cache serves.
double hitShare(const Part& total, double cacheBytes) {
    if (total.globalBytes <= total.distinctBytes || total.distinctBytes <= 0.0) return 0.0;
    return std::min(1.0, cacheBytes / total.distinctBytes);
}

/// Share of a kernel's different bytes that the kernel before left in the cache: all of them where
/// they fill half of it at most, none where they do not fit.
double warmShare(const Part& total, double cacheBytes) {
    if (cacheBytes <= 0.0) return 0.0;
    return std::clamp(2.0 - 2.0 * total.distinctBytes / cacheBytes, 0.0, 1.0);
}

/// Seconds of the accesses to global memory, from the cache and from device memory. Without a rate
/// of the cache nothing is taken from the kernel before.
double cachedSeconds(const Part& part, const Rates& rates, const CacheShares& shares) {
    const double distinct = part.distinctBytes > 0.0 ? part.distinctBytes : part.globalBytes;
    const double repeated = std::max(part.globalBytes - distinct, 0.0);
    const double cold = rates.cache > 0.0 ? 1.0 - shares.warm : 1.0;
    const double fromMemory =
        transferSeconds(cold * distinct + repeated * (1.0 - shares.hits), rates.global);
    if (rates.cache <= 0.0) return fromMemory;
    return std::max(fromMemory, transferSeconds(part.globalBytes, rates.cache));
}

/// Times of all parts: one after the other, and each resource by itself.
struct Sums {
    Interval parts;
    double memory = 0.0;
    double shared = 0.0;
    double floats = 0.0;
    double special = 0.0;
    Interval offsets;
    double longest(double offset) const {
        return std::max({memory, shared, floats + special + offset});
    }
};

Sums sumsOf(const Kernel& kernel, const Device& device, const Rates& rates,
            const CacheShares& shares) {
    const double uneven = unevenness(kernel.launch, device.chip.multiprocessors);
    Sums sums;
    for (const Part& part : kernel.parts) {
        const PartTime time = arithmeticOf(part, rates, device.chip.hiddenInstructions);
        const double memory = cachedSeconds(part, rates, shares);
        const double shared = uneven * transferSeconds(part.sharedBytes, rates.shared);
        const double compute = uneven * computeTime(time.floats, time.special);
        const Interval offsets{uneven * time.offsets.low, uneven * time.offsets.high};
        sums.memory += memory;
        sums.shared += shared;
        sums.floats += uneven * time.floats;
        sums.special += uneven * time.special;
        sums.offsets = sums.offsets + offsets;
        sums.parts = sums.parts + partTime(std::max(memory, shared), compute, offsets);
    }
    return sums;
}

Bound boundOf(const Sums& sums) {
    const double offset = sums.offsets.middle();
    const double arithmetic = sums.floats + sums.special + offset;
    if (sums.memory >= std::max(sums.shared, arithmetic)) return Bound::Memory;
    if (sums.shared >= arithmetic) return Bound::Shared;
    if (offset >= std::max(sums.floats, sums.special)) return Bound::Offsets;
    return sums.special > sums.floats ? Bound::Special : Bound::Compute;
}

double globalParts(const Kernel& kernel) {
    return static_cast<double>(
        std::ranges::count_if(kernel.parts, [](const Part& p) { return p.globalBytes > 0.0; }));
}

} // namespace

std::string_view nameOf(Bound bound) {
    switch (bound) {
    case Bound::Memory: return "memory";
    case Bound::Shared: return "shared memory";
    case Bound::Compute: return "compute";
    case Bound::Special: return "special functions";
    case Bound::Offsets: return "offsets";
    case Bound::Latency: return "latency";
    case Bound::Launch: return "launch";
    case Bound::Pcie: return "PCIe";
    }
    return "unknown";
}

PartTime plainPart(const Part& part, const Rates& theory, double hiddenInstructions) {
    PartTime time = arithmeticOf(part, theory, hiddenInstructions);
    time.memory = part.globalBytes > 0.0 ? transferSeconds(part.globalBytes, theory.global)
                                         : transferSeconds(part.sharedBytes, theory.shared);
    time.total = partTime(time.memory, computeTime(time.floats, time.special), time.offsets);
    return time;
}

Interval plainTime(const Kernel& kernel, const Device& device) {
    Interval sum;
    for (const Part& part : kernel.parts)
        sum = sum + plainPart(part, device.theory, device.chip.hiddenInstructions).total;
    return sum;
}

double rooflineTime(const Kernel& kernel, const Device& device) {
    const Rates& rates = device.theory;
    const Part total = kernel.total();
    const auto floats = floatWork(total, rates);
    const std::array<Work, 4> kinds{floats[0], floats[1], floats[2],
                                    Work{total.special, rates.special}};
    const std::array<Work, 2> memories{Work{total.globalBytes, rates.global},
                                       Work{total.sharedBytes, rates.shared}};
    return std::max(computeSeconds(kinds), memorySeconds(memories));
}

KernelPrediction predict(const Kernel& kernel, const Device& device) {
    KernelPrediction result;
    const Rates rates = reachedRates(device);
    result.activeBlocks = device.isCpu ? 1.0 : activeBlocks(kernel.launch, device.limits);
    if (result.activeBlocks < 1.0) return result;
    result.plain = plainTime(kernel, device);
    result.roofline = rooflineTime(kernel, device);
    result.launch = rates.launch;
    const Part total = kernel.total();
    result.cacheHits = hitShare(total, device.limits.cacheBytes);
    const Sums sums = sumsOf(kernel, device, rates,
                             {result.cacheHits, warmShare(total, device.limits.cacheBytes)});
    const double perMultiprocessor = kernel.launch.blocks / device.chip.multiprocessors;
    const double overlapping = std::clamp(perMultiprocessor, 1.0, result.activeBlocks);
    const auto blend = [&](double parts, double offset) {
        const double longest = sums.longest(offset);
        return device.isCpu ? longest : longest + (parts - longest) / overlapping;
    };
    result.improved = {blend(sums.parts.low, sums.offsets.low),
                       blend(sums.parts.high, sums.offsets.high)};
    result.bound = boundOf(sums);
    const double waves = std::ceil(perMultiprocessor / result.activeBlocks);
    const double latency = device.isCpu ? 0.0 : waves * globalParts(kernel) * rates.latency;
    if (latency > result.improved.high) result.bound = Bound::Latency;
    result.improved.low = std::max(result.improved.low, latency);
    result.improved.high = std::max(result.improved.high, latency);
    if (result.launch > result.improved.high) result.bound = Bound::Launch;
    return result;
}

} // namespace echolux::model
