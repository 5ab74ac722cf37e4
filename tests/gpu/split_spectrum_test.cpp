// SPDX-License-Identifier: GPL-3.0-or-later
// Bands of spectra: closed forms of split_spectrum, and NumPy's angiography of bands.
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

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

constexpr std::int64_t kFringeSamples = 256;

/// Fringes of amplitude 1 + line in the first frame, and twice that in the second.
HostFrame fringes(int bin) {
    HostFrame frame(ensembleOf(octSpec(0, 3, kFringeSamples), 2));
    auto values = frame.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / kFringeSamples;
        const auto sample = static_cast<double>(static_cast<std::int64_t>(i) % kFringeSamples);
        const double amplitude = static_cast<double>((1 + row % 3) * (1 + row / 3));
        values[i] = static_cast<float>(
            amplitude * std::cos(2.0 * std::numbers::pi * bin * sample / kFringeSamples));
    }
    return frame;
}

TEST(SplitSpectrum, EachBandKeepsTheAmplitudeOfAFringe) {
    for (const std::int64_t bands : {2, 4, 7}) {
        const HostFrame split = runStage("split_spectrum", fringes(60), {{"bands", bands}});
        ASSERT_EQ(split.spec.bands, bands);
        ASSERT_EQ(split.spec.axes.front().size, 2 * bands);
        const HostFrame scans = runStage("inverse_fft", split);
        EXPECT_EQ(scans.spec.bands, bands);
        const std::int64_t depths = scans.spec.axes.back().size;
        const auto* pixels = reinterpret_cast<const std::complex<float>*>(scans.bytes.data());
        for (std::int64_t row = 0; row < 2 * bands * 3; ++row) {
            const double expected = static_cast<double>((1 + row % 3) * (1 + row / (3 * bands)));
            EXPECT_NEAR(std::abs(pixels[row * depths + 60]), expected, 0.01 * expected) << row;
        }
    }
}

TEST(SplitSpectrum, BandsAreGaussiansSideBySide) {
    FrameSpec spec = ensembleOf(octSpec(0, 1, 401), 2);
    HostFrame ones(spec);
    std::ranges::fill(ones.as<float>(), 1.0F);
    const HostFrame split =
        runStage("split_spectrum", ones, {{"bands", std::int64_t{4}}, {"width", 0.5}});
    const auto values = split.as<float>();
    for (std::size_t band = 0; band < 4; ++band) {
        const auto at = [&](std::size_t sample) { return double{values[401 * band + sample]}; };
        const std::size_t middle = 50 + 100 * band;           // of 0 to 400
        EXPECT_NEAR(at(middle + 25) / at(middle), 0.5, 1e-5); // 0.5 x 100 wide at half maximum
        EXPECT_NEAR(at(middle - 25) / at(middle), 0.5, 1e-5);
        double sum = 0.0;
        for (std::size_t i = 0; i < 401; ++i) sum += at(i);
        EXPECT_NEAR(sum / 401.0, 1.0, 1e-5);
        EXPECT_EQ(values[401 * (band + 4)], values[401 * band]); // the second frame
    }
}

TEST(SplitSpectrum, OtherStagesTakeWholeSpectra) {
    FrameSpec spec = ensembleOf(octSpec(0, 2, 16), 4);
    spec.bands = 2;
    for (const char* stage : {"window", "split_spectrum"})
        EXPECT_THAT(refusal([&] { runStage(stage, HostFrame(spec)); }),
                    testing::AllOf(HasSubstr(std::string("'") + stage + "'"),
                                   HasSubstr("whole spectra"), HasSubstr("'angiography'")));
    FrameSpec scans = spec;
    scans.axes.back().name = AxisName::Depth;
    scans.dtype = DType::ComplexF32;
    EXPECT_THAT(refusal([&] { runStage("one_frame", HostFrame(scans)); }),
                HasSubstr("split into 2 bands"));
    EXPECT_EQ(oneFrameOf(scans).bands, 1);
    scans.bands = 4;
    const StageType& type = stageType("angiography");
    EXPECT_THAT(refusal([&] { type.plan(scans, paramsFor(type, scans, {})); }),
                HasSubstr("one frame"));
    const FrameSpec many = ensembleOf(octSpec(0, 2, 16), 300);
    EXPECT_THAT(refusal([&] { runStage("split_spectrum", HostFrame(many)); }),
                HasSubstr("'bands' is 4, but 300 frames"));
}

TEST(SplitSpectrum, AngiographyIsTheMeanOverBands) {
    const Vectors vectors("gpu/vectors/angiography.txt");
    FrameSpec scan = octSpec(0, 6, 11);
    scan.axes.back() = {AxisName::Depth, 11, 3e-6, 0.0, "m"};
    scan.dtype = DType::ComplexF32;
    FrameSpec spec = ensembleOf(scan, 6);
    spec.bands = 2;
    HostFrame scans(spec);
    std::memcpy(scans.bytes.data(), vectors["banded"].data(), scans.bytes.size());
    const auto compare = [&](const char* stage, const Settings& more, const char* expected) {
        SCOPED_TRACE(expected);
        Settings settings{{"depth_pixels", std::int64_t{1}},
                          {"lateral_pixels", std::int64_t{1}},
                          {"threshold", -60.0},
                          {"noise", std::string("level")},
                          {"noise_level", -120.0}};
        settings.insert(settings.end(), more.begin(), more.end());
        const HostFrame image = runStage(stage, scans, settings);
        EXPECT_EQ(image.spec.bands, 1);
        const std::vector<float> wanted = vectors[expected];
        ASSERT_EQ(image.as<float>().size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            ASSERT_NEAR(image.as<float>()[i], wanted[i], 2e-5) << i;
    };
    compare("angiography", {{"method", std::string("decorrelation")}}, "banded_decorrelation");
    compare("angiography", {{"method", std::string("speckle_variance")}, {"normalise", false}},
            "banded_variance");
    compare("angiography", {{"method", std::string("complex_difference")}, {"normalise", false}},
            "banded_difference");
    compare("phase_doppler", {{"invert", true}}, "banded_phase");
}

} // namespace
} // namespace echolux::test
