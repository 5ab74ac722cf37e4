// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a kernel, counted by hand from its source: what a performance model needs to know.
#pragma once

#include <string>
#include <vector>

namespace echolux::model {

/// A part of a kernel between two dependencies, such as fetch, compute and store (van Bavel 2013,
/// 5.3). All counts are of one launch, summed over its threads.
struct Part {
    std::string name = {};
    double globalBytes = 0.0;   ///< accesses to global memory; every access counts
    double distinctBytes = 0.0; ///< of globalBytes, the bytes that differ; 0: all differ. The
                                ///< others may come from the cache
    double sharedBytes = 0.0;   ///< accesses to shared memory, loads and stores
    double ffma = 0.0;          ///< instructions a * b + c. One counts as two operations
    double fmul = 0.0;          ///< instructions a * b
    double fadd = 0.0;          ///< instructions a + b, a - b, and comparisons of floats
    double special = 0.0;  ///< reciprocals, roots, sines, logarithms of the special-function unit
    double offsets = 0.0;  ///< all other instructions: addresses, loads, conversions, branches
    double barriers = 0.0; ///< block-wide barriers per block
    double storesPerLoad =
        0.0;                  ///< shared stores per load from global memory; see kMostHiddenStores
    double independent = 4.0; ///< instructions of a thread that do not wait for each other
    bool straight = false;    ///< code without a loop: each instruction runs once per thread

    double instructions() const { return ffma + fmul + fadd; } ///< of floating point
    double operations() const { return 2.0 * ffma + fmul + fadd; }
    double issued() const { return instructions() + special + offsets; } ///< of all kinds
    /// The counts of `times` such parts; all else stays.
    Part times(double times) const;
};

/// How a kernel is launched.
struct Launch {
    double blocks = 1.0;
    double threads = 256.0;   ///< per block
    double registers = 32.0;  ///< per thread
    double sharedBytes = 0.0; ///< per block
    double heaviest = 1.0;    ///< work of the first block over the mean; the last has the least
};

/// One launch.
struct Kernel {
    std::string name = {};
    Launch launch = {};
    std::vector<Part> parts = {};

    Part total() const; ///< counts of all parts; all else has no meaning
};

/// Up to this number, shared stores that follow a load from global memory are hidden by it (figure
/// 5.4).
inline constexpr double kMostHiddenStores = 6.0;

} // namespace echolux::model
