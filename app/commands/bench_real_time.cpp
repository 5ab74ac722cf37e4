// SPDX-License-Identifier: GPL-3.0-or-later
// S1, table 6: how much faster samples are processed than the probe sends them, by the document's
// kernels and by the stages `upsample` and `beamform`.
#include "app/commands/bench_own_lines.hpp"
#include "app/commands/bench_runs.hpp"
#include "app/commands/bench_scan_data.hpp"
#include "gpu/ladder/four_times_up.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kRealTime = "S1 table 6, 128 channels x 40 MHz x 5120 samples, apodized";
constexpr int kUpTaps = 11;

struct RealTimeRow {
    const char* entry;
    int lines; ///< 0: no upsampling
    ladder::LineOrder order;
    double published; ///< x real time
};

/// The document states hypothetical values for parallel lines.
constexpr RealTimeRow kRealTimeRows[] = {
    {"no upsampling", 0, ladder::LineOrder::Loop, 1.62},
    {"upsampled", 1, ladder::LineOrder::Loop, 0.27},
    {"upsampled, 2 lines", 2, ladder::LineOrder::Loop, 0.18},
    {"upsampled, 4 lines", 4, ladder::LineOrder::Loop, 0.12},
    {"upsampled, 8 lines", 8, ladder::LineOrder::Loop, 0.07},
    {"upsampled, 16 lines", 16, ladder::LineOrder::Loop, 0.04},
    {"upsampled, 2 lines in parallel (there: hoped for)", 2, ladder::LineOrder::Parallel, 0.32},
    {"upsampled, 4 lines in parallel (there: hoped for)", 4, ladder::LineOrder::Parallel, 0.24},
    {"upsampled, 8 lines in parallel (there: hoped for)", 8, ladder::LineOrder::Parallel, 0.15},
    {"upsampled, 16 lines in parallel (there: hoped for)", 16, ladder::LineOrder::Parallel, 0.09},
};

/// Adds the figure, and the number of graphics cards that real time would need. `publishedCards`:
/// that number in the document; empty where it gives none.
void takeRealTime(const DocumentBench& bench, DocumentEntry entry,
                  std::optional<double> publishedCards) {
    entry.table = kRealTime;
    entry.unit = "x real time";
    bench.take(entry);
    DocumentEntry cards{.table = kRealTime, .entry = entry.entry, .unit = "cards"};
    cards.published = publishedCards;
    cards.measured = std::ceil(1.0 / *entry.measured);
    bench.take(cards);
}

std::optional<double> cardsOf(const RealTimeRow& row) {
    static constexpr std::pair<double, double> kCards[] = {
        {1.62, 1},  {0.27, 4}, {0.18, 6}, {0.12, 9}, {0.07, 16},
        {0.04, 28}, {0.32, 4}, {0.24, 5}, {0.15, 7}, {0.09, 12}};
    for (const auto& [speed, cards] : kCards)
        if (speed == row.published) return cards;
    return std::nullopt;
}

/// Sample n at 4 fs of a record, computed by the filters of 4xUP in double precision.
ladder::SampleAt upsampledField(const ladder::EchoField& field, std::int32_t samples) {
    std::array<std::array<double, kUpTaps>, 3> taps{};
    for (int p = 1; p < 4; ++p)
        for (int j = 0; j < kUpTaps; ++j)
            taps[static_cast<std::size_t>(p - 1)][static_cast<std::size_t>(j)] =
                ladder::upTap(kUpTaps, p, j);
    return [&field, samples, taps](int beam, int channel, std::int64_t n) {
        const std::int64_t at = n / 4;
        const auto p = static_cast<std::size_t>(n % 4);
        if (p == 0) return field.at(beam, channel, static_cast<double>(at));
        double sum = 0.0;
        for (int j = 0; j < kUpTaps; ++j) {
            const std::int64_t from = at + j - (kUpTaps - 1) / 2;
            if (from < 0 || from >= samples) continue;
            sum += taps[p - 1][static_cast<std::size_t>(j)] *
                   field.at(beam, channel, static_cast<double>(from));
        }
        return sum;
    };
}

void takeOwn(const DocumentBench& bench, double incomingMs, const ladder::EchoField& field) {
    const OwnLinesResult own = benchOwnLines(bench, realTimeShape(bench.reduced), field.codes());
    DocumentEntry entry{.entry = "Echolux to_float, upsample, beamform, 16 lines: device memory"};
    entry.published = 0.04;
    entry.measured = incomingMs / own.deviceMs;
    entry.deviation = own.deviation;
    entry.allowed = kAllowedOfLines;
    entry.gigabytesPerS = own.codeBytes / own.deviceMs / 1e6;
    entry.note = "GB/s of codes in";
    takeRealTime(bench, entry, 28.0);
    DocumentEntry streamed{.entry = "the same, streamed from the host, 12 bit packed"};
    streamed.measured = incomingMs / own.streamedMs;
    streamed.gigabytesPerS = own.packedBytes / own.streamedMs / 1e6;
    streamed.note = "no transfer is in the document's figures";
    takeRealTime(bench, streamed, std::nullopt);
}

} // namespace

void benchRealTime(const DocumentBench& bench) {
    const Exec& exec = bench.exec;
    ladder::ScanProblem shape = realTimeShape(bench.reduced);
    shape.apodized = true;
    const double incomingMs =
        static_cast<double>(shape.beams) * shape.samples / ladder::ScanGeometry{}.samplingHz * 1e3;
    const ScanData codes(exec, shape);
    Buffer upsampled(computeMemory(exec.backend),
                     static_cast<std::size_t>(shape.records() * shape.samples) * 4 * sizeof(float));
    const double upMs = medianWorkMs(exec, bench.repeat, 1, [&] {
        ladder::fourTimesUp(exec, kUpTaps, shape.records(), shape.samples,
                            codes.records().as<std::int16_t>(), upsampled.as<float>());
    });
    const auto upBytes = static_cast<double>(codes.records().bytes() + upsampled.bytes());
    ladder::ScanProblem fineShape = shape;
    fineShape.factor = 4;
    {
        const ScanData fine(exec, fineShape, std::move(upsampled),
                            upsampledField(codes.field(), shape.samples));
        for (const RealTimeRow& row : kRealTimeRows) {
            const bool plain = row.lines == 0;
            ladder::ScanProblem problem = plain ? shape : fineShape;
            problem.lines = plain ? 1 : row.lines;
            problem.order = row.order;
            problem.block = plain ? 128 : 64;
            const ScanData::Measured measured = (plain ? codes : fine).measure(bench, problem);
            const double ms = measured.ms + (plain ? 0.0 : upMs);
            DocumentEntry entry{.entry = row.entry};
            entry.published = row.published;
            entry.measured = incomingMs / ms;
            entry.deviation = measured.deviation;
            entry.allowed = kAllowedOfLines;
            entry.gigabytesPerS = (measured.bytes + (plain ? 0.0 : upBytes)) / ms / 1e6;
            takeRealTime(bench, entry, cardsOf(row));
        }
    }
    takeOwn(bench, incomingMs, codes.field());
}

} // namespace echolux
