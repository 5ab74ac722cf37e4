// SPDX-License-Identifier: GPL-3.0-or-later
// tgc against numpy.interp, on images, on channel data and on complex samples.
#include "tests/support/near.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include "gpu/core/error.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

TEST(Tgc, AgreesWithNumpyInterp) {
    const Vectors vectors("gpu/vectors/image_stages.txt");
    const auto& points = vectors["tgc_points"];
    const Settings settings{{"points_db", std::vector<double>(points.begin(), points.end())},
                            {"gain_db", 6.0}};
    const HostFrame out = runStage("tgc", HostFrame(imageSpec(13, 11), vectors["image"]), settings);
    expectNear(out.as<float>(), vectors["tgc_plus_6"], 1e-5);
}

TEST(Tgc, FollowsTheSampleAxisOfChannelData) {
    const FrameSpec spec = channelSpec(2, 3, 8);
    const HostFrame ones(spec, std::vector<float>(48, 1.0F));
    const HostFrame out =
        runStage("tgc", ones, {{"points_db", std::vector<double>{0, 20, 0, 0, 0, 0, 0, -20}}});
    for (std::size_t line = 0; line < 6; ++line) {
        EXPECT_FLOAT_EQ(out.as<float>()[line * 8 + 1], 10.0F);
        EXPECT_FLOAT_EQ(out.as<float>()[line * 8 + 2], 1.0F);
        EXPECT_FLOAT_EQ(out.as<float>()[line * 8 + 7], 0.1F);
    }
}

TEST(Tgc, ScalesBothPartsOfComplexSamples) {
    FrameSpec spec = imageSpec(1, 2);
    spec.dtype = DType::ComplexF32;
    const HostFrame in(spec, std::vector<Complex>{{1.0F, -2.0F}, {0.0F, 4.0F}});
    const HostFrame out = runStage("tgc", in, {{"gain_db", 20.0}});
    expectNear(out.as<float>(), std::vector<float>{10.0F, -20.0F, 0.0F, 40.0F}, 1e-6);
}

TEST(Tgc, RefusesAWrongNumberOfPointsAndFramesWithoutDepth) {
    const StageType& type = stageType("tgc");
    Params params(type.table);
    EXPECT_THROW(params.set("tgc", "points_db", std::vector<double>(7, 0.0)), Error);
    FrameSpec spec;
    spec.axes = {{AxisName::Lateral, 4, 1.0, 0.0, "m"}};
    EXPECT_THROW(type.plan(spec, params), Error);
}

} // namespace
} // namespace echolux::test
