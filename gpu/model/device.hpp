// SPDX-License-Identifier: GPL-3.0-or-later
// What the model knows of a card or processor: rates in theory and as measured, and limits.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace echolux::model {

/// What a whole device does per second. 0: not known.
struct Rates {
    double ffma = 0.0;          ///< operations per second; an FFMA counts as two
    double fmul = 0.0;          ///< operations per second
    double fadd = 0.0;          ///< operations per second
    double special = 0.0;       ///< special functions per second
    double issue = 0.0;         ///< instructions of any kind per second, of single threads
    double offsetHigh = 0.0;    ///< the fastest instructions of address arithmetic per second
    double offsetLow = 0.0;     ///< the slowest of them
    double global = 0.0;        ///< bytes per second of device memory; on a CPU of main memory
    double cache = 0.0;         ///< bytes per second of the last cache before it
    double shared = 0.0;        ///< bytes per second of shared memory; on a CPU of the first cache
    double toDevice = 0.0;      ///< bytes per second from pinned host memory
    double toHost = 0.0;        ///< bytes per second to pinned host memory
    double launch = 0.0;        ///< seconds from one kernel to the next on a stream
    double latency = 0.0;       ///< seconds of one access to device memory
    double cacheLatency = 0.0;  ///< seconds of one access to the last cache
    double sharedLatency = 0.0; ///< seconds of one access to shared memory
    double step = 0.0;          ///< seconds from an instruction to one that needs its result
    double fetch = 0.0;         ///< seconds per instruction of code that is not a loop, in one warp
};

/// Properties from which theory follows: rate = multiprocessors x perClock x clock.
struct Chip {
    double multiprocessors = 0.0;
    double clockHz = 0.0;         ///< the highest that the vendor promises (boost)
    double flopPerClock = 0.0;    ///< per multiprocessor; an FFMA counts as two
    double specialPerClock = 0.0; ///< per multiprocessor
    double issuePerClock = 0.0;   ///< instructions that its schedulers issue, of single threads
    double offsetHighPerClock = 0.0;
    double offsetLowPerClock = 0.0;
    double sharedBytesPerClock = 0.0;
    /// Floating-point instructions that one special function hides. Van Bavel measured 3 on Fermi
    /// (6 operations of FFMA).
    double hiddenInstructions = 3.0;
};

/// Limits of a multiprocessor and of the device.
struct Limits {
    double memoryBytes = 0.0;   ///< of the device
    double cacheBytes = 0.0;    ///< of the last cache of the device
    double threads = 0.0;       ///< per multiprocessor
    double blocks = 0.0;        ///< per multiprocessor
    double registers = 0.0;     ///< per multiprocessor
    double sharedBytes = 0.0;   ///< per multiprocessor
    double sharedReserve = 0.0; ///< bytes that the system takes per block
    /// Bytes that a block may have; 0: those of a multiprocessor less the reserve.
    double blockSharedBytes = 0.0;

    double mostShared() const { ///< bytes of shared memory of a block; 0: not known
        return blockSharedBytes > 0.0 ? blockSharedBytes : sharedBytes - sharedReserve;
    }
};

/// `id` is the name of its file. `theory` is complete; `measured` may have gaps.
struct Device {
    std::string id;
    std::string name; ///< as the driver reports it
    bool isCpu = false;
    bool overlapsCopies = true;       ///< copies frames while kernels run
    std::vector<std::string> sources; ///< of each figure, in words
    Chip chip;
    Limits limits;
    Rates theory;
    Rates measured;
};

/// One number of a struct: its key in device files, its unit, and what it is.
template <class S> struct Row {
    const char* key;
    double S::*member;
    const char* unit;
    const char* help;
};
// All numbers, in the order of the files.
std::span<const Row<Rates>> rateRows();
std::span<const Row<Chip>> chipRows();
std::span<const Row<Limits>> limitRows();

/// Rates that follow from the chip. The others are 0.
Rates theoryOf(const Chip& chip);

/// `over` where it is known, else `base`.
Rates completed(const Rates& over, const Rates& base);

/// Rates that kernels reach: measured ones; where there are none, those of theory, memory times
/// kReachedShare. Instructions are issued at the share of theory that FFMA reach. What one warp of
/// a card waits for is given in clocks where nothing is known.
Rates reachedRates(const Device& device);
/// One core of a CPU: it computes and reads its first cache alone, and has all of the memory.
Device oneCoreOf(const Device& cpu);

/// The share of theory that a copy in device memory reached on an H200: 4.30 of 4.8 TB/s.
inline constexpr double kReachedShare = 0.896;

} // namespace echolux::model
