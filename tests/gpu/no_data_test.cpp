// SPDX-License-Identifier: GPL-3.0-or-later
// Places without data behind scan_conversion: every stage of images keeps them, and what lies
// beside them is as if they were not there. What stages say of their values.
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

constexpr std::int64_t kRows = 14;
constexpr std::int64_t kColumns = 11;

/// The left part of each row has no data, from 2 to 5 columns.
bool isGap(std::int64_t i) { return i % kColumns < 2 + i / kColumns % 4; }

HostFrame withGaps(double least, double most) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> values(static_cast<float>(least),
                                                 static_cast<float>(most));
    FrameSpec spec = imageSpec(kRows, kColumns);
    spec.hasGaps = true;
    spec.valueRange = ValueRange{least, most, "", ""};
    HostFrame frame(spec);
    for (std::int64_t i = 0; i < frame.spec.count(); ++i)
        frame.as<float>()[static_cast<std::size_t>(i)] =
            isGap(i) ? std::numeric_limits<float>::quiet_NaN() : values(random);
    return frame;
}

/// The same, with a value in place of no data.
HostFrame filled(HostFrame frame, float value) {
    for (float& each : frame.as<float>())
        if (std::isnan(each)) each = value;
    return frame;
}

void expectSameGaps(const HostFrame& out) {
    EXPECT_TRUE(out.spec.hasGaps);
    for (std::int64_t i = 0; i < out.spec.count(); ++i)
        ASSERT_EQ(std::isnan(out.as<float>()[static_cast<std::size_t>(i)]), isGap(i)) << i;
}

void expectEqualBesideGaps(const HostFrame& out, const HostFrame& expected) {
    for (std::size_t i = 0; i < out.as<float>().size(); ++i)
        if (!std::isnan(out.as<float>()[i])) {
            ASSERT_EQ(out.as<float>()[i], expected.as<float>()[i]) << i;
        }
}

/// Stages that take pixels one by one, or the whole image for its maximum.
TEST(NoData, StaysAndChangesNothingElse) {
    for (const std::string id : {"log_compression", "linear_map", "persistence", "tgc"}) {
        SCOPED_TRACE(id);
        const HostFrame in = withGaps(0.0, 1.0);
        const HostFrame out = runStage(id, in);
        expectSameGaps(out);
        expectEqualBesideGaps(out, runStage(id, filled(in, 0.0F)));
    }
}

TEST(NoData, PersistenceRecoversWhereItEnds) {
    const HostFrame in = withGaps(0.0, 1.0);
    const StageType& type = stageType("persistence");
    StageRunner run(type, in.spec, paramsFor(type, in.spec, {{"amount", 0.5}}));
    expectSameGaps(run.run(in));
    expectSameGaps(run.run(in));
    const HostFrame now = run.run(filled(in, 0.25F));
    for (std::int64_t i = 0; i < now.spec.count(); ++i)
        if (isGap(i)) {
            ASSERT_EQ(now.as<float>()[static_cast<std::size_t>(i)], 0.25F);
        }
}

/// A neighbour without data counts as the pixel itself.
TEST(NoData, MedianIsThatOfTheRest) {
    const HostFrame in = withGaps(0.0, 1.0);
    const auto values = in.as<float>();
    for (const std::int64_t window : {3, 5, 7, 9}) {
        SCOPED_TRACE(window);
        const HostFrame out = runStage("median", in, {{"window", window}});
        expectSameGaps(out);
        for (std::int64_t i = 0; i < out.spec.count(); ++i) {
            if (isGap(i)) continue;
            std::vector<float> near;
            for (std::int64_t z = -window / 2; z <= window / 2; ++z) {
                for (std::int64_t x = -window / 2; x <= window / 2; ++x) {
                    const std::int64_t row =
                        std::clamp<std::int64_t>(i / kColumns + z, 0, kRows - 1);
                    const std::int64_t column =
                        std::clamp<std::int64_t>(i % kColumns + x, 0, kColumns - 1);
                    const float value = values[static_cast<std::size_t>(row * kColumns + column)];
                    near.push_back(std::isnan(value) ? values[static_cast<std::size_t>(i)] : value);
                }
            }
            std::ranges::nth_element(near, near.begin() + std::ssize(near) / 2);
            ASSERT_EQ(out.as<float>()[static_cast<std::size_t>(i)], near[near.size() / 2]) << i;
        }
    }
}

TEST(NoData, OfVelocitiesStays) {
    HostFrame in = withGaps(-10.0, 10.0);
    in.spec.valueKind = ValueKind::Cyclic;
    in.spec.cycle = 20.0;
    const HostFrame unwrapped = runStage("unwrap", in);
    expectSameGaps(unwrapped);
    EXPECT_EQ(unwrapped.spec.valueKind, ValueKind::Plain);

    const StageType& flow = stageType("vector_flow");
    StageRunner vectors(flow, specsOf({in, in}),
                        paramsFor(flow, in.spec, {{"first", -0.2}, {"second", 0.2}}));
    for (const HostFrame& out : vectors.runAll(HostFrames{in, in})) expectSameGaps(out);

    HostFrame moved = withGaps(-10.0, 10.0);
    moved.spec.valueRange->unit = "um";
    HostFrame quality = filled(withGaps(0.0, 1.0), std::numeric_limits<float>::quiet_NaN());
    for (float& each : quality.as<float>())
        if (!std::isnan(each)) each = 1.0F;
    const StageType& strain = stageType("strain");
    StageRunner slopes(strain, specsOf({moved, quality}),
                       paramsFor(strain, moved.spec, {{"window", std::int64_t{5}}}));
    expectSameGaps(slopes.run(HostFrames{moved, quality}));
}

TEST(NoData, OfEitherImageIsThatOfTheirDifference) {
    const HostFrame in = withGaps(0.0, 1.0);
    HostFrame whole = filled(in, 0.5F);
    whole.spec.hasGaps = false;
    const StageType& type = stageType("compare");
    StageRunner run(type, specsOf({whole, in}), paramsFor(type, in.spec, {}));
    expectSameGaps(run.run(HostFrames{whole, in}));
}

FrameSpec ensembleSpec() {
    FrameSpec spec = imageSpec(40, 12);
    spec.dtype = DType::ComplexF32;
    spec.axes[0] = {AxisName::Depth, 40, 0.1e-3, 5e-3, "m"};
    spec.centreFrequencyHz = 5e6;
    spec.frameIntervalS = 1e-3;
    spec = ensembleOf(spec, 6);
    spec.axes.front().spacing = 1e-3;
    spec.axes.front().unit = "s";
    return spec;
}

FrameSpec plannedBy(const char* id, const FrameSpec& input, const Settings& settings = {},
                    std::size_t port = 0) {
    const StageType& type = stageType(id);
    return type.plan(input, paramsFor(type, input, settings)).outputs[port];
}

/// Velocities wrap at c / (4 f0 T) on both sides (Kasai).
TEST(ValueKinds, VelocitiesLieOnACircle) {
    const Settings settings{{"frequency", 5e6}, {"speed_of_sound", 1540.0}};
    const FrameSpec velocity = plannedBy("flow", ensembleSpec(), settings);
    EXPECT_EQ(velocity.valueKind, ValueKind::Cyclic);
    EXPECT_NEAR(velocity.cycle, 100.0 * 1540.0 / (2.0 * 5e6 * 1e-3), 1e-6); // cm/s
    EXPECT_EQ(plannedBy("flow", ensembleSpec(), settings, 1).valueKind, ValueKind::Amplitude);
    EXPECT_EQ(plannedBy("flow", ensembleSpec(), settings, 2).valueKind, ValueKind::Plain);
    // Shifts have no limit at which they wrap.
    const Settings shifts{{"estimator", std::string("cross_correlation")}};
    EXPECT_EQ(plannedBy("flow", ensembleSpec(), shifts).valueKind, ValueKind::Plain);
}

TEST(ValueKinds, EnvelopesAreAmplitudesAndTheirLogarithmsLevels) {
    FrameSpec echoes = imageSpec(40, 12);
    const FrameSpec amplitudes = plannedBy("envelope", echoes);
    EXPECT_EQ(amplitudes.valueKind, ValueKind::Amplitude);
    EXPECT_EQ(plannedBy("log_compression", amplitudes).valueKind, ValueKind::Level);
    EXPECT_EQ(plannedBy("linear_map", amplitudes).valueKind, ValueKind::Amplitude);
    echoes.recordedForm = RecordedForm::Decibels;
    EXPECT_EQ(plannedBy("to_float", echoes).valueKind, ValueKind::Level);
    EXPECT_TRUE(plannedBy("to_float", echoes).hasGaps);
}

} // namespace
} // namespace echolux::test
