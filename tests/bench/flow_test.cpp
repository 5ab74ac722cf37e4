// SPDX-License-Identifier: GPL-3.0-or-later
// echolux bench flow: tissue is removed by the whole image and by blocks.
#include "app/bench/flow.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace echolux::test {
namespace {

TEST(BenchFlow, BlocksLeaveTheWeakSignalAlone) {
    const auto problems = flowProblems(true);
    const auto blocks = std::ranges::find(problems, "V7", &FlowProblem::id);
    ASSERT_NE(blocks, problems.end());
    EXPECT_THAT(blocks->describe(), testing::HasSubstr("by 32 x 32"));
    FlowProblem smaller = *blocks;
    smaller.depths = 75;
    smaller.laterals = 50;
    for (const std::int64_t block : {0, 32}) {
        smaller.block = block;
        EXPECT_NEAR(runFlowProblem(smaller, Backend::Cpu, 1).left, 1.0, 0.05) << block;
    }
}

} // namespace
} // namespace echolux::test
