// SPDX-License-Identifier: GPL-3.0-or-later
// Three models of one kernel: van Bavel's sum of parts, the utilisation roofline that he compares
// with, and the one of Echolux.
#pragma once

#include "gpu/model/device.hpp"
#include "gpu/model/equations.hpp"
#include "gpu/model/occupancy.hpp"
#include "gpu/model/part.hpp"

#include <string>
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
/// Both times, tc and tm.
struct RooflineTimes {
    double compute = 0.0;
    double memory = 0.0;
};
RooflineTimes rooflineTimes(const Kernel& kernel, const Device& device);

/// Seconds of one part at the rates that the device reaches: of each resource by itself, and of
/// the longest of them.
struct PartPrediction {
    std::string name = {};
    double memory = 0.0; ///< global memory and its cache
    double shared = 0.0;
    double floats = 0.0;
    double special = 0.0;
    double issue = 0.0; ///< of all instructions
    Interval offsets = {};
    Interval total = {};
};

struct KernelPrediction {
    Interval plain;              ///< plainTime()
    double roofline = 0.0;       ///< rooflineTime()
    Interval improved;           ///< without launch
    double launch = 0.0;         ///< of this kernel
    double latency = 0.0;        ///< of the rounds of blocks, each by itself; 0 on a CPU
    Bound bound = Bound::Memory; ///< of `improved`
    Occupancy occupancy;         ///< of a card
    double cacheHits = 0.0;      ///< share of the repeated accesses to global memory
    std::vector<PartPrediction> parts;
};

/// The model of Echolux. It differs from the plain one so:
/// - rates are those measured on the device, where they are known (reachedRates());
/// - repeated accesses hit the last cache as far as the kernel's different bytes fit in it, and run
///   at the cache's rate;
/// - different bytes that fill at most half of the last cache are still there from the kernel
///   before, where the cache's rate is known;
/// - a card's global memory, shared memory, special functions and all other instructions work side
///   by side: the time is the root of the sum of their squared times. Other instructions take as
///   long as their issue, or as floating-point operations or addresses alone;
/// - where n blocks are active at once, (S - R) / n^2 is added, with R that root and S the sum over
///   the parts of each part's longest time. A CPU takes the longest of memory, first cache and
///   arithmetic, one after the other: a core works ahead while it waits for memory;
/// - multiprocessors that get more blocks than others make arithmetic longer;
/// - one block's time by itself is added: at the beginning and at the end nothing hides what a
///   thread waits for, its memory, its instructions' results, and code that is fetched. Blocks that
///   find no place wait for others: no kernel takes less than that time for each round of blocks.
/// A kernel that does not fit the device has no active blocks and no times.
KernelPrediction predict(const Kernel& kernel, const Device& device);

/// How far measured times lie from those of predict() on a card: two thirds of the problems of
/// `echolux bench model` on an H200 and an H100 lie within kKnownError of the prediction, two
/// thirds of the shipped pipelines, whose kernels wait for launches and single blocks, within
/// kKnownErrorOfSmall. Parts of the measured time, as errorOfMeasurement().
inline constexpr double kKnownError = 0.20;
inline constexpr double kKnownErrorOfSmall = 0.50;
/// `predicted`, bounded so, with that error on either side. That of a CPU stays: its interval
/// between fast and slow instructions is wider than its error.
Interval withKnownError(const Interval& predicted, Bound bound, const Device& device);

} // namespace echolux::model
