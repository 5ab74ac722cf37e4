// SPDX-License-Identifier: GPL-3.0-or-later
// m_mode: which line it takes, how it scrolls, and what its axes say.
#include "gpu/core/sector.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kMModeFrameS = 1.0 / 500.0;
constexpr std::int64_t kMModeLines = 16;

FrameSpec levels(std::int64_t depths, std::int64_t laterals) {
    FrameSpec spec = imageSpec(depths, laterals);
    spec.frameIntervalS = kMModeFrameS;
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", "running maximum"};
    return spec;
}

/// Pixel (z, x) of frame n has the value 1000 n + 10 z + x.
HostFrame numbered(const FrameSpec& spec, int n) {
    HostFrame frame(spec);
    const std::int64_t second = spec.axes[1].size;
    for (std::int64_t i = 0; i < spec.count(); ++i) {
        const std::int64_t a = i / second;
        const std::int64_t b = i % second;
        const bool rows = spec.axes[1].name == AxisName::Lateral;
        frame.as<float>()[static_cast<std::size_t>(i)] =
            1000.0F * static_cast<float>(n) + static_cast<float>(rows ? 10 * a + b : 10 * b + a);
    }
    return frame;
}

StageRunner mMode(const FrameSpec& spec, Settings settings = {}) {
    settings.emplace_back("lines", kMModeLines);
    const StageType& type = stageType("m_mode");
    return {type, spec, paramsFor(type, spec, settings)};
}

float at(const HostFrame& picture, std::int64_t z, std::int64_t fromRight) {
    return picture.as<float>()[static_cast<std::size_t>((z + 1) * kMModeLines - 1 - fromRight)];
}

TEST(MMode, TheNewestLineStandsAtTheRightAndTheOthersScroll) {
    const FrameSpec spec = levels(4, 5);
    StageRunner run = mMode(spec);
    const HostFrame first = run.run(numbered(spec, 1));
    for (std::int64_t z = 0; z < 4; ++z) {
        EXPECT_EQ(at(first, z, 0), 1002.0F + 10.0F * static_cast<float>(z)) << "the middle column";
        for (std::int64_t t = 1; t < kMModeLines; ++t) EXPECT_EQ(at(first, z, t), -60.0F);
    }
    for (int n = 2; n <= 20; ++n) {
        const HostFrame picture = run.run(numbered(spec, n));
        for (int t = 0; t < kMModeLines && t < n; ++t)
            EXPECT_EQ(at(picture, 3, t), 1000.0F * static_cast<float>(n - t) + 32.0F);
    }
}

TEST(MMode, TheLineIsTheNearestOneAndStaysInTheImage) {
    const FrameSpec spec = levels(2, 5); // columns at -0.4, -0.2, 0, 0.2, 0.4 mm
    const auto columnAt = [&](double lateral) {
        StageRunner run = mMode(spec, {{"lateral", lateral}});
        return at(run.run(numbered(spec, 0)), 0, 0);
    };
    EXPECT_EQ(columnAt(0.0), 2.0F);
    EXPECT_EQ(columnAt(0.29e-3), 3.0F);
    EXPECT_EQ(columnAt(0.31e-3), 4.0F);
    EXPECT_EQ(columnAt(0.7), 4.0F);
    EXPECT_EQ(columnAt(-0.7), 0.0F);
}

TEST(MMode, AxesAreDepthAndTimeUpToNow) {
    const FrameSpec spec = levels(4, 5);
    const HostFrame picture = mMode(spec).run(numbered(spec, 0));
    ASSERT_EQ(picture.spec.axes.size(), 2U);
    EXPECT_EQ(picture.spec.axes[0], spec.axes[0]);
    const Axis& time = picture.spec.axes[1];
    EXPECT_EQ(time.name, AxisName::SlowTime);
    EXPECT_EQ(time.size, kMModeLines);
    EXPECT_EQ(time.unit, "s");
    EXPECT_DOUBLE_EQ(time.spacing, kMModeFrameS);
    EXPECT_NEAR(time.origin + (kMModeLines - 1) * time.spacing, 0.0, 1e-12);
    EXPECT_EQ(picture.spec.valueRange, spec.valueRange);
    FrameSpec untimed = spec;
    untimed.frameIntervalS = 0.0;
    const Axis frames = mMode(untimed).run(numbered(untimed, 0)).spec.axes[1];
    EXPECT_EQ(frames.unit, "");
    EXPECT_EQ(frames.spacing, 1.0);
}

TEST(MMode, LinesOfOctLieTheOtherWayInMemory) {
    FrameSpec spec = levels(4, 5);
    std::swap(spec.axes[0], spec.axes[1]);
    StageRunner run = mMode(spec, {{"lateral", 0.2e-3}});
    const HostFrame picture = run.run(numbered(spec, 1));
    EXPECT_EQ(picture.spec.axes[0].name, AxisName::Depth);
    for (std::int64_t z = 0; z < 4; ++z)
        EXPECT_EQ(at(picture, z, 0), 1003.0F + 10.0F * static_cast<float>(z));
}

TEST(MMode, InBeamSpaceTheLineIsTheOneThatPassesThePlace) {
    FrameSpec spec = levels(11, 3);
    spec.axes[0] = {AxisName::Depth, 11, 1e-3, 0.0, "m"}; // its middle is 5 mm
    spec.sector = std::make_shared<Sector>(Sector{0.0, 0.0, 0.0, {-0.5, 0.0, 0.5}});
    spec.axes[1] = lateralAxisOf(*spec.sector);
    StageRunner run = mMode(spec, {{"lateral", 5e-3 * std::tan(0.5)}});
    const HostFrame picture = run.run(numbered(spec, 0));
    EXPECT_EQ(at(picture, 0, 0), 2.0F);
    EXPECT_EQ(picture.spec.sector, nullptr);
}

TEST(MMode, AFrameThatIsRunAgainReplacesItsLine) {
    const FrameSpec spec = levels(4, 5);
    StageRunner run = mMode(spec);
    run.run(numbered(spec, 1));
    run.run(numbered(spec, 2));
    const HostFrame again = run.runAgain(numbered(spec, 7));
    EXPECT_EQ(at(again, 0, 0), 7002.0F);
    EXPECT_EQ(at(again, 0, 1), 1002.0F);
    EXPECT_EQ(at(again, 0, 2), -60.0F);
}

TEST(MMode, AfterASeekThePictureBeginsAnew) {
    const FrameSpec spec = levels(4, 5);
    StageRunner run = mMode(spec);
    run.run(numbered(spec, 1));
    run.reset();
    const HostFrame after = run.run(numbered(spec, 9));
    EXPECT_EQ(at(after, 0, 0), 9002.0F);
    EXPECT_EQ(at(after, 0, 1), -60.0F);
}

TEST(MMode, AnotherLineIsTakenFromNowOn) {
    const FrameSpec spec = levels(4, 5);
    const StageType& type = stageType("m_mode");
    StageRunner run = mMode(spec);
    run.run(numbered(spec, 1));
    run.update(paramsFor(type, spec, {{"lines", kMModeLines}, {"lateral", -1e-3}}));
    const HostFrame picture = run.run(numbered(spec, 2));
    EXPECT_EQ(at(picture, 0, 0), 2000.0F);
    EXPECT_EQ(at(picture, 0, 1), 1002.0F);
}

TEST(MMode, WithoutAScaleItSaysThatItShowsTheMiddle) {
    FrameSpec spec = levels(4, 5);
    for (Axis& axis : spec.axes) axis = {axis.name, axis.size, 1.0, 0.0, ""};
    spec.valueRange.reset();
    StageRunner run = mMode(spec, {{"lateral", 0.3}});
    const HostFrame picture = run.run(numbered(spec, 0));
    EXPECT_EQ(at(picture, 0, 0), 2.0F);
    EXPECT_EQ(at(picture, 0, 1), 0.0F);
    EXPECT_THAT(run.plan().warnings, ElementsAre(HasSubstr("'lateral'")));
}

} // namespace
} // namespace echolux::test
