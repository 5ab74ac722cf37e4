// SPDX-License-Identifier: GPL-3.0-or-later
// S1, table 1: memory bandwidth for each width of access.
#include "app/commands/bench_documents.hpp"
#include "app/commands/bench_runs.hpp"
#include "gpu/ladder/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace echolux {
namespace {

using ladder::MemoryAccess;

struct BandwidthRow {
    MemoryAccess access;
    const char* entry;
    double published[3]; ///< GB/s of values of 1, 2 and 4 floats
};

constexpr BandwidthRow kBandwidthRows[] = {
    {MemoryAccess::ReadAndWrite, "read and write", {61.62, 61.13, 47.21}},
    {MemoryAccess::Read, "read only", {38.61, 53.64, 27.69}},
    {MemoryAccess::Write, "write only", {51.10, 51.96, 52.44}},
};
constexpr int kWidths[] = {1, 2, 4};
constexpr std::int64_t kFloats = std::int64_t{1} << 27;
constexpr std::int64_t kReducedFloats = std::int64_t{1} << 20;

/// The fraction of the floats that differ from the expected result of the access. For reads it is 0
/// or 1.
double wrongPart(MemoryAccess access, const std::vector<float>& in, const std::vector<float>& out) {
    if (access == MemoryAccess::Read) return out.front() == 1.0F ? 0.0 : 1.0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
        wrong += out[i] == (access == MemoryAccess::Write ? ladder::kWritten : in[i]) ? 0 : 1;
    return static_cast<double>(wrong) / static_cast<double>(out.size());
}

} // namespace

void benchBandwidth(const DocumentBench& bench) {
    const Exec& exec = bench.exec;
    const std::int64_t count = bench.reduced ? kReducedFloats : kFloats;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1021);
    // The kernel that reads reports that it has found this value near the end of the array.
    values[values.size() - 3] = ladder::kMark;
    const Buffer in = inComputeMemory(exec, values);
    const Buffer out(computeMemory(exec.backend), in.bytes());
    for (const BandwidthRow& row : kBandwidthRows) {
        for (std::size_t i = 0; i < std::size(kWidths); ++i) {
            fillBytes(exec, out.data(), 0, out.bytes());
            const double ms = medianWorkMs(exec, bench.repeat, 1, [&] {
                ladder::touchMemory(exec, row.access, kWidths[i], count, in.as<float>(),
                                    out.as<float>());
            });
            const double passes = row.access == MemoryAccess::ReadAndWrite ? 2.0 : 1.0;
            const std::string width = kWidths[i] == 1 ? "" : fmt::format("{}", kWidths[i]);
            DocumentEntry entry{.table = "S1 table 1, memory bandwidth",
                                .entry = fmt::format("{}, float{}", row.entry, width),
                                .unit = "GB/s"};
            entry.published = row.published[i];
            entry.measured = passes * static_cast<double>(in.bytes()) / ms / 1e6;
            entry.gigabytesPerS = entry.measured;
            entry.deviation = wrongPart(row.access, values, onHost(exec, out));
            bench.take(entry);
        }
    }
}

} // namespace echolux
