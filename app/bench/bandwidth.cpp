// SPDX-License-Identifier: GPL-3.0-or-later
// S1: memory bandwidth for each width of access (table 1), and by number and size of blocks
// (figures 3.3 and 3.4).
#include "gpu/ladder/bandwidth.hpp"
#include "app/bench/documents.hpp"
#include "app/bench/runs.hpp"
#include "app/prediction/timed_work.hpp"
#include "gpu/exec/point_texture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace echolux {
namespace {

using ladder::MemoryAccess;
using ladder::MemoryWork;

struct BandwidthRow {
    MemoryAccess access;
    const char* entry;
    double published[3]; ///< GB/s of values of 1, 2 and 4 floats
};

constexpr BandwidthRow kBandwidthRows[] = {
    {MemoryAccess::ReadAndWrite, "read and write", {61.62, 61.13, 47.21}},
    {MemoryAccess::Read, "read only", {38.61, 53.64, 27.69}},
    {MemoryAccess::Write, "write only", {51.10, 51.96, 52.44}},
    {MemoryAccess::TextureRead, "texture read only", {43.72, 51.00, 55.44}},
    {MemoryAccess::TextureReadAndWrite, "texture read and write", {58.52, 59.92, 60.49}},
};
constexpr int kWidths[] = {1, 2, 4};
constexpr std::int64_t kFloats = std::int64_t{1} << 27;
constexpr std::int64_t kReducedFloats = std::int64_t{1} << 20;
constexpr int kCallsInBlocks = 20; ///< that are timed together on CUDA: many take microseconds

bool reads(MemoryAccess access) {
    return access == MemoryAccess::Read || access == MemoryAccess::TextureRead;
}
bool copies(MemoryAccess access) {
    return access == MemoryAccess::ReadAndWrite || access == MemoryAccess::TextureReadAndWrite;
}
bool isTextured(MemoryAccess access) {
    return access == MemoryAccess::TextureRead || access == MemoryAccess::TextureReadAndWrite;
}

/// The fraction of the floats that differ from the expected result of the access. For reads it is 0
/// or 1.
double wrongPart(MemoryAccess access, std::span<const float> in, const std::vector<float>& out) {
    if (reads(access)) return out.front() == 1.0F ? 0.0 : 1.0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
        wrong += out[i] == (access == MemoryAccess::Write ? ladder::kWritten : in[i]) ? 0 : 1;
    return static_cast<double>(wrong) / static_cast<double>(out.size());
}

/// What the kernels read, in host and compute memory.
struct MemoryData {
    std::vector<float> values;
    Buffer in;

    MemoryData(const Exec& exec, std::int64_t count)
        : values(valuesWithMark(count)), in(inComputeMemory(exec, values)) {}

    /// The kernels that read report that they have found the mark, which is near the end.
    static std::vector<float> valuesWithMark(std::int64_t count) {
        std::vector<float> all(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<float>(i % 1021);
        all[all.size() - 3] = ladder::kMark;
        return all;
    }
};

/// Measures `touch`, which accesses the last floats of `data`: as many as `out` holds.
template <class Touch> DocumentEntry memoryEntry(const DocumentBench& bench, const MemoryData& data,
                                                 MemoryWork work, const Buffer& out, int calls,
                                                 const Touch& touch) {
    const Exec& exec = bench.exec;
    const std::size_t count = out.bytes() / sizeof(float);
    const std::span<const float> in = std::span(data.values).last(count);
    const bool textured = isTextured(work.access) && exec.backend == Backend::Cuda;
    work.in = data.in.as<float>() + (data.values.size() - count);
    work.out = out.as<float>();
    if (textured)
        work.texture = device::createPointTexture(work.in, work.width,
                                                  count / static_cast<std::size_t>(work.width));
    fillBytes(exec, out.data(), 0, out.bytes());
    const double ms = medianWorkMs(exec, bench.repeat, calls, [&] { touch(work); });
    const std::vector<float> got = onHost(exec, out);
    if (textured) device::destroyTexture(work.texture);
    DocumentEntry entry{.unit = "GB/s"};
    entry.measured =
        (copies(work.access) ? 2.0 : 1.0) * static_cast<double>(out.bytes()) / ms / 1e6;
    entry.gigabytesPerS = entry.measured;
    entry.deviation = wrongPart(work.access, in, got);
    return entry;
}

void takeWidths(const DocumentBench& bench, const MemoryData& data) {
    const Exec& exec = bench.exec;
    const Buffer out(computeMemory(exec.backend), data.in.bytes());
    for (const BandwidthRow& row : kBandwidthRows) {
        for (std::size_t i = 0; i < std::size(kWidths); ++i) {
            DocumentEntry entry =
                memoryEntry(bench, data, {.access = row.access, .width = kWidths[i]}, out, 1,
                            [&](const MemoryWork& work) {
                                ladder::touchMemory(exec, work, std::ssize(data.values));
                            });
            const std::string width = kWidths[i] == 1 ? "" : fmt::format("{}", kWidths[i]);
            entry.table = "S1 table 1, memory bandwidth";
            entry.entry = fmt::format("{}, float{}", row.entry, width);
            entry.published = row.published[i];
            if (isTextured(row.access) && exec.backend == Backend::Cpu)
                entry.note = "a CPU has no texture units: it reads memory";
            bench.take(entry);
        }
    }
}

/// The document's figures are pictures without numbers.
void takeBlocks(const DocumentBench& bench, const MemoryData& data) {
    const Exec& exec = bench.exec;
    const bool cpu = exec.backend == Backend::Cpu;
    const auto blockNumbers = bench.reduced ? std::vector<std::int64_t>{16, 256}
                                            : std::vector<std::int64_t>{256, 4096, 65536};
    for (const auto& [access, table] :
         {std::pair{MemoryAccess::Read, "S1 figure 3.3, read only, blocks x threads"},
          std::pair{MemoryAccess::ReadAndWrite,
                    "S1 figure 3.4, read and write, blocks x threads"}}) {
        for (const std::int64_t blocks : blockNumbers) {
            for (const int threads : {64, 96, 128, 192, 256, 384, 512, 768, 1024}) {
                const Buffer out(computeMemory(exec.backend),
                                 static_cast<std::size_t>(blocks * threads) * sizeof(float));
                DocumentEntry entry =
                    memoryEntry(bench, data, {.access = access}, out, cpu ? 1 : kCallsInBlocks,
                                [&, each = threads](const MemoryWork& work) {
                                    ladder::touchMemoryInBlocks(exec, work, blocks, each);
                                });
                entry.table = table;
                entry.entry = fmt::format("{} x {}", blocks, threads);
                if (cpu) entry.note = "a CPU has no blocks";
                bench.take(entry);
            }
        }
    }
}

} // namespace

void benchBandwidth(const DocumentBench& bench) {
    const MemoryData data(bench.exec, bench.reduced ? kReducedFloats : kFloats);
    takeWidths(bench, data);
    takeBlocks(bench, data);
}

} // namespace echolux
