// SPDX-License-Identifier: GPL-3.0-or-later
// Strains, against numpy.polyfit, straight lines, and speckle that is compressed.
#include "tests/support/moved_speckle.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

HostFrame strainOf(const HostFrame& displacement, const HostFrame& quality,
                   const Settings& settings) {
    const StageType& type = stageType("strain");
    StageRunner run(type, specsOf({displacement, quality}),
                    paramsFor(type, displacement.spec, settings));
    return run.run(HostFrames{displacement, quality});
}

TEST(Strain, IsTheSlopeThatNumpyFits) {
    const Vectors vectors("gpu/vectors/strain.txt");
    FrameSpec spec = imageSpec(26, 5);
    spec.axes[0].spacing = 4e-5;
    const HostFrame made =
        strainOf({spec, vectors["displacement"]}, {spec, vectors["quality"]},
                 {{"window", std::int64_t{9}}, {"least_quality", 0.4}, {"range", 2.5}});
    const std::vector<float>& expected = vectors["strain"];
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(made.as<float>()[i], expected[i], 1e-4) << i;
        if (vectors["quality"][i] < 0.4F) {
            ASSERT_EQ(made.as<float>()[i], 0.0F) << i;
        }
    }
    EXPECT_EQ(made.spec.valueRange->unit, "%");
    EXPECT_EQ(made.spec.valueRange->min, -2.5);
}

/// Displacements of `slope` um per depth and the quality 1.
HostFrame sloped(const FrameSpec& spec, double slope) {
    HostFrame frame(spec);
    const auto laterals = static_cast<std::size_t>(spec.axes[1].size);
    auto values = frame.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(40.0 + slope * static_cast<double>(i / laterals));
    return frame;
}

TEST(Strain, OfALineIsItsSlopeUpToTheBordersAndCompressionIsNegative) {
    const FrameSpec spec = imageSpec(60, 3);
    const HostFrame good(spec, std::vector<float>(180, 1.0F));
    for (const double slope : {-0.4, 0.2}) {
        const HostFrame made = strainOf(sloped(spec, slope), good, {});
        const double percent = 100.0 * 1e-6 * slope / spec.axes[0].spacing;
        for (const float value : made.as<float>())
            EXPECT_NEAR(value, percent, 1e-3 * std::abs(percent));
    }
}

TEST(Strain, HasGapsWhereTheQualityIsLow) {
    const FrameSpec spec = imageSpec(60, 2);
    HostFrame quality(spec, std::vector<float>(120, 0.9F));
    HostFrame displacement = sloped(spec, -0.4);
    // Every other depth of the first column says nothing, and its displacement is wrong.
    for (std::size_t z = 0; z < 60; z += 2) {
        quality.as<float>()[2 * z] = 0.3F;
        displacement.as<float>()[2 * z] = 1e6F;
    }
    const double percent = -100.0 * 1e-6 * 0.4 / spec.axes[0].spacing;
    const HostFrame made = strainOf(displacement, quality, {});
    for (std::size_t z = 0; z < 60; ++z) {
        const float value = made.as<float>()[2 * z];
        EXPECT_NEAR(value, z % 2 == 0 ? 0.0 : percent, 1e-3 * std::abs(percent));
    }
    // One depth of twenty is too few.
    for (std::size_t z = 0; z < 60; ++z) quality.as<float>()[2 * z] = z % 20 == 0 ? 0.9F : 0.3F;
    const HostFrame few = strainOf(displacement, quality, {{"window", std::int64_t{41}}});
    for (std::size_t z = 0; z < 60; ++z) EXPECT_EQ(few.as<float>()[2 * z], 0.0F);
}

TEST(Strain, OfNothingAndOfOneLevelIsZero) {
    const FrameSpec spec = imageSpec(30, 5);
    for (const float level : {0.0F, -25.0F}) {
        for (const float quality : {0.0F, 1.0F}) {
            const HostFrame made = strainOf({spec, std::vector<float>(150, level)},
                                            {spec, std::vector<float>(150, quality)}, {});
            for (const float value : made.as<float>()) EXPECT_EQ(value, 0.0F);
        }
    }
}

TEST(Strain, OfCompressedSpeckleIsThatOfItsPoints) {
    const MovedSpeckle speckle(260, 48);
    struct Case {
        double strain;
        const char* method;
    };
    for (const Case& each : {Case{-0.003, "phase"}, Case{0.002, "phase"},
                             Case{-0.01, "correlation"}, Case{-0.02, "correlation"}}) {
        const HostFrame ensemble =
            speckle.ensemble([&](double z) { return z * (1.0 + each.strain); });
        const StageType& type = stageType("displacement");
        StageRunner run(type, ensemble.spec,
                        paramsFor(type, ensemble.spec, {{"method", std::string(each.method)}}));
        const HostFrames moved = run.runAll({ensemble});
        const HostFrame made = strainOf(moved[0], moved[1], {});
        double mean = 0.0;
        double square = 0.0;
        double count = 0.0;
        const auto values = made.as<float>();
        for (std::size_t i = 40 * 48; i < 220 * 48; ++i) {
            ASSERT_NE(values[i], 0.0F);
            mean += values[i];
            square += double{values[i]} * values[i];
            count += 1.0;
        }
        mean /= count;
        const double scatter = std::sqrt(square / count - mean * mean);
        EXPECT_NEAR(mean, 100.0 * each.strain, 0.02 * 100.0 * std::abs(each.strain));
        EXPECT_LT(scatter, 0.12 * 100.0 * std::abs(each.strain)) << each.strain;
    }
}

TEST(Strain, RefusesWhatIsNoDisplacement) {
    const StageType& type = stageType("strain");
    const auto refused = [&](const FrameSpec& moved, const FrameSpec& quality) {
        return refusal([&] {
            type.plan(std::vector<FrameSpec>{moved, quality}, paramsFor(type, moved, {}));
        });
    };
    const FrameSpec spec = imageSpec(8, 3);
    EXPECT_THAT(refused(spec, imageSpec(8, 4)), HasSubstr("same stage"));
    FrameSpec unitless = spec;
    unitless.axes[0].unit = "";
    EXPECT_THAT(refused(unitless, unitless), HasSubstr("not in metres"));
    FrameSpec decibels = spec;
    decibels.valueRange = {-60.0, 0.0, "dB", "brightest"};
    EXPECT_THAT(refused(decibels, spec), HasSubstr("'dB'"));
}

} // namespace
} // namespace echolux::test
