// SPDX-License-Identifier: GPL-3.0-or-later
// What `surfaces` does, for the performance model.
#pragma once

#include "gpu/oct/surface_paths.hpp"
#include "gpu/oct/surface_search.hpp"
#include "gpu/stages/boundaries_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace echolux {

/// Counts the nodes (edge_costs.hpp) and the search for two paths, both through all depths that may
/// be searched. The CPU fills vectors in all loops over depth.
inline std::vector<model::Kernel> findSurfacesWork(Backend backend, const char* name,
                                                   const oct::SurfaceScans& scans,
                                                   const oct::SurfaceRules& rules) {
    constexpr double kLinesAhead = 8.0; // as in gpu/oct/surface_kernel.cuh
    const bool cuda = backend == Backend::Cuda;
    const auto depths = static_cast<double>(rules.last - rules.first + 1);
    const double padded = depths + 2.0 * rules.halfDepth;
    const double across = 2.0 * rules.halfLines + 1.0;
    const double half = rules.halfDepth;
    const auto overhead = [&](double onCuda) { return cuda ? onCuda : onCuda / 8.0; };
    std::vector<model::Kernel> kernels;
    for (std::int64_t first = 0; first < scans.bscans; first += oct::kScansAtOnce) {
        const std::int64_t bscans = std::min(scans.bscans - first, oct::kScansAtOnce);
        const std::int64_t lines = bscans * scans.lines;
        const auto inScan = static_cast<double>(scans.lines);
        // Two comparisons say whether a level counts.
        kernels.push_back(forEachByLanesWork(
            backend, name, lines,
            {.bytesRead = 4.0 * padded * across,
             .bytesWritten = 4.0 * padded,
             .distinctRead = 4.0 * depths,
             .counts = model::Part{.fadd = 3.0 * across, .offsets = overhead(5.0) * across}.times(
                 padded)}));
        kernels.push_back(forEachByLanesWork(
            backend, name, lines,
            {.bytesRead = 8.0 * half * depths,
             .bytesWritten = 4.0 * depths + 8.0,
             .distinctRead = std::min(4.0 * padded, 8.0 * half * depths),
             .counts =
                 model::Part{.fadd = 2.0 * half + 2.0, .offsets = overhead(4.0) * half + 4.0}.times(
                     depths)},
            2.0));
        kernels.push_back(forEachByLanesWork(
            backend, name, bscans,
            {.bytesRead = 8.0 * inScan,
             .bytesWritten = 8.0,
             .counts = oneByOne(backend, {.fadd = 2.0, .offsets = 3.0}).times(inScan)},
            2.0));
        kernels.push_back(forEachByLanesWork(
            backend, name, lines,
            {.bytesRead = 4.0 * depths + 8.0,
             .bytesWritten = 2.0 * depths,
             .distinctRead = 4.0 * depths,
             .counts = model::Part{.fmul = 1.0, .fadd = 1.0, .offsets = 4.0}.times(depths)}));
        // Per place: two sums and minima for each length of a step, the cost of the node.
        const double upper = depths;
        const double lower = std::min(depths, static_cast<double>(rules.most - rules.least + 1));
        const double places = (upper + lower) * static_cast<double>(lines);
        // On CUDA four places share 40 instructions: nodes ahead, limits of the band, addresses.
        // The rest is a chain: a line waits for the costs of the line before, and so does the way
        // back, which one warp goes while the others of its block wait.
        const auto launched = static_cast<double>(bscans);
        const double threads = std::clamp(32.0 * std::ceil(depths / 128.0), 128.0, 512.0);
        model::Kernel search{name, {launched, cuda ? threads : 1.0, 48.0, 0.0}, {}};
        const model::Part ahead{
            .name = "nodes and moves", .globalBytes = 3.0 * places, .independent = kLinesAhead};
        const model::Part cross{
            .name = "cross lines",
            .sharedBytes = cuda ? 20.0 * places : 0.0,
            .offsets = (cuda ? 4.0 * rules.step + 27.0 : (4.0 * rules.step + 8.0) / 8.0) * places,
            .barriers = 2.0 * inScan,
            .independent = 1.0};
        const double waiting = cuda ? threads : 1.0;
        const model::Part back{.name = "go back",
                               .globalBytes = 2.0 * (1.0 + 4.0) * static_cast<double>(lines),
                               .sharedBytes =
                                   cuda ? 2.0 * 8.0 * waiting * static_cast<double>(lines) : 0.0,
                               .offsets = 2.0 * 10.0 * waiting * static_cast<double>(lines),
                               .barriers = 2.0 * inScan / 32.0,
                               .independent = 1.0};
        search.parts = {ahead, cross, back};
        kernels.push_back(search);
    }
    return kernels;
}

/// Counts findSurfaces(), ToDepths for both surfaces, and DrawBoundaries where that is wanted.
inline std::vector<model::Kernel> surfacesKernels(const PlannedStage& stage,
                                                  const oct::SurfaceScans& scans,
                                                  const oct::SurfaceRules& rules,
                                                  const char* name) {
    const std::int64_t lines = scans.bscans * scans.lines;
    std::vector<model::Kernel> kernels = findSurfacesWork(stage.backend, name, scans, rules);
    for (int surface = 0; surface < 2; ++surface)
        kernels.push_back(
            forEachWork(stage.backend, name, lines,
                        {.bytesRead = 4.0,
                         .bytesWritten = 4.0,
                         .counts = oneByOne(stage.backend, {.ffma = 1.0, .offsets = 4.0})}));
    if (stage.wants(0))
        kernels.push_back(drawBoundariesWork(stage.backend, name, lines, scans.depths));
    return kernels;
}

} // namespace echolux
