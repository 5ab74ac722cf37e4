// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a kernel from its counts and a device's rates.
#include "gpu/model/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
struct Sums : PartPrediction {
    std::vector<PartPrediction> parts;

    void add(const PartPrediction& part) {
        memory += part.memory;
        shared += part.shared;
        floats += part.floats;
        special += part.special;
        issue += part.issue;
        offsets = offsets + part.offsets;
        total = total + part.total;
        parts.push_back(part);
    }

    /// A core works ahead of what it waits for.
    double longest(double offset) const {
        return std::max({memory, shared, floats + special + offset});
    }
    /// The pipelines of a card work side by side, and one that is busy now and then delays the
    /// others: the root of the sum of squares lies between no delay and one after the other.
    double together(double offset) const {
        const double compute = std::max({issue, floats, offset});
        return std::sqrt(memory * memory + shared * shared + compute * compute + special * special);
    }
};

Sums sumsOf(const Kernel& kernel, const Device& device, const Rates& rates,
            const CacheShares& shares) {
    // Of all other instructions, about half are loads and integer multiply-adds, which a card's
    // pipeline for integers does not see (counted by Nsight Compute in kernels of all kinds).
    constexpr double kIntegerShare = 0.5;
    const double uneven = unevenness(kernel.launch, device.chip.multiprocessors);
    Sums sums;
    for (const Part& part : kernel.parts) {
        const PartTime time = arithmeticOf(part, rates, device.chip.hiddenInstructions);
        const double share = uneven * (device.isCpu ? 1.0 : kIntegerShare);
        PartPrediction each{part.name};
        each.memory = cachedSeconds(part, rates, shares);
        each.shared = uneven * transferSeconds(part.sharedBytes, rates.shared);
        each.floats = uneven * time.floats;
        each.special = uneven * time.special;
        each.offsets = {share * time.offsets.low, share * time.offsets.high};
        if (rates.issue > 0.0) each.issue = uneven * pipelineSeconds({part.issued(), rates.issue});
        const double busiest =
            std::max({each.memory, each.shared, each.floats, each.special, each.issue});
        each.total = {std::max(busiest, each.offsets.low), std::max(busiest, each.offsets.high)};
        sums.add(each);
    }
    return sums;
}

Bound boundOf(const Sums& sums) {
    const double offset = sums.offsets.middle();
    const double arithmetic = sums.issue > 0.0
                                  ? std::max({sums.issue, sums.floats, sums.special, offset})
                                  : sums.floats + sums.special + offset;
    if (sums.memory >= std::max(sums.shared, arithmetic)) return Bound::Memory;
    if (sums.shared >= arithmetic) return Bound::Shared;
    const double others = std::max(offset, sums.issue - sums.floats); // than floating point
    if (others >= std::max(sums.floats, sums.special)) return Bound::Offsets;
    return sums.special > sums.floats ? Bound::Special : Bound::Compute;
}

/// Seconds of a card: all resources together, and the more apart the fewer blocks overlap.
Interval busyTime(const Sums& sums, const Kernel& kernel, const Device& device,
                  const Occupancy& occupancy) {
    const double overlapping =
        std::clamp(kernel.launch.blocks / device.chip.multiprocessors, 1.0, occupancy.blocks);
    const auto blend = [&](double parts, double offset) {
        const double together = sums.together(offset);
        return together + std::max(parts - together, 0.0) / (overlapping * overlapping);
    };
    return {blend(sums.total.low, sums.offsets.low), blend(sums.total.high, sums.offsets.high)};
}

/// Seconds that a block takes by itself: its threads wait for instructions, and for memory.
double alone(const Kernel& kernel, const Rates& rates, double warmShare) {
    constexpr double kAccess = 8.0; // bytes of an access, usually
    const double threads = kernel.launch.blocks * kernel.launch.threads;
    const double latency = std::lerp(rates.latency, rates.cacheLatency, warmShare);
    double seconds = 0.0;
    for (const Part& part : kernel.parts) {
        const double global = part.globalBytes / kAccess / threads / part.independent;
        if (part.globalBytes > 0.0) seconds += std::max(global, 1.0) * latency;
        seconds += part.sharedBytes / kAccess / threads / part.independent * rates.sharedLatency;
        seconds +=
            part.issued() / threads * (part.straight ? rates.fetch : rates.step / part.independent);
    }
    return seconds;
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

RooflineTimes rooflineTimes(const Kernel& kernel, const Device& device) {
    const Rates& rates = device.theory;
    const Part total = kernel.total();
    const auto floats = floatWork(total, rates);
    const std::array<Work, 4> kinds{floats[0], floats[1], floats[2],
                                    Work{total.special, rates.special}};
    const std::array<Work, 2> memories{Work{total.globalBytes, rates.global},
                                       Work{total.sharedBytes, rates.shared}};
    return {computeSeconds(kinds), memorySeconds(memories)};
}

double rooflineTime(const Kernel& kernel, const Device& device) {
    const RooflineTimes times = rooflineTimes(kernel, device);
    return std::max(times.compute, times.memory);
}

KernelPrediction predict(const Kernel& kernel, const Device& device) {
    KernelPrediction result;
    const Rates rates = reachedRates(device);
    if (!device.isCpu) result.occupancy = occupancyOf(kernel.launch, device.limits);
    if (result.occupancy.blocks < 1.0) return result;
    result.plain = plainTime(kernel, device);
    result.roofline = rooflineTime(kernel, device);
    result.launch = rates.launch;
    const Part total = kernel.total();
    result.cacheHits = hitShare(total, device.limits.cacheBytes);
    const double warm = warmShare(total, device.limits.cacheBytes);
    Sums sums = sumsOf(kernel, device, rates, {result.cacheHits, warm});
    result.bound = boundOf(sums);
    result.parts = std::move(sums.parts);
    if (device.isCpu) {
        result.improved = {sums.longest(sums.offsets.low), sums.longest(sums.offsets.high)};
    } else {
        const double rounds = std::max(1.0, kernel.launch.blocks / device.chip.multiprocessors /
                                                result.occupancy.blocks);
        const double once = alone(kernel, rates, warm);
        const Interval busy = busyTime(sums, kernel, device, result.occupancy);
        result.latency = rounds * once;
        result.improved = {std::max(busy.low + once, result.latency),
                           std::max(busy.high + once, result.latency)};
        if (result.latency > busy.high) result.bound = Bound::Latency;
    }
    if (result.launch > result.improved.high) result.bound = Bound::Launch;
    return result;
}

Interval withKnownError(const Interval& predicted, Bound bound, const Device& device) {
    if (device.isCpu) return predicted;
    const bool isSmall = bound == Bound::Latency || bound == Bound::Launch;
    const double error = isSmall ? kKnownErrorOfSmall : kKnownError;
    return {predicted.low / (1.0 + error), predicted.high / (1.0 - error)};
}

} // namespace echolux::model
