// SPDX-License-Identifier: GPL-3.0-or-later
// S4, section 3: B-scans of 512 A-scans from the host to images on the host: stage by stage with
// one stream, and fused with several.
#include "app/bench/documents.hpp"

#include "app/bench/oct_trip.hpp"
#include "app/bench/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

/// One of the document's cards, per B-scan of 512 x 1024 samples.
using Card = TripTimes;
/// Quadro K420, Quadro P1000, GTX 1080 Ti.
using Cards = std::array<Card, 3>;
constexpr Cards kOriginal{
    {{159.3, 6183, 396, 6738, 148}, {82, 1123, 340, 1545, 647}, {87, 264, 209, 560, 1785}}};
constexpr Cards kNew{
    {{159.3, 5462, 396, 6014, 166}, {142, 1324, 217, 1324, 755}, {88, 179, 200, 200, 5000}}};

OctProblem problemOf(std::int64_t samples, std::int64_t lines) {
    OctProblem problem;
    problem.samples = samples;
    problem.linesPerBscan = lines;
    problem.bscans = 1;
    return problem;
}

double deviationOf(const Exec& exec, const OctProblem& problem) {
    TripWay way;
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
          Row{"B-scans", "B-scans/s", &Card::perSecond},
          Row{"A-scans", "A-scans/s", &Card::perSecond, false, 1.0},
          Row{"samples", "MSamples/s", &Card::perSecond, false, kMSamplesPerLine}}) {
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
    const int bscans = std::max(bench.repeat * 8, bench.exec.backend == Backend::Cuda ? 200 : 1);
    const auto measured = [&](const TripWay& way, bool overlaps) {
        Card card = tripTimes(bench.exec, problem, way, bench.repeat, bscans);
        if (overlaps) card.totalUs = 1e6 / card.perSecond;
        return card;
    };
    const Card original = measured(kTschuppOriginal, false);
    takeProgram(bench,
                "S4 section 3, original program: stage by stage, one stream, pageable memory",
                kOriginal, original, lines, std::nullopt);
    const Card overlapped = measured({}, true);
    takeProgram(bench, "S4 section 3, new program: fused, four streams, pinned memory", kNew,
                overlapped, lines, deviationOf(bench.exec, problem));
    bench.take({.table = "S4 section 3, speed-up",
                .entry = "new over original, B-scans per second",
                .unit = "times faster",
                .published = kNew[2].perSecond / kOriginal[2].perSecond,
                .measured = overlapped.perSecond / original.perSecond,
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
        for (const TripMemory memory : {TripMemory::Pinned, TripMemory::Pageable}) {
            for (const int streams : {1, 2, 4, 8}) {
                const bool isDocuments = memory == TripMemory::Pinned && streams == 4;
                DocumentEntry row{
                    .table = table,
                    .entry = fmt::format("{} stream{}, {} memory", streams, streams > 1 ? "s" : "",
                                         memory == TripMemory::Pinned ? "pinned" : "pageable"),
                    .unit = "A-scans/s"};
                if (isDocuments) row.published = shown.published;
                if (isDocuments && shown.goal > 0.0)
                    row.note = fmt::format("goal of the document: {:.0e}", shown.goal);
                if (bench.exec.backend == Backend::Cpu && !(isDocuments)) continue;
                RoundTrip trip(bench.exec, other, {.memory = memory, .streams = streams});
                row.measured = trip.perSecond(bscans) * static_cast<double>(lines);
                bench.take(row);
            }
        }
    }
}

} // namespace echolux
