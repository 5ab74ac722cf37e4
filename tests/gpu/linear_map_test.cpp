// SPDX-License-Identifier: GPL-3.0-or-later
// linear_map against Eq. 2.8 of van Bavel 2013.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <limits>

namespace echolux::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(LinearMap, FixedMaximumClips) {
    const HostFrame out = runStage(
        "linear_map", HostFrame(imageSpec(1, 5), std::vector<float>{0.0F, 1.0F, 4.0F, 9.0F, kNan}),
        {{"reference", std::string("fixed")}, {"max", 4.0}});
    expectNear(out.as<float>(), std::vector<float>{0.0F, 63.75F, 255.0F, 255.0F, 0.0F}, 1e-6);
    EXPECT_EQ(out.spec.valueRange, (ValueRange{0.0, 255.0, "", ""}));
}

TEST(LinearMap, RunningMaximumIsTheBrightestPixel) {
    const HostFrame out = runStage(
        "linear_map", HostFrame(imageSpec(2, 2), std::vector<float>{kNan, 1.0F, 2.0F, 0.5F}));
    expectNear(out.as<float>(), std::vector<float>{0.0F, 127.5F, 255.0F, 63.75F}, 1e-6);
}

TEST(LinearMap, AllZeroStaysZero) {
    const HostFrame out =
        runStage("linear_map", HostFrame(imageSpec(2, 2), std::vector<float>(4, 0.0F)));
    expectNear(out.as<float>(), std::vector<float>(4, 0.0F), 0.0);
}

} // namespace
} // namespace echolux::test
