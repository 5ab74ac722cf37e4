// SPDX-License-Identifier: GPL-3.0-or-later
// The example plugin against NumPy (vectors/make_lee_filter.py).
#include "app/pipeline/plugins.hpp"
#include "gpu/check/plausible_frames.hpp"
#include "gpu/check/stage_run.hpp"
#include "gpu/stage/registry.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace echolux {
namespace {

TEST(LeeFilter, AgreesWithNumPy) {
    setPluginConsent([](const PluginFile&) { return true; });
    usePlugin(ECHOLUX_LEE_PLUGIN);
    std::ifstream vectors(std::string(ECHOLUX_SOURCE_DIR) +
                          "/tests/plugins/vectors/lee_filter.txt");
    int cases = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t window = 0;
    double speckle = 0.0;
    while (vectors >> rows >> columns >> window >> speckle) {
        ++cases;
        const auto count = static_cast<std::size_t>(rows * columns);
        std::vector<float> image(count);
        std::vector<float> expected(count);
        for (float& value : image) vectors >> value;
        for (float& value : expected) vectors >> value;
        const check::HostFrame out =
            check::runStage("lee_filter", check::HostFrame(check::imageSpec(rows, columns), image),
                            {{"window", window}, {"speckle", speckle}});
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_NEAR(out.as<float>()[i], expected[i], 1e-5F) << "case " << cases << ", " << i;
    }
    EXPECT_EQ(cases, 3);
}

// A pixel far from the edges has a window of 5 x 5; those beside them have less.
TEST(LeeFilter, CountsItsWorkForPredictions) {
    setPluginConsent([](const PluginFile&) { return true; });
    usePlugin(ECHOLUX_LEE_PLUGIN);
    const StageType& type = stageType("lee_filter");
    ASSERT_NE(type.work, nullptr);
    const FrameSpec image = check::imageSpec(200, 100);
    const Params params = type.defaultsFor(image);
    const StagePlan plan = type.plan(image, params);
    const auto kernels = type.work({Backend::Cuda, image, plan, params});
    ASSERT_EQ(kernels.size(), 1U);
    const double window = (5.0 * 200.0 - 6.0) / 200.0 * (5.0 * 100.0 - 6.0) / 100.0;
    EXPECT_NEAR(kernels[0].total().ffma, window * 200.0 * 100.0, 1.0);
    EXPECT_NEAR(kernels[0].total().globalBytes, (8.0 * window + 4.0) * 200.0 * 100.0, 1.0);
}

} // namespace
} // namespace echolux
