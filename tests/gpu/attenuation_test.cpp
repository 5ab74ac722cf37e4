// SPDX-License-Identifier: GPL-3.0-or-later
// Depth-resolved attenuation, against NumPy and closed forms.
#include "gpu/core/complex.hpp"
#include "tests/gpu/depth_scans.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <numeric>
#include <random>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing_support::refusal;

/// Attenuation in 1/mm at each depth.
using Medium = std::function<double(std::int64_t z)>;

/// Amplitudes of scattered light, of which `power` enters: each pixel removes a part of it and
/// scatters back the same share of that part.
std::vector<double> echoesOf(const Medium& medium, std::int64_t depths, double power) {
    std::vector<double> amplitudes;
    double light = power;
    for (std::int64_t z = 0; z < depths; ++z) {
        const double left = light * std::exp(-2.0 * medium(z) * 1e3 * kDepthStepM);
        amplitudes.push_back(std::sqrt(light - left));
        light = left;
    }
    return amplitudes;
}

/// Every line is that of the medium, without speckle and noise.
HostFrame calmScans(const FrameSpec& spec, const Medium& medium) {
    HostFrame frame(spec);
    const std::vector<double> amplitudes = echoesOf(medium, spec.axes.back().size, 1e6);
    std::size_t i = 0;
    for (Complex& sample : frame.as<Complex>())
        sample = {static_cast<float>(amplitudes[i++ % amplitudes.size()]), 0.0F};
    return frame;
}

/// With speckle, and noise of power 1.
HostFrame noisyScans(const FrameSpec& spec, const Medium& medium, double power) {
    HostFrame frame(spec);
    const std::vector<double> amplitudes = echoesOf(medium, spec.axes.back().size, power);
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0.0, std::sqrt(0.5));
    std::size_t i = 0;
    for (Complex& sample : frame.as<Complex>()) {
        const double scale = std::sqrt(1.0 + std::pow(amplitudes[i++ % amplitudes.size()], 2.0));
        const double re = normal(random);
        sample = {static_cast<float>(scale * re), static_cast<float>(scale * normal(random))};
    }
    return frame;
}

double evenMedium(std::int64_t) { return 2.0; }
double twoLayers(std::int64_t z) { return z < 300 ? 1.0 : 4.0; }

/// Over all lines, and over depths from `first` to before `end`.
double meanBetween(const HostFrame& frame, std::int64_t first, std::int64_t end) {
    const std::int64_t depths = frame.spec.axes.back().size;
    const auto values = frame.as<float>();
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t z = static_cast<std::int64_t>(i) % depths;
        if (z < first || z >= end) continue;
        sum += values[i];
        count += 1.0;
    }
    return sum / count;
}

TEST(Attenuation, IsWhatNumpyMakesOfTheDefinition) { expectAttenuationOfNumpy(Backend::Cpu); }

TEST(Attenuation, AnEvenMediumHasItsCoefficientAtEachDepth) {
    const HostFrame scans = calmScans(depthLines(DType::ComplexF32, 3, 1000), evenMedium);
    const HostFrame within = runStage("attenuation", scans, noNoise());
    EXPECT_EQ(within.spec.valueRange, (ValueRange{0.0, 20.0, "1/mm", ""}));
    EXPECT_EQ(within.spec.dtype, DType::F32);
    // Light that would come from below the range is missing: exp(-6) of it from the middle on.
    for (std::size_t z = 0; z < 500; ++z) ASSERT_NEAR(within.as<float>()[z], 2.0, 0.01) << z;
    EXPECT_GT(within.as<float>()[995], 10.0);
    EXPECT_EQ(within.as<float>()[999], 0.0F);
}

/// A gel of 2/mm fills all depths, fades into the noise, or ends above clear liquid.
TEST(Attenuation, AGelHasItsCoefficientWithoutSettings) {
    struct Gel {
        const char* name;
        std::int64_t depths;
        std::int64_t end; ///< of the gel
        double power;
        std::int64_t shown; ///< depths that are 6 dB above the noise
    };
    for (const Gel& gel : {Gel{"fills, 40 dB above the noise at its end", 400, 400, 1e8, 395},
                           Gel{"fills, 9 dB above", 330, 330, 4e4, 325},
                           Gel{"fades", 1000, 1000, 4e4, 330}, Gel{"ends", 512, 120, 1e5, 112}}) {
        SCOPED_TRACE(gel.name);
        const auto medium = [&](std::int64_t z) { return z < gel.end ? 2.0 : 1e-9; };
        const HostFrame scans =
            noisyScans(depthLines(DType::ComplexF32, 640, gel.depths), medium, gel.power);
        const HostFrame map =
            runStage("attenuation", scans, {{"lateral_pixels", std::int64_t{31}}});
        constexpr std::int64_t kParts = 5;
        for (std::int64_t part = 0; part < kParts; ++part)
            EXPECT_NEAR(meanBetween(map, 3 + part * (gel.shown - 3) / kParts,
                                    3 + (part + 1) * (gel.shown - 3) / kParts),
                        2.0, 0.15)
                << part;
    }
}

TEST(Attenuation, LightFromBelowTheRangeRemovesTheRiseAtItsEnd) {
    for (const std::int64_t depths : {1000, 130, 10}) {
        const HostFrame scans = calmScans(depthLines(DType::ComplexF32, 2, depths), evenMedium);
        const HostFrame whole = runStage("attenuation", scans, noNoise({{"end_attenuation", 2e3}}));
        for (const float value : whole.as<float>()) ASSERT_NEAR(value, 2.0, 0.002);
    }
}

TEST(Attenuation, EachOfTwoLayersHasItsOwn) {
    const HostFrame scans = calmScans(depthLines(DType::ComplexF32, 1, 1000), twoLayers);
    const HostFrame map = runStage("attenuation", scans, noNoise({{"end_attenuation", 4e3}}));
    for (std::int64_t z = 0; z < 1000; ++z)
        ASSERT_NEAR(map.as<float>()[static_cast<std::size_t>(z)], twoLayers(z),
                    0.005 * twoLayers(z))
            << z;
}

TEST(Attenuation, SpeckleAndNoiseLeaveTheMeanAsItIs) {
    const FrameSpec spec = depthLines(DType::ComplexF32, 160, 1000);
    Settings wide = givenNoise(0.0, {{"lateral_pixels", std::int64_t{31}}});
    // They are 27 to 9 dB and 34 to 19 dB above the noise here.
    const HostFrame same = noisyScans(spec, evenMedium, 4e4);
    EXPECT_NEAR(meanBetween(runStage("attenuation", same, wide), 10, 330), 2.0, 0.02);
    const HostFrame layers = noisyScans(spec, twoLayers, 4e5);
    const HostFrame map = runStage("attenuation", layers, wide);
    EXPECT_NEAR(meanBetween(map, 10, 290), 1.0, 0.02);
    EXPECT_NEAR(meanBetween(map, 310, 420), 4.0, 0.08);
    wide.emplace_back("subtract_noise", false);
    EXPECT_LT(meanBetween(runStage("attenuation", same, wide), 10, 330), 1.95);
}

TEST(Attenuation, QuietDepthsTellTheNoise) {
    const FrameSpec spec = depthLines(DType::ComplexF32, 160, 1600);
    const HostFrame scans = noisyScans(spec, evenMedium, 4e4);
    const HostFrame map = runStage("attenuation", scans, {{"lateral_pixels", std::int64_t{31}}});
    EXPECT_NEAR(meanBetween(map, 10, 330), 2.0, 0.04);
    // Noise alone lies below the threshold.
    EXPECT_THAT(std::vector<float>(map.as<float>().begin() + 1200, map.as<float>().begin() + 1600),
                Each(0.0F));
}

TEST(Attenuation, RollOffIsCompensated) {
    const FrameSpec spec = depthLines(DType::ComplexF32, 1, 600);
    HostFrame scans = calmScans(spec, twoLayers);
    double depthMm = 0.0;
    for (Complex& sample : scans.as<Complex>()) { // 5 dB/mm
        sample = static_cast<float>(std::pow(10.0, -5.0 * depthMm / 20.0)) * sample;
        depthMm += 1e3 * kDepthStepM;
    }
    const HostFrame map =
        runStage("attenuation", scans, noNoise({{"end_attenuation", 4e3}, {"roll_off", 5e3}}));
    for (std::int64_t z = 0; z < 600; ++z)
        ASSERT_NEAR(map.as<float>()[static_cast<std::size_t>(z)], twoLayers(z),
                    0.005 * twoLayers(z))
            << z;
}

TEST(Attenuation, BscansOfAVolumeAreAloneAndFramesOfAnEnsembleTogether) {
    const FrameSpec one = depthLines(DType::ComplexF32, 7, 50);
    const auto random = [](const FrameSpec& spec, unsigned seed) {
        HostFrame frame(spec);
        const std::vector<float> values = noise(frame.as<float>().size(), seed);
        std::ranges::copy(values, frame.as<float>().begin());
        for (std::size_t i = 0; i < values.size(); ++i)
            frame.as<float>()[i] *= std::exp(-0.1F * static_cast<float>(i / 2 % 50));
        return frame;
    };
    const HostFrame volume = random(depthLines(DType::ComplexF32, 7, 50, 3), 1);
    const HostFrame maps = runStage("attenuation", volume);
    ASSERT_EQ(maps.spec.axes.size(), 3U);
    for (std::size_t b = 0; b < 3; ++b) {
        HostFrame bscan(one);
        std::memcpy(bscan.bytes.data(), volume.bytes.data() + b * bscan.bytes.size(),
                    bscan.bytes.size());
        const HostFrame map = runStage("attenuation", bscan);
        EXPECT_TRUE(std::ranges::equal(map.as<float>(), maps.as<float>().subspan(b * 350, 350)))
            << b;
    }
    // Four frames, or two in two bands: the mean of their powers counts.
    HostFrame frames = random(ensembleOf(one, 4), 2);
    const HostFrame whole = runStage("attenuation", frames);
    EXPECT_EQ(whole.spec.axes.size(), 2U);
    frames.spec.bands = 2;
    const HostFrame banded = runStage("attenuation", frames);
    EXPECT_EQ(banded.spec.bands, 1);
    EXPECT_TRUE(std::ranges::equal(whole.as<float>(), banded.as<float>()));
}

TEST(Attenuation, NothingIsNothing) {
    const HostFrame zeros(depthLines(DType::ComplexF32, 4, 9));
    EXPECT_THAT(runStage("attenuation", zeros).as<float>(), Each(0.0F));
    EXPECT_THAT(runStage("attenuation", zeros, noNoise({{"end_attenuation", 1e3}})).as<float>(),
                Each(0.0F));
}

TEST(Attenuation, IsPerPixelWhereTheDepthHasNoScale) {
    const FrameSpec known = depthLines(DType::ComplexF32, 2, 300);
    const FrameSpec unknown = withDepth(known, 0.25, 0.0, "");
    const StageType& type = stageType("attenuation");
    EXPECT_TRUE(type.plan(known, paramsFor(type, known, {})).warnings.empty());
    const StagePlan plan = type.plan(unknown, paramsFor(type, unknown, {}));
    EXPECT_EQ(plan.outputs[0].valueRange->unit, "1/pixel");
    EXPECT_THAT(plan.warnings, testing::ElementsAre(AllOf(HasSubstr("'attenuation' is per pixel"),
                                                          HasSubstr("'centre_wavelength'"))));
    const HostFrame map = runStage("attenuation", calmScans(unknown, evenMedium),
                                   noNoise({{"end_attenuation", 6.0}})); // 2/mm
    for (const float value : map.as<float>()) ASSERT_NEAR(value, 0.006, 1e-5);
}

TEST(Attenuation, RefusesOneDepthAndOtherImages) {
    EXPECT_THAT(
        refusal([] { runStage("attenuation", HostFrame(depthLines(DType::ComplexF32, 4, 1))); }),
        AllOf(HasSubstr("Stage 'attenuation'"), HasSubstr("one depth")));
    EXPECT_THAT(refusal([] { runStage("attenuation", HostFrame(depthLines(DType::F32, 4, 9))); }),
                HasSubstr("takes complex"));
    FrameSpec echoes = imageSpec(4, 5);
    echoes.dtype = DType::ComplexF32;
    EXPECT_THAT(refusal([&] { runStage("attenuation", HostFrame(echoes)); }),
                HasSubstr("takes frames with the axes lateral, depth"));
}

} // namespace
} // namespace echolux::test
