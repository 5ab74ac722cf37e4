// SPDX-License-Identifier: GPL-3.0-or-later
// dc_removal against its definition.
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

TEST(DcRemoval, SubtractsTheMeanOfEachLine) {
    FrameSpec spec = test::channelSpec(1, 2, 4);
    const test::HostFrame input(spec, std::vector<float>{1, 2, 3, 6, -10, -10, -10, -10});
    const test::HostFrame output = test::runStage("dc_removal", input);
    const std::vector<float> expected{-2, -1, 0, 3, 0, 0, 0, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_FLOAT_EQ(output.as<float>()[i], expected[i]) << i;
    }
}

TEST(DcRemoval, LargeOffsetsLoseNothing) {
    constexpr std::int64_t kSamples = 20001;
    const FrameSpec spec = test::channelSpec(1, 1, kSamples);
    std::vector<float> values(kSamples);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = n % 2 == 0 ? 16385.0F : 16383.0F;
    const test::HostFrame output = test::runStage("dc_removal", test::HostFrame(spec, values));
    // The mean is 16384 + 1 / 20001, which float holds to 1 / 1024.
    for (const float value : output.as<float>()) EXPECT_NEAR(std::abs(value), 1.0F, 1e-3F);
}

TEST(DcRemoval, RefusesWhatItCannotTake) {
    EXPECT_THROW(test::runStage("dc_removal", test::HostFrame(test::imageSpec(4, 4))), Error);
}

} // namespace
} // namespace echolux
