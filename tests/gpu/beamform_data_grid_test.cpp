// SPDX-License-Identifier: GPL-3.0-or-later
// A grid as the data (van Bavel 2013, 2.4): a column per element, a row per sample.
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <string>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr int kGridElements = 32;
constexpr int kGridSamples = 1000;
constexpr double kFirstSampleS = 5e-6;

/// One plane wave straight down; recorded from 5 us on.
Scan downward() {
    Scan scan;
    scan.elements = kGridElements;
    scan.samples = kGridSamples;
    scan.transmits = {planeWave(0.0, kFirstSampleS)};
    return scan;
}

/// The echo of a point below element 20 that arrives there as sample 600.
HostFrame echo() {
    const Scan scan = downward();
    const double z = 0.5 * scan.soundSpeedMps * (kFirstSampleS + 600 / scan.fsHz);
    return rfOf(scan, elementX(scan, 20), z);
}

const Settings kAsTheData{{"grid", std::string("data")}};

TEST(DataGrid, HasAColumnPerElementAndARowPerSample) {
    const HostFrame image = runStage("beamform", echo(), kAsTheData);
    const Scan scan = downward();
    ASSERT_EQ(image.spec.axes.size(), 2U);
    const Axis& depth = image.spec.axes[0];
    EXPECT_EQ(depth.size, kGridSamples);
    EXPECT_NEAR(depth.origin, 0.5 * scan.soundSpeedMps * kFirstSampleS, 1e-12);
    EXPECT_NEAR(depth.spacing, 0.5 * scan.soundSpeedMps / scan.fsHz, 1e-15);
    const Axis& lateral = image.spec.axes[1];
    EXPECT_EQ(lateral.size, kGridElements);
    EXPECT_NEAR(lateral.origin, elementX(scan, 0), 1e-12);
    EXPECT_NEAR(lateral.spacing, scan.pitchM, 1e-12);
}

TEST(DataGrid, APointIsAtItsElementAndSample) {
    const HostFrame image = runStage("beamform", echo(), kAsTheData);
    const auto pixels = image.as<float>();
    const auto greatest =
        std::ranges::max_element(pixels, {}, [](float value) { return std::abs(value); }) -
        pixels.begin();
    EXPECT_EQ(greatest / kGridElements, 600);
    EXPECT_EQ(greatest % kGridElements, 20);
}

TEST(DataGrid, EqualsAnImageOfTheseEdgesAndSteps) {
    const Scan scan = downward();
    const double top = 0.5 * scan.soundSpeedMps * kFirstSampleS;
    const double row = 0.5 * scan.soundSpeedMps / scan.fsHz;
    const HostFrame data = runStage("beamform", echo(), kAsTheData);
    const HostFrame image = runStage("beamform", echo(),
                                     {{"lateral_min", elementX(scan, 0)},
                                      {"lateral_max", elementX(scan, kGridElements - 1)},
                                      {"pixel_lateral", scan.pitchM},
                                      {"depth_min", top},
                                      {"depth_max", top + (kGridSamples - 1) * row},
                                      {"pixel_depth", row}});
    ASSERT_EQ(data.spec.describe(), image.spec.describe());
    EXPECT_TRUE(std::ranges::equal(data.as<float>(), image.as<float>()));
}

TEST(DataGrid, EdgesAndPixelSizesDoNotCount) {
    const HostFrame image = runStage("beamform", echo(),
                                     {{"grid", std::string("data")},
                                      {"lateral_min", 0.01},
                                      {"lateral_max", -0.01},
                                      {"pixel_depth", 1e-6}});
    EXPECT_EQ(image.spec.count(), std::int64_t{kGridElements} * kGridSamples);
}

TEST(DataGrid, ArraysWithoutColumnsAreRefused) {
    const auto refusalOf = [](auto&& move) {
        HostFrame frame = echo();
        auto acquisition = std::make_shared<Acquisition>(*frame.spec.acquisition);
        move(acquisition->probe.elements);
        frame.spec.acquisition = acquisition;
        return refusal([&] { runStage("beamform", frame, kAsTheData); });
    };
    EXPECT_THAT(refusalOf([](auto& elements) { elements[3].x += 1e-4; }), HasSubstr("grid"));
    EXPECT_THAT(refusalOf([](auto& elements) {
                    for (Point& p : elements) p.z = -5.0 * p.x * p.x;
                }),
                HasSubstr("flat array"));
}

} // namespace
} // namespace echolux::test
