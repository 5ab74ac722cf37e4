// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of a card. NOTE: the kernels were timed on compute capability 9.0 alone; a rate far from
// its theory says that the compiler has changed a loop.
#include "gpu/core/error.hpp"
#include "gpu/memory/buffer.hpp"
#include "gpu/memory/transfer.hpp"
#include "gpu/microbench/card_kernels.hpp"
#include "gpu/microbench/microbench.hpp"
#include "gpu/model/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace echolux::microbench {
namespace {

using card::Instruction;

/// Times work on a card.
class CardBench {
public:
    CardBench(const Exec& exec, std::int64_t multiprocessors)
        : m_exec(exec), m_blocks(multiprocessors * kBlocksPerMultiprocessor),
          m_sink(MemoryKind::Device, kSinkFloats * sizeof(float)), m_begin(Backend::Cuda, true),
          m_end(Backend::Cuda, true) {}

    const Exec& exec() const { return m_exec; }
    std::int64_t blocks() const { return m_blocks; }
    std::int64_t multiprocessors() const { return m_blocks / kBlocksPerMultiprocessor; }
    double threads() const { return static_cast<double>(m_blocks * card::kThreads); }
    float* sink() const { return m_sink.as<float>(); }
    static constexpr std::size_t kSinkFloats = std::size_t{1} << 22;

    /// Seconds of `work`, the best of kRuns; `times` calls of it are timed as one.
    double shortest(const std::function<void()>& work, int times = 1) const {
        work();
        double best = 1e30;
        for (int run = 0; run < kRuns; ++run) {
            m_begin.record(m_exec);
            for (int i = 0; i < times; ++i) work();
            m_end.record(m_exec);
            device::synchronizeEvent(m_end.get());
            best = std::min(best, device::elapsedMs(m_begin.get(), m_end.get()) / 1e3 / times);
        }
        return best;
    }

private:
    static constexpr std::int64_t kBlocksPerMultiprocessor = 16;
    static constexpr int kRuns = 7;

    Exec m_exec;
    std::int64_t m_blocks;
    Buffer m_sink;
    Event m_begin;
    Event m_end;
};

constexpr std::int64_t kTurns = 4096;

double instructionRate(const CardBench& bench, Instruction instruction) {
    const double seconds = bench.shortest(
        [&] { card::run(bench.exec(), instruction, bench.blocks(), kTurns, bench.sink()); });
    return bench.threads() * static_cast<double>(card::instructionsPerThread(kTurns)) / seconds;
}

void measureArithmetic(const CardBench& bench, Report& report) {
    model::Rates& rates = report.device.measured;
    rates.ffma = 2.0 * instructionRate(bench, Instruction::Ffma);
    rates.fmul = instructionRate(bench, Instruction::Fmul);
    rates.fadd = instructionRate(bench, Instruction::Fadd);
    rates.special = instructionRate(bench, Instruction::Rsqrt);
    rates.offsetHigh = instructionRate(bench, Instruction::IntegerAdd);
    struct Slow {
        Instruction instruction;
        const char* name;
    };
    constexpr std::array kSlow{Slow{Instruction::IntegerMultiply, "integer multiplication"},
                               Slow{Instruction::Shift, "shift"},
                               Slow{Instruction::Convert, "conversion to float"}};
    for (const Slow& slow : kSlow) {
        const double rate = instructionRate(bench, slow.instruction);
        report.figures.push_back({"offsets", slow.name, "operations/s", 0.0, rate});
        rates.offsetLow = rates.offsetLow > 0.0 ? std::min(rates.offsetLow, rate) : rate;
    }
}

/// Tables 5.2 to 5.5. The mix of 12:1 gives the number of hidden instructions.
void measureMixes(const CardBench& bench, Report& report) {
    const model::Rates& rates = report.device.measured;
    constexpr std::int64_t kMixTurns = 2048;
    const double perThread = bench.threads() * static_cast<double>(kMixTurns);
    std::array<double, card::kMixCount> seconds{};
    for (int i = 0; i < card::kMixCount; ++i)
        seconds[static_cast<std::size_t>(i)] = bench.shortest(
            [&] { card::runMix(bench.exec(), i, bench.blocks(), kMixTurns, bench.sink()); });
    const card::Mix& last = card::kMixes[card::kMixCount - 1];
    report.device.chip.hiddenInstructions = hiddenInstructions(
        rates, 2.0 * last.ffma * perThread, last.rsqrt * perThread, seconds.back());
    for (int i = 0; i < card::kMixCount; ++i) {
        const card::Mix& mix = card::kMixes[i];
        const double operations = 2.0 * mix.ffma + mix.fmul + mix.fadd;
        const std::array kinds{model::Work{2.0 * mix.ffma, rates.ffma},
                               model::Work{double(mix.fmul), rates.fmul},
                               model::Work{double(mix.fadd), rates.fadd}};
        const double hidden = model::hiddenOperations(mix.ffma + mix.fmul + mix.fadd, operations,
                                                      report.device.chip.hiddenInstructions);
        const double predicted = model::overlappedRate(
            {double(mix.rsqrt), rates.special}, {operations, model::computeRoof(kinds)}, hidden);
        report.figures.push_back(
            {"mixes", mix.name, "operations/s", predicted,
             (operations + mix.rsqrt) * perThread / seconds[static_cast<std::size_t>(i)]});
    }
}

/// Global and shared memory alone and together (figure 5.2); theory is the longer of both times.
void measureLoads(const CardBench& bench, const Buffer& values, Report& report) {
    constexpr double kLoadBytes = 16.0;
    const double perTurn = bench.threads() * kLoadBytes;
    const auto turns = static_cast<std::int64_t>(static_cast<double>(values.bytes()) / perTurn);
    const auto secondsOf = [&](bool global, int loads) {
        return bench.shortest([&] {
            card::runLoads(bench.exec(), global, loads, bench.blocks(), turns, values.as<float>(),
                           bench.sink());
        });
    };
    const double bytes = perTurn * static_cast<double>(turns);
    report.device.measured.shared = card::kMostLoads * bytes / secondsOf(false, card::kMostLoads);
    const double reading = secondsOf(true, 0);
    report.figures.push_back({"memory", "reading alone", "B/s", 0.0, bytes / reading});
    for (int loads = 1; loads <= card::kMostLoads; ++loads) {
        const double together = secondsOf(true, loads);
        const double longer = std::max(reading, loads * bytes / report.device.measured.shared);
        report.figures.push_back(
            {"global and shared", fmt::format("{} shared loads per global one", loads), "B/s",
             (1.0 + loads) * bytes / longer, (1.0 + loads) * bytes / together});
    }
}

/// Figure 5.4, in seconds.
void measureStores(const CardBench& bench, const Buffer& values, Report& report) {
    const std::int64_t blocks =
        static_cast<std::int64_t>(values.bytes() / sizeof(float)) / card::kThreads;
    for (int stores = 1; stores <= card::kMostStores; ++stores) {
        const double seconds = bench.shortest([&] {
            card::runStores(bench.exec(), stores, blocks, values.as<float>(), bench.sink());
        });
        report.figures.push_back(
            {"shared stores per load", fmt::format("{} stores", stores), "s", 0.0, seconds});
    }
}

/// Table 5.9, in seconds: one and two active blocks, forced by their shared memory.
void measureActiveBlocks(const CardBench& bench, const Buffer& values, Report& report) {
    const device::Info card = device::current();
    const device::Limits limits = device::limits();
    constexpr int kFloats = 8;
    constexpr int kFfma = 256;
    for (const int active : {1, 2}) {
        const std::size_t most =
            std::min(card.sharedBytesPerBlock,
                     limits.sharedBytes / static_cast<std::size_t>(active) - limits.sharedReserve);
        for (const int each : {1, 2, 4, 8}) {
            const std::int64_t blocks = std::int64_t{card.multiprocessors} * each;
            const double seconds = bench.shortest([&] {
                card::runWide(bench.exec(), blocks, most, kFloats, kFfma, values.as<float>(),
                              bench.sink());
            });
            report.figures.push_back({"active blocks",
                                      fmt::format("{} blocks, {} active", blocks, active), "s", 0.0,
                                      seconds});
        }
    }
}

void measureMemory(const CardBench& bench, Buffer& values, Report& report) {
    model::Rates& rates = report.device.measured;
    const auto copyRate = [&](std::int64_t floats) {
        const double seconds = bench.shortest(
            [&] {
                card::runCopy(bench.exec(), values.as<float>(), values.as<float>() + floats,
                              floats);
            },
            4);
        return 8.0 * static_cast<double>(floats) / seconds;
    };
    rates.global = copyRate(static_cast<std::int64_t>(values.bytes() / sizeof(float) / 2));
    // A small share of the cache, because parts of it may be far from a multiprocessor.
    const auto held =
        static_cast<std::int64_t>(report.device.limits.cacheBytes / 8.0 / sizeof(float)) / 4 * 4;
    constexpr int kRounds = 128;
    rates.cache = kRounds * sizeof(float) * static_cast<double>(held) / bench.shortest([&] {
        card::runAgain(bench.exec(), values.as<float>(), held, bench.blocks(), kRounds,
                       bench.sink());
    });
    constexpr std::size_t kPiece = std::size_t{64} << 20;
    const Buffer pinned(MemoryKind::Pinned, kPiece);
    rates.toDevice = static_cast<double>(kPiece) / bench.shortest([&] {
        upload(bench.exec(), values.data(), pinned.data(), kPiece);
    });
    rates.toHost = static_cast<double>(kPiece) / bench.shortest([&] {
        download(bench.exec(), pinned.data(), values.data(), kPiece);
    });
}

/// Seconds from one launch to the next. They are captured, because the host is slower at launching
/// than the card.
double launchSeconds(const CardBench& bench) {
    constexpr int kLaunches = 256;
    device::beginCapture(bench.exec().stream);
    for (int i = 0; i < kLaunches; ++i) card::runEmpty(bench.exec());
    const CapturedWork launches(device::endCapture(bench.exec().stream));
    return bench.shortest([&] { launches.launch(bench.exec()); }) / kLaunches;
}

/// What one warp waits for.
void measureWaits(const CardBench& bench, Buffer& values, Report& report) {
    model::Rates& rates = report.device.measured;
    rates.launch = launchSeconds(bench);
    constexpr std::int64_t kSteps = 20'000;
    rates.step = bench.shortest([&] { card::runDependent(bench.exec(), kSteps, bench.sink()); }) /
                 static_cast<double>(kSteps);
    rates.sharedLatency = bench.shortest([&] {
        card::runSharedChase(bench.exec(), kSteps, bench.sink());
    }) / static_cast<double>(kSteps);
    rates.fetch = bench.shortest([&] {
        card::runStraight(bench.exec(), bench.multiprocessors(), bench.sink());
    }) / card::kStraight;
    // A closed path by a linear congruence with a full period, beyond the cache. Each run begins
    // elsewhere, so that nothing of its way is in the cache.
    constexpr std::uint32_t kPath = std::uint32_t{1} << 26;
    std::vector<std::uint32_t> path(kPath);
    for (std::uint32_t i = 0; i < kPath; ++i) path[i] = (i * 1664525U + 1013904223U) % kPath;
    upload(bench.exec(), values.data(), path.data(), path.size() * sizeof(std::uint32_t));
    const auto secondsFrom = [&](std::uint32_t between) {
        std::uint32_t from = 0;
        return bench.shortest([&] {
            from = (from + between) % kPath;
            card::runChase(bench.exec(), values.as<std::uint32_t>(), from, kSteps, bench.sink());
        }) / static_cast<double>(kSteps);
    };
    rates.latency = secondsFrom(kPath / 16 + 1);
    rates.cacheLatency = secondsFrom(0);
}

} // namespace

Report measureCard(const Exec& exec, const model::Device* known) {
    const device::Info card = device::current();
    const device::Limits limits = device::limits();
    Report report;
    model::Device& device = report.device;
    if (known != nullptr) device = *known;
    device.name = card.name;
    if (device.id.empty()) device.id = "card";
    device.sources.emplace_back("measured: echolux microbench on this card");
    if (known == nullptr) {
        device.sources.emplace_back("theory: numbers per clock are the next power of two above the "
                                    "measured ones; clocks and limits as the driver reports them");
        device.theory.global = limits.memoryBytesPerSecond;
        device.chip.clockHz = limits.clockHz;
    }
    device.chip.multiprocessors = card.multiprocessors;
    device.limits = {static_cast<double>(card.totalBytes),
                     static_cast<double>(limits.cacheBytes),
                     double(limits.threads),
                     double(limits.blocks),
                     double(limits.registers),
                     static_cast<double>(limits.sharedBytes),
                     static_cast<double>(limits.sharedReserve),
                     static_cast<double>(card.sharedBytesPerBlock)};
    device.measured = {};
    const CardBench bench(exec, card.multiprocessors);
    constexpr std::size_t kBytes = std::size_t{1} << 30;
    Buffer values(MemoryKind::Device, std::min(kBytes, device::freeBytes() / 2));
    fillBytes(exec, values.data(), 0, values.bytes());
    measureArithmetic(bench, report);
    measureMixes(bench, report);
    measureLoads(bench, values, report);
    measureStores(bench, values, report);
    measureActiveBlocks(bench, values, report);
    measureMemory(bench, values, report);
    measureWaits(bench, values, report);
    completeTheory(device);
    addRates(report);
    return report;
}

} // namespace echolux::microbench
