// SPDX-License-Identifier: GPL-3.0-or-later
// The echo of a point in each element against PyMUST (Garcia, MUST: an open-source toolbox for
// ultrasound simulations): see vectors/make_pymust_echoes.py.
#include "app/source/array_design.hpp"
#include "app/source/echo_simulator.hpp"
#include "tests/source/signal_tools.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace echolux {

namespace {

struct Heard {
    double seconds = 0.0;   ///< after the wavefront crosses the origin
    double amplitude = 0.0; ///< of the largest
};

struct Case {
    std::string name;
    std::size_t elements = 0;
    ElementDesign design;
    double radiusM = 0.0;
    Transmit transmit;
    Scatterer point;
    double centreHz = 0.0;
    double bandwidth = 0.0;
    std::vector<Heard> heard;
};

std::vector<Case> readCases() {
    std::ifstream file(ECHOLUX_SOURCE_DIR "/tests/source/vectors/pymust_echoes.txt");
    std::vector<Case> cases;
    for (Case one; file >> one.name;) {
        std::string wave;
        std::size_t first = 0;
        std::size_t count = 0;
        Transmit& t = one.transmit;
        file >> one.elements >> one.design.pitchM >> one.radiusM >> one.design.widthM >> wave >>
            first >> count >> t.source.x >> t.source.z >> one.point.x >> one.point.z >>
            one.centreHz >> one.bandwidth;
        one.point.amplitude = 1.0;
        t.wave = wave == "focused" ? Wave::Focused : Wave::Diverging;
        t.apodization.assign(one.elements, 0.0F);
        std::fill_n(t.apodization.begin() + static_cast<std::ptrdiff_t>(first), count, 1.0F);
        one.heard.resize(one.elements);
        for (Heard& heard : one.heard) file >> heard.seconds >> heard.amplitude;
        cases.push_back(one);
        one = {};
    }
    return cases;
}

EchoSetup setupOf(const Case& one) {
    EchoSetup setup;
    const auto elements = static_cast<std::int64_t>(one.elements);
    setup.acquisition.probe = one.radiusM > 0.0 ? curvedProbe(elements, one.radiusM, one.design)
                                                : linearProbe(elements, one.design);
    setup.acquisition.transmits = {one.transmit};
    setup.channels = elements;
    setup.region.halfWidthM = 10e-3;
    setup.region.startDepthM = 10e-3;
    setup.region.depthM = 40e-3;
    setup.centreFrequencyHz = one.centreHz;
    setup.fractionalBandwidth = one.bandwidth;
    setup.samplingHz = 20e6;
    setup.attenuationDbPerCmMhz = 0.0;
    return setup;
}

TEST(PymustEchoes, arriveAtTheSameTimeWithTheSameStrength) {
    const std::vector<Case> cases = readCases();
    ASSERT_EQ(cases.size(), 7U);
    for (const Case& one : cases) {
        Phantom phantom;
        phantom.still = {one.point};
        EchoSimulator simulator(setupOf(one), phantom);
        const auto samples = static_cast<std::size_t>(simulator.frame().sizeOf(AxisName::Sample));
        const double first = simulator.frame().acquisition->transmits.front().firstSampleS;
        std::vector<double> strengths;
        double late = 0.0;
        for (std::size_t e = 0; e < one.elements; ++e) {
            const test::Analytic signal(simulator.echoes(0).subspan(e * samples, samples));
            const double expected = (one.heard[e].seconds - first) * 20e6;
            const double peak = signal.peak(expected, 3.0);
            late = std::max(late, std::abs(peak - expected));
            strengths.push_back(signal.envelope(peak));
        }
        EXPECT_LT(late, 0.1) << one.name << ": samples, a quarter of a period each";
        const double largest = std::ranges::max(strengths);
        double apart = 0.0;
        for (std::size_t e = 0; e < one.elements; ++e)
            apart = std::max(apart, std::abs(strengths[e] / largest - one.heard[e].amplitude));
        EXPECT_LT(apart, 0.012) << one.name;
        RecordProperty(one.name + "_late", std::to_string(late));
        RecordProperty(one.name + "_apart", std::to_string(apart));
    }
}

} // namespace

} // namespace echolux
