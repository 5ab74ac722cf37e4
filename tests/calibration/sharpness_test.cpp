// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics against their formulas, and what cannot be measured.
#include "app/calibration/sharpness_probe.hpp"
#include "tests/calibration/simulated_spectra.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace echolux {

namespace {

using testing::HasSubstr;
using testing_support::octChain;
using testing_support::refusal;
using testing_support::rendered;
using testing_support::simulated;

TEST(Sharpness, isThatOfItsFormula) {
    // Powers 1, 4, 0, 16 of 21.
    const std::vector<float> power{1.0F, 4.0F, 0.0F, 16.0F};
    const std::vector<float> share(2, 1.0F);
    const RegionPower image{2, power, share};
    const double a = 1.0 / 21.0;
    const double b = 4.0 / 21.0;
    const double c = 16.0 / 21.0;
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Entropy),
                a * std::log(a) + b * std::log(b) + c * std::log(c), 1e-12);
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Third),
                2.0 * (std::pow(a, 1.5) + std::pow(b, 1.5) + std::pow(c, 1.5)), 1e-12);
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Fourth), 4.0 * (a * a + b * b + c * c), 1e-12);
    // Of each line, of two depths, the mean is the local one; and 3 % of the mean of all.
    const double faint = 2.5 + 0.03 * 5.25;
    const double bright = 8.0 + 0.03 * 5.25;
    EXPECT_NEAR(sharpness(image, SharpnessMetric::Contrast),
                4.0 * (17.0 / (faint * faint) + 256.0 / (bright * bright)) /
                    std::pow(5.0 / faint + 16.0 / bright, 2.0),
                1e-6);
    for (const auto& [name, metric] : sharpnessMetrics()) EXPECT_EQ(sharpnessMetric(name), metric);
}

TEST(Sharpness, countsEachDepthByItsShare) {
    const std::vector<float> power{1.0F, 4.0F, 2.0F, 100.0F};
    const std::vector<float> share{1.0F, 0.0F};
    const std::vector<float> alone{1.0F, 2.0F};
    const std::vector<float> whole{1.0F};
    for (const SharpnessMetric metric :
         {SharpnessMetric::Entropy, SharpnessMetric::Third, SharpnessMetric::Fourth})
        EXPECT_NEAR(sharpness({2, power, share}, metric), sharpness({1, alone, whole}, metric),
                    1e-12);
}

// What makes the result independent of where a bright layer and where a faint one lies.
TEST(Sharpness, theContrastForgetsSlowChangesOfBrightness) {
    constexpr std::int64_t kDepths = 400;
    constexpr std::int64_t kLines = 40;
    std::vector<float> even;
    std::vector<float> uneven;
    const std::vector<float> share(kDepths, 1.0F);
    for (std::int64_t i = 0; i < kDepths * kLines; ++i) {
        const auto value = static_cast<float>(1.0 + std::sin(12.9898 * static_cast<double>(i * i)));
        even.push_back(value);
        uneven.push_back(value * static_cast<float>(i % kDepths < kDepths / 2 ? 9.0 : 1.0));
    }
    const RegionPower flat{kDepths, even, share};
    const RegionPower stepped{kDepths, uneven, share};
    EXPECT_NEAR(sharpness(stepped, SharpnessMetric::Contrast),
                sharpness(flat, SharpnessMetric::Contrast), 0.1);
    EXPECT_GT(sharpness(stepped, SharpnessMetric::Fourth),
              sharpness(flat, SharpnessMetric::Fourth) + 0.5);
}

TEST(Sharpness, refusesBadInputInOneSentence) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 8;
    setup.samples = 128;
    OctSimulator simulator = simulated(setup, "points");
    const SnapshotPtr chain = octChain(simulator.frame());
    const auto probed = [&](const ImageRegion& region, std::span<const std::byte> frame) {
        return refusal([&] {
            SharpnessProbe probe(Backend::Cpu, *chain, region, SharpnessMetric::Contrast);
            probe.addFrame(frame);
            (void)probe({});
        });
    };
    const std::vector<std::byte> frame = rendered(simulator);
    EXPECT_EQ(probed({}, frame), "accepted");
    EXPECT_THAT(probed({.firstLine = 3, .lastLine = 9}, frame), HasSubstr("lines 3 to 9"));
    EXPECT_THAT(probed({.firstBin = 20, .lastBin = 65}, frame), HasSubstr("depth bins 20 to 65"));
    EXPECT_THAT(probed({.firstBin = 30, .lastBin = 20}, frame), HasSubstr("depth bins 30 to 20"));
    EXPECT_THAT(probed({.firstLine = -1}, frame), HasSubstr("lines -1 to 8"));
    EXPECT_THAT(probed({}, std::span(frame).first(100)), HasSubstr("100 bytes"));
    EXPECT_THAT(refusal([] { (void)sharpnessMetric("beauty"); }), HasSubstr("'beauty'"));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> numbers{1.0F, nan};
    const std::vector<float> zeros(2);
    const std::vector<float> share(1, 1.0F);
    const RegionPower bad{1, numbers, share};
    const RegionPower dark{1, zeros, share};
    for (const auto& [name, metric] : sharpnessMetrics()) {
        const SharpnessMetric kind = metric;
        EXPECT_THAT(refusal([&] { (void)sharpness(bad, kind); }), HasSubstr("not numbers")) << name;
        EXPECT_THAT(refusal([&] { (void)sharpness(dark, kind); }), HasSubstr("dark"));
    }
    PipelineConfig flat = shippedPipeline("oct");
    std::erase_if(flat.stages, [](const StageConfig& s) { return s.type == "dispersion"; });
    EXPECT_THAT(refusal([&] {
                    (void)SharpnessProbe(Backend::Cpu, *instantiate(flat, simulator.frame()), {},
                                         SharpnessMetric::Contrast);
                }),
                HasSubstr("no stage 'dispersion'"));
}

TEST(Sharpness, constantSpectraAreDark) {
    OctSetup setup = octPreset("spectrometer");
    setup.lines = 4;
    setup.samples = 128;
    setup.dtype = DType::U16;
    setup.writesBackground = false;
    OctSimulator simulator = simulated(setup, "points");
    const std::vector<std::uint16_t> constant(4 * 128, 1000);
    SharpnessProbe probe(Backend::Cpu, *octChain(simulator.frame()), {}, SharpnessMetric::Contrast);
    EXPECT_THAT(refusal([&] { probe.addFrame(std::as_bytes(std::span(constant))); }),
                HasSubstr("dark"));
}

} // namespace

} // namespace echolux
