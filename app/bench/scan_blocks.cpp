// SPDX-License-Identifier: GPL-3.0-or-later
// S1: the kernels by block size (tables 3 and 4, section 4.5.6) and by the size of the problem
// (figure 4.7), and their registers.
#include "app/bench/scan_data.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace echolux {
namespace {

using ladder::ScanConstants;
using ladder::ScanProblem;

constexpr const char* kBlockSizes = "S1 table 3, TEXF by block size (published: cycles)";
constexpr const char* kBlocksOfTwoLines = "S1 table 4, TEXF MLA of 2 lines (published: cycles)";
constexpr const char* kMap = "S1 figure 4.7, TEXF in blocks of 128 (published: cycles)";
constexpr const char* kApodizedBlocks =
    "S1 section 4.5.6, 1/4 TEXF MLA APO of 4 lines, by block size";
constexpr const char* kRegisters = "S1 sections 4.5.5 and 4.5.6, registers per thread";
constexpr const char* kNoBlocks = "a CPU has no blocks";

/// The published rate of a kernel whose thread reads one sample of each channel.
double samplesPerS(double cycles, int channels) { return kCyclesPerS * channels / cycles; }

/// TEXF as published: version 1 of the constants.
ScanProblem plainLines(ScanProblem shape, int block) {
    shape.constants = ScanConstants::PerBeamAndChannel;
    shape.block = block;
    return shape;
}

/// The blocks of a launch, and how many times what runs at once they are.
std::string blocksNote(const Exec& exec, const ScanProblem& problem) {
    const std::optional<ladder::KernelUse> use = ladder::scanKernelUse(exec, problem);
    if (!use) return kNoBlocks;
    const int blocks = problem.beams * ((problem.samples + problem.block - 1) / problem.block);
    const double atOnce =
        static_cast<double>(use->threads) / problem.block * device::current().multiprocessors;
    return fmt::format("{} blocks, {:.2f} of those that run at once", blocks, blocks / atOnce);
}

std::string registersNote(const Exec& exec, const ScanProblem& problem) {
    const std::optional<ladder::KernelUse> use = ladder::scanKernelUse(exec, problem);
    if (!use) return kNoBlocks;
    return fmt::format("{} registers, {} threads at once on a multiprocessor", use->registers,
                       use->threads);
}

void takeTables(const DocumentBench& bench) {
    const auto take = [&](const char* table, const ScanData& data, const ScanProblem& problem,
                          double cycles) {
        DocumentEntry entry = scanEntry(table, fmt::format("block of {}", problem.block), problem,
                                        data.measure(bench, problem));
        entry.published = samplesPerS(cycles, problem.channels);
        entry.note = registersNote(bench.exec, problem);
        bench.take(entry);
    };
    ScanProblem shape = scanShape(bench.reduced);
    const std::map<int, double> ofTwoLines{{96, 3398.6}, {128, 2974.5}, {384, 4048.1}};
    const std::map<int, double> ofOneLine{
        {96, 1889.1}, {128, 1591.8}, {192, 1571.6}, {256, 1563.5}, {384, 1559.8}};
    ScanProblem small = shape;
    if (!bench.reduced) {
        small.samples = 1536;
        small.beams = 32;
    }
    const ScanData data(bench.exec, small);
    for (const auto& [block, cycles] : ofOneLine)
        take(kBlockSizes, data, plainLines(small, block), cycles);
    const ScanData wide(bench.exec, shape);
    shape.lines = 2;
    for (const auto& [block, cycles] : ofTwoLines) {
        shape.block = block;
        take(kBlocksOfTwoLines, wide, shape, cycles);
    }
}

/// The document's figure is a picture; one of its places has a number, in table 3.
void takeMap(const DocumentBench& bench) {
    constexpr int kBlock = 128;
    constexpr double kCyclesOfOnePlace = 1591.8;
    const std::vector<int> samples =
        bench.reduced ? std::vector<int>{128, 384} : std::vector<int>{768, 1536, 3072, 6144, 12288};
    const std::vector<int> beams =
        bench.reduced ? std::vector<int>{1, 3} : std::vector<int>{8, 16, 24, 32, 40};
    for (const int s : samples) {
        for (const int b : beams) {
            ScanProblem shape = plainLines({}, kBlock);
            shape.samples = s;
            shape.beams = b;
            DocumentEntry entry = scanEntry(kMap, fmt::format("{} samples x {} beams", s, b), shape,
                                            ScanData(bench.exec, shape).measure(bench, shape));
            if (s == 1536 && b == 32)
                entry.published = samplesPerS(kCyclesOfOnePlace, shape.channels);
            entry.note = blocksNote(bench.exec, shape);
            bench.take(entry);
        }
    }
}

ScanProblem apodizedLines(bool reduced) {
    ScanProblem problem = scanShape(reduced);
    problem.factor = 4;
    problem.numbers = device::TextureNumbers::Float;
    problem.lines = 4;
    problem.apodized = true;
    return problem;
}

void takeApodizedBlocks(const DocumentBench& bench) {
    constexpr int kBestThere = 64;
    ScanProblem problem = apodizedLines(bench.reduced);
    const ScanData data(bench.exec, problem);
    for (const int block : {32, 64, 96, 128, 192, 256, 384}) {
        problem.block = block;
        DocumentEntry entry = scanEntry(kApodizedBlocks, fmt::format("block of {}", block), problem,
                                        data.measure(bench, problem));
        if (block == kBestThere) entry.published = 0.77e9;
        entry.note = registersNote(bench.exec, problem);
        bench.take(entry);
    }
}

void takeRegisters(const DocumentBench& bench) {
    ScanProblem plain = scanShape(bench.reduced);
    plain.lines = 4;
    const std::tuple<const char*, ScanProblem, double> rows[] = {
        {"TEXF MLA", plain, 12.0}, {"1/4 TEXF MLA APO", apodizedLines(bench.reduced), 16.0}};
    for (const auto& [name, problem, published] : rows) {
        DocumentEntry entry{.table = kRegisters, .entry = name, .unit = "registers"};
        entry.published = published;
        if (const auto use = ladder::scanKernelUse(bench.exec, problem))
            entry.measured = use->registers;
        else
            entry.note = "not run: only CUDA counts the registers of a thread";
        bench.take(entry);
    }
}

} // namespace

void benchScanBlocks(const DocumentBench& bench) {
    takeTables(bench);
    takeMap(bench);
    takeApodizedBlocks(bench);
    takeRegisters(bench);
}

} // namespace echolux
