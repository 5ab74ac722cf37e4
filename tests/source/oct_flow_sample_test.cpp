// SPDX-License-Identifier: GPL-3.0-or-later
// Samples with flow in the OCT simulator: true phases of motion, and blood whose speckle changes.
#include "app/source/oct_simulator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

OctSetup flowSetup() {
    OctSetup setup;
    setup.samples = 256;
    setup.sampling = Sampling::Linear;
    setup.fixedPattern = 0.0;
    setup.dtype = DType::U16;
    return setup;
}

// The fringe cos(p + 2 pi m d / n), with p = 2 k0 n_r z, turns by 2 k n_r dz at each wavenumber k.
TEST(OctFlowSample, inSamplesWithFlowPhasesMoveAsWavenumbersSay) {
    for (const Sampling sampling : {Sampling::Linear, Sampling::Sweep}) {
        OctSetup setup = flowSetup();
        setup.lines = 1;
        setup.sampling = sampling;
        OctSample sample;
        sample.points.push_back({0.0, 0.0, 60e-6});
        sample.flows.push_back({.x = 1.0, .z = 1.0, .radius = 1e-6});
        sample.breathingM = 0.4e-6;
        sample.periodS = 4.0 / setup.frameRateHz; // frame 1 is at its peak
        OctSimulator simulator(setup, sample);
        const std::span<const double> codes = simulator.spectra(1);
        const std::vector<double> index = wavenumberIndex(setup);
        const bool falls = sampling == Sampling::Linear;
        const double shortest = 2.0 * std::numbers::pi / (840e-9 - 75e-9);
        const double longest = 2.0 * std::numbers::pi / (840e-9 + 75e-9);
        const double rest = 2.0 * 1.36 * (shortest + longest) / 2.0 * 60e-6;
        for (std::size_t m = 0; m < codes.size(); ++m) {
            const double share = index[m] / 255.0;
            const double k = falls ? shortest + share * (longest - shortest)
                                   : longest + share * (shortest - longest);
            const double still =
                rest + 2.0 * std::numbers::pi * index[m] * (60e-6 / setup.binM()) / 256.0;
            const double turned = still + (falls ? -1.0 : 1.0) * 2.0 * k * 1.36 * 0.4e-6;
            const double fringe = (codes[m] - simulator.background()[m]) /
                                  (setup.light * 4095.0 * lightAt(setup, index[m]));
            ASSERT_NEAR(fringe, setup.visibility * std::cos(turned), 2e-3) << m;
        }
    }
}

TEST(OctFlowSample, bloodKeepsItsPowerAndChangesItsSpeckleAsItsTruthSays) {
    OctSetup setup = flowSetup();
    setup.lines = 200;
    setup.beamWidthM = 2e-6; // lines share no scatterers
    OctSample sample;
    sample.layers.push_back({.level = 0.0});
    sample.flows.push_back(
        {.z = 110e-6, .radius = 2e-3, .level = 1.0, .transitS = 2.0 / setup.frameRateHz});
    const OctFlow flow = sample.flows[0];
    EXPECT_NEAR(flow.correlationAfter(0.0), 1.0, 1e-12);
    EXPECT_NEAR(flow.correlationAfter(flow.transitS), 1.0 / std::numbers::pi, 1e-12);
    OctTissue tissue(setup, sample);
    const auto sums = [&](std::int64_t frame) {
        tissue.moveTo(frame);
        std::vector<std::complex<double>> all;
        std::vector<Reflector> reflectors;
        for (std::int64_t line = 0; line < setup.lines; ++line) {
            tissue.reflectorsOf(line, reflectors);
            std::complex<double> sum;
            for (const Reflector& each : reflectors) sum += each.amplitude;
            all.push_back(sum);
        }
        return all;
    };
    double power = 0.0;
    std::complex<double> product;
    std::vector<double> powers;
    std::vector<std::complex<double>> former = sums(0);
    for (std::int64_t frame = 1; frame <= 40; ++frame) {
        const std::vector<std::complex<double>> now = sums(frame);
        double own = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i) {
            own += std::norm(now[i]);
            product += std::conj(former[i]) * now[i];
        }
        power += own;
        powers.push_back(own);
        former = now;
    }
    EXPECT_NEAR(product.real() / power, flow.correlationAfter(1.0 / setup.frameRateHz), 0.03);
    EXPECT_NEAR(product.imag() / power, 0.0, 0.03);
    const auto [least, most] = std::ranges::minmax(powers);
    EXPECT_LT(most / least, 2.0);
}

TEST(OctFlowSample, itsTruthSaysWhereAndHowFast) {
    OctSetup setup = flowSetup();
    setup.samples = 512;
    OctSampleRequest request{.name = "vessels",
                             .widthM = 0.6e-3,
                             .rangeM = setup.rangeM(),
                             .startDepthM = 50e-6,
                             .vesselMoves = true};
    chooseFlow(setup, request);
    const OctSample sample = makeOctSample(request);
    ASSERT_EQ(sample.flows.size(), 2U);
    const double most = setup.centreWavelengthM * setup.frameRateHz / (4.0 * 1.36);
    EXPECT_NEAR(sample.flows[0].peakMps, 0.6 * most, 1e-12);
    EXPECT_NEAR(sample.flows[1].peakMps, -0.3 * most, 1e-12);
    EXPECT_EQ(sample.truth[1].first, "flow 1");
    EXPECT_NE(sample.truth[1].second.find("mm/s towards the probe"), std::string::npos);
    EXPECT_NE(sample.truth[1].second.find("correlation 0.609"), std::string::npos)
        << sample.truth[1].second;
    request.vesselMoves = false;
    EXPECT_EQ(makeOctSample(request).flows[0].peakMps, 0.0);
}

} // namespace
} // namespace echolux
