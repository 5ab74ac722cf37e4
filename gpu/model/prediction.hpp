// SPDX-License-Identifier: GPL-3.0-or-later
// Three models of one kernel: van Bavel's sum of parts, the utilisation roofline that he compares
// with, and the one of Echolux.
#pragma once

#include "gpu/model/device.hpp"
#include "gpu/model/equations.hpp"
#include "gpu/model/part.hpp"

#include <string_view>
#include <vector>

namespace echolux::model {

/// What takes most of a prediction's time.
enum class Bound { Memory, Shared, Compute, Special, Offsets, Latency, Launch, Pcie };
std::string_view nameOf(Bound bound); ///< "memory", "special functions", ...

/// Times of one part, before and after the maximum of Eq. 5.20.
struct PartTime {
    double memory = 0.0;  ///< Eq. 5.16: global memory if it is used, else shared memory
    double floats = 0.0;  ///< Eq. 5.14
    double special = 0.0; ///< Eq. 5.13
    Interval offsets;     ///< Eq. 5.19
    Interval total;       ///< Eq. 5.20
};

/// Van Bavel's model of a part: rates of theory, shared memory ignored in parts that use global
/// memory (5.3.1), one active block per multiprocessor.
PartTime plainPart(const Part& part, const Rates& theory, double hiddenInstructions);
/// The sum over the parts. Without launch.
Interval plainTime(const Kernel& kernel, const Device& device);
/// The utilisation roofline of the whole kernel (Eq. 5.1 to 5.5): the longer of tc and tm, global
/// and shared memory one after the other, special functions after the others, no offsets.
double rooflineTime(const Kernel& kernel, const Device& device);

struct KernelPrediction {
    Interval plain;              ///< plainTime()
    double roofline = 0.0;       ///< rooflineTime()
    Interval improved;           ///< without launch
    double launch = 0.0;         ///< of this kernel
    Bound bound = Bound::Memory; ///< of `improved`
    double activeBlocks = 1.0;
    double cacheHits = 0.0; ///< share of the repeated accesses to global memory
};

/// The model of Echolux. It differs from the plain one so:
/// - rates are those measured on the device, where they are known (reachedRates());
/// - repeated accesses hit the last cache as far as the kernel's different bytes fit in it, and run
///   at the cache's rate;
/// - different bytes that fill at most half of the last cache are still there from the kernel
///   before, where the cache's rate is known;
/// - global and shared memory work in parallel (figure 5.2);
/// - n blocks that are active at once overlap each other's parts: the time is
///   B + (S - B) / n, with S the sum of the parts and B the longest of memory, shared memory and
///   arithmetic over the whole kernel. One block gives S, many give B. A CPU gives B: a core works
///   ahead while it waits for memory;
/// - multiprocessors that get more blocks than others make arithmetic longer;
/// - a part that uses global memory takes at least one latency per wave of blocks.
/// A kernel that does not fit the device has activeBlocks 0 and no times.
KernelPrediction predict(const Kernel& kernel, const Device& device);

} // namespace echolux::model
