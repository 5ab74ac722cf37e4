// SPDX-License-Identifier: GPL-3.0-or-later
// What `localise` does, for the performance model.
#pragma once

#include "gpu/flow/bubble_fit.hpp"
#include "gpu/flow/bubbles.hpp"
#include "gpu/stage/function_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace echolux {

/// Sizes of its kernels.
struct LocaliseKernels {
    const char* name;
    std::int64_t frames;
    std::int64_t depths;
    std::int64_t laterals;
    std::int64_t room; ///< for spots, per frame
    std::int64_t depthRadius;
    std::int64_t lateralRadius;
    std::int64_t most; ///< bubbles per frame
    flow::SpotMethod method;
};

/// Counts the fit of a spot whose window has so many pixels, with its width. A value of the window
/// is tested and divided by the middle one. Weighted average: a pass for the least power and one
/// for the sums; the width takes the same two passes. Radial symmetry: two passes over gradients,
/// each of 9 x 4 values. Gaussian: a logarithm, 15 sums of a matrix and 5 of a vector per pixel,
/// and a Cholesky solution of 5 x 5; all pixels count as strong enough, which is the most.
inline ElementWork spotFitWork(Backend backend, double window, flow::SpotMethod method) {
    const model::Part value =
        addedUp({oneByOne(backend, {.fadd = 3.0, .offsets = 8.0}), divisionWork(backend)});
    const auto pass = [&](const model::Part& each) {
        return addedUp({value, oneByOne(backend, each)}).times(window);
    };
    const model::Part least = pass({.fmul = 1.0, .fadd = 1.0});
    const model::Part width =
        addedUp({least, pass({.ffma = 2.0, .fmul = 3.0, .fadd = 4.0, .offsets = 4.0}),
                 rootWork(backend).times(2.0), divisionWork(backend).times(2.0)});
    ElementWork fit{.bytesRead = 8.0 * 2.0 * window, .counts = width};
    switch (method) {
    case flow::SpotMethod::WeightedAverage:
        fit.bytesRead += 8.0 * 2.0 * window;
        fit.counts = addedUp({width, least, pass({.ffma = 2.0, .fmul = 1.0, .fadd = 2.0})});
        break;
    case flow::SpotMethod::RadialSymmetry: {
        constexpr double kGradients = 9.0;
        constexpr double kValues = 4.0 * kGradients;
        const model::Part gradient =
            addedUp({value.times(kValues),
                     oneByOne(backend, {.fadd = 6.0, .offsets = 8.0}).times(kGradients)});
        const model::Part line =
            addedUp({oneByOne(backend, {.ffma = 8.0, .fmul = 12.0, .fadd = 6.0, .offsets = 6.0}),
                     rootWork(backend), divisionWork(backend)});
        fit.bytesRead += 2.0 * 8.0 * kValues * window;
        fit.counts = addedUp({width, gradient.times(2.0 * window), line.times(window)});
        break;
    }
    case flow::SpotMethod::Gaussian: {
        const model::Part solution =
            addedUp({oneByOne(backend, {.ffma = 40.0, .offsets = 60.0}),
                     divisionWork(backend).times(20.0), rootWork(backend).times(5.0)});
        fit.bytesRead += 8.0 * window;
        fit.counts =
            addedUp({width, pass({.ffma = 20.0, .fmul = 13.0, .fadd = 1.0, .offsets = 12.0}),
                     logarithmWork(backend).times(window), solution});
        break;
    }
    }
    return fit;
}

/// Counts all kernels. How far a pixel looks at its neighbours, and how many spots there are,
/// depend on the image. In an image without order the k-th neighbour is looked at by one pixel of
/// k: on average so many as the harmonic number of the window says. All pixels count as above the
/// threshold and the lists as full, which is the most.
inline std::vector<model::Kernel> localiseKernels(Backend backend, const LocaliseKernels& sizes) {
    const bool cuda = backend == Backend::Cuda;
    const auto depths = static_cast<double>(sizes.depths);
    const auto laterals = static_cast<double>(sizes.laterals);
    const std::int64_t rows = sizes.frames * sizes.depths;
    const std::int64_t pixels = rows * sizes.laterals;
    const double window = meanWindow(sizes.depths, sizes.depthRadius) *
                          meanWindow(sizes.laterals, sizes.lateralRadius);
    const double looked = std::log(window) + std::numbers::egamma;
    const auto spots = static_cast<double>(std::min(sizes.most, sizes.room));
    const double perRow = spots / depths;
    const auto inLoop = [&](double onCuda) { return cuda ? onCuda : 0.5; }; // CPU: fills vectors
    std::vector<model::Kernel> kernels = followMaximumWork(backend, sizes.name, pixels);
    const model::Part own =
        oneByOne(backend, {.fmul = 1.0, .fadd = 4.0, .offsets = 30.0}); // and limits of the window
    const model::Part neighbour = oneByOne(backend, {.fadd = 5.0, .offsets = 10.0});
    kernels.push_back(forEachInLinesWork(backend, sizes.name, pixels,
                                         {.bytesRead = 4.0 * (1.0 + looked),
                                          .bytesWritten = 1.0,
                                          .distinctRead = 4.0,
                                          .counts = addedUp({own, neighbour.times(looked)}),
                                          .divisions = 2.0}));
    kernels.push_back(forEachWork(backend, sizes.name, rows,
                                  {.bytesRead = laterals,
                                   .bytesWritten = 4.0,
                                   .counts = {.offsets = inLoop(4.0) * laterals}}));
    kernels.push_back(
        forEachWork(backend, sizes.name, rows,
                    {.bytesRead = 4.0 * 0.5 * depths + laterals + 4.0 * perRow,
                     .bytesWritten = 8.0 * perRow,
                     .distinctRead = 4.0 + laterals,
                     .counts = {.offsets = inLoop(4.0) * 0.5 * depths + 4.0 * laterals},
                     .divisions = 2.0}));
    kernels.push_back(forEachWork(backend, sizes.name, sizes.frames,
                                  {.bytesRead = 4.0 * depths,
                                   .bytesWritten = 4.0,
                                   .counts = {.offsets = inLoop(4.0) * depths}}));
    kernels.push_back(forEachWork(backend, sizes.name, sizes.frames * sizes.most,
                                  {.bytesWritten = sizeof(flow::Bubble)}));
    // The threads of places without a spot end at once, so each has a share of a spot's work.
    const double share = spots / static_cast<double>(sizes.room);
    const ElementWork fit = spotFitWork(backend, window, sizes.method);
    const model::Part rank = oneByOne(backend, {.fadd = 2.0, .offsets = 6.0}).times(spots);
    kernels.push_back(forEachWork(
        backend, sizes.name, sizes.frames * sizes.room,
        {.bytesRead = 4.0 + share * (8.0 * spots + fit.bytesRead),
         .bytesWritten = sizeof(flow::Bubble) * share,
         .distinctRead = std::min(4.0 + share * (8.0 + 4.0 * window),
                                  4.0 + 8.0 * share +
                                      4.0 * static_cast<double>(pixels) /
                                          static_cast<double>(sizes.frames * sizes.room)),
         .counts = addedUp({addedUp({rank, fit.counts}).times(share), {.offsets = 4.0}}),
         .divisions = 2.0,
         .registers = 64.0}));
    return kernels;
}

} // namespace echolux
