// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped pipeline `volume_flow` on a matrix array before a tube in tissue: the power shows the
// tube, in the voxels and in the projection of the volume.
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/volume/made_volume.hpp"
#include "app/source/array_design.hpp"
#include "app/source/echo_simulator.hpp"
#include "gpu/core/counter_random.hpp"
#include "tests/session/host_views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace echolux::test {
namespace {

constexpr double kRateHz = 4000.0;

/// A tube in the plane y = 0 that goes down by 20 degrees along +x, with blood, and tissue ten
/// times as strong that fills everything and stays.
Phantom tubeInSpace() {
    Phantom phantom;
    phantom.periodS = 1.0;
    FlowingTube tube{.z = 12e-3,
                     .angleRad = 20.0 * std::numbers::pi / 180.0,
                     .radius = 1.2e-3,
                     .length = 8e-3,
                     .peakMps = 0.3};
    const CounterRandom random(5, RandomStream::Blood);
    for (std::uint32_t i = 0; i < 400; ++i) {
        const auto u = random.uniform(3 * i);
        const auto v = random.uniform(3 * i + 1);
        const double r = tube.radius * std::sqrt(u[0]);
        const double around = 2.0 * std::numbers::pi * u[1];
        tube.blood.push_back({(u[2] - 0.5) * tube.length, r * std::cos(around),
                              boxMuller(v[0], v[1])[0], r * std::sin(around)});
        const auto w = random.uniform(3 * i + 2);
        phantom.still.push_back({(w[0] - 0.5) * 8e-3, 9e-3 + 6e-3 * w[1],
                                 20.0 * boxMuller(v[2], v[3])[0], (w[2] - 0.5) * 8e-3});
    }
    phantom.tubes.push_back(std::move(tube));
    return phantom;
}

EchoSetup matrixArray() {
    EchoSetup setup;
    setup.acquisition.probe = matrixProbe({.columns = 12, .rows = 12}, {.heightM = 0.27e-3});
    setup.acquisition.transmits.emplace_back();
    setup.acquisition.soundSpeedMps = 1540.0;
    setup.channels = 144;
    setup.region.halfWidthM = 4e-3;
    setup.region.halfElevationM = 4e-3;
    setup.region.startDepthM = 8e-3;
    setup.region.depthM = 16e-3;
    setup.attenuationDbPerCmMhz = 0.0;
    setup.frameRateHz = kRateHz;
    setup.converter.snrDb = 60.0;
    return setup;
}

SnapshotPtr coarsely(const FrameSpec& raw) {
    SnapshotPtr snapshot = instantiate(fittedPipeline("volume_flow", raw), raw);
    const auto set = [&](const char* key, double value) {
        snapshot = withValue(*snapshot, "beamform", key, value);
    };
    set("lateral_min", -3e-3);
    set("lateral_max", 3e-3);
    set("elevation_min", -3e-3);
    set("elevation_max", 3e-3);
    set("depth_min", 10e-3);
    set("depth_max", 14e-3);
    set("pixel_lateral", 0.5e-3);
    set("pixel_elevation", 0.5e-3);
    set("pixel_depth", 0.1e-3);
    return snapshot;
}

double meanOf(const std::vector<float>& values) {
    double sum = 0.0;
    for (const float value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

TEST(VolumeFlowPipeline, PowerShowsTheTubeInTheProjection) {
    const Phantom phantom = tubeInSpace();
    EchoSimulator simulator(matrixArray(), phantom);
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kRateHz;
    const SnapshotPtr snapshot = coarsely(raw);
    const FrameSpec& power = snapshot->output();
    ASSERT_EQ(power.axes.size(), 3U);
    const auto views = viewsBehind(snapshot, simulator, 0, 16);

    const MadeVolume made = madeVolume(power, {});
    ASSERT_EQ(made.shape, (VolumeShape{13, 13, 41})) << made.problem;
    ASSERT_TRUE(made.turned);
    std::vector<Half> voxels(static_cast<std::size_t>(made.shape.count()));
    std::vector<float> projected(13 * 13);
    const Exec exec{};
    storeTurnedBscans(exec, voxels.data(), made.shape, views[0].data(), 0, 13);
    projectBscans(exec, voxels.data(), made.shape, Projection::Maximum, {0, 41}, 0, 13,
                  projected.data());
    std::vector<float>
        along; // dB below the strongest, within 0.5 mm of the axis as seen from above
    std::vector<float> beside; // 2.5 mm and more away
    for (std::size_t i = 0; i < projected.size(); ++i) {
        const double y = std::abs(static_cast<double>(i / 13) - 6.0) * 0.5e-3;
        if (y < 0.6e-3) along.push_back(projected[i]);
        if (y > 2.4e-3) beside.push_back(projected[i]);
    }
    EXPECT_GT(meanOf(along), -8.0);
    EXPECT_LT(meanOf(beside), meanOf(along) - 12.0);

    const FrameSpec& velocity = snapshot->outputOf(snapshot->views[2].source);
    EXPECT_EQ(velocity.axes, power.axes);
    double found = 0.0;
    for (std::size_t i = 0; i < views[2].size(); ++i) found += views[2][i];
    EXPECT_LT(found, 0.0) << "the tube goes down along +x, away from the probe";
}

} // namespace
} // namespace echolux::test
