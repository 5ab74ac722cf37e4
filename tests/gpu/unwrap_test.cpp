// SPDX-License-Identifier: GPL-3.0-or-later
// Unwrapped velocities, against scikit-image and closed forms.
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr double kPeriod = 20.0; // cm/s

FrameSpec velocities(std::int64_t depths, std::int64_t laterals) {
    FrameSpec spec = imageSpec(depths, laterals);
    spec.valueRange = ValueRange{-0.5 * kPeriod, 0.5 * kPeriod, "cm/s", ""};
    return spec;
}

std::vector<float> unwrapped(const FrameSpec& spec, const std::vector<float>& values,
                             std::int64_t turns = 3) {
    const StageType& type = stageType("unwrap");
    StageRunner run(type, spec, paramsFor(type, spec, {{"turns", turns}}));
    const auto out = run.run(HostFrame(spec, values));
    const auto found = out.as<float>();
    return {found.begin(), found.end()};
}

double wrapped(double velocity) { return velocity - kPeriod * std::rint(velocity / kPeriod); }

/// A tube that falls from left to right: a parabola over depth, and 0 beside it.
struct Tube {
    std::int64_t depths = 240;
    std::int64_t laterals = 130;
    double peak = 0.0; ///< cm/s
    double slope = 0.3;

    double at(std::int64_t depth, std::int64_t lateral) const {
        const double middle =
            0.5 * static_cast<double>(depths) + slope * (static_cast<double>(lateral) - 65.0);
        const double across = (static_cast<double>(depth) - middle) / 60.3;
        return std::abs(across) < 1.0 ? peak * (1.0 - across * across) : 0.0;
    }
    template <class Of> std::vector<float> image(const Of& of) const {
        std::vector<float> values;
        for (std::int64_t i = 0; i < depths * laterals; ++i)
            values.push_back(static_cast<float>(of(at(i / laterals, i % laterals))));
        return values;
    }
};

class UnwrapTube : public testing::TestWithParam<double> {};

TEST_P(UnwrapTube, HasItsTrueVelocities) {
    Tube tube;
    tube.peak = GetParam() * kPeriod;
    const auto truth = tube.image([](double v) { return v; });
    const auto found = unwrapped(velocities(tube.depths, tube.laterals), tube.image(wrapped));
    for (std::size_t i = 0; i < truth.size(); ++i) ASSERT_NEAR(found[i], truth[i], 1e-4) << i;
}

// Periods on the axis: not wrapped, wrapped once, twice and three times, in both directions.
INSTANTIATE_TEST_SUITE_P(Peaks, UnwrapTube, testing::Values(0.4, 0.9, 1.8, 2.6, -0.9, -1.8));

TEST(Unwrap, AgreesWithScikitImageOnANoisyTubeWithHoles) {
    const Vectors vectors("gpu/vectors/unwrap.txt");
    const auto& expected = vectors["unwrapped"];
    const auto found = unwrapped(velocities(60, 48), vectors["measured"]);
    ASSERT_EQ(found.size(), expected.size());
    double fastest = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], 1e-3) << i;
        fastest = std::max(fastest, std::abs(static_cast<double>(found[i])));
    }
    EXPECT_GT(fastest, 1.5 * kPeriod) << "some were two periods off";
}

TEST(Unwrap, PixelsWithoutFlowStayAsTheyAre) {
    Tube tube;
    tube.peak = 1.8 * kPeriod;
    std::vector<float> values = tube.image(wrapped);
    const std::size_t axis = 120 * 130 + 65;
    values[axis] = 0.0F;
    values[axis + 1] = std::numeric_limits<float>::quiet_NaN();
    const auto found = unwrapped(velocities(tube.depths, tube.laterals), values);
    EXPECT_EQ(found[axis], 0.0F);
    EXPECT_TRUE(std::isnan(found[axis + 1]));
    EXPECT_NEAR(found[axis - 1], tube.at(120, 64), 1e-4) << "a hole pulls nothing to 0";
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (values[i] == 0.0F) {
            ASSERT_EQ(found[i], 0.0F) << i;
        }
    }
}

TEST(Unwrap, TwoTubesApartAreUnwrappedEachForItself) {
    Tube tube;
    tube.slope = 0.0;
    std::vector<float> values;
    std::vector<float> truth;
    for (const double peak : {0.9 * kPeriod, -1.8 * kPeriod}) { // one above the other
        tube.peak = peak;
        for (const float v : tube.image([](double each) { return each; })) {
            truth.push_back(v);
            values.push_back(static_cast<float>(wrapped(v)));
        }
    }
    const auto found = unwrapped(velocities(2 * tube.depths, tube.laterals), values);
    for (std::size_t i = 0; i < truth.size(); ++i) ASSERT_NEAR(found[i], truth[i], 1e-4) << i;
}

TEST(Unwrap, AddsAtMostSoManyPeriods) {
    Tube tube;
    tube.peak = 1.8 * kPeriod;
    const FrameSpec spec = velocities(tube.depths, tube.laterals);
    const auto found = unwrapped(spec, tube.image(wrapped), 1);
    EXPECT_LE(*std::max_element(found.begin(), found.end()), 1.5 * kPeriod);
    const StageType& type = stageType("unwrap");
    const auto planned = type.plan(spec, paramsFor(type, spec, {{"turns", std::int64_t{2}}}));
    EXPECT_DOUBLE_EQ(planned.outputs[0].valueRange->max, 2.5 * kPeriod);
    EXPECT_DOUBLE_EQ(planned.outputs[0].valueRange->min, -2.5 * kPeriod);
    EXPECT_EQ(planned.outputs[0].valueRange->unit, "cm/s");
}

TEST(Unwrap, WantsToKnowThePeriod) {
    FrameSpec spec = velocities(8, 8);
    spec.valueRange.reset();
    const StageType& type = stageType("unwrap");
    EXPECT_THAT(refusal([&] { type.plan(spec, paramsFor(type, spec, {})); }),
                HasSubstr("set 'period'"));
    EXPECT_NO_THROW(type.plan(spec, paramsFor(type, spec, {{"period", kPeriod}})));
}

} // namespace
} // namespace echolux::test
