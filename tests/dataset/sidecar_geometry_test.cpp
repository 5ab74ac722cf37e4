// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: where elements are, when waves start, which phase the mixer has.
#include "tests/dataset/sidecar_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace echolux::test {
namespace {

using testing::HasSubstr;

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

TEST_F(SidecarTest, NothingIsSent) {
    Parts parts;
    parts.transmit = "wave = \"none\"\nreceive_elements = [[0, 1, 2], [3, 4, 5]]\n";
    parts.probe += "count = 6\n";
    const auto at = open(parts)->info().frame.acquisition->transmits;
    ASSERT_EQ(at.size(), 2U) << "two halves of the array listen in turn";
    EXPECT_EQ(at[1].wave, Wave::None);
    for (const char* key : {"active_first = 0\nactive_count = 2", "apodization = [1, 1, 0]",
                            "origins = [[0, 0, 0], [0, 0, 0]]", "sound_speed = 1480"}) {
        parts.transmit = "wave = \"none\"\n" + std::string(key) + "\n";
        EXPECT_THAT(refusal(parts), HasSubstr("nothing is sent")) << key;
    }
    parts.transmit = "wave = \"none\"\nangles_deg = [0, 0]\n";
    EXPECT_THAT(refusal(parts), HasSubstr("belong to wave = \"plane\""));
}

/// Each beam's clock starts when its wave leaves its own origin. The path from there to the origin
/// of the coordinates is |f - b| - |f| for a focus f and a beam that begins at b.
TEST_F(SidecarTest, ClocksOfBeamOrigins) {
    Parts parts;
    parts.signal += "first_sample = 3e-6\nclock = \"wave_at_beam_origin\"\n"
                    "iq_phase_zero = \"file_clock\"\n";
    parts.transmit = "wave = \"focused\"\nsources = [[-7.2e-3, 0, 20e-3], [0, 0, 20e-3]]\n"
                     "origins = [[-7.2e-3, 0, 0], [0, 0, 0]]\n";
    auto at = open(parts)->info().frame.acquisition->transmits;
    const double later = (std::hypot(7.2e-3, 20e-3) - 20e-3) / 1500;
    EXPECT_NEAR(at[0].firstSampleS, 3e-6 + later, 1e-15);
    EXPECT_NEAR(at[0].iqPhaseZeroS, later, 1e-15);
    EXPECT_NEAR(at[1].firstSampleS, 3e-6, 1e-15);

    parts.transmit = "wave = \"diverging\"\nsources = [[1e-3, 0, -5e-3], [0, 0, -5e-3]]\n"
                     "origins = [[1e-3, 0, 0], [0, 0, 0]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 3e-6 + (5e-3 - std::hypot(1e-3, 5e-3)) / 1500, 1e-15);

    parts.transmit = "angles_deg = [30, 0]\norigins = [[2e-3, 0, 0], [0, 0, 0]]\n";
    at = open(parts)->info().frame.acquisition->transmits;
    EXPECT_NEAR(at[0].firstSampleS, 3e-6 + 1e-3 / 1500, 1e-15);
}

/// A device that took 1480 m/s for the speed of sound fired as it computed then.
TEST_F(SidecarTest, TheSpeedThatDelaysWereSetFor) {
    Parts parts;
    parts.signal += "clock = \"first_element_fires\"\n";
    parts.transmit += "sound_speed = 1480\n";
    const auto acquisition = open(parts)->info().frame.acquisition;
    EXPECT_EQ(acquisition->soundSpeedMps, 1500);
    EXPECT_EQ(acquisition->transmitSpeedMps, 1480);
    EXPECT_NEAR(acquisition->transmits[0].firstSampleS, -0.3e-3 * std::sin(10 * kDeg) / 1480,
                1e-15);
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
    EXPECT_NEAR(elements[1].z, 0.0, 1e-15) << "the middle of the array is the origin";
    EXPECT_NEAR(elements[0].z, std::sqrt(60e-3 * 60e-3 - std::pow(elements[0].x, 2)) - 60e-3,
                1e-12);
    EXPECT_NEAR(std::hypot(elements[1].x - elements[0].x, elements[1].z - elements[0].z), 0.3e-3,
                1e-12);
}

/// Five elements with a pitch of 0.3 mm; two transmits.
class SidecarDelays : public SidecarTest {
protected:
    static constexpr double kSpeed = 1500.0;
    Parts m_parts;

    SidecarDelays() {
        writeFile(m_path, bytesOfValues(countedUp<std::int16_t>(40)));
        m_parts.data = "dtype = \"<i2\"\nshape = [2, 5, 4]\n"
                       "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    }
    static std::string row(const std::function<double(double)>& delayAt) {
        std::string text;
        for (int e = 0; e < 5; ++e)
            text += fmt::format("{}{:.15e}", e > 0 ? ", " : "", delayAt((e - 2) * 0.3e-3));
        return "[" + text + "]";
    }
    std::vector<Transmit> waves(const std::string& first, const std::string& second,
                                const std::string& more = {}) {
        m_parts.transmit = "delays = [" + first + ", " + second + "]\n" + more;
        return open(m_parts)->info().frame.acquisition->transmits;
    }
};

TEST_F(SidecarDelays, NameTheWave) {
    // Elements fire when the wave passes them; the clock of the delays is 2 us behind.
    const auto plane = [](double x) { return 2e-6 + x * std::sin(0.2) / kSpeed; };
    const auto focused = [](double x) {
        return 3e-6 + (std::hypot(1e-3, 6e-3) - std::hypot(x - 1e-3, 6e-3)) / kSpeed;
    };
    m_parts.signal += "first_sample = 1e-6\n";
    auto at = waves(row(plane), row(focused));
    EXPECT_EQ(at[0].wave, Wave::Plane);
    EXPECT_NEAR(at[0].angleRad, 0.2, 1e-9);
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 2e-6, 1e-14) << "sample 0 counts from delay 0";
    EXPECT_EQ(at[1].wave, Wave::Focused);
    EXPECT_NEAR(at[1].source.x, 1e-3, 1e-7);
    EXPECT_NEAR(at[1].source.z, 6e-3, 1e-6);
    EXPECT_NEAR(at[1].firstSampleS, 1e-6 - 3e-6, 1e-12);

    // The same delays on other clocks.
    m_parts.signal += "clock = \"first_element_fires\"\n";
    at = waves(row(plane), row(focused));
    EXPECT_NEAR(at[0].firstSampleS, 1e-6 - 0.6e-3 * std::sin(0.2) / kSpeed, 1e-13);
}

TEST_F(SidecarDelays, OneRowServesAllAndSilentElementsHaveNone) {
    const auto diverging = [](double x) { return std::hypot(x, 3e-3) / kSpeed; };
    m_parts.transmit = "delays = " + row(diverging) + "\napodization = [0, 1, 1, 1, 1]\n";
    const auto at = open(m_parts)->info().frame.acquisition->transmits;
    for (const Transmit& t : at) {
        EXPECT_EQ(t.wave, Wave::Diverging);
        EXPECT_NEAR(t.source.z, -3e-3, 1e-7);
        EXPECT_NEAR(t.firstSampleS, -3e-3 / kSpeed, 1e-12);
        EXPECT_EQ(t.apodization.front(), 0.0F);
    }
}

TEST_F(SidecarDelays, WhatContradictsThemIsRefused) {
    const auto flat = [](double) { return 0.0; };
    const auto refused = [&](const std::string& more, const std::string& signal = {}) {
        Parts parts = m_parts;
        parts.signal += signal;
        parts.transmit = "delays = [" + row(flat) + ", " + row(flat) + "]\n" + more;
        return refusal(parts);
    };
    EXPECT_THAT(refused("angles_deg = [0, 1]\n"),
                HasSubstr("'transmit.angles_deg' and delays are both given"));
    EXPECT_THAT(refused("wave = \"plane\"\n"), HasSubstr("'transmit.wave' and delays"));
    m_parts.transmit = "angles_deg = [0, 1]\n";
    m_parts.signal += "clock = \"zero_delay\"\n";
    EXPECT_THAT(refusal(m_parts), HasSubstr("zero_delay speaks of transmit.delays"));
    m_parts = {};
    m_parts.data = "dtype = \"<i2\"\nshape = [2, 5, 4]\n"
                   "axes = [\"transmit\", \"channel\", \"sample\"]\n";
    m_parts.transmit = "delays = [0, 1e-6, 2e-6]\n";
    EXPECT_THAT(refusal(m_parts), HasSubstr("transmit.delays has 3 numbers, but 2 transmits of 5 "
                                            "elements need 10, or 5 for all transmits alike"));
    m_parts.transmit = "delays = [0, 5e-6, 1e-6, 9e-6, 0]\n";
    EXPECT_THAT(refusal(m_parts), HasSubstr("the delays of transmit 1 (transmit.delays) are those "
                                            "of no plane, diverging, focused"));
}

} // namespace
} // namespace echolux::test
