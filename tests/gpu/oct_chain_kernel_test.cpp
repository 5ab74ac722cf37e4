// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory of the fused OCT kernel on smaller cards.
#include "gpu/fused/oct_chain_kernel.hpp"
#include "gpu/oct/oct_limits.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echolux::fused {
namespace {

constexpr std::size_t kKiB = 1024;

OctChainShape shapeOf(int grid, int tapGroups, int movingWindow) {
    OctChainShape shape;
    shape.samples = grid;
    shape.grid = grid;
    shape.tapGroups = tapGroups;
    shape.movingWindow = movingWindow;
    return shape;
}

TEST(OctChainKernel, RunsOnCardsWithLittleSharedMemory) {
    for (const int grid : {512, 1024, 1536, 2048, 2560, 3072, 4096}) {
        for (const int window : {0, 25}) {
            for (const std::size_t available : {64 * kKiB, 99 * kKiB, 227 * kKiB}) {
                const OctChainShape shape = shapeOf(grid, 2, window);
                const int warps = warpsPerBlock(shape, available);
                EXPECT_GE(warps, warpsPerPair(grid)) << grid << ' ' << available;
                EXPECT_EQ(warps % warpsPerPair(grid), 0);
                EXPECT_LE(pairBytes(shape) * static_cast<std::size_t>(warps / warpsPerPair(grid)),
                          available);
            }
        }
    }
    EXPECT_EQ(warpsPerBlock(shapeOf(1024, 1, 0), 227 * kKiB), 16);
    EXPECT_EQ(warpsPerBlock(shapeOf(8192, 2, 25), 99 * kKiB), 8);
    EXPECT_EQ(warpsPerBlock(shapeOf(8192, 1, 0), 64 * kKiB), 0);
    EXPECT_EQ(warpsPerBlock(shapeOf(4096, 8, 25), 48 * kKiB), 0);
}

/// Each of `count` values of `place` is in [0, count) and none comes twice.
template <class Place> void expectOwnPlaces(int count, const Place& place) {
    std::vector<bool> taken(static_cast<std::size_t>(count), false);
    for (int i = 0; i < count; ++i) {
        const int at = place(i);
        ASSERT_GE(at, 0);
        ASSERT_LT(at, count);
        EXPECT_FALSE(taken[static_cast<std::size_t>(at)]) << count << ' ' << i;
        taken[static_cast<std::size_t>(at)] = true;
    }
}

TEST(OctChainKernel, EveryEntryHasItsOwnPlaceInTheTables) {
    for (const int grid : oct::kKernelGrids) {
        expectOwnPlaces(grid, [grid](int m) { return tableIndex(grid, m); });
        expectOwnPlaces(grid, [grid](int m) { return pairedTableIndex(grid, m); });
        expectOwnPlaces(passTwiddles(grid),
                        [](int i) { return passTwiddleIndex(1 + i / kLanes, i % kLanes); });
    }
}

/// A lane reads two neighbouring values of its own at once.
TEST(OctChainKernel, PairedTablesKeepTwoTurnsOfALaneSideBySide) {
    for (const int grid : oct::kKernelGrids) {
        const int nextTurn = warpsPerPair(grid) * kLanes;
        for (int m = 0; m + nextTurn < grid; m += 2 * nextTurn) {
            EXPECT_EQ(pairedTableIndex(grid, m) % 2, 0);
            EXPECT_EQ(pairedTableIndex(grid, m + nextTurn), pairedTableIndex(grid, m) + 1);
        }
    }
}

} // namespace
} // namespace echolux::fused
