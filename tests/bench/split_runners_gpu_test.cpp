// SPDX-License-Identifier: GPL-3.0-or-later
// One stream shared by several runners on one GPU and on two.
#include "tests/bench/split_run.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

void expectSame(const std::vector<int>& gpus) {
    const SnapshotPtr volumes = octVolumes(6);
    for (const SplitBy by : {SplitBy::Frames, SplitBy::Elevations})
        EXPECT_EQ(imagesBy(volumes, Backend::Cuda, gpus, by, 9),
                  imagesBy(volumes, Backend::Cuda, {0}, by, 9));
}

TEST(SplitRunnersGpu, TwoRunnersOnOneCardMakeTheSameImages) {
    ECHOLUX_NEED_GPU();
    expectSame({0, 0});
}

TEST(SplitRunnersGpu, TwoCardsMakeTheSameImages) {
    ECHOLUX_NEED_GPU();
    const auto cards = device::probe();
    if (cards.size() < 2) GTEST_SKIP() << "one GPU only";
    if (cards[0].name != cards[1].name) GTEST_SKIP() << "cards of two kinds round differently";
    expectSame({0, 1});
}

} // namespace
} // namespace echolux::test
