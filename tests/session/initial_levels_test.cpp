// SPDX-License-Identifier: GPL-3.0-or-later
// The first picture of a recording of spectra is well levelled, whatever its detector counts.
#include "app/session/checked_image.hpp"
#include "app/session/offline/initial_levels.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace echolux {
namespace {

/// Two reflectors in noise, times `gain`, in frames that may be dark or damaged.
class FakeSpectra final : public Recording {
public:
    explicit FakeSpectra(double gain, std::int64_t frames = 8) : m_gain(gain) {
        m_info.path = "fake.raw";
        m_info.frame.axes = {{AxisName::Lateral, 40, 1.0, 0.0, ""},
                             {AxisName::Sample, 128, 1.0, 0.0, ""}};
        m_info.frame.spectrometer = std::make_shared<Spectrometer>();
        m_info.frameCount = frames;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        if (index < damagedBefore) throw Error("fake.raw: this frame is damaged.");
        std::mt19937 random(static_cast<unsigned>(index));
        std::normal_distribution<double> noise(0.0, 3.0);
        auto* samples = reinterpret_cast<float*>(out.data());
        for (std::int64_t i = 0; i < m_info.frame.count(); ++i) {
            const double k = static_cast<double>(i % 128);
            const double line = static_cast<double>(i / 128);
            const double fringes =
                200.0 * std::cos(0.6 * k + line) + 20.0 * std::cos(1.7 * k + 2.0 * line);
            const double light = index < darkBefore ? 0.0 : 2000.0 + fringes + noise(random);
            samples[i] = static_cast<float>(m_gain * light);
        }
    }
    std::int64_t darkBefore = 0;
    std::int64_t damagedBefore = 0;

private:
    double m_gain;
};

SuggestedLevels levelled(Recording& recording) {
    findInitialLevels(recording);
    return recording.info().frame.suggestedLevels.value_or(SuggestedLevels{});
}

TEST(InitialLevels, LevelsFollowTheUnitOfTheSamples) {
    FakeSpectra codes(1.0);
    const SuggestedLevels plain = levelled(codes);
    EXPECT_GE(plain.brightDb - plain.darkDb, 40.0);
    EXPECT_NEAR(plain.brightDb, 20.0 * std::log10(200.0), 6.0);
    for (const double gain : {1e-4, 16.0}) {
        FakeSpectra scaled(gain);
        const SuggestedLevels facts = levelled(scaled);
        EXPECT_NEAR(facts.brightDb - plain.brightDb, 20.0 * std::log10(gain), 1.1) << gain;
        EXPECT_NEAR(facts.darkDb - plain.darkDb, 20.0 * std::log10(gain), 1.1) << gain;
    }
}

TEST(InitialLevels, OneDarkOrDamagedFrameDoesNotDecide) {
    FakeSpectra plain(1.0);
    const double bright = levelled(plain).brightDb;
    FakeSpectra dark(1.0);
    dark.darkBefore = 1;
    EXPECT_NEAR(levelled(dark).brightDb, bright, 6.0);
    FakeSpectra damaged(1.0);
    damaged.damagedBefore = 1;
    EXPECT_NEAR(levelled(damaged).brightDb, bright, 6.0);
}

TEST(InitialLevels, WhatGivesNoImageKeepsTheTablesLimits) {
    for (FakeSpectra* each : {new FakeSpectra(0.0), new FakeSpectra(std::nan(""))}) {
        const std::unique_ptr<FakeSpectra> owned(each);
        EXPECT_EQ(levelled(*each).darkDb, levelled(*each).brightDb);
    }
    FakeSpectra damaged(1.0);
    damaged.damagedBefore = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(levelled(damaged).darkDb, levelled(damaged).brightDb);
}

/// Shares of black and white pixels at the pipeline's defaults.
std::pair<double, double> extremesOf(const std::filesystem::path& path, std::int64_t frame) {
    const auto recording = openRecording(path);
    findInitialLevels(*recording);
    const SnapshotPtr snapshot = imagingSnapshot(recording->info().frame, {});
    const HostFrameData image = processFrame(*recording, snapshot, Backend::Cpu, frame, {});
    const ValueRange range = image.spec.valueRange.value();
    const std::span pixels(reinterpret_cast<const float*>(image.bytes.data()),
                           image.bytes.size() / sizeof(float));
    const auto count = static_cast<double>(pixels.size());
    return {static_cast<double>(
                std::ranges::count_if(pixels, [&](float db) { return db <= range.min; })) /
                count,
            static_cast<double>(
                std::ranges::count_if(pixels, [&](float db) { return db >= range.max; })) /
                count};
}

void expectNeitherBlackNorWhite(const std::filesystem::path& path, std::int64_t frame) {
    SCOPED_TRACE(path);
    const auto [black, white] = extremesOf(path, frame);
    EXPECT_LT(black, 0.4);
    EXPECT_LT(white, 0.01);
}

TEST(InitialLevels, BundledRecordingsAreNeitherBlackNorWhite) {
    const std::filesystem::path folder = ECHOLUX_SOURCE_DIR "/testdata";
    expectNeitherBlackNorWhite(folder / "retina_cine.echolux.h5", 5);
    expectNeitherBlackNorWhite(folder / "retina_volume.echolux.h5", 30);
}

TEST(InitialLevels, RealRecordingsAreNeitherBlackNorWhite) {
    const std::filesystem::path folder = ECHOLUX_SHARED_DATA "/data/oct";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
    expectNeitherBlackNorWhite(folder / "LP01_shift.raw", 0);
    expectNeitherBlackNorWhite(folder / "pdms_LP01.raw", 0);
    expectNeitherBlackNorWhite(folder / "cscan_50x100x1024_uint16.npy", 40);
}

TEST(InitialLevels, OfEchoesWithoutAConverterTheLargestSampleIsFound) {
    const auto recording = openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5");
    const FrameSpec& frame = recording->info().frame;
    ASSERT_FALSE(frame.converterRange);
    findInitialLevels(*recording);
    EXPECT_EQ(frame.spectrometer, nullptr);
    double largest = 0.0;
    std::vector<std::byte> bytes(frame.bytes());
    for (const std::int64_t index : {0, 8, 16, 24}) { // of 32
        recording->readFrame(index, bytes);
        const auto* codes = reinterpret_cast<const std::int16_t*>(bytes.data());
        for (std::int64_t i = 0; i < frame.count(); ++i)
            largest = std::max(largest, std::abs(codes[i] - frame.codeOffset) * frame.codeScale);
    }
    EXPECT_NEAR(frame.recordedPeak, largest, 1e-6 * largest);
}

/// Echoes of one large sample in the third of four frames.
class FakeEchoes final : public Recording {
public:
    explicit FakeEchoes(std::optional<ConverterRange> range) {
        m_info.path = "fake.mat";
        m_info.frame.dtype = DType::I16;
        m_info.frame.codeScale = 0.5;
        m_info.frame.axes = {{AxisName::Transmit, 2, 1.0, 0.0, ""},
                             {AxisName::Channel, 3, 1.0, 0.0, ""},
                             {AxisName::Sample, 16, 1e-7, 0.0, "s"}};
        m_info.frame.converterRange = range;
        m_info.frameCount = 4;
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        if (index == 1) throw Error("fake.mat: this frame is damaged.");
        auto* codes = reinterpret_cast<std::int16_t*>(out.data());
        std::fill_n(codes, m_info.frame.count(), std::int16_t{3});
        if (index == 2) codes[50] = -700;
    }
};

TEST(InitialLevels, TheLargestSampleIsFoundWhateverItsSignAndFrame) {
    FakeEchoes unknown({});
    findInitialLevels(unknown);
    EXPECT_EQ(unknown.info().frame.recordedPeak, 350.0);
    FakeEchoes known(ConverterRange{-2048.0, 2047.0});
    findInitialLevels(known);
    EXPECT_EQ(known.info().frame.recordedPeak, 0.0) << "nobody needs it";
}

} // namespace
} // namespace echolux
