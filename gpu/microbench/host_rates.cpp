// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of the processor with all its threads.
#include "gpu/exec/host_loop.hpp"
#include "gpu/microbench/host_loops.hpp"
#include "gpu/microbench/microbench.hpp"
#include "gpu/model/equations.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <span>
#include <thread>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace echolux::microbench {
namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Runs loops on all threads.
class HostBench {
public:
    explicit HostBench(double seconds) : m_each(seconds / kMeasurements) {}

    int threads() const { return m_threads; }

    /// Report::processorShare of all loops until now.
    double processorShare() const { return m_processor / (m_clock * m_threads); }

    /// Calls of `loop` per second, each of which does one turn: the best of kRuns.
    double turnsPerSecond(const std::function<float(std::int64_t turns)>& loop) const {
        std::int64_t turns = 256;
        double seconds = 0.0;
        while (true) { // long enough to be timed
            seconds = timeOf(loop, turns);
            if (seconds > m_each / kRuns / 2.0) break;
            turns *= 2;
        }
        double best = static_cast<double>(turns) / seconds;
        for (int run = 1; run < kRuns; ++run)
            best = std::max(best, static_cast<double>(turns) / timeOf(loop, turns));
        return best * static_cast<double>(m_parts);
    }

    /// The best of kRuns.
    double shortest(const std::function<void()>& work) const {
        double best = secondsOf(work);
        const auto until = Clock::now() + std::chrono::duration<double>(m_each);
        for (int run = 1; run < kRuns || Clock::now() < until; ++run)
            best = std::min(best, secondsOf(work));
        return best;
    }

private:
    static constexpr double kMeasurements = 18.0;
    static constexpr int kRuns = 10;
    static constexpr int kPartsPerThread = 4;

    double timeOf(const std::function<float(std::int64_t turns)>& loop, std::int64_t turns) const {
        std::atomic<float> sink = 0.0F;
        const double processor = processorSeconds();
        const double seconds = secondsOf(
            [&] { host::eachIndex(m_parts, [&](std::int64_t) { sink.store(loop(turns)); }); });
        m_processor += processorSeconds() - processor;
        m_clock += seconds;
        return seconds;
    }

    /// Of all threads of this program.
    static double processorSeconds() {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    mutable double m_processor = 0.0;
    mutable double m_clock = 0.0;
    double m_each;
    int m_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::int64_t m_parts = std::int64_t{m_threads} * kPartsPerThread;
};

double vectorsPerTurn() { return double{loops::kLanes} * loops::kChains; }

/// Operations per second of the mix of FFMA and roots, each FFMA two operations.
struct Mix {
    const char* name;
    int perRoot;
};
constexpr Mix kMixes[] = {{"FFMA:root 2:1", 1}, {"FFMA:root 4:1", 2},  {"FFMA:root 6:1", 3},
                          {"FFMA:root 8:1", 4}, {"FFMA:root 12:1", 6}, {"FFMA:root 24:1", 12}};

void measureArithmetic(const HostBench& bench, Report& report) {
    model::Rates& rates = report.device.measured;
    const double numbers = vectorsPerTurn();
    rates.ffma = 2.0 * numbers * bench.turnsPerSecond(loops::multiplyAdds);
    rates.fmul = numbers * bench.turnsPerSecond(loops::products);
    rates.fadd = numbers * bench.turnsPerSecond(loops::sums);
    rates.special = numbers * bench.turnsPerSecond(loops::roots);
    rates.offsetHigh = numbers * bench.turnsPerSecond(loops::integerSums);
    rates.offsetLow = numbers * bench.turnsPerSecond(loops::gathers);
    for (const Mix& mix : kMixes) {
        const double perSecond = bench.turnsPerSecond(
            [&](std::int64_t turns) { return loops::multiplyAddsWithRoots(turns, mix.perRoot); });
        const double operations = 2.0 * numbers;
        const double specials = numbers / mix.perRoot;
        report.figures.push_back(
            {"mixes", mix.name, "operations/s", 0.0, (operations + specials) * perSecond});
        // The mixes with more FFMA than roots hide tell how many they hide; the last one does best.
        if (2.0 * mix.perRoot > 8.0)
            report.device.chip.hiddenInstructions =
                hiddenInstructions(rates, operations, specials, 1.0 / perSecond);
    }
}

/// Eq. 5.12 for each mix, with the measured number of hidden operations.
void predictMixes(Report& report) {
    const model::Rates& rates = report.device.measured;
    const double hidden = 2.0 * report.device.chip.hiddenInstructions;
    for (const Mix& mix : kMixes)
        for (Figure& figure : report.figures)
            if (figure.name == mix.name)
                figure.theory = model::overlappedRate({1.0, rates.special},
                                                      {2.0 * mix.perRoot, rates.ffma}, hidden);
}

/// Work for all threads over pieces of an array.
template <class Piece>
void eachPiece(std::span<float> values, std::int64_t pieces, const Piece& piece) {
    const std::size_t size = values.size() / static_cast<std::size_t>(pieces);
    host::eachIndex(pieces,
                    [&](std::int64_t i) { piece(static_cast<std::size_t>(i) * size, size); });
}

/// Bytes per second of copies from one half of `values` to the other, read and written.
double copyRate(const HostBench& bench, std::span<float> values) {
    const std::span<float> from = values.first(values.size() / 2);
    const std::span<float> to = values.subspan(values.size() / 2);
    constexpr std::int64_t kPieces = 64;
    const double seconds = bench.shortest([&] {
        eachPiece(to, kPieces, [&](std::size_t at, std::size_t size) {
            loops::copy(from.subspan(at, size), to.subspan(at, size));
        });
    });
    return 4.0 * static_cast<double>(values.size()) / seconds;
}

void measureMemory(const HostBench& bench, Report& report) {
    constexpr std::size_t kMemory = std::size_t{64} << 20; // floats: 256 MiB, beyond every cache
    constexpr std::size_t kCache = std::size_t{1} << 20;   // 4 MiB
    constexpr std::size_t kFirst = std::size_t{4} << 10;   // 16 KiB
    model::Rates& rates = report.device.measured;
    std::vector<float> values(kMemory, 1.0F);
    rates.global = copyRate(bench, values);
    rates.cache = copyRate(bench, std::span(values).first(kCache));
    // Vectors that cross cache lines would be loaded at half the rate.
    constexpr std::size_t kCacheLine = 64;
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(values.data()) % kCacheLine;
    const std::span<const float> first(
        values.data() + (kCacheLine - beyond) % kCacheLine / sizeof(float), kFirst);
    rates.shared =
        4.0 * static_cast<double>(kFirst) *
        bench.turnsPerSecond([&](std::int64_t turns) { return loops::load(first, turns); });
    // A closed path through 64 MiB in no order that a prefetcher knows: a linear congruence with a
    // full period.
    constexpr std::uint32_t kPath = std::uint32_t{16} << 20;
    std::vector<std::uint32_t> path(kPath);
    for (std::uint32_t i = 0; i < kPath; ++i) path[i] = (i * 1664525U + 1013904223U) % kPath;
    constexpr std::int64_t kSteps = 100'000;
    std::uint32_t end = 0;
    rates.latency = bench.shortest([&] { end += loops::chase(path, kSteps); }) / kSteps;
    report.figures.push_back({"memory", "latency of one access", "s", 0.0, rates.latency});
    if (end == 1) report.figures.back().unit = "s "; // keeps the chase
    rates.launch = bench.shortest([&] {
        for (int i = 0; i < 64; ++i) host::eachIndex(bench.threads(), [](std::int64_t) {});
    }) / 64.0;
}

double clockHz(const HostBench& bench) {
    if constexpr (!loops::kKnowsMultiply) return 0.0;
    constexpr std::int64_t kProducts = 1 << 16;
    std::uint64_t value = 0;
    const double seconds = bench.shortest([&] { value += loops::dependentProducts(kProducts); });
    return value == 2 ? 0.0 : kProducts * loops::kMultiplyClocks / seconds;
}

} // namespace

std::string processorName() {
#if defined(__x86_64__)
    unsigned int words[12] = {};
    for (unsigned int part = 0; part < 3; ++part) {
        unsigned int* at = words + 4 * part;
        if (__get_cpuid(0x80000002U + part, at, at + 1, at + 2, at + 3) == 0) return "CPU";
    }
    std::string name(reinterpret_cast<const char*>(words), sizeof words);
    name = name.substr(0, name.find('\0'));
    const auto first = name.find_first_not_of(' ');
    const auto last = name.find_last_not_of(' ');
    return first == std::string::npos ? "CPU" : name.substr(first, last - first + 1);
#else
    return "CPU";
#endif
}

Report measureHost(double seconds) {
    const HostBench bench(seconds);
    Report report;
    model::Device& device = report.device;
    device.isCpu = true;
    device.name = processorName();
    device.id = "cpu";
    device.sources = {"measured: echolux microbench, all threads of this machine",
                      "theory: numbers per clock are the next power of two above the measured "
                      "ones; rates of memory are the measured ones",
                      "clock: measured by dependent multiplications of integers, 3 clocks each"};
    device.chip.multiprocessors = bench.threads();
    device.chip.clockHz = clockHz(bench);
    if (device.chip.clockHz <= 0.0) device.chip.clockHz = 1e9; // rates alone count then
    device.limits.memoryBytes =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
#if defined(_SC_LEVEL3_CACHE_SIZE)
    device.limits.cacheBytes = std::max(0.0, static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
    measureArithmetic(bench, report);
    predictMixes(report);
    measureMemory(bench, report);
    completeTheory(device);
    addRates(report);
    report.processorShare = bench.processorShare();
    if (report.wasBusy())
        device.sources.emplace_back("NOTE: other programs took part of the processor meanwhile; "
                                    "measured rates are too low");
    return report;
}

} // namespace echolux::microbench
