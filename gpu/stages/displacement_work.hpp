// SPDX-License-Identifier: GPL-3.0-or-later
// What `displacement` does, for the performance model.
#pragma once

#include "gpu/core/complex.hpp"
#include "gpu/stage/function_work.hpp"
#include "gpu/stages/displacement_table.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace echolux {

/// Counts LagOverDepth and LagAcross of each shift, TurnOverDepth and TurnAcross of both frames,
/// and DisplacementOutputs. Over depth: two samples, their product and sum, two powers with their
/// sums. Across: four sums. Only the shift 0 takes an arc tangent in each pixel: a better shift is
/// found a few times at most.
inline std::vector<model::Kernel> displacementKernels(const PlannedStage& stage, const char* name) {
    constexpr double kSample = sizeof(Complex);
    const Backend backend = stage.backend;
    const auto& values = stage.params.as<DisplacementParams>();
    const std::int64_t halfDepth = values.depthPixels / 2;
    const FrameSpec& input = stage.inputs[0];
    const std::int64_t depths = input.sizeOf(AxisName::Depth);
    const std::int64_t laterals = input.sizeOf(AxisName::Lateral);
    const std::int64_t pixels = depths * laterals;
    const double down = meanWindow(depths, halfDepth);
    const double across = meanWindow(laterals, values.lateralPixels / 2);
    // Of a depth. On the CPU these are the instructions that g++ 12 makes: products of the shifted
    // frames four at a time, sums one after the other.
    model::Part turned{.ffma = 2.0, .fmul = 2.0, .fadd = 2.0, .offsets = 6.0};
    model::Part lagged = addedUp({turned, {.ffma = 2.0, .fmul = 2.0, .fadd = 2.0}});
    if (backend == Backend::Cpu) {
        constexpr double kHostTurned = 18.0;
        constexpr double kHostLagged = 63.0 / 4.0;
        turned.offsets = kHostTurned;
        lagged.offsets = kHostLagged;
    }
    std::vector<model::Kernel> kernels;
    const auto inLines = [&](const ElementWork& each) {
        kernels.push_back(forEachInLinesWork(backend, name, pixels, each));
    };
    const auto tryLag = [&](std::int64_t lag) {
        const std::int64_t inside = depths - std::abs(lag);
        if (inside <= 0) return;
        const double share = static_cast<double>(inside) / static_cast<double>(depths);
        const double window = share * meanWindow(inside, halfDepth);
        inLines({.bytesRead = 2.0 * kSample * window,
                 .bytesWritten = 16.0 * share,
                 .distinctRead = 2.0 * kSample * share,
                 .counts = addedUp({lagged.times(window), {.offsets = 16.0}})});
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
    const std::int64_t search =
        values.method == MotionMethod::Correlation ? values.searchPixels : 0;
    for (std::int64_t lag = 1; lag <= search; ++lag) {
        tryLag(-lag);
        tryLag(lag);
    }
    for (int frame = 0; frame < 2; ++frame) {
        inLines({.bytesRead = 2.0 * kSample * down,
                 .bytesWritten = kSample,
                 .distinctRead = kSample,
                 .counts = addedUp({turned.times(down), {.offsets = 12.0}})});
        inLines({.bytesRead = kSample * across,
                 .bytesWritten = kSample,
                 .distinctRead = kSample,
                 .counts = addedUp({oneByOne(backend, {.fadd = 2.0, .offsets = 4.0}).times(across),
                                    {.offsets = 10.0}})});
    }
    const bool moved = stage.wants(0);
    const double outputs = (moved ? 4.0 : 0.0) + (stage.wants(1) ? 4.0 : 0.0);
    const model::Part motion =
        addedUp({oneByOne(backend, {.ffma = 5.0, .fmul = 3.0, .fadd = 6.0, .offsets = 14.0}),
                 arcTangentWork(backend), divisionWork(backend)});
    kernels.push_back(forEachWork(
        backend, name, pixels,
        {.bytesRead = (moved ? 8.0 + 2.0 * kSample : 0.0) + (stage.wants(1) ? 4.0 : 0.0),
         .bytesWritten = outputs,
         .counts = moved ? motion : model::Part{.offsets = 2.0}}));
    return kernels;
}

} // namespace echolux
