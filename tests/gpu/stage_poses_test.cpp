// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage carries the pose of its frames to outputs that keep the axes of space, and
// drops it where an axis counts time or velocities.
#include "gpu/check/stage_cases.hpp"
#include "gpu/stage/registry.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace echolux::test {
namespace {

class StagePoses : public testing::TestWithParam<const StageType*> {};

TEST_P(StagePoses, GoWhereTheAxesGo) {
    const StageType& type = *GetParam();
    const auto pose = std::make_shared<const Pose>(
        Pose{{{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}}, {0.1, 0.2, 0.3}, "LPS"});
    int checked = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        check::CaseMaker maker(seed);
        const auto made = maker.make(type);
        if (!made) continue;
        std::vector<FrameSpec> inputs = made->inputs;
        for (FrameSpec& input : inputs) input.pose = pose;
        for (const FrameSpec& output : type.plan(inputs, made->params).outputs) {
            const auto has = [&](AxisName name) { return output.find(name) != nullptr; };
            if (has(AxisName::SlowTime) || has(AxisName::Velocity)) {
                EXPECT_EQ(output.pose, nullptr) << output.describe();
            } else if (has(AxisName::Depth) && has(AxisName::Lateral)) {
                EXPECT_EQ(output.pose, pose) << output.describe();
            }
            ++checked;
        }
    }
    EXPECT_GT(checked, 0);
}

INSTANTIATE_TEST_SUITE_P(Registry, StagePoses,
                         testing::ValuesIn(std::vector<const StageType*>(builtinStages().begin(),
                                                                         builtinStages().end())),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
