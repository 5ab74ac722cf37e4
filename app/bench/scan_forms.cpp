// SPDX-License-Identifier: GPL-3.0-or-later
// S1: what the document considers or hopes for beside its kernels: records as floats at the probe's
// rate (section 3.2.7), other ways to sum (4.1.4), and upsampled records of 16 bit (4.7).
#include "app/bench/four_times_up.hpp"
#include "app/bench/scan_data.hpp"

#include <fmt/format.h>

#include <optional>
#include <tuple>
#include <utility>

namespace echolux {
namespace {

using device::TextureNumbers;
using ladder::LineOrder;
using ladder::ScanProblem;

constexpr const char* kNumbers = "S1 section 3.2.7, TEXF on codes and on floats";
constexpr const char* kSums = "S1 section 4.1.4, ways to sum (TEXF MLA, 1 line)";
constexpr const char* kShort = "S1 section 4.7, upsampled records of 16 bit";

void takeSums(const DocumentBench& bench, const ScanData& codes, ScanProblem problem) {
    const std::tuple<LineOrder, const char*, std::optional<double>> rows[] = {
        {LineOrder::Loop, "a thread for each output", 14.71e9},
        {LineOrder::Cooperative, "a block for each output", std::nullopt},
        {LineOrder::Atomic, "blocks add 16 channels each to memory", std::nullopt}};
    for (const auto& [order, name, published] : rows) {
        problem.order = order;
        DocumentEntry entry = scanEntry(kSums, name, problem, codes.measure(bench, problem));
        entry.published = published;
        if (order == LineOrder::Atomic) entry.note = "there: not possible with CUDA 1.0";
        bench.take(entry);
    }
}

void takeNumbers(const DocumentBench& bench, const ScanData& codes, ScanProblem problem) {
    problem.constants = ladder::ScanConstants::PerBeamAndChannel;
    problem.block = 384;
    DocumentEntry entry = scanEntry(kNumbers, "int16, which texture units convert", problem,
                                    codes.measure(bench, problem));
    entry.published = 14.32e9;
    bench.take(entry);
    problem.numbers = TextureNumbers::Float;
    const ScanData floats(bench.exec, problem);
    bench.take(scanEntry(kNumbers, "float", problem, floats.measure(bench, problem)));
}

const char* widthOf(TextureNumbers numbers) {
    return numbers == TextureNumbers::Int16 ? "16 bit" : "float";
}

void takeShort(const DocumentBench& bench) {
    {
        const UpNoise noise(bench);
        for (const TextureNumbers numbers : {TextureNumbers::Float, TextureNumbers::Int16}) {
            const bool codes = numbers == TextureNumbers::Int16;
            DocumentEntry entry = noise.measure(
                kShort, fmt::format("4xUP (11 taps), {}", widthOf(numbers)), {}, codes);
            if (!codes) entry.published = 2.55e9;
            if (codes) entry.note = "there: hoped for up to twice the speed";
            bench.take(entry);
        }
    }
    for (const TextureNumbers numbers : {TextureNumbers::Float, TextureNumbers::Int16}) {
        ScanProblem problem = scanShape(bench.reduced);
        problem.factor = 4;
        problem.numbers = numbers;
        const ScanData data(bench.exec, problem);
        for (const auto& [lines, published] : {std::pair{1, 3.43e9}, {4, 0.95e9}, {16, 0.24e9}}) {
            problem.lines = lines;
            DocumentEntry entry =
                scanEntry(kShort,
                          fmt::format("1/4 TEXF MLA, {}, {} line{}", widthOf(numbers), lines,
                                      lines == 1 ? "" : "s"),
                          problem, data.measure(bench, problem));
            if (numbers == TextureNumbers::Float) entry.published = published;
            bench.take(entry);
        }
    }
}

} // namespace

void benchScanForms(const DocumentBench& bench) {
    const ScanProblem problem = scanShape(bench.reduced);
    {
        const ScanData codes(bench.exec, problem);
        takeNumbers(bench, codes, problem);
        takeSums(bench, codes, problem);
    }
    takeShort(bench);
}

} // namespace echolux
