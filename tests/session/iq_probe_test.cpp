// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of a raw line behind I/Q demodulation: a tone lies at its distance from the carrier,
// and its mirror image is gone.
#include "app/session/column/iq_probe.hpp"

#include "tests/lab/array_frame.hpp"
#include "tests/pipeline/test_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace echolux {
namespace {

constexpr double kToneSamplingHz = 40e6;
constexpr double kToneCarrierHz = 5e6;
constexpr std::int64_t kToneSamples = 1024;
constexpr std::int64_t kToneTransmit = 1;
constexpr std::int64_t kToneChannel = 2;

FrameSpec toneSpec() {
    Acquisition acquisition = test::linearArray(4, 0.3e-3);
    acquisition.transmits = {test::planeWave(0.0), test::planeWave(0.1)};
    return test::channelData(std::move(acquisition), kToneSamples, kToneSamplingHz);
}

/// A tone in one line of the frame; the others are silent.
std::vector<std::byte> tone(double hz) {
    std::vector<float> values(static_cast<std::size_t>(2 * 4 * kToneSamples));
    const std::int64_t first = (kToneTransmit * 4 + kToneChannel) * kToneSamples;
    for (std::int64_t n = 0; n < kToneSamples; ++n)
        values[static_cast<std::size_t>(first + n)] = static_cast<float>(
            std::cos(2.0 * std::numbers::pi * hz * static_cast<double>(n) / kToneSamplingHz));
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

SnapshotPtr demodulated(std::int64_t decimation = 4) {
    SnapshotPtr snapshot = instantiate(test::chainOf({"iq_demod", "beamform"}), toneSpec());
    snapshot = withValue(*snapshot, "iq_demod", "frequency", kToneCarrierHz);
    return withValue(*snapshot, "iq_demod", "decimation", decimation);
}

double levelAt(const IqSpectrum& spectrum, double hz) {
    const auto bin = std::lround((hz - spectrum.startHz) / spectrum.stepHz);
    return spectrum.levelDb[static_cast<std::size_t>(bin)];
}

double peakOf(const IqSpectrum& spectrum) {
    const auto peak = std::ranges::max_element(spectrum.levelDb) - spectrum.levelDb.begin();
    return spectrum.startHz + static_cast<double>(peak) * spectrum.stepHz;
}

TEST(IqProbe, ATonesDistanceFromTheCarrierIsItsFrequency) {
    IqProbe probe;
    for (const double off : {0.5e6, -0.75e6}) {
        const auto found = probe.spectrum(demodulated(), tone(kToneCarrierHz + off).data(),
                                          kToneTransmit, kToneChannel);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->stage, "iq_demod");
        EXPECT_EQ(found->demodulationHz, kToneCarrierHz);
        const auto bins = static_cast<double>(found->levelDb.size());
        EXPECT_NEAR(found->stepHz * bins, kToneSamplingHz / 4.0, 1e-3) << "decimated by 4";
        EXPECT_LT(found->startHz, 0.0);
        EXPECT_NEAR(peakOf(*found), off, 1.5 * found->stepHz);
        EXPECT_LT(levelAt(*found, -off), -40.0) << "no mirror image";
    }
}

TEST(IqProbe, FollowsEditsAndReadsTheLineThatItIsAskedFor) {
    IqProbe probe;
    const std::vector<std::byte> frame = tone(6e6);
    const auto spectrumOf = [&](const SnapshotPtr& snapshot, std::int64_t channel) {
        return probe.spectrum(snapshot, frame.data(), kToneTransmit, channel);
    };
    const SnapshotPtr other = withValue(*demodulated(), "iq_demod", "frequency", 5.5e6);
    EXPECT_NEAR(peakOf(*spectrumOf(demodulated(), kToneChannel)), 1e6, 5e4);
    EXPECT_NEAR(peakOf(*spectrumOf(other, kToneChannel)), 0.5e6, 5e4);
    const auto silent = spectrumOf(other, 0);
    ASSERT_TRUE(silent);
    EXPECT_EQ(*std::ranges::max_element(silent->levelDb),
              *std::ranges::min_element(silent->levelDb));
}

TEST(IqProbe, IsEmptyWithoutComplexChannels) {
    IqProbe probe;
    const std::vector<std::byte> frame = tone(6e6);
    const SnapshotPtr real = instantiate(test::chainOf({"beamform"}), toneSpec());
    EXPECT_FALSE(probe.spectrum(real, frame.data(), 0, 0));
    FrameSpec iq = toneSpec();
    iq.dtype = DType::ComplexF32;
    iq.demodulationFrequencyHz = kToneCarrierHz;
    const std::vector<std::byte> pairs(iq.bytes());
    const SnapshotPtr kept = instantiate(test::chainOf({"to_float", "beamform"}), iq);
    EXPECT_FALSE(probe.spectrum(kept, pairs.data(), 0, 0)) << "it is as recorded";
}

} // namespace
} // namespace echolux
