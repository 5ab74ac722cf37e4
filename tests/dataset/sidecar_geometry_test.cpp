// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: where elements are, when waves start, which phase the mixer has.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echolux::test {
namespace {

TEST_F(SidecarTest, ClocksAndOffsets) {
    Parts parts;
    parts.signal += "first_sample = [1e-6, 2e-6]\noffset_samples = 10\n";
    auto at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6, 1e-15);
    EXPECT_NEAR(at[1].firstSampleS, 2e-6 - 10 / 20e6, 1e-15);

    // First firing to the origin: half the aperture times the sine, over the speed of sound.
    parts.signal += "clock = \"first_element_fires\"\n";
    const double lead = 0.3e-3 * std::sin(10 * kDeg) / 1500;
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6 - lead, 1e-15);

    parts.transmit = "wave = \"diverging\"\nsources = [[0, 0, -5e-3], [1e-3, 0, -5e-3]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_EQ(at[1].wave, Wave::Diverging);
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6, 1e-15) << "the middle element fires first";
    const double side = (std::hypot(0.7e-3, 5e-3) - std::hypot(1e-3, 5e-3)) / 1500;
    EXPECT_NEAR(at[1].firstSampleS, 2e-6 - 10 / 20e6 + side, 1e-15);

    parts.transmit = "wave = \"focused\"\nsources = [[0, 0, 20e-3], [0, 0, 30e-3]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    const double edge = (std::hypot(0.3e-3, 20e-3) - 20e-3) / 1500;
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 10 / 20e6 - edge, 1e-15) << "the edges fire first";

    parts.transmit = "wave = \"element\"\nelements = [2, 0]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].source.x, 0.3e-3, 1e-15);
    EXPECT_NEAR(at[1].source.x, -0.3e-3, 1e-15);
}

TEST_F(SidecarTest, PhaseOfTheMixer) {
    writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(24)));
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [2, 3, 2, 2]\n"
                 "axes = [\"transmit\", \"channel\", \"sample\", \"iq\"]\n";
    parts.signal = "sampling_frequency = 5e6\ndemodulation_frequency = 5e6\nfirst_sample = 3e-6\n"
                   "clock = \"first_element_fires\"\n";
    const double lead = 0.3e-3 * std::sin(10 * kDeg) / 1500;
    const auto phaseZero = [&](const std::string& choice) {
        Parts with = parts;
        with.signal += choice;
        return open(with)->info().frame.acquisition->transmits[0].iqPhaseZeroS;
    };
    EXPECT_EQ(phaseZero(""), 0.0);
    EXPECT_NEAR(phaseZero("iq_phase_zero = \"first_sample\"\n"), 3e-6 - lead, 1e-15);
    EXPECT_NEAR(phaseZero("iq_phase_zero = \"file_clock\"\n"), -lead, 1e-15);
}

TEST_F(SidecarTest, Geometry) {
    Parts parts;
    parts.probe = "elements = [[-1e-3, 0, 0], [0, 0, 0], [2e-3, 0, 1e-3]]\n";
    auto elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_EQ(elements[2].x, 2e-3);
    EXPECT_EQ(elements[2].z, 1e-3);
    parts.probe = "x = [-1e-3, 0, 1e-3]\nz = [1e-3, 0, 1e-3]\nname = \"probe\"\n";
    elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_EQ(elements[0].x, -1e-3);
    EXPECT_EQ(elements[0].z, 1e-3);
    parts.probe = "pitch = 0.3e-3\nradius = 60e-3\n";
    elements = open(parts)->info().frame.acquisition->probe.elements;
    EXPECT_NEAR(elements[0].z, 0.0, 1e-15) << "the edge lies at z = 0";
    EXPECT_NEAR(elements[1].z, 60e-3 - std::sqrt(60e-3 * 60e-3 - std::pow(elements[0].x, 2)),
                1e-12);
    EXPECT_NEAR(std::hypot(elements[1].x - elements[0].x, elements[1].z - elements[0].z), 0.3e-3,
                1e-12);
}

} // namespace
} // namespace echolux::test
