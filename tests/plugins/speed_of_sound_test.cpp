// SPDX-License-Identifier: GPL-3.0-or-later
// The example plugin speed_of_sound against NumPy (vectors/make_speed_of_sound.py), and how well it
// finds the true speed of simulated frames that its network has not seen.
#include "app/pipeline/plugins.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "gpu/check/stage_check.hpp"
#include "gpu/check/stage_run.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

namespace echolux {
namespace {

class SpeedOfSound : public testing::Test {
protected:
    SpeedOfSound() {
        setPluginConsent([](const PluginFile&) { return true; });
        usePlugin(ECHOLUX_SPEED_PLUGIN);
    }
};

FrameSpec demodulated(std::int64_t transmits, std::int64_t channels, std::int64_t samples) {
    auto acquisition = std::make_shared<Acquisition>();
    for (std::int64_t i = 0; i < channels; ++i)
        acquisition->probe.elements.push_back(
            {(static_cast<double>(i) - 0.5 * static_cast<double>(channels - 1)) * 0.3e-3, 0.0,
             0.0});
    acquisition->probe.pitchM = 0.3e-3;
    acquisition->transmits = {{.wave = Wave::Plane,
                               .angleRad = -0.1,
                               .source = {},
                               .firstSampleS = 0.4e-6,
                               .iqPhaseZeroS = 0.4e-6},
                              {.wave = Wave::Plane,
                               .angleRad = 0.17,
                               .source = {},
                               .firstSampleS = -0.3e-6,
                               .iqPhaseZeroS = -0.3e-6}};
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Transmit, transmits, 1.0, 0.0, ""},
                 {AxisName::Channel, channels, 1.0, 0.0, ""},
                 {AxisName::Sample, samples, 1.0 / 20e6, 0.0, "s"}};
    spec.centreFrequencyHz = spec.demodulationFrequencyHz = 5e6;
    spec.acquisition = acquisition;
    return spec;
}

TEST_F(SpeedOfSound, AgreesWithNumPy) {
    std::ifstream vectors(std::string(ECHOLUX_SOURCE_DIR) +
                          "/tests/plugins/vectors/speed_of_sound.txt");
    std::int64_t transmits = 0;
    std::int64_t channels = 0;
    std::int64_t samples = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    vectors >> transmits >> channels >> samples >> rows >> columns;
    ASSERT_EQ(transmits, 2);
    check::HostFrame data(demodulated(transmits, channels, samples));
    for (float& value : data.as<float>()) vectors >> value;
    const check::HostFrame out =
        check::runStage("speed_of_sound", data, {{"rows", rows}, {"columns", columns}});
    ASSERT_EQ(out.as<float>().size(), static_cast<std::size_t>(rows * columns));
    for (const float found : out.as<float>()) {
        double expected = 0.0;
        vectors >> expected;
        ASSERT_TRUE(vectors);
        EXPECT_NEAR(found, expected, 0.05);
    }
    // 14 elements, and 0.1 to 0.8 of the depth from which the last sample can come.
    const double deepest = 0.5 * 1540.0 * (-0.3e-6 + 149.0 / 20e6);
    EXPECT_NEAR(out.spec.axes[0].origin, (0.1 + 0.35 / 2.0) * deepest, 1e-8);
    EXPECT_NEAR(out.spec.axes[1].origin, -13.0 / 3.0 * 0.3e-3, 1e-8);
}

/// Median of the patches for one simulated frame, m/s.
double found(double speedMps, const char* phantom, std::uint64_t seed) {
    PlaneWaveSetup setup;
    setup.elements = 64;
    setup.anglesRad = {-10.0 * std::numbers::pi / 180.0, 0.0, 10.0 * std::numbers::pi / 180.0};
    setup.soundSpeedMps = speedMps;
    PhantomRequest request;
    request.name = phantom;
    request.halfWidthM = 0.5 * setup.apertureM();
    request.depthM = setup.depthM;
    request.wavelengthM = setup.wavelengthM();
    request.scatterersPerSquareWavelength = 2.0;
    request.seed = seed;
    PlaneWaveSimulator simulator(setup, makePhantom(request));
    check::HostFrame frame(simulator.frame());
    simulator.render(0, frame.as<std::int16_t>());
    for (const char* stage : {"to_float", "dc_removal", "bandpass", "analytic"})
        frame = check::runStage(stage, frame, {});
    const check::HostFrame map = check::runStage("speed_of_sound", frame, {});
    std::vector<float> speeds(map.as<float>().begin(), map.as<float>().end());
    std::ranges::sort(speeds);
    return 0.5 * (speeds[7] + speeds[8]);
}

TEST_F(SpeedOfSound, FindsTheSpeedOfFramesThatItHasNotSeen) {
    double squares = 0.0;
    int frames = 0;
    for (const double speed : {1450.0, 1485.0, 1515.0, 1540.0, 1570.0, 1600.0}) {
        for (const char* phantom : {"speckle", "cysts"}) {
            const double error =
                found(speed, phantom, static_cast<std::uint64_t>(10 + frames)) - speed;
            RecordProperty(std::to_string(speed) + phantom, std::to_string(error));
            EXPECT_LT(std::abs(error), 25.0) << speed << " m/s, " << phantom;
            squares += error * error;
            ++frames;
        }
    }
    EXPECT_LT(std::sqrt(squares / frames), 12.0) << "m/s, rms";
}

TEST_F(SpeedOfSound, PassesTheChecksOfAllStages) {
    for (const check::NamedCheck& each : check::hostChecks())
        EXPECT_THAT(each.run(stageType("speed_of_sound")), testing::IsEmpty()) << each.name;
}

TEST_F(SpeedOfSound, RefusesArraysThatItDoesNotKnow) {
    const auto refusalOf = [](auto&& change) {
        check::HostFrame data(demodulated(2, 14, 150));
        auto acquisition = std::make_shared<Acquisition>(*data.spec.acquisition);
        change(*acquisition);
        data.spec.acquisition = acquisition;
        return testing_support::refusal([&] { check::runStage("speed_of_sound", data, {}); });
    };
    EXPECT_THAT(refusalOf([](Acquisition& a) { a.probe.elements[3].z = 1e-3; }),
                testing::HasSubstr("flat array"));
    EXPECT_THAT(refusalOf([](Acquisition& a) { a.receiveElements.assign(28, 1); }),
                testing::HasSubstr("channel"));
    EXPECT_THAT(refusalOf([](Acquisition& a) {
                    for (Transmit& t : a.transmits) t.firstSampleS = -1e-3;
                }),
                testing::HasSubstr("before any arrives"));
}

} // namespace
} // namespace echolux
