// SPDX-License-Identifier: GPL-3.0-or-later
// Echoes of any array against closed forms: arrival times of each kind of wave, amplitudes,
// superposition, reciprocity, lenses, long elements, seeds.
#include "app/source/echo_simulator.hpp"

#include "app/source/array_design.hpp"
#include "app/source/transmit_design.hpp"
#include "gpu/core/error.hpp"
#include "tests/source/point_echoes.hpp"
#include "tests/source/signal_tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using testing::HasSubstr;

constexpr double kEchoDegree = std::numbers::pi / 180.0;

using test::apart;
using test::kSpeed;
using test::length;
using test::pointAt;
using test::setupOf;
using test::single;

std::span<const double> trace(EchoSimulator& simulator, std::int64_t transmit,
                              std::int64_t channel) {
    const auto samples = static_cast<std::size_t>(simulator.frame().sizeOf(AxisName::Sample));
    const std::int64_t line = transmit * simulator.setup().channels + channel;
    return simulator.echoes(0).subspan(static_cast<std::size_t>(line) * samples, samples);
}

/// Where an echo lies in the trace that arrives `seconds` after the wavefront crossed the origin.
double sampleOf(const EchoSimulator& simulator, std::int64_t transmit, double seconds) {
    const auto& t = simulator.frame().acquisition->transmits[static_cast<std::size_t>(transmit)];
    return (seconds - t.firstSampleS) * simulator.setup().samplingHz;
}

void expectArrival(EchoSimulator& simulator, std::int64_t transmit, std::int64_t channel,
                   double seconds, double tolerance) {
    const test::Analytic signal(trace(simulator, transmit, channel));
    const double expected = sampleOf(simulator, transmit, seconds);
    EXPECT_NEAR(signal.peak(expected, 2.0), expected, tolerance)
        << "transmit " << transmit << ", channel " << channel;
}

TEST(EchoSimulator, anElementHearsAPointWhenAnotherFires) {
    const Point p{1.3e-3, 0.7e-3, 14.2e-3};
    EchoSetup setup = setupOf(linearProbe(16, {}));
    const auto& elements = setup.acquisition.probe.elements;
    for (const std::size_t e : {0U, 9U})
        setup.acquisition.transmits.push_back(single(setup.acquisition.probe, e));
    EchoSimulator simulator(setup, pointAt(p));
    for (const std::int64_t channel : {0, 6, 15}) {
        const double back = apart(p, elements[static_cast<std::size_t>(channel)]);
        expectArrival(simulator, 0, channel, (apart(p, elements[0]) + back) / kSpeed, 0.02);
        expectArrival(simulator, 1, channel, (apart(p, elements[9]) + back) / kSpeed, 0.02);
    }
}

TEST(EchoSimulator, amplitudesFollowDirectivityAndSpreading) {
    const auto sinc = [](double v) { return v == 0.0 ? 1.0 : std::sin(v) / v; };
    const double wavelength = kSpeed / 5e6;
    for (const double height : {0.0, 0.4e-3}) {
        EchoSetup setup = setupOf(linearProbe(16, {.heightM = height}));
        setup.acquisition.transmits.push_back(single(setup.acquisition.probe, 3));
        const Point p{-1.5e-3, 2.0e-3, 6.1e-3};
        EchoSimulator simulator(setup, pointAt(p));
        const auto gain = [&](std::size_t element) {
            const Point& e = setup.acquisition.probe.elements[element];
            const double r = apart(p, e);
            const double ratio = 10e-3 / r;
            return (height > 0.0 ? ratio : std::sqrt(ratio)) * p.z / r *
                   sinc(std::numbers::pi * 0.27e-3 * (p.x - e.x) / r / wavelength) *
                   sinc(std::numbers::pi * height * p.y / r / wavelength);
        };
        for (const std::size_t channel : {0U, 7U, 15U}) {
            const auto& e = setup.acquisition.probe.elements;
            const double seconds = (apart(p, e[3]) + apart(p, e[channel])) / kSpeed;
            const test::Analytic signal(trace(simulator, 0, static_cast<std::int64_t>(channel)));
            const double expected = gain(3) * gain(channel);
            EXPECT_NEAR(signal.envelope(sampleOf(simulator, 0, seconds)), std::abs(expected),
                        0.004 * std::abs(expected));
        }
    }
}

/// What comes after a transmit of all elements is the sum of what comes after each one alone, each
/// at its own time: against the recording itself, not against the field that it was made with.
TEST(EchoSimulator, aBeamIsTheSumOfItsElements) {
    const Probe probe = linearProbe(8, {});
    EchoSetup together = setupOf(probe);
    together.samplingHz = 80e6;
    together.acquisition.transmits.push_back(
        focusedLine(probe, {0, 8}, 12e-3, ApertureWindow::Hann));
    const Point p{0.8e-3, 0.0, 9e-3};
    EchoSimulator beam(together, pointAt(p));
    EchoSetup alone = setupOf(probe);
    alone.samplingHz = 80e6;
    for (std::size_t e = 0; e < 8; ++e) alone.acquisition.transmits.push_back(single(probe, e));
    EchoSimulator singles(alone, pointAt(p));
    const Transmit& line = beam.frame().acquisition->transmits.front();
    const std::vector<double> firing = firingTimes(together, line);
    for (const std::int64_t channel : {1, 6}) {
        std::vector<test::Analytic> parts;
        for (std::int64_t e = 0; e < 8; ++e) parts.emplace_back(trace(singles, e, channel));
        const test::Analytic whole(trace(beam, 0, channel));
        const double middle =
            sampleOf(beam, 0, (p.z + apart(p, probe.elements[std::size_t(channel)])) / kSpeed);
        for (double at = middle - 20.0; at < middle + 20.0; at += 5.3) {
            const double seconds = at / 80e6 + line.firstSampleS;
            std::complex<double> sum = 0.0;
            for (std::size_t e = 0; e < 8; ++e)
                sum += double{line.apodization[e]} *
                       parts[e].at(sampleOf(singles, std::int64_t(e), seconds - firing[e]));
            EXPECT_NEAR(std::abs(whole.at(at) - sum), 0.0, 0.01) << at;
        }
    }
}

TEST(EchoSimulator, focusedLinesFocusAtTheirTime) {
    for (const bool curved : {false, true}) {
        const Probe probe = curved ? curvedProbe(32, 30e-3, {}) : linearProbe(32, {});
        EchoSetup setup = setupOf(probe);
        setup.channels = 12;
        const std::vector<ActiveElements> places = walk(32, 12, 5);
        for (const ActiveElements active : places) {
            setup.acquisition.transmits.push_back(
                focusedLine(probe, active, 14e-3, ApertureWindow::Hann));
            for (int i = 0; i < 12; ++i)
                setup.acquisition.receiveElements.push_back(
                    static_cast<std::int32_t>(active.first) + i);
        }
        if (curved) {
            const double edge = std::asin(probe.elements.back().x / 30e-3);
            setup.region.sector = SectorOutline{
                .apexZ = -30e-3 * std::cos(edge), .innerRadiusM = 30e-3, .halfAngleRad = edge};
        }
        for (const std::size_t line : {0U, 2U, 4U}) {
            const Transmit& transmit = setup.acquisition.transmits[line];
            const Point focus = transmit.source;
            EXPECT_NEAR(apart(focus, transmit.origin), 14e-3, 1e-9);
            EchoSimulator simulator(setup, pointAt(focus));
            for (const std::int64_t channel : {0, 5, 11}) {
                const auto element = static_cast<std::size_t>(places[line].first + channel);
                const double seconds =
                    (length(focus) + apart(focus, probe.elements[element])) / kSpeed;
                expectArrival(simulator, std::int64_t(line), channel, seconds, 0.02);
            }
        }
    }
}

TEST(EchoSimulator, aPhasedArraySteersItsBeam) {
    const double half = 0.5 * kSpeed / 5e6;
    const Probe probe = linearProbe(32, {.pitchM = half, .widthM = 0.9 * half});
    EchoSetup setup = setupOf(probe);
    for (const double angle : {-30.0, 0.0, 30.0})
        setup.acquisition.transmits.push_back(
            steeredLine(probe, angle * kEchoDegree, 18e-3, ApertureWindow::Rectangular));
    const Point focus = setup.acquisition.transmits[2].source;
    EXPECT_NEAR(focus.x, 9e-3, 1e-9);
    EchoSimulator simulator(setup, pointAt(focus));
    const double seconds = (18e-3 + apart(focus, probe.elements[4])) / kSpeed;
    expectArrival(simulator, 2, 4, seconds, 0.02);
    // The other beams miss the point.
    const auto energy = [&](std::int64_t transmit) {
        double sum = 0.0;
        for (const double value : trace(simulator, transmit, 4)) sum += value * value;
        return sum;
    };
    EXPECT_LT(energy(1), 1e-2 * energy(2));
    EXPECT_LT(energy(0), 1e-2 * energy(2));
}

TEST(EchoSimulator, divergingWavesComeFromTheirSource) {
    const Probe probe = linearProbe(64, {});
    EchoSetup setup = setupOf(probe);
    setup.acquisition.transmits = {
        divergingWave(probe, {8, 40}, 8e-3, ApertureWindow::Hann),
        steeredDiverging(probe, 10.0 * kEchoDegree, 12e-3, ApertureWindow::Hann)};
    const Point p{1.1e-3, 0.0, 17e-3};
    EchoSimulator simulator(setup, pointAt(p));
    for (const std::int64_t transmit : {0, 1}) {
        const Point& source = setup.acquisition.transmits[std::size_t(transmit)].source;
        for (const std::int64_t channel : {3, 40}) {
            const double back = apart(p, probe.elements[std::size_t(channel)]);
            const double seconds = (apart(p, source) - length(source) + back) / kSpeed;
            expectArrival(simulator, transmit, channel, seconds, 0.25);
        }
    }
}

/// The window over a matrix keeps the waves of its edges out of the way.
std::vector<float> taperedSquare(std::int64_t side) {
    std::vector<float> weights;
    for (std::int64_t row = 0; row < side; ++row) {
        for (std::int64_t column = 0; column < side; ++column) {
            const auto at = [&](std::int64_t i) {
                return windowAt(ApertureWindow::Hann, (2.0 * double(i) + 1.0) / double(side) - 1.0);
            };
            weights.push_back(static_cast<float>(at(row) * at(column)));
        }
    }
    return weights;
}

TEST(EchoSimulator, planeWavesOfAMatrixTravelInTheirDirection) {
    const Probe probe =
        matrixProbe({.columns = 20, .rows = 20, .pitchYM = 0.3e-3}, {.heightM = 0.27e-3});
    for (const Steering steering : {Steering::Tilts, Steering::Projections}) {
        EchoSetup setup = setupOf(probe);
        setup.acquisition.steering = steering;
        Transmit wave;
        wave.angleRad = 8.0 * kEchoDegree;
        wave.elevationRad = -11.0 * kEchoDegree;
        wave.apodization = taperedSquare(20);
        setup.acquisition.transmits = {wave};
        const double a = std::tan(wave.angleRad);
        const double g = std::tan(wave.elevationRad);
        const double norm = std::hypot(a, g, 1.0);
        const Point u = steering == Steering::Tilts
                            ? Point{std::sin(wave.angleRad) * std::cos(wave.elevationRad),
                                    std::sin(wave.elevationRad),
                                    std::cos(wave.angleRad) * std::cos(wave.elevationRad)}
                            : Point{a / norm, g / norm, 1.0 / norm};
        // Where the middle of the wave goes, a little beside it.
        const Point p{10e-3 * u.x + 0.2e-3, 10e-3 * u.y - 0.1e-3, 10e-3 * u.z};
        EchoSimulator simulator(setup, pointAt(p));
        const double there = u.x * p.x + u.y * p.y + u.z * p.z;
        for (const std::int64_t channel : {0, 125, 399}) {
            const double back = apart(p, probe.elements[std::size_t(channel)]);
            expectArrival(simulator, 0, channel, (there + back) / kSpeed, 0.35);
        }
    }
}

TEST(EchoSimulator, rowsHearWhatColumnsSend) {
    const Probe probe = rowColumnProbe(24, {.heightM = 7.2e-3});
    EchoSetup setup = setupOf(probe);
    setup.channels = 24;
    std::vector<float> window(48, 0.0F);
    for (std::size_t i = 0; i < 24; ++i)
        window[i] = static_cast<float>(
            windowAt(ApertureWindow::Hann, (2.0 * double(i) + 1.0) / 24.0 - 1.0));
    Transmit columns;
    columns.angleRad = 6.0 * kEchoDegree;
    columns.apodization = window;
    Transmit rows;
    rows.elevationRad = 6.0 * kEchoDegree;
    std::rotate(window.begin(), window.begin() + 24, window.end());
    rows.apodization = window;
    setup.acquisition.transmits = {columns, rows};
    for (std::int32_t i = 0; i < 48; ++i)
        setup.acquisition.receiveElements.push_back((i + 24) % 48);
    const Point p{0.9e-3, 0.4e-3, 11e-3};
    EchoSimulator simulator(setup, pointAt(p));
    const double s = std::sin(6.0 * kEchoDegree);
    const double c = std::cos(6.0 * kEchoDegree);
    for (const std::int64_t line : {2, 13}) {
        const double place = probe.elements[std::size_t(line)].x;
        expectArrival(simulator, 0, line,
                      (p.z * c + p.x * s + std::hypot(p.z, p.y - place)) / kSpeed, 0.3);
        expectArrival(simulator, 1, line,
                      (p.z * c + p.y * s + std::hypot(p.z, p.x - place)) / kSpeed, 0.3);
    }
    EchoSimulator beyond(setup, pointAt({4.0e-3, 0.0, 11e-3})); // the rows end at 3.6 mm
    for (const double value : trace(beyond, 0, 5)) EXPECT_EQ(value, 0.0);
}

TEST(EchoSimulator, elementsAnswerEachOtherAlike) {
    const Probe probe = curvedProbe(12, 25e-3, {.heightM = 4e-3, .elevationFocusM = 20e-3});
    EchoSetup setup = setupOf(probe);
    for (const std::size_t e : {2U, 9U}) setup.acquisition.transmits.push_back(single(probe, e));
    Phantom phantom;
    phantom.still = {{1e-3, 12e-3, 1.0, 0.5e-3}, {-2e-3, 19e-3, -0.6, -1e-3}};
    setup.attenuationDbPerCmMhz = 0.5;
    EchoSimulator simulator(setup, phantom);
    const test::Analytic there(trace(simulator, 0, 9));
    const test::Analytic back(trace(simulator, 1, 2));
    for (double us = 15.0; us < 26.0; us += 0.37)
        EXPECT_NEAR(std::abs(there.at(sampleOf(simulator, 0, us * 1e-6)) -
                             back.at(sampleOf(simulator, 1, us * 1e-6))),
                    0.0, 2e-3);
}

/// Against the integral over the height of the element, both ways, by many narrow strips.
TEST(EchoSimulator, aLensFocusesInElevation) {
    const double height = 5e-3;
    const double focus = 18e-3;
    for (const Point& p :
         {Point{0.0, 0.0, 18e-3}, Point{0.0, 1.2e-3, 18e-3}, Point{0.0, 0.6e-3, 9e-3}}) {
        EchoSetup setup = setupOf(linearProbe(1, {.heightM = height, .elevationFocusM = focus}));
        setup.region.startDepthM = 5e-3;
        setup.acquisition.transmits = {single(setup.acquisition.probe, 0)};
        EchoSimulator simulator(setup, pointAt(p));
        const test::Analytic signal(trace(simulator, 0, 0));
        const GaussianPulse pulse{5e6, 0.6};
        constexpr int kStrips = 100;
        const auto strip = [&](int i) {
            const double y = ((i + 0.5) / kStrips - 0.5) * height;
            const double r = std::hypot(p.y - y, p.z);
            return std::pair{r + focus - std::hypot(focus, y), 10e-3 / r * p.z / r / kStrips};
        };
        const double seconds = 2.0 * length(p) / kSpeed;
        for (double shift = -4.0; shift <= 4.0; shift += 1.0) {
            const double at = seconds + shift * 0.03e-6;
            std::complex<double> sum = 0.0;
            for (int i = 0; i < kStrips; ++i) {
                for (int j = 0; j < kStrips; ++j) {
                    const double t = at - (strip(i).first + strip(j).first) / kSpeed;
                    const double width = t / pulse.sigmaS();
                    sum += std::polar(strip(i).second * strip(j).second *
                                          std::exp(-0.5 * width * width),
                                      2.0 * std::numbers::pi * 5e6 * t);
                }
            }
            // At the focus it is (10 / 18)^2.
            EXPECT_NEAR(std::abs(signal.at(sampleOf(simulator, 0, at)) - sum), 0.0, 0.06 * 0.309)
                << p.y << " " << p.z;
        }
    }
}

TEST(EchoSimulator, attenuationIsThatOfThePath) {
    const Probe probe = linearProbe(16, {});
    for (const Point& p : {Point{0.0, 0.0, 8e-3}, Point{2e-3, 0.0, 21e-3}}) {
        EchoSetup setup = setupOf(probe);
        setup.acquisition.transmits = {single(probe, 2)};
        EchoSimulator without(setup, pointAt(p));
        setup.attenuationDbPerCmMhz = 0.7;
        EchoSimulator with(setup, pointAt(p));
        const double pathCm = 100.0 * (apart(p, probe.elements[2]) + apart(p, probe.elements[12]));
        for (const double f : {4.5e6, 5e6, 5.5e6}) {
            const double ratio = std::abs(test::spectrumAt(trace(with, 0, 12), f, 20e6)) /
                                 std::abs(test::spectrumAt(trace(without, 0, 12), f, 20e6));
            EXPECT_NEAR(20.0 * std::log10(ratio), -0.7 * pathCm * f * 1e-6, 0.2);
        }
    }
}

TEST(EchoSimulator, everyEchoOfTheRegionIsRecorded) {
    const Probe probe = linearProbe(32, {});
    EchoSetup setup = setupOf(probe);
    setup.region.startDepthM = 4e-3;
    setup.region.halfWidthM = 6e-3;
    setup.region.halfElevationM = 3e-3;
    Transmit steered;
    steered.angleRad = 14.0 * kEchoDegree;
    setup.acquisition.transmits = {steered,
                                   divergingWave(probe, {0, 10}, 5e-3, ApertureWindow::Hann)};
    for (const double x : {-6e-3, 6e-3}) {
        for (const double z : {4e-3, 25e-3}) {
            EchoSimulator simulator(setup, pointAt({x, 3e-3, z}));
            const auto samples =
                static_cast<std::size_t>(simulator.frame().sizeOf(AxisName::Sample));
            double most = 0.0;
            for (const double value : simulator.echoes(0)) most = std::max(most, std::abs(value));
            for (std::int64_t line = 0; line < 64; ++line) {
                const auto one = trace(simulator, line / 32, line % 32);
                EXPECT_LT(std::abs(one[0]), 1e-3 * most);
                EXPECT_LT(std::abs(one[samples - 1]), 1e-3 * most);
            }
        }
    }
}

std::uint64_t hashOfVolume(std::uint64_t seed, std::int64_t frame) {
    const Probe probe =
        matrixProbe({.columns = 6, .rows = 5, .pitchYM = 0.4e-3}, {.heightM = 0.3e-3});
    EchoSetup setup = setupOf(probe);
    setup.region.halfWidthM = 9e-3;
    setup.region.halfElevationM = 3e-3;
    setup.region.depthM = 16e-3;
    setup.converter.seed = seed;
    setup.acquisition.transmits.resize(2);
    setup.acquisition.transmits[1].elevationRad = 5.0 * kEchoDegree;
    PhantomRequest request = phantomFor(setup, "cine", 0.05, 0.5);
    EchoSimulator simulator(setup, makePhantom(request));
    EXPECT_TRUE(simulator.phantom().moves());
    std::vector<std::int16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
    simulator.render(frame, codes);
    return test::hashOf(codes);
}

TEST(EchoSimulator, aSeedGivesTheSameBytesEverywhere) {
    const std::uint64_t hash = hashOfVolume(11, 3);
    {
        const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism,
                                              1);
        EXPECT_EQ(hashOfVolume(11, 3), hash);
    }
    EXPECT_NE(hashOfVolume(12, 3), hash);
    EXPECT_NE(hashOfVolume(11, 4), hash);
}

TEST(EchoSimulator, aRecordingSaysWhatFiredFromWhere) {
    const Probe probe = curvedProbe(24, 40e-3, {});
    const Transmit line = focusedLine(probe, {4, 6}, 20e-3, ApertureWindow::Rectangular);
    EXPECT_EQ(line.wave, Wave::Focused);
    // The middle of six elements lies on the arc, between the third and the fourth.
    const double edge = std::asin(probe.elements.back().x / 40e-3);
    EXPECT_NEAR(std::hypot(line.origin.x, line.origin.z + 40e-3 * std::cos(edge)), 40e-3, 1e-8);
    EXPECT_NEAR(line.origin.x, 0.5 * (probe.elements[6].x + probe.elements[7].x), 2e-7);
    EXPECT_EQ(std::count(line.apodization.begin(), line.apodization.end(), 0.0F), 18);
    EXPECT_EQ(line.apodization[4], 1.0F);
    EXPECT_EQ(line.apodization[9], 1.0F);
    const Transmit wave = divergingWave(probe, {0, 24}, 7e-3, ApertureWindow::Tukey);
    EXPECT_NEAR(wave.source.z, wave.origin.z - 7e-3, 1e-9);
    EXPECT_EQ(walk(24, 6, 19)[18].first, 18);
    EXPECT_EQ(walk(24, 6, 1)[0].first, 9);
}

TEST(EchoSimulator, concaveArraysFaceTheirCentre) {
    constexpr double kRadius = 30e-3;
    const Probe probe = concaveProbe(24, kRadius, {});
    // The outer elements lie at z = 0, so the arc's centre lies at the height of a right triangle.
    const double centre = std::sqrt(kRadius * kRadius - std::pow(probe.elements.back().x, 2));
    for (std::size_t i = 0; i < probe.elements.size(); ++i) {
        const Point& e = probe.elements[i];
        EXPECT_NEAR(std::hypot(e.x, e.z - centre), kRadius, 1e-9);
        EXPECT_NEAR(e.x + kRadius * probe.normals[i].x, 0.0, 1e-9);
        EXPECT_NEAR(e.z + kRadius * probe.normals[i].z, centre, 1e-9);
    }
    // The middle of any aperture lies on the arc, which is behind the chord, and faces its centre.
    for (const ActiveElements active : {ActiveElements{0, 24}, {4, 7}, {10, 2}}) {
        const Transmit line = focusedLine(probe, active, kRadius, ApertureWindow::Rectangular);
        EXPECT_NEAR(std::hypot(line.origin.x, line.origin.z - centre), kRadius, 1e-7);
        EXPECT_NEAR(line.source.x, 0.0, 1e-7);
        EXPECT_NEAR(line.source.z, centre, 1e-7);
    }
}

TEST(EchoSimulator, wavesOfPlaneArraysGoTowardsTwoAngles) {
    const Probe probe = matrixProbe({.columns = 3, .rows = 2}, {});
    const Transmit wave = waveTowards(probe, Wave::Focused, 0.3, -0.2, Steering::Tilts, 20e-3);
    EXPECT_NEAR(wave.source.x, 20e-3 * std::sin(0.3) * std::cos(0.2), 1e-12);
    EXPECT_NEAR(wave.source.y, -20e-3 * std::sin(0.2), 1e-12);
    EXPECT_NEAR(wave.source.z, 20e-3 * std::cos(0.3) * std::cos(0.2), 1e-12);
    EXPECT_EQ(wave.apodization, std::vector<float>(6, 1.0F));
    Acquisition acquisition;
    acquisition.probe = rowColumnProbe(2, {});
    addCrossed(acquisition, true, {});
    addCrossed(acquisition, false, {});
    EXPECT_EQ(acquisition.transmits[0].apodization, (std::vector<float>{1, 1, 0, 0}));
    EXPECT_EQ(acquisition.transmits[1].apodization, (std::vector<float>{0, 0, 1, 1}));
    EXPECT_EQ(acquisition.receiveElements, (std::vector<std::int32_t>{2, 3, 0, 1}));
}

TEST(EchoSimulator, refusesWhatItCannotSimulate) {
    const auto refusal = [](auto change) -> std::string {
        EchoSetup setup = setupOf(linearProbe(8, {}));
        setup.acquisition.transmits.resize(1);
        try {
            change(setup);
            checkSetup(setup);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    using S = EchoSetup;
    EXPECT_EQ(refusal([](S&) {}), "accepted");
    EXPECT_THAT(refusal([](S& s) { s.acquisition.transmits.clear(); }), HasSubstr("0 transmits"));
    EXPECT_THAT(refusal([](S& s) { s.samplingHz = 10e6; }), HasSubstr("at least 13 MHz"));
    EXPECT_THAT(refusal([](S& s) { s.samplingHz = std::nan(""); }), HasSubstr("--fs"));
    EXPECT_THAT(refusal([](S& s) { s.region.depthM = std::nan(""); }), HasSubstr("--depth"));
    EXPECT_THAT(refusal([](S& s) { s.region.startDepthM = 30e-3; }), HasSubstr("--start-depth"));
    EXPECT_THAT(refusal([](S& s) { s.region.halfElevationM = -1.0; }), HasSubstr("--elevation"));
    EXPECT_THAT(refusal([](S& s) { s.converter.bits = 17; }), HasSubstr("--bits"));
    EXPECT_THAT(refusal([](S& s) {
                    s.acquisition.transmits.resize(4000);
                    s.channels = 1000;
                }),
                HasSubstr("One frame would have"));
    EXPECT_THAT(refusal([](S&) { walk(8, 9, 1); }), HasSubstr("--active is 9"));
    EXPECT_THAT(refusal([](S&) { walk(8, 4, 6); }), HasSubstr("choose 1 to 5 lines"));
    EXPECT_THAT(refusal([](S&) { curvedProbe(128, 10e-3, {}); }), HasSubstr("--radius"));
}

} // namespace

} // namespace echolux
