// SPDX-License-Identifier: GPL-3.0-or-later
// Velocities of the shipped pipelines of flow against the true ones of a simulated tube.
#include "app/dataset/recording/ensemble.hpp"
#include "tests/session/flow_tube.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <numbers>
#include <vector>

namespace echolux::test {
namespace {

/// Nothing but blood.
FlowSums imaged(double angleRad, std::int64_t windows) {
    Phantom phantom;
    phantom.periodS = 1.0;
    phantom.tubes.push_back(steadyTube(angleRad));
    return imagedTube(phantom, tubeSetup(), tubePipeline, windows);
}

TEST(FlowVelocity, IsThatOfTheSimulatedTube) {
    const FlowSums found = imaged(25.0 * std::numbers::pi / 180.0, 6);
    EXPECT_GT(found.pixels, 20000.0);
    EXPECT_NEAR(found.slope(), expectedSlope(), 0.02);
    EXPECT_LT(found.scatter(), 0.15 * 100.0 * kPeakMps);
}

TEST(FlowVelocity, TowardsTheProbeIsPositive) {
    const FlowSums found = imaged(-25.0 * std::numbers::pi / 180.0, 1);
    EXPECT_NEAR(found.slope(), expectedSlope(), 0.1);
    EXPECT_GT(found.mean, 0.0);
}

constexpr double kDegree = std::numbers::pi / 180.0;

/// The shipped pipeline of vector flow, with `axial` in place of the speed.
SnapshotPtr vectorPipeline(const FrameSpec& raw) {
    SnapshotPtr snapshot = instantiate(fittedPipeline("vector_flow", raw), raw);
    for (const char* stage : {"flow_first", "flow_last"}) {
        snapshot = withValue(*snapshot, stage, "threshold", 120.0); // every pixel counts
        snapshot = withValue(*snapshot, stage, "max_spread", 1.0);
    }
    for (const char* stage : {"clutter_filter_first", "clutter_filter_last"})
        snapshot = withBypass(*snapshot, stage, true); // nothing but blood is there
    PipelineConfig config = toConfig(*snapshot);
    config.views[1].from.port = "axial";
    config.views[1].over.clear();
    return instantiate(config, raw);
}

struct MeanVector {
    double right = 0.0;
    double down = 0.0;
    double truth = 0.0; ///< the true speed

    double angle() const { return std::atan2(down, right); }
};

/// Within 0.7 radii of the axis and 4 mm of the middle, in cm/s.
MeanVector meanVector(const std::vector<std::vector<float>>& images, const FrameSpec& spec,
                      const FlowingTube& tube) {
    MeanVector mean;
    double count = 0.0;
    for (std::int64_t i = 0; i < spec.axes[0].size; ++i) {
        for (std::int64_t k = 0; k < spec.axes[1].size; ++k) {
            const double z =
                spec.axes[0].origin + static_cast<double>(i) * spec.axes[0].spacing - tube.z;
            const double x = spec.axes[1].origin + static_cast<double>(k) * spec.axes[1].spacing;
            const double across = -std::sin(tube.angleRad) * x + std::cos(tube.angleRad) * z;
            if (std::abs(across) > 0.7 * tube.radius || std::abs(x) > 4e-3) continue;
            const auto at = static_cast<std::size_t>(i * spec.axes[1].size + k);
            mean.right += images[2][at];
            mean.down -= images[1][at];
            mean.truth += 100.0 * tube.speedAt(across);
            count += 1.0;
        }
    }
    return {mean.right / count, mean.down / count, mean.truth / count};
}

struct FoundVectors {
    double off = 0.0;    ///< mean angle less the tube's, in degrees
    double spread = 0.0; ///< standard deviation over windows, in degrees
    double speed = 0.0;  ///< mean, over the true one
};

FoundVectors vectorsOf(double angle, std::int64_t windows, PlaneWaveSetup setup = tubeSetup()) {
    Phantom phantom;
    phantom.periodS = 1.0;
    phantom.tubes.push_back(steadyTube(angle));
    setup.anglesRad = {-15.0 * kDegree, 15.0 * kDegree};
    PlaneWaveSimulator simulator(setup, phantom);
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kFrameRateHz;
    const SnapshotPtr snapshot = vectorPipeline(raw);
    EXPECT_DOUBLE_EQ(std::get<double>(snapshot->stage("vector_flow").params.get("second")),
                     15.0 * kDegree);
    const auto count = static_cast<double>(windows);
    FoundVectors found;
    double squares = 0.0;
    for (std::int64_t window = 0; window < windows; ++window) {
        const auto codes = windowOf(simulator, window, snapshot->ensemble());
        const MeanVector mean =
            meanVector(imagesOf(*snapshot, reinterpret_cast<const std::byte*>(codes.data())),
                       snapshot->outputOf(snapshot->views[1].source), phantom.tubes.front());
        const double off = (mean.angle() - angle) / kDegree;
        found.off += off / count;
        squares += off * off / count;
        found.speed += std::hypot(mean.right, mean.down) / mean.truth / count;
    }
    found.spread = std::sqrt(std::max(0.0, squares - found.off * found.off));
    return found;
}

/// Ricci and Tortoli report a bias of 0.75 degrees and a spread of 1.1 for measured vectors.
TEST(FlowVelocity, OfTwoSteeredWavesHasTheDirectionOfTheTube) {
    for (const double degrees : {-20.0, 0.0, 45.0}) {
        const FoundVectors found = vectorsOf(degrees * kDegree, 4);
        EXPECT_LT(std::abs(found.off), 1.0) << degrees;
        EXPECT_LT(found.spread, 1.5) << degrees;
        EXPECT_NEAR(found.speed, 1.0, 0.03) << degrees; // the frequency is measured
    }
}

/// Tissue takes the high frequencies of a short pulse, so its echoes are lower than the pulse: by 7
/// % here. The pipeline measures their frequency.
TEST(FlowVelocity, OfTwoSteeredWavesDoesNotFallWithTheFrequencyOfTheEchoes) {
    PlaneWaveSetup setup = tubeSetup();
    setup.fractionalBandwidth = 0.6;
    setup.attenuationDbPerCmMhz = 0.5;
    const FoundVectors found = vectorsOf(30.0 * kDegree, 4, setup);
    EXPECT_LT(std::abs(found.off), 1.0);
    EXPECT_NEAR(found.speed, 1.0, 0.025);
}

/// A disk of 2 cm turns about (-1, 22.5) mm ten times per second (the cine of 32 frames of PyMUST).
TEST(FlowVelocity, OfATurningDiskIsARampOfTenTurnsPerSecond) {
    const std::filesystem::path file = ECHOLUX_SHARED_DATA "/data/us/rotating_disk.mat";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "the real recordings are not here";
    const auto recording = openRecording(file);
    const SnapshotPtr snapshot = tubePipeline(recording->info().frame);
    std::vector<std::byte> frames(static_cast<std::size_t>(snapshot->ensemble()) *
                                  recording->info().frame.bytes());
    readFrames(*recording, 0, frames);
    const std::vector<float> velocity = velocityOf(*snapshot, frames.data());
    const FrameSpec& spec = snapshot->outputOf(snapshot->views[1].source);
    const Axis& depth = spec.axes[0];
    const Axis& lateral = spec.axes[1];
    double count = 0.0;
    double x1 = 0.0;
    double x2 = 0.0;
    double v1 = 0.0;
    double v2 = 0.0;
    double xv = 0.0;
    for (std::int64_t i = 0; i < depth.size; ++i) {
        for (std::int64_t k = 0; k < lateral.size; ++k) {
            const double x = lateral.origin + static_cast<double>(k) * lateral.spacing + 1e-3;
            const double z = depth.origin + static_cast<double>(i) * depth.spacing - 22.5e-3;
            if (std::hypot(x, z) > 8.5e-3) continue;
            const double v = 0.01 * velocity[static_cast<std::size_t>(i * lateral.size + k)];
            count += 1.0;
            x1 += x;
            x2 += x * x;
            v1 += v;
            v2 += v * v;
            xv += x * v;
        }
    }
    const double slope = (xv - x1 * v1 / count) / (x2 - x1 * x1 / count); // of the rotation, 1/s
    const double rest = v2 - v1 * v1 / count - slope * (xv - x1 * v1 / count);
    EXPECT_NEAR(slope, -2.0 * std::numbers::pi * 10.0, 1.0);
    EXPECT_LT(std::sqrt(rest / count), 0.025) << "m/s, where the rim has 0.63";
}

/// The carotid artery of a Clarius scanner's colour packet, which the scanner's own picture shows
/// in red between the samples 60 and 170 of the middle line.
TEST(FlowVelocity, OfARecordedPacketIsInTheVesselAlone) {
    const std::filesystem::path file = ECHOLUX_SHARED_DATA "/data/us/carotid_iq.raw";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "the real recordings are not here";
    const auto recording = openRecording(file);
    const FrameSpec& raw = recording->info().frame;
    const SnapshotPtr snapshot = instantiate(fittedPipeline("image_flow", raw), raw);
    std::vector<std::byte> frames(static_cast<std::size_t>(snapshot->ensemble()) * raw.bytes());
    readFrames(*recording, 0, frames);
    const std::vector<float> velocity = velocityOf(*snapshot, frames.data());
    const auto share = [&](std::size_t firstRow, std::size_t endRow) {
        double towards = 0.0;
        double count = 0.0;
        for (std::size_t row = firstRow; row < endRow; ++row) {
            for (std::size_t line = 42; line < 62; ++line) {
                towards += velocity[row * 104 + line] > 0.0F ? 1.0 : 0.0;
                count += 1.0;
            }
        }
        return towards / count;
    };
    EXPECT_GT(share(85, 145), 0.98);
    EXPECT_LT(share(250, 350), 0.25);
}

} // namespace
} // namespace echolux::test
