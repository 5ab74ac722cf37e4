// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped pipeline on the bundled recording of its kind, on the CPU; and the published
// listings against their own formulas.
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "tests/commands/shipped.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

class Shipped : public testing::TestWithParam<std::string> {};

TEST_P(Shipped, EachViewIsItsChainAlone) {
    const auto at =
        std::ranges::find(test::shippedCases(), GetParam(), &test::ShippedCase::pipeline);
    ASSERT_NE(at, test::shippedCases().end()) << "add it to shipped.hpp";
    test::compareWithChains(*at, "cpu", 0.0);
}

TEST_P(Shipped, RefusesTheOtherKindOfDataInASentence) {
    const bool sound = test::shippedCase(GetParam()).recording == test::bundledCine();
    const auto run =
        test::runEcholux({"run", GetParam(), sound ? test::bundledRetina() : test::bundledCine(),
                          "--backend", "cpu", "--frames", "1"});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, testing::StartsWith("echolux: "));
    EXPECT_TRUE(run.err.ends_with(".\n")) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Golden, Shipped, testing::ValuesIn(shippedPipelines()),
                         [](const auto& each) { return each.param; });

TEST(ShippedPipelines, TheMeanOfEightFramesIsThatOfTheirEnvelopes) {
    test::compareEnsembleMean("cpu", 1e-3);
}

/// The CPU has no fusions, so both branches compute the same.
TEST(ShippedPipelines, FusedAndSeparateAreTheSameOnTheCpu) {
    const auto image = test::runViews("oct_fused_separate", test::bundledRetina(), "cpu",
                                      {"difference"}, {"--frames", "1"})["difference"];
    EXPECT_FALSE(image.empty());
    EXPECT_TRUE(std::ranges::all_of(image, [](float value) { return value == 0.0F; }));
}

TEST(ShippedPipelines, FirstViewsAgreeWithNumpy) { test::compareShippedWithNumpy("cpu", 0.1); }

/// Gray levels 0 to 255, samples down and channels across, of the bundled cine's first frame, from
/// the published formulas in double precision: mean off (section 2.2.1), the six taps that three
/// coefficients stand for, forward and backward (2.2.2), FIR Hilbert transform of 15 (Eq. 2.6),
/// amplitude over the recording's largest sample.
std::vector<double> listingByFormula(Recording& recording) {
    const FrameSpec& spec = recording.info().frame;
    std::vector<std::byte> bytes(spec.bytes());
    recording.readFrame(0, bytes);
    const auto* codes = reinterpret_cast<const std::int16_t*>(bytes.data());
    const auto channels = static_cast<std::ptrdiff_t>(spec.axes[1].size);
    const auto samples = static_cast<std::ptrdiff_t>(spec.axes[2].size);
    constexpr std::array kTaps{-0.0049, 0.1007, 0.4761, 0.4761, 0.1007, -0.0049};
    constexpr auto kCount = static_cast<std::ptrdiff_t>(kTaps.size());
    constexpr std::ptrdiff_t kWindow = 15;
    std::vector<double> gray(static_cast<std::size_t>(samples * channels));
    const std::vector<Transmit>& waves = spec.acquisition->transmits;
    const auto unsteered =
        std::ranges::find_if(waves, [](const Transmit& wave) { return wave.angleRad == 0.0; });
    if (unsteered == waves.begin() || unsteered == waves.end())
        throw Error("The cine's first wave is steered, and another is not.");
    codes += (unsteered - waves.begin()) * channels * samples;
    for (std::ptrdiff_t channel = 0; channel < channels; ++channel) {
        const auto at = [samples](const std::vector<double>& line, std::ptrdiff_t n) {
            return n >= 0 && n < samples ? line[static_cast<std::size_t>(n)] : 0.0;
        };
        std::vector<double> line;
        double mean = 0.0;
        for (std::ptrdiff_t n = 0; n < samples; ++n) {
            line.push_back((codes[channel * samples + n] - spec.codeOffset) * spec.codeScale);
            mean += line.back() / static_cast<double>(samples);
        }
        for (double& value : line) value -= mean;
        std::vector<double> filtered;
        for (std::ptrdiff_t n = 0; n < samples; ++n) {
            double sum = 0.0;
            for (std::ptrdiff_t i = 0; i < kCount; ++i) {
                for (std::ptrdiff_t j = 0; j < kCount; ++j)
                    sum += kTaps[static_cast<std::size_t>(i)] * kTaps[static_cast<std::size_t>(j)] *
                           at(line, n + i - j);
            }
            filtered.push_back(sum);
        }
        for (std::ptrdiff_t n = 0; n < samples; ++n) {
            double hilbert = 0.0;
            for (std::ptrdiff_t m = 1; m <= kWindow; m += 2) {
                hilbert += (at(filtered, n - m) - at(filtered, n + m)) * 2.0 /
                           (std::numbers::pi * static_cast<double>(m));
            }
            const double amplitude = std::hypot(at(filtered, n), hilbert);
            gray[static_cast<std::size_t>(n * channels + channel)] =
                255.0 * std::min(amplitude / spec.recordedPeak, 1.0);
        }
    }
    return gray;
}

TEST(ShippedPipelines, TheListingsComputeWhatWasPublished) {
    const auto recording = openRecording(test::bundledCine(), {});
    ASSERT_EQ(recording->info().frame.dtype, DType::I16);
    ASSERT_FALSE(recording->info().frame.converterRange) << "so 255 is the largest sample";
    findInitialLevels(*recording);
    const std::vector<double> expected = listingByFormula(*recording);
    for (const char* listing : {"listing_4_1", "listing_4_2"}) {
        const std::vector<float> got = test::runViews(listing, test::bundledCine(), "cpu",
                                                      {"echoview"}, {"--frames", "1"})["echoview"];
        ASSERT_EQ(got.size(), expected.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < got.size(); ++i)
            worst = std::max(worst, std::abs(got[i] - expected[i]));
        EXPECT_LT(worst, 1e-3) << listing;
        EXPECT_GE(*std::ranges::min_element(got), 0.0F);
        EXPECT_GT(*std::ranges::max_element(got), 85.0F) << "though the filter weakens the carrier";
        EXPECT_LE(*std::ranges::max_element(got), 255.0F);
    }
}

} // namespace
} // namespace echolux
