// SPDX-License-Identifier: GPL-3.0-or-later
// Lines between the beams of focused transmits: points lie where they are, by default.
#include "gpu/beamform/beamform_defaults.hpp"
#include "gpu/beamform/beamform_grid.hpp"
#include "tests/gpu/fired_echoes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace echolux::test {
namespace {

constexpr double kFanSpeed = 1540.0;
constexpr double kFanDegree = std::numbers::pi / 180.0;

struct Fan {
    std::string name;
    double fcHz = 0.0;
    double pitchM = 0.0;
    double radiusM = 0.0; ///< 0: flat; negative: concave
    int elements = 0;
    int firing = 0; ///< elements of an aperture; all where it does not walk
    int beams = 0;
    double stepRad = 0.0;
    double focusM = 0.0;

    Point at(double range, double angle) const {
        return {(radiusM + range) * std::sin(angle), 0.0,
                (radiusM + range) * std::cos(angle) - radiusM};
    }
    double angleOf(int beam) const { return (beam - 0.5 * (beams - 1)) * stepRad; }

    FrameSpec spec() const {
        auto a = std::make_shared<Acquisition>();
        a->soundSpeedMps = kFanSpeed;
        a->probe.pitchM = pitchM;
        a->probe.centreFrequencyHz = fcHz;
        for (int e = 0; e < elements; ++e) {
            const double along = (e - 0.5 * (elements - 1)) * pitchM;
            a->probe.elements.push_back(radiusM != 0.0 ? at(0.0, along / radiusM)
                                                       : Point{along, 0.0, 0.0});
        }
        for (int i = 0; i < beams; ++i) {
            Transmit t = sourceAt(Wave::Focused, 0.0, 0.0, 30e-6);
            const double angle = angleOf(i);
            t.source = at(focusM, angle);
            t.origin = radiusM != 0.0 ? at(0.0, angle) : Point{};
            const double middle = radiusM != 0.0 ? angle * radiusM / pitchM : 0.0;
            t.apodization.resize(a->probe.elements.size());
            for (int e = 0; e < elements; ++e) {
                const bool fires =
                    std::abs(e - 0.5 * (elements - 1) - middle) < 0.5 * firing + 1e-6;
                t.apodization[static_cast<std::size_t>(e)] = fires ? 1.0F : 0.0F;
            }
            a->transmits.push_back(t);
        }
        FrameSpec spec;
        spec.dtype = DType::ComplexF32;
        spec.axes = {{AxisName::Transmit, beams, 1.0, 0.0, ""},
                     {AxisName::Channel, elements, 1.0, 0.0, ""},
                     {AxisName::Sample, 1100, 1.0 / (4.0 * fcHz), 0.0, "s"}};
        spec.centreFrequencyHz = spec.demodulationFrequencyHz = fcHz;
        spec.acquisition = a;
        return spec;
    }
};

double peakOffset(double before, double here, double after) {
    const double bend = before - 2.0 * here + after;
    return bend < 0.0 ? 0.5 * (before - after) / bend : 0.0;
}

/// Where the image has its peak, on beams: range and angle.
struct FanPeak {
    double range = 0.0;
    double angle = 0.0;
    double value = 0.0;
};

FanPeak peakOnFan(const HostFrame& image) {
    const Axis& depth = image.spec.axes[0];
    const auto lines = static_cast<std::size_t>(image.spec.axes[1].size);
    const auto values = image.as<Complex>();
    std::size_t best = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (magnitudeOf(values[i]) > magnitudeOf(values[best])) best = i;
    const std::size_t row = best / lines;
    const std::size_t line = best % lines;
    const auto at = [&](std::size_t i) { return magnitudeOf(values[i]); };
    const std::vector<double>& angles = image.spec.sector->anglesRad;
    const double across = peakOffset(at(best - 1), at(best), at(best + 1));
    const double along = peakOffset(at(best - lines), at(best), at(best + lines));
    return {depth.origin + (static_cast<double>(row) + along) * depth.spacing,
            angles[line] + across * (angles[line + 1] - angles[line]), at(best)};
}

Fan phasedFan() {
    return {.name = "phased",
            .fcHz = 2.72e6,
            .pitchM = 0.5 * kFanSpeed / 2.72e6,
            .elements = 64,
            .firing = 64,
            .beams = 65,
            .stepRad = 90.0 * kFanDegree / 64.0,
            .focusM = 50e-3};
}

Fan curvedFan() {
    return {.name = "curved",
            .fcHz = 3.5e6,
            .pitchM = 0.4e-3,
            .radiusM = 60e-3,
            .elements = 96,
            .firing = 32,
            .beams = 65,
            .stepRad = 0.4e-3 / 60e-3,
            .focusM = 50e-3};
}

class BlendedFan : public testing::TestWithParam<Fan> {};

/// Points on beams and between them, before the focus, in it and behind it.
TEST_P(BlendedFan, PointsLieWhereTheyAre) {
    const Fan& fan = GetParam();
    const FrameSpec spec = fan.spec();
    const auto defaults = stageType("beamform").defaultsFor(spec).as<BeamformParams>();
    EXPECT_EQ(defaults.transmitAperture, TransmitAperture::OwnLines);
    EXPECT_TRUE(defaults.blendsBeams);
    const double lambda = kFanSpeed / fan.fcHz;
    const FiringTimes times = timesFor(*spec.acquisition, kFanSpeed);
    double weakest = 1e9;
    double strongest = 0.0;
    for (const double range : {35e-3, 50e-3, 72e-3}) {
        for (const double part : {0.0, 0.15, 0.3, 0.5}) {
            SCOPED_TRACE(testing::PrintToString(range) + " m, " + testing::PrintToString(part));
            const double angle = fan.angleOf(39) + part * fan.stepRad;
            const HostFrame echoes = firedEchoes(spec, times, kFanSpeed, {fan.at(range, angle)});
            const HostFrame image = runStage("beamform", echoes,
                                             {{"depth_min", range - 1.5e-3},
                                              {"depth_max", range + 1.5e-3},
                                              {"lines_per_transmit", std::int64_t{4}}});
            const FanPeak peak = peakOnFan(image);
            // A tenth of a wavelength in the focus; elsewhere, where beams are wider than their
            // distance, a quarter.
            const double allowed = range == 50e-3 ? 0.1 * lambda : 0.25 * lambda;
            EXPECT_NEAR((peak.angle - angle) * (fan.radiusM + range), 0.0, allowed);
            EXPECT_NEAR(peak.range, range, 0.1 * lambda);
            if (range != 50e-3) continue;
            weakest = std::min(weakest, peak.value);
            strongest = std::max(strongest, peak.value);
        }
    }
    EXPECT_LT(20.0 * std::log10(strongest / weakest), 0.5) << "dB between beams and on them";
}

/// A medium whose speed of sound is not the one of the delays turns the beams. Lines stay, and take
/// from the beams that now pass them.
TEST(BlendedFanSpeed, PointsLieWhereTheyAre) {
    constexpr double kTrue = 1600.0;
    const Fan fan = phasedFan();
    const FrameSpec spec = fan.spec();
    const FiringTimes times = timesFor(*spec.acquisition, kFanSpeed);
    const double angle = fan.angleOf(50) + 0.3 * fan.stepRad;
    const HostFrame echoes = firedEchoes(spec, times, kTrue, {fan.at(55e-3, angle)});
    const Settings settings{{"depth_min", 53.5e-3},
                            {"depth_max", 56.5e-3},
                            {"lines_per_transmit", std::int64_t{4}},
                            {"speed_of_sound", kTrue}};
    const FanPeak kept = peakOnFan(runStage("beamform", echoes, settings));
    EXPECT_NEAR((kept.angle - angle) * 55e-3, 0.0, 0.25 * kTrue / fan.fcHz);
    EXPECT_NEAR(kept.range, 55e-3, 0.1 * kTrue / fan.fcHz);
    const FanPeak written = peakOnFan(runStage(
        "beamform", echoes, with(settings, {{"transmit_delays", std::string("as_written")}})));
    EXPECT_GT(kept.value, 1.1 * written.value);
    EXPECT_GT(std::abs(written.angle - angle) * 55e-3, 0.25e-3);
}

/// The images of single transmits and the delayed data of single elements add up to the image.
TEST(BlendedLines, FurtherOutputsAddUp) {
    const Fan fan{.name = "small",
                  .fcHz = 2.72e6,
                  .pitchM = 0.5 * kFanSpeed / 2.72e6,
                  .elements = 12,
                  .firing = 12,
                  .beams = 9,
                  .stepRad = 4.0 * kFanDegree,
                  .focusM = 50e-3};
    const HostFrame noise = noiseOf(fan.spec(), 3);
    const StageType& type = stageType("beamform");
    const Settings settings{{"depth_min", 40e-3},
                            {"depth_max", 44e-3},
                            {"lines_per_transmit", std::int64_t{3}},
                            {"blend_beams", true}};
    StageRunner runner(type, noise.spec, paramsFor(type, noise.spec, settings));
    const std::vector<HostFrame> outputs = runner.runAll({noise});
    EXPECT_EQ(outputs[0].spec.axes[1].size, 8 * 3);
    const auto image = outputs[0].as<float>();
    for (const std::size_t port : {1, 2}) {
        std::vector<float> added(image.size(), 0.0F);
        const auto all = outputs[port].as<float>();
        for (std::size_t i = 0; i < all.size(); ++i) added[i % image.size()] += all[i];
        expectNear(added, image, 3e-5); // 108 addends, places rounded in another order
    }
}

TEST(BlendedLines, RefuseTablesAndSingleTransmits) {
    const FrameSpec spec = phasedFan().spec();
    const auto refusal = [](const FrameSpec& input, const Settings& settings) {
        return testing_support::refusal([&] {
            const StageType& type = stageType("beamform");
            type.plan(input, paramsFor(type, input, settings));
        });
    };
    EXPECT_EQ(refusal(spec, {{"delays", std::string("table")}}),
              "beamform: lines that take from several beams have no table of delays; set delays to "
              "kernel, or switch blend_beams off.");
    const FrameSpec one =
        specOf(Scan{.transmits = {sourceAt(Wave::Focused, 0.0, 9e-3)}}, DType::F32);
    EXPECT_EQ(refusal(one, {{"grid", std::string("beams")},
                            {"transmit_aperture", std::string("lines")},
                            {"lines_per_transmit", std::int64_t{2}},
                            {"blend_beams", true}}),
              "beamform: a single transmit has no neighbour that its lines could be blended with; "
              "switch blend_beams off.");
}

/// One line of each transmit lies on its beam, and takes from it alone.
TEST(BlendedLines, LieOnTheirBeamsWhereEachHasOne) {
    const Fan fan = curvedFan();
    const HostFrame noise = noiseOf(fan.spec(), 5);
    const Settings settings{
        {"depth_min", 50e-3}, {"depth_max", 51e-3}, {"lines_per_transmit", std::int64_t{1}}};
    const HostFrame image = runStage("beamform", noise, settings);
    const std::vector<double>& angles = image.spec.sector->anglesRad;
    ASSERT_EQ(std::ssize(angles), fan.beams);
    for (int beam = 0; beam < fan.beams; ++beam)
        EXPECT_NEAR(angles[static_cast<std::size_t>(beam)], fan.angleOf(beam), 1e-9);
    const HostFrame alone = runStage("beamform", noise, with(settings, {{"blend_beams", false}}));
    const auto values = image.as<float>();
    EXPECT_TRUE(std::ranges::equal(values, alone.as<float>()));
}

/// Beams that are farther apart than the transmitted field allows tell nothing about lines between
/// them.
TEST(BlendedLines, AreNotTheDefaultOfSparseBeams) {
    Fan fan = phasedFan();
    fan.beams = 33;
    fan.stepRad *= 2.0;
    const auto defaults = stageType("beamform").defaultsFor(fan.spec()).as<BeamformParams>();
    EXPECT_EQ(defaults.transmitAperture, TransmitAperture::OwnLines);
    EXPECT_GT(defaults.linesPerTransmit, 1);
    EXPECT_FALSE(defaults.blendsBeams);
}

INSTANTIATE_TEST_SUITE_P(Arrays, BlendedFan, testing::Values(phasedFan(), curvedFan()),
                         [](const auto& c) { return c.param.name; });

} // namespace
} // namespace echolux::test
