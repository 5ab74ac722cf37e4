// SPDX-License-Identifier: GPL-3.0-or-later
// From an image to the nodes of its paths: sums over neighbouring lines, differences over depth,
// and their share of the range of the B-scan. Functors of forEachByLanes(), an item is a line.
//
// NOTE: they add, subtract, multiply and compare floats in one order, and no product is added to
// anything. So both backends find the same numbers.
#pragma once

#include "gpu/exec/lane_sum.hpp"
#include "gpu/oct/surface_search.hpp"

#include <cmath>
#include <cstdint>

namespace echolux::oct {

/// Depths that the CPU handles together, so that its loops fill vectors.
inline constexpr int kDepthsTogether = 16;

/// Calls line.at<n>(z) so that it covers first <= z < end, n depths from z on at once.
template <int kStep, class Line>
ECHOLUX_HD void coverDepths(Lanes<kStep> lanes, std::int64_t first, std::int64_t end, Line& line) {
    std::int64_t z = first;
    if constexpr (kStep == 1)
        for (; z + kDepthsTogether <= end; z += kDepthsTogether)
            line.template at<kDepthsTogether>(z);
    for (z += lanes.own; z < end; z += kStep) line.template at<1>(z);
}

/// Buffers of some B-scans.
struct EdgeRoom {
    static constexpr int kSumMargin = 32; ///< values of a row of sums before it and behind it
    static_assert(kSumMargin >= kMostEdgeDepths);

    float* sums;  ///< [line][sumPitch()]
    float* edges; ///< [line][pitch]
    std::uint16_t* nodes;
    float* lineLeast;   ///< [line], of its edges
    float* lineMost;    ///< likewise
    float* scanLeast;   ///< [bscan]
    float* scanMost;    ///< likewise
    std::int64_t pitch; ///< of edges and nodes

    static constexpr std::int64_t sumPitch(std::int64_t pitch) { return pitch + 2 * kSumMargin; }
    ECHOLUX_HD float* sumsOf(std::int64_t line) const {
        return sums + line * sumPitch(pitch) + kSumMargin;
    }
};

/// The sum of each depth over neighbouring lines, with as many values beyond the searched depths as
/// edges need.
struct SumLines {
    SurfaceScans scans;
    EdgeRoom room;
    SurfaceRules rules;

    template <int kStep> ECHOLUX_HD void operator()(std::int64_t line, Lanes<kStep> lanes) const {
        const std::int64_t own = line % scans.lines;
        Line sums{scans.image + (line - own) * scans.depths, room.sumsOf(line), scans, rules, own};
        const std::int64_t first = rules.first - rules.halfDepth;
        const std::int64_t end = rules.last + rules.halfDepth + 1;
        const std::int64_t lowest = scans.depths - 1;
        coverDepths(lanes, first < 0 ? 0 : first, end > scans.depths ? scans.depths : end, sums);
        for (std::int64_t z = first + lanes.own; z < 0; z += kStep) sums.out[z] = sums.sumAt(0);
        for (std::int64_t z = lowest + 1 + lanes.own; z < end; z += kStep)
            sums.out[z] = sums.sumAt(lowest);
    }

private:
    struct Line {
        const float* scan;
        float* out;
        const SurfaceScans& scans;
        const SurfaceRules& rules;
        std::int64_t own;

        template <int kCount> ECHOLUX_HD void at(std::int64_t z) {
            float sum[kCount] = {};
            for (std::int64_t x = own - rules.halfLines; x <= own + rules.halfLines; ++x) {
                const float* row = rowAt(x) + z;
                for (int i = 0; i < kCount; ++i) sum[i] += rules.levels.of(row[i]);
            }
            for (int i = 0; i < kCount; ++i) out[z + i] = sum[i];
        }
        ECHOLUX_HD float sumAt(std::int64_t z) const {
            float sum = 0.0F;
            for (std::int64_t x = own - rules.halfLines; x <= own + rules.halfLines; ++x)
                sum += rules.levels.of(rowAt(x)[z]);
            return sum;
        }
        ECHOLUX_HD const float* rowAt(std::int64_t x) const {
            const std::int64_t inside = x < 0 ? 0 : x < scans.lines ? x : scans.lines - 1;
            return scan + inside * scans.depths;
        }
    };
};

/// The edge at each searched depth, and the least and the largest of the line.
struct FindEdges {
    EdgeRoom room;
    SurfaceRules rules;

    template <int kStep> ECHOLUX_HD void operator()(std::int64_t line, Lanes<kStep> lanes) const {
        constexpr int kTogether = kStep == 1 ? kDepthsTogether : 1;
        Line<kTogether> edges{
            room.sumsOf(line), room.edges + line * room.pitch, rules.halfDepth, {}, {}};
        for (int i = 0; i < kTogether; ++i) {
            edges.least[i] = INFINITY;
            edges.most[i] = -INFINITY;
        }
        coverDepths(lanes, rules.first, rules.last + 1, edges);
        for (int i = 1; i < kTogether; ++i) {
            edges.least[0] = edges.least[i] < edges.least[0] ? edges.least[i] : edges.least[0];
            edges.most[0] = edges.most[i] > edges.most[0] ? edges.most[i] : edges.most[0];
        }
        const float least = laneLeast(lanes, edges.least[0]);
        const float most = laneMost(lanes, edges.most[0]);
        if (lanes.own != 0) return;
        room.lineLeast[line] = least;
        room.lineMost[line] = most;
    }

private:
    template <int kTogether> struct Line {
        const float* sums;
        float* out;
        int half;
        float least[kTogether];
        float most[kTogether];

        template <int kCount> ECHOLUX_HD void at(std::int64_t z) {
            float edge[kCount] = {};
            for (int k = 0; k < half; ++k)
                for (int i = 0; i < kCount; ++i) edge[i] += sums[z + i + k] - sums[z + i - 1 - k];
            for (int i = 0; i < kCount; ++i) {
                out[z + i] = edge[i];
                least[i] = edge[i] < least[i] ? edge[i] : least[i];
                most[i] = edge[i] > most[i] ? edge[i] : most[i];
            }
        }
    };
};

/// The least and the largest edge of a B-scan. An item is a B-scan.
struct FindExtremes {
    EdgeRoom room;
    std::int64_t lines;

    template <int kStep> ECHOLUX_HD void operator()(std::int64_t bscan, Lanes<kStep> lanes) const {
        float least = INFINITY;
        float most = -INFINITY;
        for (std::int64_t x = bscan * lines + lanes.own; x < (bscan + 1) * lines; x += kStep) {
            least = room.lineLeast[x] < least ? room.lineLeast[x] : least;
            most = room.lineMost[x] > most ? room.lineMost[x] : most;
        }
        least = laneLeast(lanes, least);
        most = laneMost(lanes, most);
        if (lanes.own != 0) return;
        room.scanLeast[bscan] = least;
        room.scanMost[bscan] = most;
    }
};

/// g of each searched depth in whole units; 0 where the B-scan has no edges.
struct MakeNodes {
    EdgeRoom room;
    std::int64_t lines;
    int first;
    int last;
    int units;

    template <int kStep> ECHOLUX_HD void operator()(std::int64_t line, Lanes<kStep> lanes) const {
        const std::int64_t bscan = line / lines;
        const float least = room.scanLeast[bscan];
        const float range = room.scanMost[bscan] - least;
        const auto most = static_cast<float>(units);
        Line nodes{room.edges + line * room.pitch, room.nodes + line * room.pitch, least,
                   range > 0.0F ? most / range : 0.0F, units};
        coverDepths(lanes, first, last + 1, nodes);
    }

private:
    struct Line {
        const float* edges;
        std::uint16_t* out;
        float least;
        float perEdge;
        int units;

        template <int kCount> ECHOLUX_HD void at(std::int64_t z) {
            for (int i = 0; i < kCount; ++i) {
                const auto node = static_cast<int>((edges[z + i] - least) * perEdge);
                out[z + i] = static_cast<std::uint16_t>(node < units ? node : units);
            }
        }
    };
};

} // namespace echolux::oct
