// SPDX-License-Identifier: GPL-3.0-or-later
// The example plugin against NumPy (vectors/make_lee_filter.py).
#include "app/pipeline/plugins.hpp"
#include "gpu/check/plausible_frames.hpp"
#include "gpu/check/stage_run.hpp"

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

} // namespace
} // namespace echolux
