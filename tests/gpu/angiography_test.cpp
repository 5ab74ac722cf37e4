// SPDX-License-Identifier: GPL-3.0-or-later
// OCT angiography and phase-resolved Doppler, against NumPy and closed forms.
#include "tests/support/refusal.hpp"
#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"
#include "tests/support/vectors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <random>

namespace echolux::test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing_support::refusal;
using Pixels = std::vector<float>;

constexpr double kScanIntervalS = 1e-3;
const double kUnrelated = 1.0 - std::numbers::pi / 4.0; ///< decorrelation of new speckle

/// Repeated B-scans [frame][lateral][depth]; `intervalS` 0: unknown.
FrameSpec repeatsSpec(std::int64_t frames, std::int64_t lines, std::int64_t depths,
                      double intervalS = kScanIntervalS) {
    FrameSpec scan = octSpec(0, lines, depths);
    scan.axes.back() = {AxisName::Depth, depths, 3e-6, 0.0, "m"};
    scan.dtype = DType::ComplexF32;
    scan.frameIntervalS = intervalS;
    return ensembleOf(scan, frames);
}

std::complex<float>* samplesOf(HostFrame& frame) {
    return reinterpret_cast<std::complex<float>*>(frame.bytes.data());
}

/// Samples of mean power 1, or of that of each depth.
HostFrame speckle(const FrameSpec& spec, unsigned seed) {
    HostFrame frame(spec);
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, std::sqrt(0.5F));
    auto* samples = samplesOf(frame);
    for (std::int64_t i = 0; i < spec.count(); ++i) samples[i] = {normal(random), normal(random)};
    return frame;
}

/// The first frame again and again.
HostFrame repeated(HostFrame frame) {
    const std::int64_t frames = frame.spec.axes.front().size;
    const std::size_t each = frame.bytes.size() / static_cast<std::size_t>(frames);
    for (std::int64_t f = 1; f < frames; ++f)
        std::memcpy(frame.bytes.data() + static_cast<std::size_t>(f) * each, frame.bytes.data(),
                    each);
    return frame;
}

/// Every pixel counts, as it is.
Settings unmasked(Settings more = {}) {
    more.emplace_back("threshold", -60.0);
    more.emplace_back("noise", std::string("level"));
    more.emplace_back("noise_level", -120.0);
    return more;
}

Settings onePixel(Settings more = {}) {
    more.emplace_back("depth_pixels", std::int64_t{1});
    more.emplace_back("lateral_pixels", std::int64_t{1});
    return unmasked(std::move(more));
}

Settings wideBox(Settings more = {}) {
    more.emplace_back("depth_pixels", std::int64_t{3});
    more.emplace_back("lateral_pixels", std::int64_t{5});
    return unmasked(std::move(more));
}

Settings method(const char* name, Settings more = {}) {
    more.emplace_back("method", std::string(name));
    return more;
}

HostFrame angiogram(const HostFrame& scans, const Settings& settings) {
    return runStage("angiography", scans, settings);
}

void expectAbout(const HostFrame& frame, const Pixels& expected, double tolerance) {
    const auto values = frame.as<float>();
    ASSERT_EQ(values.size(), expected.size());
    const double largest = std::abs(
        *std::ranges::max_element(expected, {}, [](float value) { return std::abs(value); }));
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], expected[i], tolerance * largest) << i;
}

double meanOf(const HostFrame& frame) {
    double sum = 0.0;
    for (const float value : frame.as<float>()) sum += value;
    return sum / static_cast<double>(frame.as<float>().size());
}

HostFrame knownScans(const Vectors& vectors, double intervalS = kScanIntervalS) {
    HostFrame frame(repeatsSpec(5, 6, 11, intervalS));
    std::memcpy(frame.bytes.data(), vectors["scans"].data(), frame.bytes.size());
    return frame;
}

TEST(Angiography, IsWhatNumpyMakesOfTheDefinitions) {
    const Vectors vectors("gpu/vectors/angiography.txt");
    const HostFrame scans = knownScans(vectors);
    const Settings plain{{"normalise", false}};
    expectAbout(angiogram(scans, method("speckle_variance", onePixel(plain))), vectors["variance"],
                1e-5);
    expectAbout(angiogram(scans, method("speckle_variance", wideBox())),
                vectors["variance_normalised"], 1e-5);
    expectAbout(angiogram(scans, method("decorrelation", onePixel())), vectors["decorrelation"],
                1e-5);
    expectAbout(angiogram(scans, method("decorrelation", wideBox())), vectors["decorrelation_box"],
                1e-5);
    expectAbout(angiogram(scans, method("complex_difference", onePixel(plain))),
                vectors["difference"], 1e-5);
    expectAbout(angiogram(scans, method("complex_difference", wideBox())),
                vectors["difference_normalised"], 1e-5);
    Settings withBulk = onePixel(plain);
    withBulk.emplace_back("remove_bulk_motion", false);
    expectAbout(angiogram(scans, method("complex_difference", withBulk)),
                vectors["difference_with_bulk"], 1e-5);
}

TEST(Angiography, FindsTheNoiseInQuietDepthsMasksItAndSubtractsIt) {
    const Vectors vectors("gpu/vectors/angiography.txt");
    const HostFrame scans = knownScans(vectors);
    const Settings masked{{"threshold", 3.0}};
    expectAbout(angiogram(scans, method("decorrelation", masked)), vectors["decorrelation_masked"],
                1e-4);
    expectAbout(angiogram(scans, method("speckle_variance", masked)), vectors["variance_masked"],
                1e-4);
    const HostFrame difference = angiogram(scans, method("complex_difference", masked));
    expectAbout(difference, vectors["difference_masked"], 1e-4);
    const Pixels shown = vectors["shown"];
    for (std::size_t i = 0; i < shown.size(); ++i)
        EXPECT_TRUE(difference.as<float>()[i] == 0.0F || shown[i] != 0.0F) << i;
}

TEST(Angiography, StillScatterersShowNothing) {
    const HostFrame still = repeated(speckle(repeatsSpec(4, 20, 30), 1));
    for (const char* name : {"speckle_variance", "decorrelation", "complex_difference"}) {
        const HostFrame image = angiogram(still, method(name, unmasked()));
        for (const float value : image.as<float>()) ASSERT_NEAR(value, 0.0, 1e-6) << name;
        EXPECT_EQ(image.spec.axes.size(), 2U);
        EXPECT_EQ(image.spec.axes[0].name, AxisName::Lateral);
        EXPECT_EQ(image.spec.dtype, DType::F32);
    }
}

TEST(Angiography, NewSpeckleInEachFrameHasTheKnownContrast) {
    const HostFrame blood = speckle(repeatsSpec(4, 120, 160), 2);
    const Settings wide{{"depth_pixels", std::int64_t{31}},
                        {"lateral_pixels", std::int64_t{31}},
                        {"remove_bulk_motion", false}};
    // 19200 pixels: the standard error of these means is below 0.3 %.
    EXPECT_NEAR(meanOf(angiogram(blood, method("decorrelation", onePixel()))), kUnrelated, 0.002);
    EXPECT_NEAR(meanOf(angiogram(blood, method("decorrelation", unmasked(wide)))), kUnrelated,
                0.002);
    EXPECT_NEAR(meanOf(angiogram(blood, method("speckle_variance", unmasked(wide)))),
                0.75 * kUnrelated, 0.002);
    EXPECT_NEAR(meanOf(angiogram(blood, method("complex_difference", unmasked(wide)))),
                std::sqrt(std::numbers::pi / 2.0), 0.015);
}

TEST(Angiography, BulkMotionOfEachLineIsRemoved) {
    HostFrame moving = repeated(speckle(repeatsSpec(5, 16, 64), 3));
    auto* samples = samplesOf(moving);
    std::mt19937 random(4);
    std::uniform_real_distribution<float> turn(-3.1F, 3.1F);
    for (std::int64_t row = 0; row < 5 * 16; ++row) {
        const std::complex<float> phasor = std::polar(1.0F, turn(random));
        for (std::int64_t z = 0; z < 64; ++z) samples[row * 64 + z] *= phasor;
    }
    const HostFrame removed = angiogram(moving, method("complex_difference", unmasked()));
    EXPECT_LT(std::ranges::max(removed.as<float>()), 1e-5);
    const HostFrame kept =
        angiogram(moving, method("complex_difference", unmasked({{"remove_bulk_motion", false}})));
    EXPECT_GT(meanOf(kept), 0.5);
    const HostFrame velocity = runStage("phase_doppler", moving, unmasked());
    const float range = static_cast<float>(velocity.spec.valueRange->max);
    for (const float value : velocity.as<float>()) ASSERT_NEAR(value, 0.0F, 1e-5F * range);
}

TEST(Angiography, NoiseOfStillTissueIsSubtracted) {
    // Amplitude 10 and noise of power 1: 20 dB.
    HostFrame noisy = speckle(repeatsSpec(4, 60, 80), 5);
    auto* samples = samplesOf(noisy);
    for (std::int64_t i = 0; i < noisy.spec.count(); ++i) samples[i] += 10.0F;
    const auto middle = [&](const char* name, bool subtracts) {
        const HostFrame image = angiogram(noisy, method(name, {{"depth_pixels", std::int64_t{31}},
                                                               {"lateral_pixels", std::int64_t{31}},
                                                               {"noise", std::string("level")},
                                                               {"noise_level", 0.0},
                                                               {"normalise", false},
                                                               {"remove_bulk_motion", false},
                                                               {"subtract_noise", subtracts}}));
        return image.as<float>()[30 * 80 + 40];
    };
    EXPECT_NEAR(middle("speckle_variance", false), 0.5 * 0.75, 0.03);
    EXPECT_NEAR(middle("speckle_variance", true), 0.0, 0.03);
    EXPECT_NEAR(middle("decorrelation", false), 0.5 / 101.0, 0.0004);
    EXPECT_NEAR(middle("decorrelation", true), 0.0, 0.0004);
    EXPECT_NEAR(middle("complex_difference", false), std::sqrt(std::numbers::pi / 2.0), 0.05);
    EXPECT_NEAR(middle("complex_difference", true), 0.0, 0.35); // the root of a small difference
}

TEST(Angiography, DepthsWithNothingButNoiseShowNoFlow) {
    const FrameSpec spec = repeatsSpec(4, 40, 100);
    HostFrame scans = speckle(spec, 6);
    auto* samples = samplesOf(scans);
    for (std::int64_t i = 0; i < spec.count(); ++i)
        if (i % 100 < 60) samples[i] *= 10.0F;
    for (const char* name : {"speckle_variance", "decorrelation", "complex_difference"}) {
        const HostFrame image = angiogram(scans, method(name));
        for (std::int64_t i = 0; i < 40 * 100; ++i) {
            const float value = image.as<float>()[static_cast<std::size_t>(i)];
            const bool atBorder = i % 100 >= 58 && i % 100 < 62;
            ASSERT_TRUE(atBorder || (value > 0.0F) == (i % 100 < 60)) << name << " " << i;
        }
    }
    const HostFrame velocity = runStage("phase_doppler", scans);
    EXPECT_EQ(velocity.as<float>()[80], 0.0F);
    EXPECT_NE(velocity.as<float>()[20], 0.0F);
}

TEST(Angiography, NothingIsNothing) {
    const HostFrame zeros(repeatsSpec(3, 4, 5));
    for (const char* name : {"speckle_variance", "decorrelation", "complex_difference"}) {
        EXPECT_THAT(angiogram(zeros, method(name)).as<float>(), Each(0.0F));
        EXPECT_THAT(angiogram(zeros, method(name, unmasked())).as<float>(), Each(0.0F));
    }
    EXPECT_THAT(runStage("phase_doppler", zeros).as<float>(), Each(0.0F));
}

TEST(Angiography, ItsRangeEndsAtNewSpeckle) {
    const FrameSpec spec = repeatsSpec(3, 4, 5);
    const StageType& type = stageType("angiography");
    const auto most = [&](const Settings& settings) {
        return type.plan(spec, paramsFor(type, spec, settings)).outputs[0].valueRange->max;
    };
    EXPECT_NEAR(most({}), kUnrelated, 1e-12);
    EXPECT_NEAR(most(method("complex_difference")), std::sqrt(std::numbers::pi / 2.0), 1e-12);
    EXPECT_GT(most(method("speckle_variance", {{"normalise", false}})), 100.0);
}

TEST(Angiography, RefusesOneFrameAndOtherImages) {
    FrameSpec spec = repeatsSpec(2, 4, 5);
    spec.axes.front().size = 1;
    for (const char* stage : {"angiography", "phase_doppler"}) {
        const StageType& type = stageType(stage);
        EXPECT_THAT(refusal([&] { type.plan(spec, paramsFor(type, spec, {})); }),
                    testing::AllOf(HasSubstr(std::string("Stage '") + stage + "'"),
                                   HasSubstr("one frame"), HasSubstr("'ensemble'")));
        EXPECT_THAT(refusal([&] { runStage(stage, HostFrame(oneFrameOf(spec))); }),
                    HasSubstr("takes frames with the axes frame, lateral, depth"));
        FrameSpec echoes = imageSpec(4, 5);
        echoes.dtype = DType::ComplexF32;
        EXPECT_THAT(refusal([&] { runStage(stage, HostFrame(ensembleOf(echoes, 3))); }),
                    HasSubstr("takes frames with the axes frame, lateral, depth"));
    }
}

/// Every pixel turns by `phase` from frame to frame.
HostFrame turningScans(const FrameSpec& spec, double phase) {
    HostFrame frame = repeated(speckle(spec, 7));
    auto* samples = samplesOf(frame);
    const std::int64_t pixels = spec.count() / spec.axes.front().size;
    for (std::int64_t i = 0; i < spec.count(); ++i)
        samples[i] *= std::polar(1.0F, static_cast<float>(phase * static_cast<double>(i / pixels)));
    return frame;
}

TEST(PhaseDoppler, IsThePhaseThatNumpyFinds) {
    const Vectors vectors("gpu/vectors/angiography.txt");
    const HostFrame scans = knownScans(vectors, 0.0);
    Settings settings = wideBox();
    settings.emplace_back("invert", true);
    expectAbout(runStage("phase_doppler", scans, settings), vectors["phase"], 1e-5);
    settings = onePixel({{"invert", true}, {"remove_bulk_motion", false}});
    expectAbout(runStage("phase_doppler", scans, settings), vectors["phase_with_bulk"], 1e-5);
}

TEST(PhaseDoppler, AStepOfPhaseIsAVelocity) {
    const FrameSpec spec = repeatsSpec(4, 5, 6);
    const double perRadian = 1e3 * 850e-9 / (4.0 * std::numbers::pi * 1.4 * kScanIntervalS);
    for (const double phase : {-3.0, -0.5, 0.0, 0.1, 2.9}) {
        const HostFrame velocity =
            runStage("phase_doppler", turningScans(spec, phase),
                     unmasked({{"remove_bulk_motion", false}, {"refractive_index", 1.4}}));
        EXPECT_EQ(velocity.spec.valueRange->unit, "mm/s");
        EXPECT_NEAR(velocity.spec.valueRange->max, std::numbers::pi * perRadian, 1e-12);
        for (const float value : velocity.as<float>())
            EXPECT_NEAR(value, -perRadian * phase, 1e-5 * std::numbers::pi * perRadian);
    }
}

TEST(PhaseDoppler, BloodMovesAgainstTheTissueOfItsLine) {
    const FrameSpec spec = repeatsSpec(4, 3, 40);
    HostFrame scans = turningScans(spec, 1.1); // the whole sample
    auto* samples = samplesOf(scans);
    for (std::int64_t f = 0; f < 4; ++f) {
        const std::complex<float> phasor = std::polar(1e-3F, 1.8F * static_cast<float>(f));
        samples[f * 120 + 40 + 9] = phasor; // weak, so that it does not move the bulk phase
    }
    const HostFrame velocity = runStage("phase_doppler", scans, onePixel());
    const double perRadian = 1e3 * 850e-9 / (4.0 * std::numbers::pi * 1.38 * kScanIntervalS);
    EXPECT_NEAR(velocity.as<float>()[40 + 9], -perRadian * 0.7, 1e-4 * perRadian);
    EXPECT_NEAR(velocity.as<float>()[40 + 10], 0.0, 1e-4 * perRadian);
}

TEST(PhaseDoppler, GivesRadiansWhereTimeOrWavelengthIsUnknown) {
    const StageType& type = stageType("phase_doppler");
    for (const double intervalS : {0.0, kScanIntervalS}) {
        FrameSpec spec = repeatsSpec(3, 2, 4, intervalS);
        if (intervalS > 0.0) spec.spectrometer = std::make_shared<Spectrometer>();
        const HostFrame velocity =
            runStage("phase_doppler", turningScans(spec, 0.7),
                     unmasked({{"remove_bulk_motion", false}, {"invert", true}}));
        EXPECT_EQ(velocity.spec.valueRange->unit, "rad");
        for (const float value : velocity.as<float>()) EXPECT_NEAR(value, 0.7, 1e-5);
        EXPECT_THAT(type.plan(spec, paramsFor(type, spec, {})).warnings,
                    testing::ElementsAre(testing::AllOf(
                        HasSubstr("radians per frame"),
                        HasSubstr(intervalS > 0.0 ? "'centre_wavelength'" : "frame_rate"))));
    }
    const FrameSpec known = repeatsSpec(3, 2, 4);
    EXPECT_TRUE(type.plan(known, paramsFor(type, known, {})).warnings.empty());
}

} // namespace
} // namespace echolux::test
