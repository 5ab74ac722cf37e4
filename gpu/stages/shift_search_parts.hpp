// SPDX-License-Identifier: GPL-3.0-or-later
// Memory and work of the search for shifts (gpu/flow/shift_search.hpp), for the stages that use it.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stage/memory_parts.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace echolux {

/// flow::ShiftBuffers of so many pixels. A template, since gpu/flow/shift_search.hpp is for .cu
/// files alone.
template <class Buffers> Buffers takeShiftBuffers(MemoryParts& parts, std::int64_t pixels) {
    Buffers made{};
    made.products = parts.take<Complex>(pixels);
    made.before = parts.take<float>(pixels);
    made.after = parts.take<float>(pixels);
    made.best.quality = parts.take<float>(pixels);
    made.best.phase = parts.take<float>(pixels);
    made.best.lag = parts.take<std::int32_t>(pixels);
    return made;
}

/// What is searched: images of `depths` x `laterals`, `slices` of them one below the other.
struct SearchedShifts {
    Backend backend;
    const char* name; ///< the stage
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t slices;
    std::int64_t halfDepth; ///< of the box
    std::int64_t halfLateral;

    std::int64_t pixels() const { return slices * depths * laterals; }
};

/// Counts of a depth. On the CPU these are the instructions that g++ 12 makes: products of the
/// shifted frames four at a time, sums one after the other.
struct ShiftCounts {
    model::Part turned{.ffma = 2.0, .fmul = 2.0, .fadd = 2.0, .offsets = 6.0};
    model::Part lagged = addedUp({turned, {.ffma = 2.0, .fmul = 2.0, .fadd = 2.0}});

    explicit ShiftCounts(Backend backend) {
        if (backend != Backend::Cpu) return;
        constexpr double kHostTurned = 18.0;
        constexpr double kHostLagged = 63.0 / 4.0;
        turned.offsets = kHostTurned;
        lagged.offsets = kHostLagged;
    }
};

/// Counts LagOverDepth and LagAcross of each shift. Over depth: two samples, their product and sum,
/// two powers with their sums. Across: four sums. Only the shift 0 takes an arc tangent in each
/// pixel: a better shift is found a few times at most.
inline void addShiftSearch(const SearchedShifts& of, std::int64_t pairs, std::int64_t most,
                           std::vector<model::Kernel>& kernels) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = of.backend;
    const double across = meanWindow(of.laterals, of.halfLateral);
    const auto each = static_cast<double>(pairs);
    const ShiftCounts counts(backend);
    const auto inLines = [&](const ElementWork& element) {
        kernels.push_back(forEachInLinesWork(backend, of.name, of.pixels(), element));
    };
    const auto tryLag = [&](std::int64_t lag) {
        const std::int64_t inside = of.depths - std::abs(lag);
        if (inside <= 0) return;
        const double share = static_cast<double>(inside) / static_cast<double>(of.depths);
        const double window = each * share * meanWindow(inside, of.halfDepth);
        inLines({.bytesRead = 2.0 * kSample * window,
                 .bytesWritten = 16.0 * share,
                 .distinctRead = (1.0 + each) * kSample * share,
                 .counts = addedUp({counts.lagged.times(window), {.offsets = 16.0}})});
        const model::Part sums =
            oneByOne(backend, {.fadd = 4.0, .offsets = 5.0}).times(share * across);
        const model::Part likeness =
            addedUp({oneByOne(backend, {.ffma = 1.0, .fmul = 2.0, .fadd = 4.0, .offsets = 12.0}),
                     rootWork(backend).times(3.0), divisionWork(backend)})
                .times(share);
        const bool first = lag == 0;
        inLines({.bytesRead = share * (16.0 * across + (first ? 0.0 : 4.0)),
                 .bytesWritten = first ? 12.0 : 0.0,
                 .distinctRead = share * (first ? 16.0 : 20.0),
                 .counts = first ? addedUp({sums, likeness, arcTangentWork(backend)})
                                 : addedUp({sums, likeness})});
    };
    tryLag(0);
    for (std::int64_t lag = 1; lag <= most && lag < of.depths; ++lag) {
        tryLag(-lag);
        tryLag(lag);
    }
}

/// Counts TurnOverDepth and TurnAcross of so many frames together.
inline void addTurns(const SearchedShifts& of, std::int64_t frames,
                     std::vector<model::Kernel>& kernels) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = of.backend;
    const auto each = static_cast<double>(frames);
    const double down = each * meanWindow(of.depths, of.halfDepth);
    const double across = meanWindow(of.laterals, of.halfLateral);
    const auto inLines = [&](const ElementWork& element) {
        kernels.push_back(forEachInLinesWork(backend, of.name, of.pixels(), element));
    };
    inLines({.bytesRead = 2.0 * kSample * down,
             .bytesWritten = kSample,
             .distinctRead = each * kSample,
             .counts = addedUp({ShiftCounts(backend).turned.times(down), {.offsets = 12.0}})});
    inLines({.bytesRead = kSample * across,
             .bytesWritten = kSample,
             .distinctRead = kSample,
             .counts = addedUp({oneByOne(backend, {.fadd = 2.0, .offsets = 4.0}).times(across),
                                {.offsets = 10.0}})});
}

} // namespace echolux
