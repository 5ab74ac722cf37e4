// SPDX-License-Identifier: GPL-3.0-or-later
// Curves from mirrors against the simulator's truth and closed forms, and what is refused.
#include "app/calibration/mirror.hpp"

#include "app/calibration/chebyshev_fit.hpp"
#include "app/source/oct_simulator.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace echolux {

namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr double kPi = std::numbers::pi;

OctSetup device(Sampling sampling) {
    OctSetup setup;
    setup.samples = 1024;
    setup.lines = 8;
    setup.sampling = sampling;
    setup.dtype = DType::U16;
    return setup;
}

/// Rendered spectra of a mirror, background taken off.
std::vector<float> mirrorSpectra(const OctSetup& setup, double depthM) {
    OctSample sample;
    sample.mirrorM = depthM;
    OctSimulator simulator(setup, sample);
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(simulator.frame().count()));
    simulator.render(0, std::as_writable_bytes(std::span(codes)));
    std::vector<float> lines;
    for (std::size_t i = 0; i < codes.size(); ++i)
        lines.push_back(static_cast<float>(
            codes[i] - simulator.background()[i % static_cast<std::size_t>(setup.samples)]));
    return lines;
}

FringePhase phaseOf(const OctSetup& setup, double depthM) {
    return fringePhase(mirrorSpectra(setup, depthM), setup.samples);
}

double largestError(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

TEST(Mirror, aloneItGivesTheSamplingOfADeviceWithoutDispersion) {
    for (const Sampling sampling : {Sampling::Linear, Sampling::Grating, Sampling::Sweep}) {
        const OctSetup setup = device(sampling);
        const MirrorEstimate estimate = estimateResampling(phaseOf(setup, 180e-6));
        const std::vector<double> truth = resamplingOf(setup);
        EXPECT_LT(largestError(estimate.resampling, truth), 0.3);
        std::vector<double> linear(1024);
        for (std::size_t m = 0; m < 1024; ++m) linear[m] = static_cast<double>(m);
        EXPECT_NEAR(estimate.largestDeviation, largestError(truth, linear), 0.3);
        EXPECT_TRUE(estimate.dispersionRad.empty());
        EXPECT_LT(estimate.residualRad, 0.05);
    }
}

/// The straight part of a phase moves the image and sharpens nothing: it is taken off both.
std::vector<double> bent(const std::vector<double>& phase, const OctSetup& setup) {
    std::vector<double> places;
    std::vector<double> weights;
    for (std::size_t m = 0; m < phase.size(); ++m) {
        places.push_back(2.0 * static_cast<double>(m) / 1023.0 - 1.0);
        weights.push_back(lightAt(setup, static_cast<double>(m)));
    }
    const std::vector<double> line = fitChebyshev(places, phase, weights, 1);
    std::vector<double> rest;
    for (std::size_t m = 0; m < phase.size(); ++m)
        rest.push_back(phase[m] - chebyshev(line, places[m]));
    return rest;
}

TEST(Mirror, twoOnBothSidesPartSamplingAndDispersion) {
    for (const Sampling sampling : {Sampling::Grating, Sampling::Sweep}) {
        OctSetup setup = device(sampling);
        setup.dispersion = {180.0, 90.0, -60.0};
        const MirrorEstimate estimate =
            estimateResampling(phaseOf(setup, 150e-6), phaseOf(setup, -210e-6));
        EXPECT_LT(largestError(estimate.resampling, resamplingOf(setup)), 0.3);
        std::vector<double> truth;
        for (std::size_t m = 0; m < 1024; ++m)
            truth.push_back(dispersionPhase(setup, static_cast<double>(m)));
        const std::vector<double> expected = bent(truth, setup);
        const std::vector<double> found = bent(estimate.dispersionRad, setup);
        for (std::size_t m = 100; m < 924; ++m) ASSERT_NEAR(found[m], expected[m], 0.1) << m;
        // One mirror alone takes dispersion for sampling.
        EXPECT_GT(largestError(estimateResampling(phaseOf(setup, 150e-6)).resampling,
                               resamplingOf(setup)),
                  2.0);
    }
}

/// Spectra of a mirror that drifts by a quarter turn from line to line: their plain mean is
/// nothing.
std::vector<float> driftingMirror(const OctSetup& setup) {
    const double bin = 150.0;
    const std::vector<double> index = wavenumberIndex(setup);
    std::vector<float> lines;
    for (int line = 0; line < 4; ++line)
        for (const double u : index)
            lines.push_back(
                static_cast<float>(100.0 * lightAt(setup, u) *
                                   std::cos(2.0 * kPi * u * bin / 1024.0 + kPi / 2.0 * line)));
    return lines;
}

TEST(Mirror, aDriftingMirrorIsTurnedIntoStep) {
    const OctSetup setup = device(Sampling::Grating);
    const FringePhase fringe = fringePhase(driftingMirror(setup), 1024);
    EXPECT_LT(largestError(estimateResampling(fringe).resampling, resamplingOf(setup)), 0.3);
}

TEST(Mirror, aDarkFirstLineIsNoReference) {
    const OctSetup setup = device(Sampling::Grating);
    std::vector<float> lines = driftingMirror(setup);
    lines.insert(lines.begin(), 1024, 0.0F);
    const FringePhase fringe = fringePhase(lines, 1024);
    EXPECT_LT(fringe.residualRad, 0.05);
    EXPECT_LT(largestError(estimateResampling(fringe).resampling, resamplingOf(setup)), 0.3);
}

TEST(Mirror, refusesTheSameMirrorTwice) {
    const OctSetup setup = device(Sampling::Grating);
    const FringePhase a = phaseOf(setup, 150e-6);
    FringePhase b = a;
    for (double& phase : b.phase) phase += 2.0;
    EXPECT_THROW((void)estimateResampling(a, b), Error) << "drifted, but at the same depth";
    const FringePhase beside = phaseOf(setup, 160e-6);
    EXPECT_NO_THROW((void)estimateResampling(a, beside));
}

TEST(Mirror, termsAreThoseOfThePhase) {
    OctSetup setup = device(Sampling::Linear);
    setup.dispersion = {120.0, -75.0, 33.0};
    std::vector<double> phase;
    std::vector<double> weights;
    for (std::size_t m = 0; m < 1024; ++m) {
        phase.push_back(dispersionPhase(setup, static_cast<double>(m)) + 5.0 -
                        0.01 * static_cast<double>(m));
        weights.push_back(lightAt(setup, static_cast<double>(m)));
    }
    const auto terms = dispersionTerms(phase, weights);
    EXPECT_NEAR(terms[0], 120.0, 1e-3);
    EXPECT_NEAR(terms[1], -75.0, 1e-3);
    EXPECT_NEAR(terms[2], 33.0, 1e-3);
}

TEST(Mirror, refusesWhatHoldsNoFringe) {
    const OctSetup setup = device(Sampling::Grating);
    std::vector<float> good = mirrorSpectra(setup, 150e-6);
    EXPECT_EQ(refusal([&] { (void)fringePhase(good, 1024); }), "accepted");
    EXPECT_THAT(refusal([&] { (void)fringePhase(std::vector<float>(2048, 7.0F), 1024); }),
                HasSubstr("constant"));
    EXPECT_THAT(refusal([&] { (void)fringePhase(good, 1000); }), HasSubstr("no whole number"));
    EXPECT_THAT(refusal([&] { (void)fringePhase({}, 1024); }), HasSubstr("no whole number"));
    EXPECT_THAT(refusal([&] { (void)fringePhase(good, 16); }), HasSubstr("too few"));
    EXPECT_THAT(refusal([&] { (void)fringePhase(good, 1024, {.order = 99}); }), HasSubstr("order"));
    good[3000] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(refusal([&] { (void)fringePhase(good, 1024); }), HasSubstr("Value 3000"));
    // Light and noise alone.
    OctSetup dark = setup;
    dark.visibility = 0.0;
    const std::vector<float> noise = mirrorSpectra(dark, 150e-6);
    EXPECT_THAT(refusal([&] { (void)fringePhase(noise, 1024); }), HasSubstr("no clear fringe"));
}

TEST(Mirror, refusesTwoOfDifferentLength) {
    OctSetup shorter = device(Sampling::Grating);
    const FringePhase a = phaseOf(shorter, 150e-6);
    shorter.samples = 512;
    const FringePhase b = phaseOf(shorter, 150e-6);
    EXPECT_THAT(refusal([&] { (void)estimateResampling(a, b); }), HasSubstr("1024 and 512"));
}

TEST(Mirror, refusesAPhaseThatTurnsBack) {
    FringePhase folded;
    for (int p = 0; p < 100; ++p) {
        folded.phase.push_back(0.01 * (p - 30) * (p - 30) + 0.001 * p);
        folded.weight.push_back(1.0);
    }
    EXPECT_THAT(refusal([&] { (void)estimateResampling(folded); }), HasSubstr("turns back"));
}

TEST(ChebyshevFit, refusesWhatLeavesTheCurveOpen) {
    const std::vector<double> x{-1.0, 0.0, 1.0};
    const std::vector<double> weights{1.0, 1.0, 0.0};
    EXPECT_THAT(refusal([&] { (void)fitChebyshev(x, x, weights, 2); }), HasSubstr("order"));
}

} // namespace

} // namespace echolux
