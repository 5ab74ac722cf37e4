// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator against closed forms: arrival times, amplitudes, spectra, statistics, seeds.
#include "app/source/plane_wave_simulator.hpp"

#include "gpu/core/error.hpp"
#include "tests/source/signal_tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <cmath>
#include <numbers>

namespace echolux {

namespace {

using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180.0;

PlaneWaveSetup smallWaveSetup() {
    PlaneWaveSetup setup;
    setup.elements = 16;
    setup.anglesRad = {-12.0 * kDegree, 0.0, 7.3 * kDegree};
    setup.depthM = 25e-3;
    setup.attenuationDbPerCmMhz = 0.0;
    return setup;
}

Phantom pointAt(double x, double z) {
    Phantom phantom;
    phantom.still = {{x, z, 1.0}};
    return phantom;
}

std::span<const double> trace(PlaneWaveSimulator& simulator, std::int64_t transmit,
                              std::int64_t element) {
    const auto samples = static_cast<std::size_t>(simulator.frame().sizeOf(AxisName::Sample));
    const auto elements = static_cast<std::size_t>(simulator.setup().elements);
    const std::size_t row =
        static_cast<std::size_t>(transmit) * elements + static_cast<std::size_t>(element);
    return simulator.echoes(0).subspan(row * samples, samples);
}

/// sample = (t_tx + t_rx - firstSampleS) fs, from the recording's own description.
double arrival(const PlaneWaveSimulator& simulator, std::int64_t transmit, std::int64_t element,
               double x, double z) {
    const Acquisition& acquisition = *simulator.frame().acquisition;
    const Transmit& t = acquisition.transmits[static_cast<std::size_t>(transmit)];
    const Point& e = acquisition.probe.elements[static_cast<std::size_t>(element)];
    const double transmitS =
        (x * std::sin(t.angleRad) + z * std::cos(t.angleRad)) / acquisition.soundSpeedMps;
    const double receiveS =
        std::sqrt((x - e.x) * (x - e.x) + (z - e.z) * (z - e.z)) / acquisition.soundSpeedMps;
    return (transmitS + receiveS - t.firstSampleS) * simulator.frame().samplingFrequencyHz();
}

TEST(PlaneWaveSimulator, aPointArrivesWhenItShould) {
    for (const auto& [x, z] :
         {std::pair{0.0, 10e-3}, std::pair{2.13e-3, 17.7e-3}, std::pair{-1.07e-3, 6.31e-3}}) {
        PlaneWaveSimulator simulator(smallWaveSetup(), pointAt(x, z));
        for (std::int64_t transmit = 0; transmit < 3; ++transmit) {
            for (std::int64_t element = 0; element < 16; element += 5) {
                const test::Analytic signal(trace(simulator, transmit, element));
                const double expected = arrival(simulator, transmit, element, x, z);
                EXPECT_NEAR(signal.peak(expected, 2.0), expected, 0.02);
                // The carrier too peaks there: its phase is zero.
                EXPECT_NEAR(std::arg(signal.at(expected)), 0.0, 0.02);
            }
        }
    }
}

TEST(PlaneWaveSimulator, amplitudeFollowsDirectivityAndSpreading) {
    const auto sinc = [](double v) { return v == 0.0 ? 1.0 : std::sin(v) / v; };
    for (const Spreading spreading : {Spreading::Cylindrical, Spreading::Spherical}) {
        PlaneWaveSetup setup = smallWaveSetup();
        setup.anglesRad = {0.0};
        setup.elementWidthM = 0.25e-3;
        setup.spreading = spreading;
        const double x = -1.5e-3;
        const double z = 3.1e-3;
        PlaneWaveSimulator simulator(setup, pointAt(x, z));
        for (std::int64_t element = 0; element < 16; element += 3) {
            const double dx = x - (static_cast<double>(element) - 7.5) * 0.3e-3;
            const double r = std::hypot(dx, z);
            const double wavelength = 1540.0 / 5e6;
            const double directivity =
                sinc(std::numbers::pi * 0.25e-3 * (dx / r) / wavelength) * (z / r);
            const double ratio = 10e-3 / r;
            const double expected =
                directivity * (spreading == Spreading::Spherical ? ratio : std::sqrt(ratio));
            const test::Analytic signal(trace(simulator, 0, element));
            EXPECT_NEAR(signal.envelope(arrival(simulator, 0, element, x, z)), expected,
                        0.003 * std::abs(expected));
        }
    }
}

TEST(PlaneWaveSimulator, spectrumIsThatOfTheAskedPulse) {
    for (const double bandwidth : {0.3, 0.6, 0.9}) {
        PlaneWaveSetup setup = smallWaveSetup();
        setup.fractionalBandwidth = bandwidth;
        setup.samplingHz = 40e6;
        PlaneWaveSimulator simulator(setup, pointAt(0.4e-3, 12e-3));
        const test::Band band = test::bandOf(trace(simulator, 1, 4), 40e6);
        EXPECT_NEAR(band.centreHz, 5e6, 0.01 * 5e6);
        EXPECT_NEAR(band.widthHz, bandwidth * 5e6, 0.02 * bandwidth * 5e6);
    }
}

// Against the definition, computed from the spectra with and without: |with| / |without| at each
// frequency is 10^(-alpha f L / 20).
TEST(PlaneWaveSimulator, attenuationGrowsWithFrequencyAndPath) {
    for (const double z : {5e-3, 23e-3}) {
        PlaneWaveSetup setup = smallWaveSetup();
        PlaneWaveSimulator without(setup, pointAt(0.0, z));
        setup.attenuationDbPerCmMhz = 0.7;
        PlaneWaveSimulator with(setup, pointAt(0.0, z));
        const std::int64_t transmit = 2;
        const std::int64_t element = 3;
        const double pathCm =
            100.0 * (z / std::cos(7.3 * kDegree) + std::hypot((3 - 7.5) * 0.3e-3, z));
        for (const double f : {4e6, 5e6, 6e6}) {
            const double ratio =
                std::abs(test::spectrumAt(trace(with, transmit, element), f, 20e6)) /
                std::abs(test::spectrumAt(trace(without, transmit, element), f, 20e6));
            EXPECT_NEAR(20.0 * std::log10(ratio), -0.7 * pathCm * f * 1e-6, 0.15) << f << " " << z;
        }
    }
}

TEST(PlaneWaveSimulator, everyEchoOfTheDepthRangeIsRecorded) {
    PlaneWaveSetup setup = smallWaveSetup();
    setup.startDepthM = 4e-3;
    const double edge = setup.apertureM() / 2.0;
    for (const double x : {-edge, edge}) {
        for (const double z : {4e-3, 25e-3}) {
            PlaneWaveSimulator simulator(setup, pointAt(x, z));
            const auto samples = static_cast<double>(simulator.frame().sizeOf(AxisName::Sample));
            for (std::int64_t transmit = 0; transmit < 3; ++transmit) {
                for (const std::int64_t element : {0, 15}) {
                    const double at = arrival(simulator, transmit, element, x, z);
                    EXPECT_GT(at, 8.0);
                    EXPECT_LT(at, samples - 8.0);
                }
            }
        }
    }
}

// The envelope of fully developed speckle is Rayleigh distributed: mean / deviation =
// sqrt(pi / (4 - pi)) = 1.913 (Goodman; Wagner et al., IEEE Trans. Sonics Ultrason. 30, 1983).
TEST(PlaneWaveSimulator, speckleHasARayleighEnvelope) {
    PlaneWaveSetup setup = smallWaveSetup();
    setup.anglesRad = {0.0};
    setup.elements = 24;
    setup.pitchM = 1e-3; // far apart: independent signals
    setup.elementWidthM = 0.2e-3;
    setup.depthM = 40e-3;
    PhantomRequest request;
    request.name = "speckle";
    request.halfWidthM = setup.apertureM() / 2.0;
    request.depthM = setup.depthM;
    request.wavelengthM = setup.wavelengthM();
    PlaneWaveSimulator simulator(setup, makePhantom(request));
    double sum = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (std::int64_t element = 0; element < 24; ++element) {
        const test::Analytic signal(trace(simulator, 0, element));
        // Where amplitude varies little, and normalised by its trend.
        for (double z = 18e-3; z < 34e-3; z += 0.1e-3) {
            const double trend = std::sqrt(z);
            const double value =
                trend * signal.envelope(
                            arrival(simulator, 0, element, simulator.setup().elementX(element), z));
            sum += value;
            squares += value * value;
            count += 1.0;
        }
    }
    const double mean = sum / count;
    const double deviation = std::sqrt(squares / count - mean * mean);
    EXPECT_NEAR(mean / deviation, std::sqrt(std::numbers::pi / (4.0 - std::numbers::pi)), 0.12);
}

TEST(PlaneWaveSimulator, noiseHasTheAskedStrength) {
    for (const double snr : {10.0, 25.0}) {
        PlaneWaveSetup setup = smallWaveSetup();
        setup.converter.snrDb = snr;
        setup.converter.bits = 16;
        PlaneWaveSimulator simulator(setup, pointAt(0.0, 12e-3));
        std::vector<std::int16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
        simulator.render(0, codes);
        const std::span<const double> exact = simulator.echoes(0);
        double signal = 0.0;
        double noise = 0.0;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const double echo = exact[i] * simulator.converter().codesPerUnit();
            signal += echo * echo;
            noise += (codes[i] - echo) * (codes[i] - echo);
        }
        EXPECT_NEAR(10.0 * std::log10(signal / noise), snr, 0.15);
    }
}

TEST(PlaneWaveSimulator, theConverterKeepsItsHeadroomAndLimits) {
    PlaneWaveSetup setup = smallWaveSetup();
    setup.converter.snrDb = 200.0;
    setup.converter.bits = 10;
    setup.converter.headroom = 0.5;
    const auto largest = [](const PlaneWaveSetup& asked) {
        PlaneWaveSimulator simulator(asked, pointAt(0.0, 12e-3));
        std::vector<std::int16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
        simulator.render(0, codes);
        int most = 0;
        for (const std::int16_t code : codes) most = std::max(most, std::abs(int{code}));
        return std::pair(most, simulator.converter().limitedSamples());
    };
    EXPECT_EQ(largest(setup), std::pair(256, std::int64_t{0}));
    setup.converter.snrDb = -20.0; // noise far beyond full scale
    const auto [most, limited] = largest(setup);
    EXPECT_EQ(most, 511);
    EXPECT_GT(limited, 0);
}

std::uint64_t hashOfCine(std::uint64_t seed, std::int64_t frame) {
    PlaneWaveSetup setup;
    setup.elements = 32;
    setup.pitchM = 0.6e-3;
    setup.anglesRad = {0.0, 5.0 * kDegree};
    setup.depthM = 32e-3;
    setup.frameRateHz = 20.0;
    setup.converter.bits = 12;
    setup.converter.seed = seed;
    PhantomRequest request;
    request.halfWidthM = setup.apertureM() / 2.0;
    request.depthM = setup.depthM;
    request.wavelengthM = setup.wavelengthM();
    request.periodS = 0.5;
    request.seed = seed;
    PlaneWaveSimulator simulator(setup, makePhantom(request));
    std::vector<std::int16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
    simulator.render(frame, codes);
    return test::hashOf(codes);
}

TEST(PlaneWaveSimulator, aSeedGivesTheSameBytesEverywhere) {
    const std::uint64_t hash = hashOfCine(11, 3);
    EXPECT_EQ(hash, 0x0b5a30b0288c678fULL) << std::hex << "got 0x" << hash;
    {
        const oneapi::tbb::global_control single(
            oneapi::tbb::global_control::max_allowed_parallelism, 1);
        EXPECT_EQ(hashOfCine(11, 3), hash);
    }
    EXPECT_NE(hashOfCine(12, 3), hash);
    EXPECT_NE(hashOfCine(11, 4), hash);
}

TEST(PlaneWaveSimulator, theCineLoopsWithoutASeam) {
    PlaneWaveSetup setup = smallWaveSetup();
    setup.elements = 64;
    setup.anglesRad = {0.0};
    setup.depthM = 32e-3;
    setup.frameRateHz = 25.0;
    PhantomRequest request;
    request.halfWidthM = setup.apertureM() / 2.0;
    request.depthM = setup.depthM;
    request.wavelengthM = setup.wavelengthM();
    request.periodS = 10.0 / 25.0;
    PlaneWaveSimulator simulator(setup, makePhantom(request));
    const auto frame = [&](std::int64_t index) {
        const std::span<const double> echoes = simulator.echoes(index);
        return std::vector<double>(echoes.begin(), echoes.end());
    };
    const auto difference = [](const std::vector<double>& a, const std::vector<double>& b) {
        double energy = 0.0;
        double change = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            energy += a[i] * a[i];
            change += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return std::sqrt(change / energy);
    };
    const std::vector<double> first = frame(0);
    EXPECT_LT(difference(first, frame(10)), 1e-9);
    EXPECT_GT(difference(first, frame(1)), 0.05) << "something moves";
    // The seam is no larger than the other steps.
    EXPECT_LT(difference(frame(9), frame(10)), 1.5 * difference(frame(4), frame(5)));
}

TEST(PlaneWaveSimulator, refusesWhatItCannotSimulate) {
    const auto refusal = [](auto change) {
        PlaneWaveSetup setup = smallWaveSetup();
        change(setup);
        try {
            checkSetup(setup);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    using Setup = PlaneWaveSetup;
    EXPECT_EQ(refusal([](Setup&) {}), "accepted");
    EXPECT_THAT(refusal([](Setup& s) { s.elements = 0; }), HasSubstr("--elements is 0"));
    EXPECT_THAT(refusal([](Setup& s) { s.samplingHz = 10e6; }), HasSubstr("at least 13 MHz"));
    EXPECT_THAT(refusal([](Setup& s) { s.anglesRad = {}; }), HasSubstr("--angles"));
    EXPECT_THAT(refusal([](Setup& s) { s.anglesRad = {2.0}; }), HasSubstr("--angles"));
    EXPECT_THAT(refusal([](Setup& s) { s.depthM = std::nan(""); }), HasSubstr("--depth"));
    EXPECT_THAT(refusal([](Setup& s) { s.startDepthM = 30e-3; }), HasSubstr("--start-depth"));
    EXPECT_THAT(refusal([](Setup& s) { s.elementWidthM = 1e-3; }), HasSubstr("--width"));
    EXPECT_THAT(refusal([](Setup& s) { s.converter.bits = 17; }), HasSubstr("--bits"));
    EXPECT_THAT(refusal([](Setup& s) { s.converter.snrDb = std::nan(""); }), HasSubstr("--snr"));
    EXPECT_THAT(refusal([](Setup& s) {
                    s.elements = 4096;
                    s.depthM = 2.0;
                    s.anglesRad.assign(1000, 0.0);
                }),
                HasSubstr("One frame would have"));
}

} // namespace

} // namespace echolux
