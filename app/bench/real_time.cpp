// SPDX-License-Identifier: GPL-3.0-or-later
// S1, table 6: how much faster samples are processed than the probe sends them, by the document's
// kernels and by the stages `upsample` and `beamform`.
#include "app/lab/real_time.hpp"
#include "app/bench/own_lines.hpp"
#include "app/bench/runs.hpp"
#include "app/bench/scan_data.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/ladder/four_times_up.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace echolux {
namespace {

constexpr const char* kRealTime = "S1 table 6, 128 channels x 40 MHz x 5120 samples, apodized";
constexpr int kUpTaps = 11;

struct RealTimeRow {
    const char* entry;
    int lines;
    ladder::LineOrder order;
    std::optional<double> published = {}; ///< x real time
};

constexpr RealTimeRow kPlainRow{"no upsampling", 1, ladder::LineOrder::Loop, 1.62};
/// The document states hypothetical values for parallel lines.
constexpr RealTimeRow kRealTimeRows[] = {
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

/// Upsampled to codes of 16 bit, which the document proposes in section 4.7.
constexpr RealTimeRow kShortRows[] = {
    {"upsampled to 16 bit", 1, ladder::LineOrder::Loop},
    {"upsampled to 16 bit, 4 lines", 4, ladder::LineOrder::Loop},
    {"upsampled to 16 bit, 16 lines", 16, ladder::LineOrder::Loop},
};

/// How long the probe takes to send the records.
double sendingMs(const ladder::ScanProblem& problem) {
    return problem.beams * problem.samples / ladder::ScanGeometry{}.samplingHz * 1e3;
}

/// Adds the figure, and the number of graphics cards that real time would need. `publishedCards`:
/// that number in the document; empty where it gives none.
void takeRealTime(const DocumentBench& bench, DocumentEntry entry,
                  std::optional<double> publishedCards) {
    entry.table = kRealTime;
    entry.unit = "x real time";
    bench.take(entry);
    DocumentEntry cards{.table = kRealTime, .entry = entry.entry, .unit = "cards"};
    cards.published = publishedCards;
    cards.measured = static_cast<double>(lab::cardsForRealTime(*entry.measured));
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
            const std::int64_t from = at + j - kUpTaps / 2;
            if (from < 0 || from >= samples) continue;
            sum += taps[p - 1][static_cast<std::size_t>(j)] *
                   field.at(beam, channel, static_cast<double>(from));
        }
        return sum;
    };
}

void takeOwn(const DocumentBench& bench, double incomingMs, const ladder::EchoField& field) {
    const OwnLinesResult own = benchOwnLines(bench, realTimeShape(bench.reduced), field.codes(1));
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

/// Upsampled records, and what it took to compute them.
struct Upsampling {
    Buffer records;
    double ms = 0.0;
    double bytes = 0.0; ///< read and written
};

Upsampling upsampled(const DocumentBench& bench, const ladder::ScanProblem& shape,
                     const ScanData& codes, device::TextureNumbers numbers) {
    const bool floats = numbers == device::TextureNumbers::Float;
    const auto samples = static_cast<std::size_t>(shape.records() * shape.samples) * 4;
    Upsampling made{Buffer(computeMemory(bench.exec.backend),
                           samples * (floats ? sizeof(float) : sizeof(std::int16_t)))};
    const ladder::UpProblem problem{
        .taps = kUpTaps, .lines = shape.records(), .samples = shape.samples};
    const auto* in = codes.records().as<std::int16_t>();
    made.ms = medianWorkMs(bench.exec, bench.repeat, 1, [&] {
        floats ? ladder::fourTimesUp(bench.exec, problem, in, made.records.as<float>())
               : ladder::fourTimesUp(bench.exec, problem, in, made.records.as<std::int16_t>());
    });
    made.bytes = static_cast<double>(codes.records().bytes() + made.records.bytes());
    return made;
}

/// `before`: what computed the records.
void takeLines(const DocumentBench& bench, const RealTimeRow& row, const ScanData& records,
               const ladder::ScanProblem& problem, const Upsampling& before) {
    const ScanData::Measured measured = records.measure(bench, problem);
    const double ms = measured.ms + before.ms;
    DocumentEntry entry{.entry = row.entry};
    entry.published = row.published;
    entry.measured = sendingMs(problem) / ms;
    entry.deviation = measured.deviation;
    entry.allowed = kAllowedOfLines;
    entry.gigabytesPerS = (measured.bytes + before.bytes) / ms / 1e6;
    takeRealTime(bench, entry, cardsOf(row));
}

void takeUpsampled(const DocumentBench& bench, const ScanData& codes, ladder::ScanProblem problem,
                   device::TextureNumbers numbers, std::span<const RealTimeRow> rows) {
    Upsampling before = upsampled(bench, problem, codes, numbers);
    problem.factor = 4;
    problem.numbers = numbers;
    problem.block = 64;
    const ScanData fine(bench.exec, problem, std::move(before.records),
                        upsampledField(codes.field(), problem.samples));
    for (const RealTimeRow& row : rows) {
        problem.lines = row.lines;
        problem.order = row.order;
        takeLines(bench, row, fine, problem, before);
    }
}

} // namespace

void benchRealTime(const DocumentBench& bench) {
    ladder::ScanProblem shape = realTimeShape(bench.reduced);
    shape.apodized = true;
    const ScanData codes(bench.exec, shape);
    takeLines(bench, kPlainRow, codes, shape, {});
    takeUpsampled(bench, codes, shape, device::TextureNumbers::Float, kRealTimeRows);
    takeUpsampled(bench, codes, shape, device::TextureNumbers::Int16, kShortRows);
    takeOwn(bench, sendingMs(shape), codes.field());
}

} // namespace echolux
