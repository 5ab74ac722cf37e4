// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of FocusBins, from focus_bins.hpp.
#include "gpu/aberration/estimate_work.hpp"
#include "gpu/stage/function_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace echolux::aberration {

model::Kernel focusWork(Backend backend, const ElementGrid& grid, const FocusParams& params,
                        const FocusCount& count) {
    constexpr double kBinsAtOnce = 8.0;
    const double chunks = std::ceil(static_cast<double>(params.bins) / kBinsAtOnce);
    const auto items = static_cast<double>(grid.places()) * static_cast<double>(params.points);
    // Of an element at a point, on average over all of them, used or not.
    const double share = count.points / items;
    const double gates = count.gates * share;
    const double tested = count.tested * share;
    const double samples = gates * count.samples;
    const double reals = count.complex ? 2.0 : 1.0;
    const model::Part phasor{
        .ffma = 12.0, .fmul = 6.0, .fadd = 10.0, .offsets = 8.0}; // with its quarters
    const model::Part place{.ffma = 4.0, .fmul = 4.0, .fadd = 6.0, .offsets = 30.0};
    const model::Part arrival{.ffma = 14.0, .fmul = 8.0, .fadd = 14.0, .offsets = 30.0};
    const model::Part taper =
        addedUp({phasor, {.ffma = 1.0, .fmul = 1.0 + reals, .fadd = 1.0, .offsets = 6.0}});
    const auto inOrder = [&](const model::Part& part) { return oneByOne(backend, part, 1.0); };
    // Sums and turns of eight bins fill vectors on the CPU, where turns are not contracted.
    const bool cuda = backend == Backend::Cuda;
    const model::Part bins = model::Part{.ffma = reals * 2.0 + (cuda ? 2.0 : 0.0),
                                         .fmul = cuda ? 2.0 : 4.0,
                                         .fadd = cuda ? 0.0 : 2.0}
                                 .times(kBinsAtOnce);
    const model::Part begin =
        addedUp({inOrder(phasor.times(2.0 * kBinsAtOnce)), {.offsets = 20.0}});
    const double bytes = 4.0 * reals;
    return forEachWork(
        backend, "aberration", static_cast<std::int64_t>(items * chunks),
        {.bytesRead = bytes * samples + 28.0,
         .bytesWritten = sizeof(Complex) * static_cast<double>(params.bins) / chunks,
         .distinctRead = std::min(bytes * samples, count.bytes / (items * chunks)) + 28.0 * share,
         .counts = addedUp({inOrder(place),
                            inOrder(arrival).times(tested),
                            rootWork(backend).times(2.0 * tested),
                            begin.times(gates),
                            addedUp({inOrder(taper), divisionWork(backend), bins}).times(samples),
                            {.fmul = 2.0 * kBinsAtOnce, .offsets = kBinsAtOnce}}),
         .divisions = 3.0,
         .registers = 96.0});
}

} // namespace echolux::aberration
