// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements fire in USTB's waves: windows round the point where a beam leaves the array, by
// their closed forms, and lists of weights.
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class UffWindows : public testing::Test {
protected:
    /// The first wave of a file: focused at x = 1 mm, z = 15 mm, from an aperture of 1.5 mm.
    Transmit wave(const std::function<void(const Hdf5Editor&)>& change) const {
        const auto path = uffCopy(m_folder, "uff_iq_delays.uff");
        {
            const Hdf5Editor file(path);
            file.number(kWave + "wavefront", 1);
            file.number(kWave + "source/distance", std::hypot(1e-3, 15e-3));
            file.number(kWave + "source/azimuth", std::atan2(1e-3, 15e-3));
            file.number(kFires + "window", 1);
            file.numbers(kFires + "f_number", {2, 1}, {10.0, 1.0});
            file.number(kFires + "focus/x", 1e-3);
            file.number(kFires + "focus/z", 15e-3);
            change(file);
        }
        return openRecording(path)->info().frame.acquisition->transmits[0];
    }
    /// The weights are those of `at`, the distance from `middle` in apertures.
    static void expectWeights(const Transmit& transmit, double middle,
                              const std::function<double(double)>& window) {
        const std::vector<double> x = uffElements();
        ASSERT_EQ(transmit.apodization.size(), x.size());
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double at = std::abs(x[k] - middle) / 1.5e-3;
            EXPECT_NEAR(transmit.apodization[k], at <= 0.5 ? window(at) : 0.0, 1e-5) << k;
        }
    }
    const std::string kWave = "recorded/sequence/sequence_0001/";
    const std::string kFires = kWave + "apodization/";
    TemporaryFolder m_folder;
};

TEST_F(UffWindows, HaveTheirClosedForms) {
    using std::numbers::pi;
    const auto tukey = [](double taper) {
        return [=](double at) {
            const double into = at - 0.5 * (1.0 - taper); // beyond the flat top
            return into <= 0.0 ? 1.0 : std::pow(std::cos(pi * into / taper), 2);
        };
    };
    const std::vector<std::function<double(double)>> windows{
        [](double) { return 1.0; },
        [](double at) { return std::pow(std::cos(pi * at), 2); }, // von Hann
        [](double at) { return 0.53836 + 0.46164 * std::cos(2 * pi * at); },
        tukey(0.25),
        tukey(0.5),
        tukey(0.75)};
    for (std::size_t i = 0; i < windows.size(); ++i) {
        SCOPED_TRACE(i + 1);
        expectWeights(
            wave([&](const Hdf5Editor& f) { f.number(kFires + "window", double(i + 1)); }), 1e-3,
            windows[i]);
    }
}

TEST_F(UffWindows, LieRoundTheOriginOrBelowTheApex) {
    const auto flat = [](double) { return 1.0; };
    expectWeights(wave([&](const Hdf5Editor& f) {
                      f.number(kFires + "origin/distance", 0.4e-3);
                      f.number(kFires + "origin/azimuth", -std::numbers::pi / 2);
                  }),
                  -0.4e-3, flat);
    // From (0, -5 mm) to the focus at (1 mm, 15 mm) a line passes z = 0 at a quarter of 1 mm.
    expectWeights(wave([&](const Hdf5Editor& f) {
                      f.number(kFires + "apex/distance", 5e-3);
                      f.number(kFires + "apex/azimuth", std::numbers::pi);
                  }),
                  0.25e-3, flat);
    expectWeights(wave([&](const Hdf5Editor& f) {
                      f.number(kFires + "origo/distance", std::numeric_limits<double>::infinity());
                      f.number(kFires + "origo/azimuth", -0.05);
                  }),
                  1e-3 + 15e-3 * std::tan(-0.05), flat);
}

TEST_F(UffWindows, WeightsMayBeListed) {
    std::vector<double> listed(16, 0.0);
    listed[3] = 0.25;
    listed[4] = 1.0;
    const auto with = [&](const std::vector<double>& weights) {
        return wave([&](const Hdf5Editor& file) {
            file.numbers(kFires + "apodization_vector", {weights.size()}, weights);
        });
    };
    const Transmit found = with(listed);
    ASSERT_EQ(found.apodization.size(), 16U);
    EXPECT_EQ(found.apodization[3], 0.25F);
    EXPECT_EQ(found.apodization[5], 0.0F);
    EXPECT_THAT(with(std::vector<double>(16, 0.0)).apodization, IsEmpty()) << "nothing would fire";
    listed[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(with(listed).apodization, IsEmpty());
    expectWeights(with({1.0, 1.0}), 1e-3, [](double) { return 1.0; }); // of other elements
}

TEST_F(UffWindows, WhatTellsNoApertureIsLeftOut) {
    const auto none = [&](const std::function<void(const Hdf5Editor&)>& change) {
        return wave(change).apodization.empty();
    };
    EXPECT_TRUE(none([&](const Hdf5Editor& f) { f.number(kFires + "window", 0); }));
    EXPECT_TRUE(none([&](const Hdf5Editor& f) { f.number(kFires + "window", 7); }));
    EXPECT_TRUE(none([&](const Hdf5Editor& f) { f.number(kFires + "focus/z", 0); }));
    EXPECT_TRUE(none([&](const Hdf5Editor& f) { f.remove(kFires + "focus"); }));
    EXPECT_TRUE(none([&](const Hdf5Editor& f) { f.remove(kFires + "focus/x"); }));
    EXPECT_TRUE(none([&](const Hdf5Editor& f) {
        f.numbers(kFires + "f_number", {2, 1}, {0.0, 1.0});
    }));
    const auto path = uffCopy(m_folder, "uff_iq_delays.uff");
    Hdf5Editor(path).remove(kWave + "source");
    EXPECT_THAT(refusalOf(path), HasSubstr("wave 1 lacks 'source'"));
}

} // namespace
} // namespace echolux::test
