// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped pipelines that undo an aberration, on recordings with and without one.
#include "app/pipeline/pipeline_config.hpp"
#include "tests/commands/shipped.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

namespace echolux::test {
namespace {

std::string aberratedCine() {
    return std::string(ECHOLUX_SOURCE_DIR) + "/testdata/aberrated_cine.echolux.h5";
}

/// The amplitudes that the pipeline's corrected image is made of, after five frames.
std::vector<float> amplitudes(const std::string& pipeline, const std::string& recording,
                              const std::string& strength) {
    PipelineConfig config = shippedPipeline(pipeline);
    config.views.resize(1);
    config.views[0].from = {"out", "envelope"};
    const TemporaryFolder folder;
    const std::string path = (folder / "amplitudes.toml").string();
    std::ofstream(path) << toToml(config);
    const std::string view = config.views[0].id;
    return runViews(path, recording, "cpu", {view},
                    {"--frames", "5", "--set", "aberration_correction.strength=" + strength})[view];
}

/// sum I^2 / (sum I)^2: grows as echoes come together.
double sharpness(const std::vector<float>& values) {
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : values) {
        const double intensity = double{value} * value;
        sum += intensity;
        squares += intensity * intensity;
    }
    return squares / (sum * sum);
}

double meanOf(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(AberrationPipelines, EchoesBehindAScreenComeTogether) {
    for (const char* pipeline : {"aberration", "aberration_feedback"}) {
        SCOPED_TRACE(pipeline);
        const std::vector<float> plain = amplitudes(pipeline, aberratedCine(), "0");
        const std::vector<float> corrected = amplitudes(pipeline, aberratedCine(), "1");
        ASSERT_FALSE(plain.empty());
        ASSERT_EQ(plain.size(), corrected.size());
        EXPECT_GT(meanOf(corrected), 1.15 * meanOf(plain)) << "speckle is brighter in focus";
    }
}

TEST(AberrationPipelines, WithoutAScreenTheImageStaysAsItIs) {
    const std::vector<float> plain = amplitudes("aberration", bundledCine(), "0");
    const std::vector<float> corrected = amplitudes("aberration", bundledCine(), "1");
    ASSERT_FALSE(plain.empty());
    ASSERT_EQ(plain.size(), corrected.size());
    EXPECT_NEAR(sharpness(corrected) / sharpness(plain), 1.0, 0.01);
}

TEST(AberrationPipelines, TheLoopOnTransmitCloses) {
    const std::vector<double> closed = residualsOf({.strength = 1.0});
    const std::vector<double> open = residualsOf({.strength = 0.0});
    ASSERT_EQ(closed.size(), 6U);
    ASSERT_EQ(open.size(), 6U);
    EXPECT_EQ(closed[0], open[0]) << "nothing is known of the first frame";
    EXPECT_LT(closed[5], 0.7 * closed[0]);
    EXPECT_LT(closed[5], 0.7 * open[5]) << "the wave that is sent comes to a focus";
}

TEST(AberrationPipelines, TheLoopClosesOnAScreenThatIsPutBeforeTheArray) {
    const std::vector<double> closed = residualsOf({.strength = 1.0, .screenS = 30e-9});
    const std::vector<double> open = residualsOf({.strength = 0.0, .screenS = 30e-9});
    ASSERT_EQ(closed.size(), 6U);
    EXPECT_LT(closed[5], 0.7 * open[5]);
    EXPECT_LT(closed[5], 12e-9) << "both screens together have 67 ns";
}

} // namespace
} // namespace echolux::test
