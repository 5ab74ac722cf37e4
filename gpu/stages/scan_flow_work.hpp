// SPDX-License-Identifier: GPL-3.0-or-later
// What the functions of gpu/flow/repeated_scans.hpp do, for the performance model.
#pragma once

#include "gpu/flow/repeated_scans.hpp"
#include "gpu/stage/function_work.hpp"

#include <iterator>
#include <vector>

namespace echolux::flow {

/// Counts SumBulkPart and BulkPhasor of each pass. SumBulkPart: two samples, their product and its
/// sum; after the first pass a root and a division weigh each product. BulkPhasor: the sum of the
/// parts, its length, two divisions.
inline std::vector<model::Kernel> bulkMotionWork(Backend backend, const char* name,
                                                 const RepeatedScans& scans) {
    constexpr double kSample = sizeof(Complex);
    constexpr auto kParts = static_cast<double>(kBulkParts);
    const std::int64_t rows = scans.pairs() * scans.lines;
    const double depths = static_cast<double>(scans.depths) / kParts;
    const model::Part product = oneByOne(backend, {.ffma = 4.0, .fmul = 2.0, .offsets = 7.0});
    const model::Part weight =
        addedUp({oneByOne(backend, {.ffma = 2.0, .fmul = 5.0, .fadd = 2.0, .offsets = 4.0}),
                 rootWork(backend), divisionWork(backend)});
    std::vector<model::Kernel> kernels;
    for (int pass = 0; pass < kBulkPasses; ++pass) {
        const model::Part each = pass == 0 ? product : addedUp({product, weight});
        kernels.push_back(forEachWork(backend, name, rows * kBulkParts,
                                      {.bytesRead = (pass == 0 ? 2.0 : 3.0) * kSample * depths,
                                       .bytesWritten = kSample,
                                       .distinctRead = kSample * depths,
                                       .counts = each.times(depths),
                                       .divisions = 1.0}));
        kernels.push_back(forEachWork(
            backend, name, rows,
            {.bytesRead = kSample * kParts,
             .bytesWritten = kSample,
             .counts = addedUp({oneByOne(backend, {.fadd = 2.0, .offsets = 3.0}).times(kParts),
                                hypotenuseWork(backend), divisionWork(backend).times(2.0)})}));
    }
    return kernels;
}

/// Counts ScanPower.
inline model::Kernel scanPowerWork(Backend backend, const char* name, std::int64_t images,
                                   std::int64_t pixels) {
    const auto each = static_cast<double>(images);
    return forEachWork(
        backend, name, pixels,
        {.bytesRead = sizeof(Complex) * each,
         .bytesWritten = 4.0,
         .counts =
             addedUp({oneByOne(backend, {.ffma = 1.0, .fmul = 1.0, .fadd = 1.0, .offsets = 4.0})
                          .times(each),
                      divisionWork(backend)})});
}

/// Counts depthMeans().
inline model::Kernel depthMeansWork(Backend backend, const char* name, std::int64_t linesOfBscan,
                                    std::int64_t depthsOfLine, std::int64_t bscans) {
    const auto lines = static_cast<double>(linesOfBscan);
    return forEachWork(
        backend, name, bscans * depthsOfLine,
        {.bytesRead = 4.0 * lines,
         .bytesWritten = 4.0,
         .counts = addedUp({oneByOne(backend, {.fadd = 1.0, .offsets = 4.0}).times(lines),
                            divisionWork(backend)}),
         .divisions = 1.0});
}

/// Counts depthMeans() and QuietDepth, which compares each depth with all others of its B-scan;
/// none where the level is given. The CPU fills vectors in QuietDepth.
inline std::vector<model::Kernel>
noiseLevelWork(Backend backend, const char* name, const ScanFlowParams& params,
               std::int64_t linesOfBscan, std::int64_t depthsOfLine, std::int64_t bscans = 1) {
    if (params.noiseFrom == NoiseFrom::Level) return {};
    const auto depths = static_cast<double>(depthsOfLine);
    return {depthMeansWork(backend, name, linesOfBscan, depthsOfLine, bscans),
            forEachWork(backend, name, bscans * depthsOfLine,
                        {.bytesRead = 4.0 * depths,
                         .bytesWritten = 4.0 / depths,
                         .distinctRead = 4.0,
                         .counts = {.fadd = 2.0 * depths,
                                    .offsets = (backend == Backend::Cuda ? 6.0 : 1.0) * depths},
                         .divisions = 2.0})};
}

/// Adds kernels behind others.
inline void append(std::vector<model::Kernel>& to, std::vector<model::Kernel> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Pixels of the box about a pixel, on average.
inline double meanBox(const ScanBox& box) {
    return meanWindow(box.lines, box.halfLines) * meanWindow(box.depths, box.halfDepths);
}

} // namespace echolux::flow
