// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of Tier A, with what the compiler adds.
#include "gpu/stage/stage_work.hpp"

#include "gpu/stage/running_maximum.hpp"

#include <cmath>

namespace echolux {
namespace {

constexpr double kThreads = 256.0;
/// Index of the thread (IMAD), its comparison in 64 bits (2), addresses of input and output (2
/// each), return.
constexpr double kIndexOffsets = 8.0;
/// A vector of the CPU's loop needs an addition and a comparison for 8 elements or more.
constexpr double kHostIndexOffsets = 0.25;
/// Integer instructions of a 64-bit division: nvcc branches to the 32-bit one where both fit.
constexpr double kDivision = 25.0;
constexpr double kHostDivision = 10.0;

model::Part named(const char* name, model::Part part) {
    part.name = name;
    return part;
}

} // namespace

model::Kernel forEachWork(Backend backend, const char* name, std::int64_t count,
                          const ElementWork& each) {
    const auto elements = static_cast<double>(count);
    const bool cuda = backend == Backend::Cuda;
    model::Part compute = each.counts;
    compute.offsets += (cuda ? kIndexOffsets : kHostIndexOffsets) +
                       each.divisions * (cuda ? kDivision : kHostDivision);
    // Each element may be a part of its own on the CPU.
    const double blocks = cuda ? std::ceil(elements / kThreads) : elements;
    model::Kernel kernel{name, {blocks, kThreads, each.registers, 0.0}};
    kernel.parts = {
        named("fetch",
              model::Part{.globalBytes = each.bytesRead, .distinctBytes = each.distinctRead}.times(
                  elements)),
        named("compute", compute.times(elements)),
        named("store", model::Part{.globalBytes = each.bytesWritten}.times(elements))};
    return kernel;
}

model::Kernel forEachInLinesWork(Backend backend, const char* name, std::int64_t count,
                                 ElementWork each) {
    if (backend == Backend::Cuda) each.divisions += 1.0; // i / length gives i % length, too
    return forEachWork(backend, name, count, each);
}

model::Kernel forEachByLanesWork(Backend backend, const char* name, std::int64_t count,
                                 ElementWork each, double folds) {
    if (backend == Backend::Cpu) return forEachWork(backend, name, count, each);
    constexpr double kLanes = 32.0;
    constexpr double kThreadsOfBlock = 128.0;
    constexpr double kOfEachLane = 12.0; // index, lane, start of its loop
    each.counts.offsets += kLanes * (kOfEachLane + 10.0 * folds);
    each.counts.fadd += kLanes * 5.0 * folds;
    model::Kernel kernel = forEachWork(backend, name, count, each);
    kernel.launch.blocks = std::ceil(static_cast<double>(count) * kLanes / kThreadsOfBlock);
    kernel.launch.threads = kThreadsOfBlock;
    return kernel;
}

model::Kernel scanLinesWork(Backend backend, const char* name, std::int64_t lines,
                            std::int64_t length, ElementWork each, const ScanWork& scan) {
    const std::int64_t count = lines * length;
    if (backend == Backend::Cpu) {
        each.counts = addedUp({each.counts, oneByOne(backend, scan.joined)});
        return forEachWork(backend, name, count, each);
    }
    constexpr double kThreadsOfBlock = 128.0;
    constexpr double kRows = 4.0;
    // Five joins fold a warp and two put the elements before it in front. The fold of the warps'
    // totals, four joins, serves the rows of a tile, as does the carry.
    constexpr double kJoins = 7.0 + 5.0 / kRows;
    const double words = scan.bytes / 4.0;
    each.counts = addedUp(
        {each.counts, scan.joined.times(kJoins), {.offsets = kJoins * (2.0 * words + 2.0) + 6.0}});
    each.registers = 44.0;
    model::Kernel kernel = forEachWork(backend, name, count, each);
    const double totals = kThreadsOfBlock / 32.0 * kRows;
    const double tiles = std::ceil(static_cast<double>(length) / (kThreadsOfBlock * kRows));
    kernel.launch = {static_cast<double>(lines), kThreadsOfBlock, each.registers,
                     2.0 * totals * scan.bytes};
    model::Part& compute = kernel.parts[1];
    compute.barriers = tiles;
    // Each warp reads all totals; together they wrote them.
    compute.sharedBytes =
        static_cast<double>(lines) * tiles * totals * scan.bytes * (1.0 + kThreadsOfBlock / 32.0);
    return kernel;
}

model::Kernel copyWork(const char* name, std::size_t bytes) {
    const auto moved = static_cast<double>(bytes);
    return {name,
            {std::ceil(moved / 16.0 / kThreads), kThreads, 16.0, 0.0},
            {{.name = "copy", .globalBytes = 2.0 * moved}}};
}

std::vector<model::Kernel> reduceWork(Backend backend, const char* name, std::int64_t count,
                                      const ElementWork& each) {
    if (backend == Backend::Cpu) return {forEachWork(backend, name, count, each)};
    constexpr double kPartials = 256.0; // kReducePartials; a block has as many threads
    // Each level of a block's tree loads two values and stores one.
    const double levels = std::log2(kPartials);
    const model::Part tree{.sharedBytes = 4.0 * 3.0 * kPartials,
                           .fadd = kPartials,
                           .offsets = 4.0 * levels * kPartials,
                           .barriers = levels + 1.0};
    model::Kernel first = forEachWork(backend, name, count, each);
    first.launch = {kPartials, kPartials, each.registers, 4.0 * kPartials};
    first.parts.push_back(named("tree", tree.times(kPartials)));
    first.parts.back().globalBytes = 4.0 * kPartials;
    model::Kernel second{name, {1.0, kPartials, 24.0, 4.0 * kPartials}, {named("tree", tree)}};
    second.parts.front().globalBytes = 4.0 * kPartials + 4.0;
    return {first, second};
}

model::Launch teamLaunch(Backend backend) {
    if (backend == Backend::Cpu) return {1.0, 1.0, 0.0, 0.0};
    return {1.0, 1024.0, 64.0, 4.0 * 32.0 * 5.0}; // room for five sums of 32 warps
}

std::vector<model::Kernel> followMaximumWork(Backend backend, const char* name,
                                             std::int64_t count) {
    const auto elements = static_cast<double>(count);
    // The workspace holds one value per block and the result; a block has as many threads.
    const double partials = static_cast<double>(runningMaximumWorkspaceBytes()) / 4.0 - 1.0;
    // Per element: magnitude and finiteness (2 comparisons), the larger of two (1).
    model::Kernel first{name,
                        {partials, partials, 24.0, partials * 4.0},
                        {{.name = "reduce",
                          .globalBytes = 4.0 * elements,
                          .fadd = 3.0 * elements,
                          .offsets = 6.0 * elements,
                          .barriers = 9.0}}};
    if (backend == Backend::Cpu) return {first};
    model::Kernel second = first;
    second.launch.blocks = 1.0;
    second.parts.front() = {.name = "reduce", .globalBytes = 4.0 * partials};
    return {first, second, forEachWork(backend, name, 1, {.bytesRead = 8.0, .bytesWritten = 4.0})};
}

model::Part oneByOne(Backend backend, model::Part part, double perFfma) {
    if (backend == Backend::Cpu) part.offsets += perFfma * part.ffma + part.fmul + part.fadd;
    return part;
}

model::Part addedUp(std::initializer_list<model::Part> parts) {
    return model::Kernel{"", {}, parts}.total();
}

double meanWindow(std::int64_t size, std::int64_t half) {
    if (half >= size) return static_cast<double>(size);
    const auto reach = static_cast<double>(half);
    return 2.0 * reach + 1.0 - reach * (reach + 1.0) / static_cast<double>(size);
}

double bytesPerSample(const FrameSpec& spec) {
    return spec.count() > 0 ? static_cast<double>(spec.bytes()) / static_cast<double>(spec.count())
                            : 0.0;
}

} // namespace echolux
