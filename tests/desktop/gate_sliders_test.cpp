// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders of a gate and of an M-mode's line span the image.
#include "app/pipeline/pipeline_config.hpp"
#include "tests/support/spans_by_key.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

std::map<std::string, std::pair<double, double>> rangesIn(const FrameSpec& image,
                                                          const char* type) {
    PipelineConfig config;
    config.name = "one stage";
    config.stages.push_back({.id = type, .type = type});
    return testing_support::spansByKey(instantiate(config, image)->stages.front());
}

TEST(GateSliders, SpanTheImage) {
    FrameSpec image = test::imageSpec(11, 5);
    image.axes[0] = {AxisName::Depth, 11, 1e-3, 5e-3, "m"};
    auto line = rangesIn(image, "m_mode");
    ASSERT_EQ(line.size(), 1U);
    EXPECT_NEAR(line["lateral"].first, -0.4e-3, 1e-12);
    EXPECT_NEAR(line["lateral"].second, 0.4e-3, 1e-12);
    image.dtype = DType::ComplexF32;
    auto gate = rangesIn(image, "spectral_doppler");
    ASSERT_EQ(gate.size(), 2U);
    EXPECT_NEAR(gate["depth"].first, 5e-3, 1e-12);
    EXPECT_NEAR(gate["depth"].second, 15e-3, 1e-12);
}

TEST(GateSliders, OfASingleColumnOrAnUnknownScaleAreThoseOfTheTable) {
    EXPECT_FALSE(rangesIn(test::imageSpec(11, 1), "m_mode").contains("lateral"));
    FrameSpec counted = test::imageSpec(11, 5);
    for (Axis& axis : counted.axes) axis = {axis.name, axis.size, 1.0, 0.0, ""};
    EXPECT_TRUE(rangesIn(counted, "m_mode").empty());
}

} // namespace
} // namespace echolux
