// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of all B-scans, then the paths: a loop over lines on the host, surface_kernel.cuh on CUDA.
#include "gpu/oct/surface_search.hpp"

#include "gpu/oct/edge_costs.hpp"
#include "gpu/oct/surface_paths.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#if defined(__CUDACC__)
#include "gpu/oct/surface_kernel.cuh"
#endif

namespace echolux::oct {
namespace {

/// Where the buffers of kScansAtOnce B-scans, or fewer, lie in the scratch memory. Nodes and moves
/// take the place of the sums, which nobody reads any more. NOTE: a pitch is a multiple of 8, so
/// all but the last buffer have a multiple of 32 bytes.
struct SurfaceLayout {
    std::int64_t pitch;
    std::size_t edges;
    std::size_t rows;
    std::size_t extremes;
    std::size_t bytes;

    explicit SurfaceLayout(const SurfaceScans& scans) : pitch((scans.depths + 7) / 8 * 8) {
        const std::int64_t bscans = std::min(scans.bscans, kScansAtOnce);
        const std::int64_t lines = bscans * scans.lines;
        const auto words = [](std::int64_t count) { return static_cast<std::size_t>(count) * 4; };
        edges = words(lines * EdgeRoom::sumPitch(pitch));
        rows = edges + words(lines * pitch);
        extremes = rows + words(bscans * 2 * PathRoom::rowSize(pitch));
        bytes = extremes + words(2 * (lines + bscans));
    }

    EdgeRoom edgeRoom(void* scratch, const SurfaceScans& scans) const {
        auto* at = static_cast<std::byte*>(scratch);
        auto* ends = reinterpret_cast<float*>(at + extremes);
        const std::int64_t lines = scans.bscans * scans.lines;
        return {reinterpret_cast<float*>(at),
                reinterpret_cast<float*>(at + edges),
                reinterpret_cast<std::uint16_t*>(at),
                ends,
                ends + lines,
                ends + 2 * lines,
                ends + 2 * lines + scans.bscans,
                pitch};
    }
};

/// What a search in some B-scans needs.
struct SearchTask {
    PathRoom room; ///< of the first B-scan
    SurfaceRules rules;
    int* upper; ///< likewise
    int* lower;

    ECHOLUX_HD PathRoom roomOf(std::int64_t bscan) const {
        PathRoom own = room;
        const std::int64_t places = bscan * room.lines * room.pitch;
        own.nodes += places;
        own.moves += places;
        own.rows += bscan * 2 * PathRoom::rowSize(room.pitch);
        return own;
    }
    ECHOLUX_HD PathTask upperOf(std::int64_t bscan) const {
        return {nullptr, {rules.first, rules.last}, 0,
                0,       rules.upperRises,          upper + bscan * room.lines};
    }
    ECHOLUX_HD PathTask lowerOf(std::int64_t bscan) const {
        return {upper + bscan * room.lines, {rules.first, rules.last}, rules.least, rules.most,
                rules.lowerRises,           lower + bscan * room.lines};
    }
};

/// One line of a search on the host: costs behind it, and moves to it. NOTE: bytes may lie
/// anywhere, so only copies of `room` and `task` let the loop fill vectors.
template <int kStep> void crossLine(const PathRoom room, const PathTask task, int line,
                                    PathBand band, const std::uint32_t* __restrict from,
                                    std::uint32_t* __restrict to) {
    const std::int64_t places = std::int64_t{line} * room.pitch;
    const std::uint16_t* __restrict nodes = room.nodes + places;
    std::uint8_t* __restrict moves = room.moves + places;
    for (int z = band.first; z <= band.last; ++z) {
        const std::uint32_t way = cheapestWay<kStep>(from + z, room.costs);
        moves[z] = static_cast<std::uint8_t>(way & kMoveMask);
        to[z] = (way & ~kMoveMask) + room.nodeCost(nodes[z], task.rises, line);
    }
}

template <int kStep> void searchOnHost(const PathRoom& room, const PathTask& task) {
    const std::int64_t size = PathRoom::rowSize(room.pitch);
    std::fill_n(room.rows, 2 * size, kFar);
    std::uint32_t* from = room.rows + kRowMargin;
    std::uint32_t* to = from + size;
    PathBand band = task.bandAt(0);
    for (int z = band.first; z <= band.last; ++z)
        to[z] = room.nodeCost(room.nodes[z], task.rises, 0);
    for (int line = 1; line < room.lines; ++line) {
        std::swap(from, to);
        band = task.bandAt(line);
        crossLine<kStep>(room, task, line, band, from, to);
        // The band moves by a step per line, and the next line looks a step beyond it.
        const int before = std::max(band.first - 2 * kStep, -kRowMargin);
        const int behind = std::min(band.last + 1 + 2 * kStep, room.pitch + kRowMargin);
        std::fill(to + before, to + band.first, kFar);
        std::fill(to + band.last + 1, to + behind, kFar);
    }
    int z = static_cast<int>(std::min_element(to + band.first, to + band.last + 1) - to);
    for (int line = room.lines - 1;; --line) {
        task.path[line] = z;
        if (line == 0) return;
        z += moveBack(room.moves[std::int64_t{line} * room.pitch + z]);
    }
}

/// Calls run(std::integral_constant<int, step>).
template <int kStep = 1, class Run> void withStep(int step, const Run& run) {
    if constexpr (kStep < kMostPathStep)
        if (step > kStep) return withStep<kStep + 1>(step, run);
    run(std::integral_constant<int, kStep>());
}

void searchPaths(const Exec& exec, const char* name, const SearchTask& task, std::int64_t bscans) {
    withStep(task.rules.step, [&](auto step) {
        if (exec.backend == Backend::Cuda) {
#if defined(__CUDACC__)
            launchSearch<step()>(exec, name, task, bscans);
            return;
#else
            throw std::logic_error("findSurfaces: CUDA backend in a file compiled without nvcc");
#endif
        }
        host::eachIndex(bscans, [&](std::int64_t bscan) {
            searchOnHost<step()>(task.roomOf(bscan), task.upperOf(bscan));
            searchOnHost<step()>(task.roomOf(bscan), task.lowerOf(bscan));
        });
        (void)name;
    });
}

} // namespace

std::size_t surfaceBytes(const SurfaceScans& scans) { return SurfaceLayout(scans).bytes; }

void findSurfaces(const Exec& exec, const char* name, const SurfaceScans& scans,
                  const SurfaceRules& rules, void* scratch, int* upper, int* lower) {
    const SurfaceLayout layout(scans);
    const PathCosts costs = PathCosts::of(rules.smoothness, scans.lines);
    for (std::int64_t first = 0; first < scans.bscans; first += kScansAtOnce) {
        SurfaceScans part = scans;
        part.image += first * scans.lines * scans.depths;
        part.bscans = std::min(scans.bscans - first, kScansAtOnce);
        const std::int64_t lines = part.bscans * part.lines;
        const EdgeRoom edges = layout.edgeRoom(scratch, part);
        forEachByLanes(exec, name, lines, SumLines{part, edges, rules});
        forEachByLanes(exec, name, lines, FindEdges{edges, rules});
        forEachByLanes(exec, name, part.bscans, FindExtremes{edges, part.lines});
        forEachByLanes(exec, name, lines,
                       MakeNodes{edges, part.lines, rules.first, rules.last, costs.units});
        auto* at = static_cast<std::byte*>(scratch);
        auto* moves = reinterpret_cast<std::uint8_t*>(edges.nodes + lines * layout.pitch);
        const PathRoom room{edges.nodes,
                            moves,
                            reinterpret_cast<std::uint32_t*>(at + layout.rows),
                            static_cast<int>(scans.lines),
                            static_cast<int>(layout.pitch),
                            costs};
        searchPaths(exec, name,
                    {room, rules, upper + first * scans.lines, lower + first * scans.lines},
                    part.bscans);
    }
}

void allowSurfaces() {
#if defined(__CUDACC__)
    for (int n = 1; n <= kMostPathStep; ++n)
        withStep(n, [](auto step) { allowSearch<SearchTask, step()>(); });
#endif
}

} // namespace echolux::oct
