// SPDX-License-Identifier: GPL-3.0-or-later
// The centre frequency of samples that nobody described: found above the noise, and marked as
// estimated.
#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/line_statistics.hpp"
#include "app/dataset/recording/estimated.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kCentreHz = 5e6;
constexpr std::size_t kLines = 64;
constexpr std::size_t kBandSamples = 2048;

/// Lines of six Gaussian pulses of 60 % bandwidth and height 1, in white noise.
std::vector<double> echoes(double samplingHz, double noise, int pulses = 6) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(0.05 * kBandSamples, 0.95 * kBandSamples);
    std::normal_distribution<double> normal;
    const double deviation =
        std::sqrt(2.0 * std::numbers::ln2) / (std::numbers::pi * 0.6 * kCentreHz);
    std::vector<double> values(kLines * kBandSamples);
    for (std::size_t line = 0; line < kLines; ++line)
        for (int pulse = 0; pulse < pulses; ++pulse) {
            const double at = place(random);
            for (std::size_t n = 0; n < kBandSamples; ++n) {
                const double t = (static_cast<double>(n) - at) / samplingHz;
                values[line * kBandSamples + n] += std::exp(-0.5 * std::pow(t / deviation, 2)) *
                                                   std::cos(2.0 * std::numbers::pi * kCentreHz * t);
            }
        }
    for (double& value : values) value += noise * normal(random);
    return values;
}

double centreHz(const std::vector<double>& values, double samplingHz) {
    LineGrid grid{.length = kBandSamples, .starts = {}};
    for (std::size_t line = 0; line < kLines; ++line) grid.starts.push_back(line * kBandSamples);
    return samplingHz * bandCentreOf(powerSpectrum(values, grid));
}

TEST(BandCentre, IsThatOfThePulseAboveTheNoise) {
    for (const double samplingHz : {20e6, 40e6, 100e6})
        for (const double noise : {0.0, 0.02, 0.1})
            EXPECT_NEAR(centreHz(echoes(samplingHz, noise), samplingHz), kCentreHz, 0.15e6)
                << samplingHz << ' ' << noise;
    // Sparse echoes: the noise has most of the power, and half of the peak's everywhere.
    EXPECT_NEAR(centreHz(echoes(40e6, 0.3), 40e6), kCentreHz, 0.15e6);
    EXPECT_NEAR(centreHz(echoes(100e6, 0.5, 2), 100e6), kCentreHz, 0.25e6);
}

TEST(BandCentre, NoiseHasNone) { EXPECT_EQ(centreHz(echoes(40e6, 1.0, 0), 40e6), 0.0); }

ChannelImport estimated() {
    ChannelImport import;
    import.type = parseElementType("<i2");
    import.axes = {{ArrayAxis::Frame, -1}, {ArrayAxis::Channel, 4}, { ArrayAxis::Sample, 10 }};
    import.samplingFrequencyHz = 20e6;
    import.centreFrequencyHz = 4.98e6;
    import.centreEstimated = true;
    import.pitchM = 0.3e-3;
    import.anglesRad = {0.0};
    return import;
}

TEST(BandCentre, AnEstimateIsSaidAndKept) {
    ChannelImport import = estimated();
    EXPECT_THAT(checkChannelImport(import, 80).sentence,
                HasSubstr("The centre frequency of 4.98 MHz is estimated from the samples."));
    EXPECT_THAT(toSidecar(import), HasSubstr("centre_frequency_estimated = true"));
    import.centreEstimated = false;
    EXPECT_THAT(checkChannelImport(import, 80).sentence, Not(HasSubstr("estimated")));
    EXPECT_THAT(toSidecar(import), Not(HasSubstr("estimated")));
}

TEST(BandCentre, ARecordingTellsThatItIsEstimated) {
    const TemporaryFolder folder;
    const auto path = folder / "rf.bin";
    writeFile(path, bytesOfValues(countedUp<std::int16_t>(40)));
    for (const bool is : {true, false}) {
        ChannelImport import = estimated();
        import.centreEstimated = is;
        const auto recording = openChannelImport(std::make_shared<const InputFile>(path), import);
        EXPECT_EQ(isCentreEstimated(recording->info()), is);
        EXPECT_EQ(recording->info().frame.centreFrequencyHz, 4.98e6);
    }
    writeFile(folder / "rf.bin.toml", toSidecar(estimated()));
    const auto kept = readChannelImport(path);
    ASSERT_TRUE(kept);
    EXPECT_TRUE(kept->centreEstimated);
    writeFile(folder / "rf.bin.toml",
              "[data]\ndtype = \"<i2\"\nshape = [4, 10]\naxes = [\"channel\", \"sample\"]\n"
              "[probe]\npitch = 3e-4\n[signal]\nsampling_frequency = 2e7\n"
              "centre_frequency_estimated = true\n[transmit]\nangles_deg = [0]\n");
    EXPECT_THAT(refusalOf(path), HasSubstr("needs centre_frequency"));
}

} // namespace
} // namespace echolux::test
