// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the numbers of a device, and rates that follow from others.
#include "gpu/model/device.hpp"

#include <array>

namespace echolux::model {

std::span<const Row<Rates>> rateRows() {
    static constexpr std::array kRows{
        Row<Rates>{"ffma", &Rates::ffma, "operations/s", "multiply-adds, two operations each"},
        Row<Rates>{"fmul", &Rates::fmul, "operations/s", "multiplications"},
        Row<Rates>{"fadd", &Rates::fadd, "operations/s", "additions"},
        Row<Rates>{"special", &Rates::special, "operations/s", "special functions"},
        Row<Rates>{"issue", &Rates::issue, "instructions/s", "instructions of any kind"},
        Row<Rates>{"offset_high", &Rates::offsetHigh, "operations/s", "integer additions"},
        Row<Rates>{"offset_low", &Rates::offsetLow, "operations/s",
                   "the slowest of integer multiplication, shift and conversion"},
        Row<Rates>{"global", &Rates::global, "B/s", "device memory; main memory of a CPU"},
        Row<Rates>{"cache", &Rates::cache, "B/s", "last cache before it"},
        Row<Rates>{"shared", &Rates::shared, "B/s", "shared memory; first cache of a CPU"},
        Row<Rates>{"to_device", &Rates::toDevice, "B/s", "copies from pinned host memory"},
        Row<Rates>{"to_host", &Rates::toHost, "B/s", "copies to pinned host memory"},
        Row<Rates>{"launch", &Rates::launch, "s", "from one kernel to the next on a stream"},
        Row<Rates>{"latency", &Rates::latency, "s", "one access to device memory"},
        Row<Rates>{"cache_latency", &Rates::cacheLatency, "s", "one access to the last cache"},
        Row<Rates>{"shared_latency", &Rates::sharedLatency, "s", "one access to shared memory"},
        Row<Rates>{"step", &Rates::step, "s", "from an instruction to one that needs its result"},
        Row<Rates>{"fetch", &Rates::fetch, "s",
                   "per instruction of code that is not a loop, in one warp"},
    };
    return kRows;
}

std::span<const Row<Chip>> chipRows() {
    static constexpr std::array kRows{
        Row<Chip>{"multiprocessors", &Chip::multiprocessors, "", "multiprocessors; cores of a CPU"},
        Row<Chip>{"clock", &Chip::clockHz, "Hz", "highest clock that the vendor names"},
        Row<Chip>{"flop_per_clock", &Chip::flopPerClock, "", "per multiprocessor; FFMA is two"},
        Row<Chip>{"special_per_clock", &Chip::specialPerClock, "", "per multiprocessor"},
        Row<Chip>{"issue_per_clock", &Chip::issuePerClock, "",
                  "instructions of threads, per multiprocessor"},
        Row<Chip>{"offset_high_per_clock", &Chip::offsetHighPerClock, "", "per multiprocessor"},
        Row<Chip>{"offset_low_per_clock", &Chip::offsetLowPerClock, "", "per multiprocessor"},
        Row<Chip>{"shared_bytes_per_clock", &Chip::sharedBytesPerClock, "B", "per multiprocessor"},
        Row<Chip>{"hidden_instructions", &Chip::hiddenInstructions, "",
                  "floating-point instructions that one special function hides"},
    };
    return kRows;
}

std::span<const Row<Limits>> limitRows() {
    static constexpr std::array kRows{
        Row<Limits>{"memory", &Limits::memoryBytes, "B", "of the device"},
        Row<Limits>{"cache", &Limits::cacheBytes, "B", "last cache of the device"},
        Row<Limits>{"threads", &Limits::threads, "", "per multiprocessor"},
        Row<Limits>{"blocks", &Limits::blocks, "", "per multiprocessor"},
        Row<Limits>{"registers", &Limits::registers, "", "per multiprocessor"},
        Row<Limits>{"shared", &Limits::sharedBytes, "B", "shared memory per multiprocessor"},
        Row<Limits>{"shared_reserve", &Limits::sharedReserve, "B",
                    "shared memory that the system takes per block"},
        Row<Limits>{"block_shared", &Limits::blockSharedBytes, "B",
                    "shared memory per block, where that is less"},
    };
    return kRows;
}

Rates theoryOf(const Chip& chip) {
    const double clocks = chip.multiprocessors * chip.clockHz;
    Rates rates;
    rates.ffma = clocks * chip.flopPerClock;
    rates.fmul = rates.ffma / 2.0;
    rates.fadd = rates.ffma / 2.0;
    rates.special = clocks * chip.specialPerClock;
    rates.issue = clocks * chip.issuePerClock;
    rates.offsetHigh = clocks * chip.offsetHighPerClock;
    rates.offsetLow = clocks * chip.offsetLowPerClock;
    rates.shared = clocks * chip.sharedBytesPerClock;
    return rates;
}

Rates completed(const Rates& over, const Rates& base) {
    Rates rates = base;
    for (const Row<Rates>& row : rateRows())
        if (over.*row.member > 0.0) rates.*row.member = over.*row.member;
    return rates;
}

Rates reachedRates(const Device& device) {
    Rates theory = device.theory;
    if (!device.isCpu && device.chip.clockHz > 0.0) {
        // Usual clocks of cards from 2017 on.
        const double clock = 1.0 / device.chip.clockHz;
        theory = completed(theory, {.cacheLatency = 260.0 * clock,
                                    .sharedLatency = 30.0 * clock,
                                    .step = 4.0 * clock,
                                    .fetch = 6.0 * clock});
    }
    theory.global *= kReachedShare;
    theory.toDevice *= kReachedShare;
    theory.toHost *= kReachedShare;
    if (device.measured.ffma > 0.0 && device.theory.ffma > 0.0)
        theory.issue *= device.measured.ffma / device.theory.ffma;
    return completed(device.measured, theory);
}

Device oneCoreOf(const Device& cpu) {
    Device core = cpu;
    core.chip.multiprocessors = 1.0;
    for (Rates* rates : {&core.theory, &core.measured})
        for (const auto rate :
             {&Rates::ffma, &Rates::fmul, &Rates::fadd, &Rates::special, &Rates::issue,
              &Rates::offsetHigh, &Rates::offsetLow, &Rates::shared})
            rates->*rate /= cpu.chip.multiprocessors;
    return core;
}

} // namespace echolux::model
