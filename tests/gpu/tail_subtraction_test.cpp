// SPDX-License-Identifier: GPL-3.0-or-later
// Angiograms without the tails of vessels, against NumPy and closed forms.
#include "tests/gpu/depth_scans.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing_support::refusal;

constexpr double kTop = 0.215;
constexpr float kVessel = 0.2F;
constexpr float kDeepVessel = 0.18F;

FrameSpec angiogramSpec(std::int64_t lines, std::int64_t depths, std::int64_t bscans = 0) {
    FrameSpec spec = depthLines(DType::F32, lines, depths, bscans);
    spec.valueRange = {0.0, kTop, "", ""};
    return spec;
}

Settings byMethod(const char* name, Settings more = {}) {
    more.emplace_back("method", std::string(name));
    return more;
}

/// A vessel of 36 um at the pixels 100 to 111, with a tail of 60 % of it that fades over 300 um,
/// and a deeper one at 190 to 197, on which the tail lies, too.
HostFrame twoVessels() {
    HostFrame frame(angiogramSpec(1, 400));
    auto values = frame.as<float>();
    for (std::size_t z = 100; z < 400; ++z) {
        const float tail = 0.6F * kVessel * std::exp(-(static_cast<float>(z) - 111.0F) / 100.0F);
        values[z] = z < 112 ? kVessel : tail;
        if (z >= 190 && z < 198) values[z] += kDeepVessel;
    }
    return frame;
}

/// The largest value from `first` to before `end`.
float largestBetween(const HostFrame& frame, std::ptrdiff_t first, std::ptrdiff_t end) {
    const auto values = frame.as<float>();
    return *std::max_element(values.begin() + first, values.begin() + end);
}

TEST(TailSubtraction, IsWhatNumpyMakesOfTheDefinitions) { expectTailsOfNumpy(Backend::Cpu); }

TEST(TailSubtraction, ATailFallsBelowATenthOfItsVessel) {
    const HostFrame vessels = twoVessels();
    for (const char* name : {"subtract", "resolve"}) {
        const HostFrame image =
            runStage("tail_subtraction", vessels, byMethod(name, {{"gap", 36e-6}}));
        EXPECT_LT(largestBetween(image, 112, 190), 0.1F * kVessel) << name;
        EXPECT_LT(largestBetween(image, 225, 400), 0.1F * kVessel) << name;
        for (std::ptrdiff_t z = 0; z < 112; ++z)
            ASSERT_EQ(largestBetween(image, z, z + 1), largestBetween(vessels, z, z + 1))
                << name << " " << z;
    }
    // The deep vessel keeps its own strength, to 15 %, or all that was there.
    const HostFrame subtracted =
        runStage("tail_subtraction", vessels, byMethod("subtract", {{"gap", 36e-6}}));
    const HostFrame resolved =
        runStage("tail_subtraction", vessels, byMethod("resolve", {{"gap", 36e-6}}));
    for (std::ptrdiff_t z = 190; z < 198; ++z) {
        EXPECT_NEAR(largestBetween(subtracted, z, z + 1), kDeepVessel, 0.15 * kDeepVessel) << z;
        EXPECT_EQ(largestBetween(resolved, z, z + 1), largestBetween(vessels, z, z + 1)) << z;
    }
    // 36 um of nearly the largest flow weaken what is below to exp(-36 / 15), or less.
    const HostFrame weakened = runStage("tail_subtraction", vessels,
                                        byMethod("attenuate", {{"gap", 0.0}, {"gamma", 15e-6}}));
    EXPECT_LT(largestBetween(weakened, 112, 190), 0.1F * kVessel);
    EXPECT_EQ(largestBetween(weakened, 100, 101), kVessel);
}

TEST(TailSubtraction, GammaIsTheThicknessThatWeakensToOneInEAtAnySizeOfPixels) {
    for (const double pixelM : {1e-6, 2e-6, 5e-6}) {
        for (const double top : {kTop, 20.0}) {
            FrameSpec spec = withDepth(angiogramSpec(1, 200), pixelM, 0.0, "m");
            spec.valueRange->max = top;
            HostFrame frame(spec);
            std::ranges::fill(frame.as<float>(), static_cast<float>(top));
            const HostFrame image =
                runStage("tail_subtraction", frame,
                         byMethod("attenuate", {{"gap", 0.0}, {"gamma", 100e-6}}));
            const auto at = static_cast<std::size_t>(std::lround(100e-6 / pixelM));
            EXPECT_NEAR(image.as<float>()[at], top * std::exp(-1.0), 1e-5 * top) << pixelM;
        }
    }
}

TEST(TailSubtraction, WithoutAShareEverythingStays) {
    const HostFrame vessels = twoVessels();
    for (const char* name : {"subtract", "resolve"}) {
        const HostFrame image =
            runStage("tail_subtraction", vessels, byMethod(name, {{"share", 0.0}}));
        EXPECT_TRUE(std::ranges::equal(image.as<float>(), vessels.as<float>())) << name;
    }
}

TEST(TailSubtraction, BscansOfAVolumeAreAlone) {
    HostFrame volume(angiogramSpec(3, 40, 2));
    const std::vector<float> values = noise(240, 9);
    std::ranges::transform(values, volume.as<float>().begin(),
                           [](float value) { return std::abs(value); });
    for (const char* name : {"subtract", "attenuate", "resolve"}) {
        const HostFrame image = runStage("tail_subtraction", volume, byMethod(name));
        EXPECT_TRUE(image.spec.sameLayout(volume.spec));
        EXPECT_EQ(image.spec.valueRange, volume.spec.valueRange);
        HostFrame bscan(angiogramSpec(3, 40));
        std::memcpy(bscan.bytes.data(), volume.bytes.data() + bscan.bytes.size(),
                    bscan.bytes.size());
        const HostFrame alone = runStage("tail_subtraction", bscan, byMethod(name));
        EXPECT_TRUE(std::ranges::equal(alone.as<float>(), image.as<float>().subspan(120, 120)))
            << name;
    }
}

TEST(TailSubtraction, NothingAndOneDepthStay) {
    const HostFrame zeros(angiogramSpec(3, 5));
    HostFrame single(angiogramSpec(3, 1));
    std::ranges::fill(single.as<float>(), 0.1F);
    for (const char* name : {"subtract", "attenuate", "resolve"}) {
        EXPECT_THAT(runStage("tail_subtraction", zeros, byMethod(name)).as<float>(), Each(0.0F));
        EXPECT_THAT(runStage("tail_subtraction", single, byMethod(name)).as<float>(), Each(0.1F));
    }
}

TEST(TailSubtraction, WarnsWhereLengthsAreInPixels) {
    const StageType& type = stageType("tail_subtraction");
    const FrameSpec known = angiogramSpec(2, 9);
    EXPECT_TRUE(type.plan(known, paramsFor(type, known, {})).warnings.empty());
    const FrameSpec unknown = withDepth(known, 1.0, 0.0, "");
    EXPECT_THAT(type.plan(unknown, paramsFor(type, unknown, {})).warnings,
                testing::ElementsAre(AllOf(HasSubstr("each um"), HasSubstr("as a pixel"))));
}

TEST(TailSubtraction, RefusesDecibelsAndVelocities) {
    const auto refused = [](const ValueRange& range) {
        FrameSpec spec = angiogramSpec(2, 9);
        spec.valueRange = range;
        return refusal([&] { runStage("tail_subtraction", HostFrame(spec)); });
    };
    EXPECT_THAT(refused({-8.0, 32.0, "dB", "1 code"}),
                AllOf(HasSubstr("Stage 'tail_subtraction'"), HasSubstr("dB"),
                      HasSubstr("behind 'angiography'")));
    EXPECT_THAT(refused({-3.0, 3.0, "mm/s", ""}), HasSubstr("below 0"));
    EXPECT_EQ(refused({0.0, 1.0, "", ""}), "accepted");
    EXPECT_THAT(refusal([] {
                    runStage("tail_subtraction", HostFrame(depthLines(DType::ComplexF32, 2, 9)));
                }),
                HasSubstr("takes f32"));
}

} // namespace
} // namespace echolux::test
