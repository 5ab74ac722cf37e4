// SPDX-License-Identifier: GPL-3.0-or-later
// The real-time factor against Gronvold's case: 128 channels, 40 MHz, 5120 samples per beam.
#include "app/lab/real_time.hpp"
#include "tests/lab/array_frame.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

FrameSpec gronvold(int beams) {
    Acquisition acquisition = linearArray(128, 0.2e-3);
    acquisition.soundSpeedMps = 1560.0;
    for (int i = 0; i < beams; ++i) acquisition.transmits.push_back(planeWave(0.0));
    FrameSpec frame = channelData(std::move(acquisition), 5120, 40e6);
    frame.dtype = DType::I16;
    return frame;
}

TEST(RealTime, IsComputedOverArrivingSamples) {
    const auto rates = lab::probeRates(gronvold(32));
    ASSERT_TRUE(rates);
    EXPECT_DOUBLE_EQ(rates->samplesPerS, 128 * 40e6);
    EXPECT_DOUBLE_EQ(rates->bytesPerS, 2 * 128 * 40e6);
    // Section 4.6: 0.20e9 samples per second are 0.04 of real time.
    const double frames = 0.20e9 / rates->samplesPerFrame;
    EXPECT_NEAR(rates->timesRealTime(frames), 0.039, 0.0005);
}

TEST(RealTime, NeedsTheCardsOfTableSix) {
    const auto cards = [](double speed) { return lab::cardsForRealTime(speed); };
    EXPECT_EQ(cards(1.62), 1);
    EXPECT_EQ(cards(0.27), 4);
    EXPECT_EQ(cards(0.41), 3);
    EXPECT_EQ(cards(0.18), 6);
    EXPECT_EQ(cards(0.12), 9);
    EXPECT_EQ(cards(0.09), 12);
    EXPECT_EQ(cards(1.0), 1);
    EXPECT_EQ(cards(0.0), 0) << "nothing was timed";
    // Section 4.6 rounds 0.20e9 / (128 x 40 MHz) to 0.04.
    EXPECT_EQ(cards(0.04), 25);
    // With 4xUP of 11 taps, 2.55e9 samples per second (Table 5): 28 cards in Table 6.
    EXPECT_EQ(cards(1.0 / (1.0 / 0.20e9 + 1.0 / 2.55e9) / (128 * 40e6)), 28);
}

TEST(RealTime, PulsesFollowEachOtherWithoutAPause) {
    const auto rates = lab::probeRates(gronvold(32));
    EXPECT_NEAR(rates->depthM, 0.0998, 1e-4); // 10 cm
    EXPECT_NEAR(rates->pulseFramesPerS, 1560.0 / (2 * rates->depthM) / 32, 1e-9);
    // At that rate it is real time, by definition.
    EXPECT_NEAR(rates->timesRealTime(rates->pulseFramesPerS), 1.0, 1e-12);
}

TEST(RealTime, RecordsThatBeginLateTakeTheirTime) {
    FrameSpec frame = gronvold(2);
    Acquisition late = *frame.acquisition;
    late.transmits[1].firstSampleS = 128e-6; // as long as a record
    frame.acquisition = std::make_shared<Acquisition>(late);
    EXPECT_NEAR(lab::probeRates(frame)->pulseFramesPerS, 1.0 / (3 * 128e-6), 1e-6);
    EXPECT_NEAR(lab::probeRates(frame)->depthM, 1560.0 * 128e-6, 1e-9);
}

TEST(RealTime, SpectraHaveNone) {
    FrameSpec spectra;
    spectra.axes = {{AxisName::Lateral, 4, 1.0, 0.0, ""}, {AxisName::Sample, 8, 1.0, 0.0, ""}};
    EXPECT_FALSE(lab::probeRates(spectra));
}

} // namespace
} // namespace echolux::test
