// SPDX-License-Identifier: GPL-3.0-or-later
// Waves of fixed firing times where the speed of sound is not the one that they were set for,
// against closed forms and SciPy's fits.
#include "gpu/beamform/beamform_sent.hpp"
#include "tests/gpu/fired_echoes.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace echolux::test {
namespace {

constexpr double kSet = 1540.0;

Acquisition withElements(std::vector<Point> elements, const Transmit& transmit) {
    Acquisition a;
    a.probe.elements = std::move(elements);
    a.probe.pitchM = 0.3e-3;
    a.soundSpeedMps = kSet;
    a.transmits = {transmit};
    return a;
}

std::vector<Point> line(int count, double pitch) {
    std::vector<Point> elements;
    for (int e = 0; e < count; ++e) elements.push_back({(e - 0.5 * (count - 1)) * pitch, 0.0, 0.0});
    return elements;
}

std::vector<Point> arc(int count, double pitch, double radius) {
    std::vector<Point> elements;
    for (const Point& p : line(count, pitch))
        elements.push_back(
            {radius * std::sin(p.x / radius), 0.0, radius * (std::cos(p.x / radius) - 1.0)});
    return elements;
}

std::vector<Point> square(int count, double pitch) {
    std::vector<Point> elements;
    for (const Point& row : line(count, pitch))
        for (const Point& column : line(count, pitch)) elements.push_back({column.x, row.x, 0.0});
    return elements;
}

/// The delays of neighbours of a flat array fix sin(angle) / speed.
TEST(SentWaves, PlaneWavesKeepSineOverSpeed) {
    constexpr double kNow = 1600.0;
    const Acquisition flat = withElements(line(64, 0.3e-3), planeWave(0.2, 1.5e-6));
    const Transmit t = das::sentTransmits(flat, kNow).front();
    EXPECT_NEAR(std::sin(t.angleRad), std::sin(0.2) * kNow / kSet, 1e-12);
    EXPECT_NEAR(t.elevationRad, 0.0, 1e-12);
    EXPECT_NEAR(t.firstSampleS, 1.5e-6, 1e-15);

    for (const Steering steering : {Steering::Tilts, Steering::Projections}) {
        Transmit tilted = planeWave(0.25);
        tilted.elevationRad = -0.15;
        Acquisition matrix = withElements(square(8, 0.3e-3), tilted);
        matrix.steering = steering;
        const Transmit sent = das::sentTransmits(matrix, kNow).front();
        const Point before = direction(tilted, steering);
        const Point now = direction(sent, steering);
        EXPECT_NEAR(now.x, before.x * kNow / kSet, 1e-12);
        EXPECT_NEAR(now.y, before.y * kNow / kSet, 1e-12);
    }
}

/// At 12 degrees the edge of an aperture of 39 mm is timed 97 ns wrong where the angle stays.
TEST(SentWaves, ElementsFireWhenTheyDid) {
    constexpr double kNow = 1600.0;
    const Transmit wave = planeWave(-12.0 * std::numbers::pi / 180.0);
    const Acquisition a = withElements(line(128, 0.3048e-3), wave);
    const Transmit sent = das::sentTransmits(a, kNow).front();
    const Point edge = a.probe.elements.back();
    const double fired = idealDelay(wave, edge, kSet);
    EXPECT_NEAR(idealDelay(sent, edge, kNow), fired, 1e-15);
    EXPECT_NEAR(idealDelay(wave, edge, kNow) - fired, 97.99e-9, 0.01e-9);
}

/// A flat array below the origin: the wave crosses the origin when its delays say.
TEST(SentWaves, TimesCountFromThePassageOfTheOrigin) {
    constexpr double kNow = 1480.0;
    constexpr double kDepth = 3e-3;
    std::vector<Point> elements = line(32, 0.3e-3);
    for (Point& p : elements) p.z = kDepth;
    Transmit wave = planeWave(0.3, 2e-6);
    wave.iqPhaseZeroS = 1e-6;
    const Transmit t = das::sentTransmits(withElements(elements, wave), kNow).front();
    const double later = kDepth * (std::cos(t.angleRad) / kNow - std::cos(0.3) / kSet);
    EXPECT_NEAR(t.firstSampleS, 2e-6 + later, 1e-15);
    EXPECT_NEAR(t.iqPhaseZeroS, 1e-6 + later, 1e-15);
}

TEST(SentWaves, StayWhereTheDelaysWereSetFor) {
    Acquisition a = withElements(line(16, 0.3e-3), sourceAt(Wave::Focused, 1e-3, 20e-3));
    EXPECT_EQ(das::sentTransmits(a, kSet).front().source, a.transmits[0].source);
    a.transmitSpeedMps = 1500.0;
    EXPECT_EQ(das::sentTransmits(a, 1500.0).front().source, a.transmits[0].source);
    EXPECT_NE(das::sentTransmits(a, kSet).front().source, a.transmits[0].source);
    a.transmits[0] = sourceAt(Wave::Element, 1e-3, 0.0, 1e-6);
    EXPECT_EQ(das::sentTransmits(a, 1700.0).front().source, a.transmits[0].source);
    EXPECT_EQ(das::sentTransmits(a, 1700.0).front().firstSampleS, 1e-6);
}

struct SourceCase {
    std::string name;
    std::vector<Point> elements;
    Wave wave = Wave::Focused;
    Point source;
    double speed = 0.0;
};

class SentSource : public testing::TestWithParam<SourceCase> {};

TEST_P(SentSource, IsThatOfSciPy) {
    static const Vectors kVectors("gpu/vectors/sent.txt");
    const SourceCase& c = GetParam();
    Transmit wave{.wave = c.wave, .source = c.source};
    wave.firstSampleS = 1e-6;
    const Transmit t = das::sentTransmits(withElements(c.elements, wave), c.speed).front();
    const auto& source = kVectors[c.name + ".source_mm"];
    EXPECT_EQ(t.wave, c.wave);
    EXPECT_NEAR(1e3 * t.source.x, source[0], 1e-4);
    EXPECT_NEAR(1e3 * t.source.y, source[1], 1e-4);
    EXPECT_NEAR(1e3 * t.source.z, source[2], 1e-4);
    EXPECT_NEAR(1e9 * (t.firstSampleS - 1e-6), kVectors[c.name + ".later_ns"][0], 1e-3);
}

std::vector<SourceCase> sourceCases() {
    return {{"focused", line(64, 0.3e-3), Wave::Focused, {4e-3, 0.0, 30e-3}, 1600.0},
            {"focused_slow", line(64, 0.3e-3), Wave::Focused, {-12e-3, 0.0, 25e-3}, 1450.0},
            {"diverging", line(64, 0.2e-3), Wave::Diverging, {3e-3, 0.0, -8e-3}, 1620.0},
            {"curved", arc(48, 0.5e-3, 40e-3), Wave::Focused, {10e-3, 0.0, 45e-3}, 1580.0},
            {"matrix", square(12, 0.3e-3), Wave::Diverging, {0.7e-3, -0.4e-3, -6e-3}, 1480.0}};
}

/// Echoes of waves that are summed from single elements, fired as for 1540 m/s, in a medium of
/// another speed.
struct MediumCase {
    std::string name;
    Transmit transmit;
    Point point;
    double speed = 0.0;
    double pitchM = 0.3e-3;
};

class SentIntoMedium : public testing::TestWithParam<MediumCase> {};

TEST_P(SentIntoMedium, PointsLieWhereTheyAre) {
    const MediumCase& c = GetParam();
    Scan scan{.elements = 64, .pitchM = c.pitchM, .samples = 1600, .transmits = {c.transmit}};
    const FrameSpec spec = specOf(scan, DType::ComplexF32, scan.fcHz);
    const HostFrame echoes =
        firedEchoes(spec, timesFor(*spec.acquisition, kSet), c.speed, {c.point});
    const Peak peak =
        peakOf<Complex>(runStage("beamform", echoes,
                                 with(gridRound(c.point.x, c.point.z, 1e-3, 0.5e-3, 10e-6, 5e-6),
                                      {{"grid", std::string("image")},
                                       {"transmit_aperture", std::string("everywhere")},
                                       {"f_number", 1.0},
                                       {"speed_of_sound", c.speed}})));
    EXPECT_NEAR(peak.x, c.point.x, 30e-6);
    EXPECT_NEAR(peak.z, c.point.z, 15e-6);
}

std::vector<MediumCase> mediumCases() {
    return {
        {"plane", planeWave(-0.21), {-4e-3, 0.0, 22e-3}, 1600.0},
        {"diverging", sourceAt(Wave::Diverging, 2e-3, -12e-3), {-6e-3, 0.0, 20e-3}, 1470.0, 0.2e-3},
        {"focused", sourceAt(Wave::Focused, 5e-3, 15e-3), {9e-3, 0.0, 27e-3}, 1610.0}};
}

INSTANTIATE_TEST_SUITE_P(Cases, SentSource, testing::ValuesIn(sourceCases()),
                         [](const auto& c) { return c.param.name; });
INSTANTIATE_TEST_SUITE_P(Cases, SentIntoMedium, testing::ValuesIn(mediumCases()),
                         [](const auto& c) { return c.param.name; });

/// The live slider: a stage that was prepared for one speed gives what a fresh one gives.
TEST(SentWaves, FollowTheLiveSpeedOfSound) {
    Scan scan{.transmits = {planeWave(0.2), sourceAt(Wave::Focused, 3e-3, 20e-3),
                            sourceAt(Wave::Diverging, 1e-3, -8e-3)}};
    const HostFrame noise = noiseOf(specOf(scan, DType::ComplexF32, scan.fcHz), 3);
    const StageType& type = stageType("beamform");
    const auto at = [&](double speed) {
        return paramsFor(
            type, noise.spec,
            with(gridRound(0.0, 15e-3, 4e-3, 3e-3, 0.2e-3, 0.1e-3), {{"speed_of_sound", speed}}));
    };
    StageRunner runner(type, noise.spec, at(1540.0));
    runner.run(noise);
    runner.update(at(1610.0));
    StageRunner fresh(type, noise.spec, at(1610.0));
    EXPECT_EQ(runner.run(noise).bytes, fresh.run(noise).bytes);
}

} // namespace
} // namespace echolux::test
