// SPDX-License-Identifier: GPL-3.0-or-later
// S4, section 3: B-scans of 512 A-scans from the host to images on the host: stage by stage with
// one stream, and fused with several.
#include "app/commands/bench_documents.hpp"

#include "app/commands/bench_oct.hpp"
#include "app/commands/bench_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

constexpr std::int64_t kLines = 512;

/// One of the document's cards: microseconds per B-scan of 512 x 1024 samples, and the rate.
struct Card {
    double upUs;
    double processingUs;
    double downUs;
    double totalUs;
    double bscansPerS;
};
/// Quadro K420, Quadro P1000, GTX 1080 Ti.
using Cards = std::array<Card, 3>;
constexpr Cards kOriginal{
    {{159.3, 6183, 396, 6738, 148}, {82, 1123, 340, 1545, 647}, {87, 264, 209, 560, 1785}}};
constexpr Cards kNew{
    {{159.3, 5462, 396, 6014, 166}, {142, 1324, 217, 1324, 755}, {88, 179, 200, 200, 5000}}};

enum class Memory { Pinned, Pageable };

/// How the document's two programs work.
struct Way {
    Fusing fusing = Fusing::Allowed;
    const char* dcRemoval = "moving_average";
    Memory memory = Memory::Pinned;
    int streams = 4;
};
constexpr Way kOriginalWay{Fusing::Never, "fourier_bins", Memory::Pageable, 1};

/// B-scans on their way: to the device, through the chain and back.
class RoundTrip {
public:
    RoundTrip(const Exec& exec, const OctProblem& problem, const Way& way)
        : m_snapshot(tschuppChain(problem, way.dcRemoval)), m_onCuda(exec.backend == Backend::Cuda),
          m_runner(exec.backend, way.streams, way.fusing) {
        const bool pinned = way.memory == Memory::Pinned && m_onCuda;
        const MemoryKind memory = pinned ? MemoryKind::Pinned : MemoryKind::Host;
        m_runner.apply(m_snapshot);
        m_raw = Buffer(memory, m_snapshot->input.bytes());
        fillSpectra(problem, m_snapshot->input, m_raw.as<std::byte>());
        for (int slot = 0; slot < m_runner.slotCount(); ++slot) {
            m_images.emplace_back(memory, m_snapshot->output().bytes());
            m_back.emplace_back(exec.backend, true);
            m_computed.emplace_back(exec.backend, true);
        }
    }

    /// Microseconds of each part of one B-scan with nothing else in flight: the medians.
    Card parts(int repeat) {
        std::array<std::vector<double>, 3> us;
        for (int i = 0; i < kBenchWarmUps + repeat; ++i) {
            const auto slot = static_cast<std::size_t>(start());
            m_back[slot].synchronize();
            const FrameTiming& timing = m_runner.timing(static_cast<int>(slot));
            if (i < kBenchWarmUps) continue;
            us[0].push_back(1e3 * timing.uploadMs);
            us[1].push_back(1e3 * (timing.totalMs - timing.uploadMs));
            us[2].push_back(
                !m_onCuda ? 0.0
                          : 1e3 * device::elapsedMs(m_computed[slot].get(), m_back[slot].get()));
        }
        Card card{medianOf(us[0]), medianOf(us[1]), medianOf(us[2]), 0.0, 0.0};
        card.totalUs = card.upUs + card.processingUs + card.downUs;
        return card;
    }

    /// B-scans per second with all streams in use.
    double perSecond(int repeat) {
        const auto play = [&](int bscans) {
            for (int i = 0; i < bscans; ++i) {
                // The stream of the next slot runs its work in order; only the host's memory of the
                // image must be free.
                const auto next = static_cast<std::size_t>(m_started % m_runner.slotCount());
                if (m_started >= m_runner.slotCount()) m_back[next].synchronize();
                start();
            }
            for (const Event& event : m_back) event.synchronize();
        };
        play(kBenchWarmUps * m_runner.slotCount());
        const int bscans = std::max(repeat * 8, m_onCuda ? 200 : 1);
        const auto from = std::chrono::steady_clock::now();
        play(bscans);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - from;
        return bscans / spent.count();
    }

    std::vector<float> image() {
        const auto slot = static_cast<std::size_t>(start());
        m_back[slot].synchronize();
        const auto* first = m_images[slot].as<float>();
        return {first, first + m_snapshot->output().count()};
    }

private:
    int start() {
        const int slot = m_runner.enqueue({.raw = m_raw.as<std::byte>()});
        const auto at = static_cast<std::size_t>(slot);
        const Exec exec = m_runner.exec(slot);
        m_computed[at].record(exec);
        download(exec, m_images[at].data(), m_runner.viewOutput(slot, 0).data,
                 m_images[at].bytes());
        m_back[at].record(exec);
        ++m_started;
        return slot;
    }

    SnapshotPtr m_snapshot;
    bool m_onCuda;
    Runner m_runner;
    Buffer m_raw;
    std::vector<Buffer> m_images; ///< per slot
    std::vector<Event> m_back;    ///< per slot: the image is on the host
    std::vector<Event> m_computed;
    int m_started = 0;
};

OctProblem problemOf(std::int64_t samples, std::int64_t lines) {
    OctProblem problem;
    problem.samples = samples;
    problem.linesPerBscan = lines;
    problem.bscans = 1;
    return problem;
}

double deviationOf(const Exec& exec, const OctProblem& problem) {
    Way way;
    const std::vector<float> fused = RoundTrip(exec, problem, way).image();
    way.fusing = Fusing::Never;
    const std::vector<float> separate = RoundTrip(exec, problem, way).image();
    Deviation deviation;
    for (std::size_t i = 0; i < fused.size(); ++i)
        deviation.add(std::abs(double{separate[i]}),
                      std::abs(double{fused[i]} - double{separate[i]}));
    return deviation.relative();
}

/// Takes the rows of one of the two programs, of B-scans of `lines` lines. The published figures
/// are those of the GTX 1080 Ti; notes name the other cards.
void takeProgram(const DocumentBench& bench, const std::string& table, const Cards& published,
                 const Card& measured, std::int64_t lines, std::optional<double> deviation) {
    constexpr double kMSamplesPerLine = 1024.0 / 1e6;
    const bool onCuda = bench.exec.backend == Backend::Cuda;
    struct Row {
        const char* entry;
        const char* unit;
        double Card::*part;
        bool needsDevice = false;
        double perLine = 0.0; ///< 0: counts B-scans
    };
    for (const Row& row :
         {Row{"host to device", "us", &Card::upUs, true},
          Row{"processing", "us", &Card::processingUs},
          Row{"device to host", "us", &Card::downUs, true}, Row{"B-scan", "us", &Card::totalUs},
          Row{"B-scans", "B-scans/s", &Card::bscansPerS},
          Row{"A-scans", "A-scans/s", &Card::bscansPerS, false, 1.0},
          Row{"samples", "MSamples/s", &Card::bscansPerS, false, kMSamplesPerLine}}) {
        const auto figure = [&row](const Card& card, std::int64_t ofLines) {
            return card.*row.part *
                   (row.perLine > 0.0 ? row.perLine * static_cast<double>(ofLines) : 1.0);
        };
        DocumentEntry entry{.table = table, .entry = row.entry, .unit = row.unit};
        entry.published = figure(published[2], kLines);
        const bool isRun = onCuda || !row.needsDevice;
        if (isRun) entry.measured = figure(measured, lines);
        entry.note = isRun ? fmt::format("K420 {:.4g}, P1000 {:.4g}", figure(published[0], kLines),
                                         figure(published[1], kLines))
                           : "the CPU has no device memory";
        if (row.part == &Card::processingUs) {
            entry.deviation = deviation;
            entry.allowed = 1e-4;
        }
        bench.take(entry);
    }
}

} // namespace

void benchOctStreams(const DocumentBench& bench) {
    const std::int64_t lines = bench.reduced ? 16 : kLines;
    const OctProblem problem = problemOf(1024, lines);
    const auto measured = [&](const Way& way, bool overlaps) {
        RoundTrip trip(bench.exec, problem, way);
        Card card = trip.parts(bench.repeat);
        card.bscansPerS = trip.perSecond(bench.repeat);
        if (overlaps) card.totalUs = 1e6 / card.bscansPerS;
        return card;
    };
    const Card original = measured(kOriginalWay, false);
    takeProgram(bench,
                "S4 section 3, original program: stage by stage, one stream, pageable memory",
                kOriginal, original, lines, std::nullopt);
    const Card overlapped = measured({}, true);
    takeProgram(bench, "S4 section 3, new program: fused, four streams, pinned memory", kNew,
                overlapped, lines, deviationOf(bench.exec, problem));
    bench.take({.table = "S4 section 3, speed-up",
                .entry = "new over original, B-scans per second",
                .unit = "times faster",
                .published = kNew[2].bscansPerS / kOriginal[2].bscansPerS,
                .measured = overlapped.bscansPerS / original.bscansPerS,
                .note = "K420 1.12, P1000 1.17"});

    struct Shown {
        std::int64_t samples;
        double published; ///< A-scans per second
        double goal;
    };
    for (const Shown& shown : {Shown{1024, 2.5e6, 0.0}, Shown{2048, 1.35e6, 1e6}}) {
        const std::string table =
            fmt::format("S4 sections 1.5 and 3.5, {} samples, streams and memory", shown.samples);
        const OctProblem other = problemOf(shown.samples, lines);
        for (const Memory memory : {Memory::Pinned, Memory::Pageable}) {
            for (const int streams : {1, 2, 4, 8}) {
                const bool isDocuments = memory == Memory::Pinned && streams == 4;
                DocumentEntry row{
                    .table = table,
                    .entry = fmt::format("{} stream{}, {} memory", streams, streams > 1 ? "s" : "",
                                         memory == Memory::Pinned ? "pinned" : "pageable"),
                    .unit = "A-scans/s"};
                if (isDocuments) row.published = shown.published;
                if (isDocuments && shown.goal > 0.0)
                    row.note = fmt::format("goal of the document: {:.0e}", shown.goal);
                if (bench.exec.backend == Backend::Cpu && !(isDocuments)) continue;
                RoundTrip trip(bench.exec, other, {.memory = memory, .streams = streams});
                row.measured = trip.perSecond(bench.repeat) * static_cast<double>(lines);
                bench.take(row);
            }
        }
    }
}

} // namespace echolux
