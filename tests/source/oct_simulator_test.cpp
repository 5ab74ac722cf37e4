// SPDX-License-Identifier: GPL-3.0-or-later
// The OCT simulator against closed forms: fringes, wavenumbers, noise, storage, seeds.
#include "app/source/oct_simulator.hpp"

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

constexpr double kPi = std::numbers::pi;

OctSetup smallOctSetup() {
    OctSetup setup;
    setup.samples = 256;
    setup.lines = 4;
    setup.sampling = Sampling::Linear;
    setup.fixedPattern = 0.0;
    setup.dtype = DType::U16;
    return setup;
}

OctSample mirrorAt(double depthM) {
    OctSample sample;
    sample.mirrorM = depthM;
    return sample;
}

/// Fringes of the first line over the light, as the detector would see them.
std::vector<double> fringeOf(OctSimulator& simulator) {
    const std::span<const double> codes = simulator.spectra(0);
    const OctSetup& setup = simulator.setup();
    const std::vector<double> index = wavenumberIndex(setup);
    const double full = std::ldexp(1.0, setup.bits) - 1.0;
    std::vector<double> fringe;
    for (std::size_t p = 0; p < index.size(); ++p)
        fringe.push_back((codes[p] - simulator.background()[p]) /
                         (setup.light * full * lightAt(setup, index[p])));
    return fringe;
}

// cos(2 k n_r z) sampled at equal steps of k = 2 pi / wavelength, from the definition.
TEST(OctSimulator, aMirrorGivesTheFringeOfItsDepth) {
    const OctSetup setup = smallOctSetup();
    for (const double depthM : {31.7e-6, 140e-6, -77e-6}) {
        OctSimulator simulator(setup, mirrorAt(depthM));
        const std::vector<double> fringe = fringeOf(simulator);
        const double first = 2.0 * kPi / (840e-9 - 75e-9);
        const double last = 2.0 * kPi / (840e-9 + 75e-9);
        for (std::size_t m = 0; m < fringe.size(); ++m) {
            const double k = first + (last - first) * static_cast<double>(m) / 255.0;
            const double expected = 0.25 * std::cos(2.0 * 1.36 * depthM * (k - first));
            ASSERT_NEAR(fringe[m], expected, 1e-9) << m;
        }
    }
}

TEST(OctSimulator, binsAreDepthsOfTheSample) {
    OctSetup setup = smallOctSetup();
    for (const std::int64_t samples : {255, 256, 1024}) {
        setup.samples = samples;
        const double perLambda = 840e-9 * 840e-9 / (2.0 * 1.36 * 150e-9);
        // lambda^2 / (2 n_r dlambda), but for the band's finite width.
        EXPECT_NEAR(setup.binM() / perLambda, 1.0, 0.015);
    }
}

// Residual dispersion: the fringe at equal wavenumber steps is cos(2 pi m d / n + phi).
TEST(OctSimulator, dispersionIsWhatThePhaseOfTheStageTakesAway) {
    OctSetup setup = smallOctSetup();
    setup.dispersion = {50.0, -30.0, 20.0};
    const double bin = 40.25;
    OctSimulator simulator(setup, mirrorAt(bin * setup.binM()));
    const std::vector<double> fringe = fringeOf(simulator);
    for (std::size_t m = 0; m < fringe.size(); ++m) {
        const double x = -0.5 * static_cast<double>(m) / 255.0;
        const double phi = 50.0 * x * x - 30.0 * x * x * x + 20.0 * x * x * x * x;
        const double carrier = 2.0 * kPi * static_cast<double>(m) * bin / 256.0;
        ASSERT_NEAR(fringe[m], 0.25 * std::cos(carrier + phi), 1e-9);
    }
}

// exp(+j phi) times the spectrum, then the inverse transform (sign +j): one sharp peak.
TEST(OctSimulator, thePhaseFocusesPositiveDepths) {
    OctSetup setup = smallOctSetup();
    setup.dispersion = {400.0, 0.0, 0.0};
    const double bin = 50.0;
    OctSimulator simulator(setup, mirrorAt(bin * setup.binM()));
    const std::span<const double> codes = simulator.spectra(0);
    const auto magnitudeAt = [&](double depth, double sign) {
        std::complex<double> sum = 0.0;
        for (std::size_t m = 0; m < 256; ++m) {
            const double phi = dispersionPhase(setup, static_cast<double>(m));
            sum += (codes[m] - simulator.background()[m]) *
                   std::polar(1.0, sign * phi + 2.0 * kPi * static_cast<double>(m) * depth / 256.0);
        }
        return std::abs(sum);
    };
    EXPECT_GT(magnitudeAt(bin, 1.0), 3.0 * magnitudeAt(bin, -1.0));
    EXPECT_GT(magnitudeAt(bin, 1.0), 3.0 * magnitudeAt(bin, 0.0));
}

// From the definitions: wavelength at each pixel, and the phase of a sine.
TEST(OctSimulator, wavenumbersFollowGratingAndSweep) {
    OctSetup setup = smallOctSetup();
    setup.sampling = Sampling::Grating;
    setup.gratingBow = 0.03;
    const std::vector<double> grating = wavenumberIndex(setup);
    const double kFirst = 1.0 / 765e-9;
    const double kLast = 1.0 / 915e-9;
    for (std::size_t p = 0; p < 256; ++p) {
        const double q = static_cast<double>(p) / 255.0;
        const double wavelength = 765e-9 + 150e-9 * (q + 0.12 * q * (1.0 - q));
        ASSERT_NEAR(grating[p], 255.0 * (1.0 / wavelength - kFirst) / (kLast - kFirst), 1e-9);
    }
    setup.sampling = Sampling::Sweep;
    const std::vector<double> sweep = wavenumberIndex(setup);
    for (std::size_t p = 0; p < 256; ++p) {
        const double t = 0.5 + 0.8 * (static_cast<double>(p) / 255.0 - 0.5);
        const double share =
            (std::cos(0.1 * kPi) - std::cos(kPi * t)) / (std::cos(0.1 * kPi) - std::cos(0.9 * kPi));
        ASSERT_NEAR(sweep[p], 255.0 * share, 1e-9);
    }
}

TEST(OctSimulator, resamplingUndoesTheSampling) {
    OctSetup setup = smallOctSetup();
    for (const Sampling sampling : {Sampling::Linear, Sampling::Grating, Sampling::Sweep}) {
        setup.sampling = sampling;
        const std::vector<double> index = wavenumberIndex(setup);
        const std::vector<double> at = resamplingOf(setup);
        for (std::size_t m = 0; m < at.size(); ++m) {
            const auto left = std::min<std::size_t>(static_cast<std::size_t>(at[m]), 254);
            const double t = at[m] - static_cast<double>(left);
            const double there = index[left] + t * (index[left + 1] - index[left]);
            ASSERT_NEAR(there, static_cast<double>(m), 2e-3); // chords of 255 pieces
            if (m > 0) {
                ASSERT_GT(at[m], at[m - 1]);
            }
        }
    }
}

// The non-uniform transform against the sum that it stands for.
TEST(FringeSum, isTheSumOverTheReflectors) {
    OctSetup setup = smallOctSetup();
    setup.sampling = Sampling::Sweep;
    for (const std::int64_t samples : {65, 256, 1000}) {
        setup.samples = samples;
        const std::vector<double> index = wavenumberIndex(setup);
        const FringeSum fringes(samples, index);
        std::vector<Reflector> reflectors;
        double total = 0.0;
        for (int i = 0; i < 60; ++i) {
            const double share = std::fmod(0.37 * i * i + 0.11 * i, 1.0);
            reflectors.push_back(
                {share * static_cast<double>(samples) / 2.0, std::polar(1.0 + share, 1.7 * i)});
            total += 1.0 + share;
        }
        std::vector<std::complex<double>> out(static_cast<std::size_t>(samples));
        FringeSum::Scratch scratch;
        fringes.sum(reflectors, out, scratch);
        for (std::size_t p = 0; p < out.size(); ++p) {
            std::complex<double> expected = 0.0;
            for (const Reflector& r : reflectors)
                expected += r.amplitude * std::polar(1.0, 2.0 * kPi * index[p] * r.bin /
                                                              static_cast<double>(samples));
            ASSERT_LT(std::abs(out[p] - expected), 1e-4 * total) << samples << " " << p;
        }
    }
}

TEST(OctSimulator, pointsStandWhereTheyShould) {
    OctSetup setup = smallOctSetup();
    setup.lines = 21;
    OctSample sample;
    sample.points = {{18e-6, 0.0, 55.0 * setup.binM()}};
    OctSimulator simulator(setup, sample);
    const std::span<const double> codes = simulator.spectra(0);
    double centre = 0.0;
    double weight = 0.0;
    for (std::size_t line = 0; line < 21; ++line) {
        std::vector<double> fringe;
        for (std::size_t p = 0; p < 256; ++p)
            fringe.push_back(codes[line * 256 + p] - simulator.background()[p]);
        const double magnitude = std::abs(test::spectrumAt(fringe, 55.0, 256.0));
        centre += magnitude * (static_cast<double>(line) - 10.0) * 6e-6;
        weight += magnitude;
        if (line == 13) {
            EXPECT_GT(magnitude, std::abs(test::spectrumAt(fringe, 54.5, 256.0)));
            EXPECT_GT(magnitude, std::abs(test::spectrumAt(fringe, 55.5, 256.0)));
        }
    }
    EXPECT_NEAR(centre / weight, 18e-6, 0.1e-6);
}

TEST(OctSimulator, noiseHasItsVariance) {
    for (const bool balanced : {false, true}) {
        OctSetup setup = smallOctSetup();
        setup.lines = 2000;
        setup.bits = 16;
        setup.balanced = balanced;
        setup.visibility = 0.0;
        setup.fullWellElectrons = 50e3;
        setup.readNoiseElectrons = 40.0;
        OctSimulator simulator(setup, mirrorAt(50e-6));
        std::vector<std::uint16_t> codes(256 * 2000);
        simulator.render(0, std::as_writable_bytes(std::span(codes)));
        for (const std::size_t p : {3UL, 64UL, 127UL}) {
            double sum = 0.0;
            double squares = 0.0;
            for (std::size_t line = 0; line < 2000; ++line) {
                const double difference = codes[line * 256 + p] - simulator.background()[p];
                sum += difference;
                squares += difference * difference;
            }
            // Electrons: the light's own number as variance, and the read noise's square.
            const double perElectron = 65535.0 / 50e3;
            const double light = 0.6 * 50e3 * lightAt(setup, static_cast<double>(p));
            const double expected = (light + 40.0 * 40.0) * perElectron * perElectron + 1.0 / 12.0;
            EXPECT_NEAR(squares / 2000.0 / expected, 1.0, 5.0 * std::sqrt(2.0 / 2000.0));
            EXPECT_NEAR(sum / 2000.0, 0.0, 5.0 * std::sqrt(expected / 2000.0));
        }
    }
}

TEST(OctSimulator, theFirstFramesLargestFringeIsTheVisibility) {
    OctSetup setup = smallOctSetup();
    setup.lines = 64;
    setup.visibility = 0.2;
    OctSimulator simulator(setup, makeOctSample({.name = "layers",
                                                 .widthM = 64 * setup.linePitchM,
                                                 .rangeM = setup.rangeM(),
                                                 .startDepthM = 20e-6}));
    const std::span<const double> codes = simulator.spectra(0);
    double most = 0.0;
    const std::vector<double> index = wavenumberIndex(setup);
    for (std::size_t i = 0; i < codes.size(); ++i)
        most = std::max(most, std::abs(codes[i] - simulator.background()[i % 256]) /
                                  (0.6 * 4095.0 * lightAt(setup, index[i % 256])));
    EXPECT_LE(most, 0.2 + 1e-9);
    EXPECT_GT(most, 0.15);
}

OctSimulator retina(std::uint64_t seed, double breathingM = 0.0) {
    OctSetup setup = smallOctSetup();
    setup.lines = 40;
    setup.seed = seed;
    setup.dtype = DType::Packed12;
    setup.fixedPattern = 0.01;
    return {setup, makeOctSample({.name = "retina",
                                  .widthM = 40 * setup.linePitchM,
                                  .rangeM = setup.rangeM(),
                                  .startDepthM = 20e-6,
                                  .vesselMoves = true,
                                  .breathingM = breathingM,
                                  .periodS = 8.0 / setup.frameRateHz})};
}

std::vector<std::byte> rendered(OctSimulator& simulator, std::int64_t index) {
    std::vector<std::byte> frame(simulator.frame().bytes());
    simulator.render(index, frame);
    return frame;
}

TEST(OctSimulator, seedAloneDecides) {
    OctSimulator a = retina(5);
    OctSimulator b = retina(5);
    OctSimulator other = retina(6);
    std::vector<std::byte> single;
    {
        const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism,
                                              1);
        single = rendered(a, 3);
    }
    rendered(b, 7); // frames do not depend on those before
    EXPECT_EQ(single, rendered(b, 3));
    EXPECT_NE(single, rendered(other, 3));
}

TEST(OctSimulator, motionRepeatsAfterItsPeriod) {
    OctSimulator simulator = retina(5, 5e-6);
    const auto bloodless = [&](std::int64_t index) {
        const auto codes = simulator.spectra(index);
        return std::vector<double>(codes.begin(), codes.begin() + 5 * 256); // far from the vessel
    };
    const std::vector<double> start = bloodless(0);
    EXPECT_THAT(bloodless(8), testing::Pointwise(testing::DoubleNear(1e-6), start));
    double difference = 0.0;
    const std::vector<double> later = bloodless(2);
    for (std::size_t i = 0; i < start.size(); ++i)
        difference = std::max(difference, std::abs(later[i] - start[i]));
    EXPECT_GT(difference, 10.0);
}

TEST(OctSimulator, storesCodesAsTheTypeSays) {
    const std::vector<std::uint16_t> codes{0xabc, 0x123, 0xfed};
    std::vector<std::byte> packed(5);
    storeCodes(codes, DType::Packed12, packed);
    const std::vector<int> expected{0xbc, 0x3a, 0x12, 0xed, 0x0f};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(std::to_integer<int>(packed[i]), expected[i]);
    std::vector<std::byte> bytes(2);
    storeCodes(std::vector<std::uint16_t>{7, 255}, DType::U8, bytes);
    EXPECT_EQ(std::to_integer<int>(bytes[1]), 255);
}

TEST(OctSimulator, writesTheCalibrationThatIsAskedFor) {
    OctSetup setup = smallOctSetup();
    setup.dispersion = {10.0, 0.0, 0.0};
    const OctSimulator all(setup, mirrorAt(50e-6));
    const Spectrometer& known = *all.frame().spectrometer;
    ASSERT_EQ(known.background.size(), 256U);
    EXPECT_NEAR(known.background[100], all.background()[100], 1e-3);
    EXPECT_EQ(known.resampling, resamplingOf(setup));
    ASSERT_EQ(known.dispersionRad.size(), 256U);
    EXPECT_NEAR(known.dispersionRad[255], 2.5, 1e-12); // x = -1/2
    setup.writesBackground = setup.writesDispersion = setup.writesResampling = false;
    const OctSimulator none(setup, mirrorAt(50e-6));
    EXPECT_TRUE(none.frame().spectrometer->background.empty());
    EXPECT_TRUE(none.frame().spectrometer->resampling.empty());
    EXPECT_TRUE(none.frame().spectrometer->dispersionRad.empty());
    EXPECT_EQ(none.frame().spectrometer->centreWavelengthM, 840e-9);
}

std::string refusalOf(const OctSetup& setup) {
    try {
        checkSetup(setup);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(OctSimulator, refusesWhatMakesNoSense) {
    EXPECT_EQ(refusalOf(OctSetup{}), "");
    EXPECT_EQ(refusalOf(octPreset("swept_source")), "");
    EXPECT_THROW(octPreset("lidar"), Error);
    const auto refused = [](auto change) {
        OctSetup setup;
        change(setup);
        return refusalOf(setup);
    };
    EXPECT_THAT(refused([](OctSetup& s) { s.samples = 3; }), HasSubstr("--samples"));
    EXPECT_THAT(refused([](OctSetup& s) { s.dispersion[1] = std::nan(""); }),
                HasSubstr("--dispersion"));
    EXPECT_THAT(refused([](OctSetup& s) { s.bits = 10; }), HasSubstr("--type"));
    EXPECT_THAT(refused([](OctSetup& s) { s.gratingBow = 0.3; }), HasSubstr("--grating-bow"));
    EXPECT_THAT(refused([](OctSetup& s) { s.bandwidthM = 1e-6; }), HasSubstr("--bandwidth"));
    EXPECT_THROW(makeOctSample({.name = "brain"}), Error);
    EXPECT_THROW(makeOctSample({.name = "mirror", .mirrorDepthM = 1.0}), Error);
}

} // namespace

} // namespace echolux
