// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory of the fused OCT kernel on smaller cards.
#include "gpu/fused/oct_chain_kernel.hpp"

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
    for (const int grid : {512, 1024, 2048, 4096}) {
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
    EXPECT_EQ(warpsPerBlock(shapeOf(4096, 8, 25), 48 * kKiB), 0);
}

TEST(OctChainKernel, EveryGridPointHasItsOwnPlaceInTheTables) {
    for (const int grid : {512, 1024, 2048, 4096}) {
        std::vector<bool> taken(static_cast<std::size_t>(grid), false);
        for (int m = 0; m < grid; ++m) {
            const int at = tableIndex(grid, m);
            ASSERT_GE(at, 0);
            ASSERT_LT(at, grid);
            EXPECT_FALSE(taken[static_cast<std::size_t>(at)]) << grid << ' ' << m;
            taken[static_cast<std::size_t>(at)] = true;
        }
    }
}

} // namespace
} // namespace echolux::fused
