// SPDX-License-Identifier: GPL-3.0-or-later
// The cheapest path through a B-scan from its first line to its last, by dynamic programming: what
// both backends share. C[x][z] is the least cost of a path that ends in line x at depth z:
//   C[x][z] = w[x] n[x][z] + min over |d| <= step of (C[x - 1][z - d] + m[|d|])
// with n the cost of a node, w = 1 in the first and the last line and 2 in the others, and m the
// cost of a move. (S. J. Chiu et al., Automatic segmentation of seven retinal layers in SDOCT
// images congruent with expert manual segmentation, Opt. Express 18, 2010: the weight between nodes
// a and b is 2 - (g[a] + g[b]) + w_min. So n = 1 - g; w_min is left out, since all paths have as
// many moves.)
//
// Costs are whole numbers, with PathCosts::units for a node of cost 1. So both backends find the
// same path. The lowest bits of a cost say the move while costs are compared: of equal costs the
// shortest move counts, and of two such moves the one from the shallower depth.
#pragma once

#include "gpu/core/unroll.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace echolux::oct {

inline constexpr int kMostPathStep = 7;
inline constexpr int kMoveBits = 4;
inline constexpr std::uint32_t kMoveMask = 15;
/// The cost of places beside the searched ones. It is above the cost of every path, and a move
/// added to it does not overflow.
inline constexpr std::uint32_t kFar = 0xC0000000U;
/// Values of a row of costs before its first depth and behind its last one.
inline constexpr int kRowMargin = 8;

/// Costs of moves and nodes, in units.
struct PathCosts {
    std::uint32_t moves[kMostPathStep + 1]; ///< from a shallower depth, with the bits of the move
    int units;

    /// `smoothness` is the cost of a move by one depth; others cost as the square of their length.
    /// NOTE: a path has a straight one beside it, so it costs at most 4 units per line, and the
    /// most units of a path of so many lines are below kFar.
    static PathCosts of(double smoothness, std::int64_t lines) {
        constexpr std::int64_t kFinest = 2047;
        constexpr std::int64_t kMostOfAll = std::int64_t{1} << 25U;
        PathCosts costs{};
        costs.units = static_cast<int>(
            std::clamp<std::int64_t>(kMostOfAll / std::max<std::int64_t>(lines, 1), 1, kFinest));
        for (int n = 1; n <= kMostPathStep; ++n) {
            const auto cost =
                static_cast<std::uint32_t>(std::lround(smoothness * n * n * costs.units));
            costs.moves[n] = (cost << kMoveBits) + static_cast<std::uint32_t>(2 * n - 1);
        }
        return costs;
    }
};

/// The least cost of a way to the depth at `from`, with the bits of its move. `from` points into
/// the row of the line before.
template <int kStep>
ECHOLUX_HD_INLINE std::uint32_t cheapestWay(const std::uint32_t* from, const PathCosts& costs) {
    if constexpr (kStep == 0) {
        return from[0];
    } else {
        const std::uint32_t best = cheapestWay<kStep - 1>(from, costs);
        const std::uint32_t shallower = from[-kStep] + costs.moves[kStep];
        const std::uint32_t deeper = from[kStep] + costs.moves[kStep] + 1U;
        const std::uint32_t longest = deeper < shallower ? deeper : shallower;
        return longest < best ? longest : best;
    }
}

/// From the depth at which a move ends to that at which it begins.
ECHOLUX_HD_INLINE int moveBack(std::uint32_t bits) {
    const auto length = static_cast<int>((bits + 1U) / 2U);
    return bits % 2U == 1U ? -length : length;
}

/// Depths in which a path may lie, both included.
struct PathBand {
    int first;
    int last;
};

/// A path that is searched in one B-scan.
struct PathTask {
    const int* above; ///< [lateral], the path that it lies below; null: none
    PathBand range;
    int least; ///< depths below `above`
    int most;
    bool rises; ///< nodes hold g, not 1 - g
    int* path;  ///< [lateral], the result

    ECHOLUX_HD PathBand bandAt(int line) const {
        if (above == nullptr) return range;
        const int first = above[line] + least;
        const int last = above[line] + most;
        return {first < range.last ? first : range.last, last < range.last ? last : range.last};
    }
};

/// What the search for paths reads and writes in one B-scan.
struct PathRoom {
    const std::uint16_t* nodes; ///< [lateral][pitch], 0 to units
    std::uint8_t* moves;        ///< [lateral][pitch], bits of the cheapest move to each place
    std::uint32_t* rows;        ///< two rows of rowSize(pitch) costs; a card keeps them in shared
                                ///< memory where they fit
    int lines;
    int pitch; ///< a multiple of 8, not less than the number of depths
    PathCosts costs;

    static constexpr std::int64_t rowSize(std::int64_t pitch) { return pitch + 2 * kRowMargin; }
    /// The cost of a node as a sum of costs has it.
    ECHOLUX_HD std::uint32_t nodeCost(std::uint32_t node, bool rises, int line) const {
        const std::uint32_t cost = rises ? static_cast<std::uint32_t>(costs.units) - node : node;
        const bool isEnd = line == 0 || line == lines - 1;
        return cost << (isEnd ? kMoveBits : kMoveBits + 1);
    }
};

} // namespace echolux::oct
