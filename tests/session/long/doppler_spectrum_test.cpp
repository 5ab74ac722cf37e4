// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped pipelines spectral_doppler and m_mode on simulated blood in a tube.
#include "app/measure/measurement.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "app/source/pulse_bank.hpp"
#include "tests/session/host_views.hpp"
#include "tests/session/tube_of_blood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

constexpr double kPulseRateHz = 4000.0;
constexpr double kMiddleMps = 0.25;
constexpr double kTiltRad = -60.0 * std::numbers::pi / 180.0; ///< the blood rises to the probe
constexpr std::int64_t kFrames = 384;

Phantom bloodInATube() {
    Phantom phantom;
    phantom.periodS = 1.0;
    phantom.tubes.push_back(test::tubeOfBlood(kTiltRad, kMiddleMps, 6000, 11));
    return phantom;
}

PlaneWaveSetup pulsedSetup() {
    PlaneWaveSetup setup;
    setup.elements = 32;
    setup.depthM = 18e-3;
    setup.fractionalBandwidth = 0.1;
    setup.attenuationDbPerCmMhz = 0.0;
    setup.frameRateHz = kPulseRateHz;
    setup.converter.snrDb = 40.0;
    return setup;
}

/// The last picture of the second view after `frames` frames.
std::vector<float> lastPicture(const SnapshotPtr& snapshot, PlaneWaveSimulator& simulator,
                               std::int64_t frames) {
    return test::viewsBehind(snapshot, simulator, 0, frames)[1];
}

/// Few pixels, so that many frames take seconds. A wide aperture would see the blood at many angles
/// and so at many velocities, so it is narrow.
SnapshotPtr smallImage(const char* pipeline, const FrameSpec& raw) {
    SnapshotPtr snapshot = instantiate(shippedPipeline(pipeline), raw);
    const auto set = [&](const char* key, const ParamValue& value) {
        snapshot = withValue(*snapshot, "beamform", key, value);
    };
    set("lateral_min", -1e-3);
    set("lateral_max", 1e-3);
    set("depth_min", 13e-3);
    set("depth_max", 17e-3);
    set("f_number", 4.0);
    return snapshot;
}

TEST(DopplerSpectrum, ItsPeakIsTheVelocityInTheMiddleOfTheTube) {
    PlaneWaveSimulator simulator(pulsedSetup(), bloodInATube());
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kPulseRateHz;
    SnapshotPtr snapshot = smallImage("spectral_doppler", raw);
    const auto set = [&](const char* key, const ParamValue& value) {
        snapshot = withValue(*snapshot, "spectral_doppler", key, value);
    };
    set("depth", 15e-3);
    set("lateral", 0.0);
    set("length", 2e-3);
    set("window", std::int64_t{128});
    set("hop", std::int64_t{64});
    set("lines", std::int64_t{16});
    set("wall_filter", 0.0);
    const std::vector<float> levels = lastPicture(snapshot, simulator, kFrames);
    const FrameSpec& spec = snapshot->outputOf(snapshot->views[1].source);
    const Axis& velocity = spec.axes[0];
    const std::int64_t lines = spec.axes[1].size;
    ASSERT_EQ(velocity.unit, "m/s");
    // Powers of the lines whose window was full: speckle makes single ones fluctuate.
    const std::int64_t full = kFrames / 64 - 1;
    double sum = 0.0;
    double moment = 0.0;
    double best = 0.0;
    double strongest = 0.0;
    for (std::int64_t row = 0; row < velocity.size; ++row) {
        double power = 0.0;
        for (std::int64_t t = lines - full; t < lines; ++t)
            power += std::pow(10.0, 0.1 * levels[static_cast<std::size_t>(row * lines + t)]);
        const double v = velocity.origin + static_cast<double>(row) * velocity.spacing;
        if (power > strongest) {
            strongest = power;
            best = v;
        }
        sum += power;
        moment += power * v;
    }
    const double truth = -kMiddleMps * std::sin(kTiltRad);
    EXPECT_NEAR(best, truth, 0.05 * truth) << "mean " << moment / sum;
    EXPECT_GT(best, 0.0) << "towards the probe";
}

TEST(DopplerSpectrum, TheAngleGivesTheVelocityAlongTheTube) {
    PlaneWaveSimulator simulator(pulsedSetup(), bloodInATube());
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kPulseRateHz;
    const SnapshotPtr along = smallImage("spectral_doppler", raw);
    const double angle = 0.5 * std::numbers::pi + kTiltRad; // between beam and tube
    const SnapshotPtr corrected = withValue(*along, "spectral_doppler", "angle", angle);
    const auto fastest = [](const Snapshot& snapshot) {
        return snapshot.outputOf(snapshot.views[1].source).axes[0].origin;
    };
    EXPECT_NEAR(fastest(*corrected) * std::cos(angle), fastest(*along), 1e-9);
}

/// Blood in a tube at 30 degrees to the beam, 0.15 (1 + 0.5 sin) m/s in its middle.
TEST(DopplerSpectrum, TheEnvelopeHasThePeakAndTheIndicesOfAPulsatileTube) {
    constexpr double kPulse = 0.5;
    constexpr double kSlowMps = 0.15;
    constexpr double kPeriodS = 0.25;
    Phantom phantom;
    phantom.periodS = kPeriodS;
    FlowingTube tube = test::tubeOfBlood(kTiltRad, kSlowMps, 1000, 11);
    tube.pulse = kPulse;
    tube.periodS = kPeriodS;
    phantom.tubes.push_back(tube);
    PlaneWaveSetup setup = pulsedSetup();
    setup.elements = 14; // as many as the aperture has
    setup.frameRateHz = 0.75 * kPulseRateHz;
    PlaneWaveSimulator simulator(setup, phantom);
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / setup.frameRateHz;
    SnapshotPtr snapshot = smallImage("spectral_doppler", raw);
    const auto set = [&](const char* key, const ParamValue& value) {
        snapshot = withValue(*snapshot, "spectral_doppler", key, value);
    };
    set("depth", 15e-3);
    set("lateral", 0.0);
    set("length", 2e-3);
    set("window", std::int64_t{72});
    set("hop", std::int64_t{12});
    set("lines", std::int64_t{208});
    set("wall_filter", 0.0);
    set("angle", 0.5 * std::numbers::pi + kTiltRad);
    const std::vector<float> levels = lastPicture(snapshot, simulator, 208 * 12);
    const FrameSpec& spec = snapshot->outputOf(snapshot->views[1].source);
    const auto measured = measure::measureAll(measure::MeasuredImage::of(spec, levels),
                                              {{.name = "wave", .kind = measure::Kind::Envelope}});
    ASSERT_EQ(measured[0].problem, "");
    const auto figure = [&](const char* id) {
        return std::ranges::find(measured[0].figures, id, &measure::Figure::id)->value;
    };
    // A gate that holds nearly one velocity has an envelope above it by half a spectrum's width.
    const double peak = 100.0 * kSlowMps * (1.0 + kPulse);
    EXPECT_NEAR(figure("peak_systolic"), peak, 0.05 * peak);
    EXPECT_NEAR(figure("mean_velocity"), 100.0 * kSlowMps, 0.05 * 100.0 * kSlowMps);
    EXPECT_NEAR(figure("resistivity_index"), 2.0 * kPulse / (1.0 + kPulse), 0.05);
    EXPECT_NEAR(figure("pulsatility_index"), 2.0 * kPulse, 0.1);
    EXPECT_NEAR(figure("rate"), 60.0 / kPeriodS, 0.01 * 60.0 / kPeriodS);
    EXPECT_EQ(figure("beats"), 2.0);
}

TEST(MModePipeline, ShowsTheMiddleColumnOfTheImage) {
    PlaneWaveSimulator simulator(pulsedSetup(), bloodInATube());
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kPulseRateHz;
    const SnapshotPtr snapshot = smallImage("m_mode", raw);
    const std::vector<float> picture = lastPicture(snapshot, simulator, 3);
    const FrameSpec& spec = snapshot->outputOf(snapshot->views[1].source);
    EXPECT_EQ(spec.axes[0], snapshot->outputOf(snapshot->views[0].source).axes[0]);
    EXPECT_NEAR(spec.axes[1].spacing, 1.0 / kPulseRateHz, 1e-12);
    const auto lines = static_cast<std::size_t>(spec.axes[1].size);
    EXPECT_GT(*std::ranges::max_element(picture), -20.0F);
    for (std::size_t z = 0; z < static_cast<std::size_t>(spec.axes[0].size); ++z)
        EXPECT_EQ(picture[z * lines + lines - 4], -60.0F) << "three lines have come";
}

} // namespace
} // namespace echolux
