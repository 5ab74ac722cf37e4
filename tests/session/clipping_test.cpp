// SPDX-License-Identifier: GPL-3.0-or-later
// Clipped samples: of converters that are known, of converters narrower than the sample type, and
// none in waves that merely touch their own peak.
#include "app/session/column/clipping.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echolux {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FrameSpec oneLine(std::size_t samples) {
    return test::codesSpec(1, 1, static_cast<std::int64_t>(samples)); // 20 MHz, pulse at 5 MHz
}

template <class T>
std::vector<std::size_t> clippedIn(const FrameSpec& spec, const std::vector<T>& codes) {
    std::vector<Complex> line;
    for (const T code : codes)
        line.push_back({static_cast<float>(static_cast<double>(code) - spec.codeOffset), 0.0F});
    return clippedSamples(line, false,
                          clipLevels(spec, reinterpret_cast<const std::byte*>(codes.data())));
}

/// Rounded cosine of `amplitude` codes, cut at `limit`.
std::vector<std::int16_t> cosine(double amplitude, double samplesPerPeriod, double limit) {
    std::vector<std::int16_t> codes;
    for (int n = 0; n < 1000; ++n) {
        const double value =
            amplitude * std::cos(2.0 * std::numbers::pi * n / samplesPerPeriod + 0.1);
        codes.push_back(static_cast<std::int16_t>(std::lround(std::clamp(value, -limit, limit))));
    }
    return codes;
}

TEST(Clipping, FullCodesOfTheSampleType) {
    const std::vector<std::int16_t> codes{0, 32767, 5, -32768, -32767};
    EXPECT_THAT(clippedIn(oneLine(codes.size()), codes), ElementsAre(1, 3));
}

TEST(Clipping, AKnownConverterClipsAtItsCodes) {
    const std::vector<std::int16_t> codes{0, 2047, 5, -2048, -2047, 2046};
    FrameSpec spec = oneLine(codes.size());
    EXPECT_THAT(clippedIn(spec, codes), IsEmpty()); // once is no proof
    spec.converterRange = {-2048.0, 2047.0};
    EXPECT_THAT(clippedIn(spec, codes), ElementsAre(1, 3));
    spec.codeOffset = 1.5;
    EXPECT_THAT(clippedIn(spec, codes), ElementsAre(1, 3));
}

TEST(Clipping, AnUnknownConverterIsFoundByRunsAtTheExtreme) {
    const std::vector<std::int16_t> codes{0, 700, 700, 700, 700, 3, 700, 8, -600, -600, -600, 0};
    EXPECT_THAT(clippedIn(oneLine(codes.size()), codes), ElementsAre(1, 2, 3, 4, 8, 9, 10));
}

TEST(Clipping, RunsBelowTheFramesExtremeAreNotClipped) {
    const std::vector<std::int16_t> codes{0, 700, 700, 700, 700, 3, 701, -1};
    EXPECT_THAT(clippedIn(oneLine(codes.size()), codes), IsEmpty());
}

TEST(Clipping, CutWavesAreFoundAndWholeOnesAreNot) {
    FrameSpec spec = oneLine(1000);
    for (const double samplesPerPeriod : {4.0, 9.3, 20.0, 61.7}) {
        spec.centreFrequencyHz = spec.samplingFrequencyHz() / samplesPerPeriod;
        for (const double amplitude : {1.0, 2.0, 3.4, 10.0, 100.0, 2047.0, 30000.0}) {
            const auto whole = cosine(amplitude, samplesPerPeriod, 1e9);
            EXPECT_THAT(clippedIn(spec, whole), IsEmpty())
                << amplitude << " codes, " << samplesPerPeriod << " samples per period";
        }
        const auto cut = cosine(16000.0, samplesPerPeriod, 8191.0);
        const auto expected =
            samplesPerPeriod > 4.0 // shorter ones hold no three samples in a row beyond the limit
                ? std::ranges::count_if(cut, [](int code) { return std::abs(code) == 8191; })
                : 0;
        EXPECT_NEAR(static_cast<double>(clippedIn(spec, cut).size()), static_cast<double>(expected),
                    6.0) // runs cut off by the line's ends
            << samplesPerPeriod;
    }
}

TEST(Clipping, SilenceAndConstantsAreNotClipped) {
    EXPECT_THAT(clippedIn(oneLine(6), std::vector<std::int16_t>(6, 0)), IsEmpty());
    EXPECT_THAT(clippedIn(oneLine(6), std::vector<std::int16_t>(6, 77)), IsEmpty());
    EXPECT_THAT(clippedIn(oneLine(6), std::vector<std::int16_t>{0, 0, 0, 5, 0, 0}), IsEmpty());
}

TEST(Clipping, FloatingPointToo) {
    FrameSpec spec = oneLine(8);
    spec.dtype = DType::F32;
    const std::vector<float> codes{0.1F, 0.25F, 0.25F, 0.25F, -0.3F, std::nanf(""), 0.0F, 0.2F};
    EXPECT_THAT(clippedIn(spec, codes), ElementsAre(1, 2, 3));
}

TEST(Clipping, OfLargeFramesLinesAreSeenAllOverAndThePickedOne) {
    constexpr std::int64_t kSamples = 1024;
    constexpr std::int64_t kLines = 4096; // 2^22 samples
    FrameSpec spec;
    spec.dtype = DType::I16;
    spec.axes = {{AxisName::Lateral, kLines, 1.0, 0.0, ""},
                 {AxisName::Sample, kSamples, 1.0, 0.0, ""}};
    std::vector<std::int16_t> codes(kLines * kSamples, 1);
    const auto levels = [&](std::int64_t line) {
        return clipLevels(spec, reinterpret_cast<const std::byte*>(codes.data()), line);
    };
    const auto put = [&](std::int64_t line, std::int16_t code) {
        std::fill_n(codes.begin() + line * kSamples + 100, 8, code);
    };
    put(2049, 700);
    EXPECT_EQ(levels(2049).highest.value, 700.0F) << "the picked line is always seen";
    for (std::int64_t line = 3; line < kLines; line += 5) put(line, 900);
    EXPECT_EQ(levels(2049).highest.value, 900.0F) << "a wave below the converter's limit";
    put(1, 5000);
    EXPECT_EQ(levels(0).highest.value, 900.0F) << "no more than 2^20 samples are looked at";
    EXPECT_EQ(levels(1).highest.value, 5000.0F);
}

TEST(Clipping, EitherPartOfIqAtTheSampleTypesCodes) {
    FrameSpec spec = oneLine(4);
    spec.dtype = DType::ComplexI16;
    const std::vector<std::int16_t> codes(8, 0);
    const ClipLevels levels = clipLevels(spec, reinterpret_cast<const std::byte*>(codes.data()));
    const std::vector<Complex> line{{0, 0}, {32767, 0}, {0, -32768}, {5, 5}};
    EXPECT_THAT(clippedSamples(line, true, levels), ElementsAre(1, 2));
}

} // namespace
} // namespace echolux
