// SPDX-License-Identifier: GPL-3.0-or-later
// PICMUS: RF and IQ of plane waves, files that share the layout.
#include "tests/dataset/delay_and_sum.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr SumOptions kAllChannels{.fNumber = 0.01, .soundSpeedMps = 0.0};
const std::string kGroup = "US/US_DATASET0000";

class Picmus : public testing::Test {
protected:
    template <class Change> std::filesystem::path file(bool iq, Change change) {
        const auto path = m_folder / "picmus.hdf5";
        std::filesystem::remove(path);
        const Hdf5Editor editor(path);
        addPicmus(editor, iq);
        change(editor);
        return path;
    }
    std::filesystem::path file(bool iq) {
        return file(iq, [](const Hdf5Editor&) {});
    }
    TemporaryFolder m_folder;
};

void expectTargets(Recording& recording) {
    const Signals signals = loadSignals(recording);
    const auto lines = static_cast<double>(signals.traces.size());
    for (const UffTarget& target : kUffTargets) {
        const Point at{target.x, 0.0, target.z};
        const Peak peak = brightest(signals, at, 4e-4, 3e-4, 5e-5, kAllChannels);
        EXPECT_NEAR(peak.at.x, at.x, 1.5e-4);
        EXPECT_NEAR(peak.at.z, at.z, 5e-5);
        EXPECT_NEAR(std::abs(pixel(signals, at, kAllChannels)) / lines, target.amplitude,
                    0.05 * target.amplitude);
    }
}

TEST_F(Picmus, Iq) {
    const auto recording = openRecording(file(true));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "PICMUS HDF5 (IQ)");
    EXPECT_EQ(info.frame.describe(), "complex_f32 [transmit 3][channel 16][sample 220]");
    EXPECT_EQ(info.frame.demodulationFrequencyHz, 5e6);
    EXPECT_EQ(info.frameRateHz, 100.0);
    EXPECT_TRUE(info.warnings.empty());
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(info.frame.acquisition->transmits[i].angleRad, picmusAngles()[i], 1e-7);
        EXPECT_NEAR(info.frame.acquisition->transmits[i].firstSampleS, kUffFirst, 1e-12);
        EXPECT_EQ(info.frame.acquisition->transmits[i].iqPhaseZeroS, 0.0);
    }
    expectTargets(*recording);
}

TEST_F(Picmus, Rf) {
    const auto recording = openRecording(file(false));
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.dtype, DType::F32);
    EXPECT_EQ(frame.centreFrequencyHz, 5.208e6);
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("5.208 MHz")));
    expectTargets(*recording);
}

TEST_F(Picmus, WhatTheFormatLeavesOut) {
    auto recording = openRecording(file(true, [](const Hdf5Editor& editor) {
        editor.numbers(kGroup + "/modulation_frequency", {1}, {0.0});
    }));
    EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 5.208e6);
    EXPECT_THAT(recording->info().warnings, ElementsAre(HasSubstr("modulation frequency")));

    recording = openRecording(
        file(false, [](const Hdf5Editor& editor) { editor.remove(kGroup + "/data/imag"); }));
    EXPECT_EQ(recording->info().frame.dtype, DType::F32);

    recording =
        openRecording(file(true, [](const Hdf5Editor& editor) { addPicmus(editor, true, {0.1}); }));
    EXPECT_EQ(recording->info().frame.describe(),
              "complex_f32 [transmit 1][channel 16][sample 220]");
    expectTargets(*recording);
}

TEST_F(Picmus, ElementsInTurnWhereTheFileSaysSo) {
    const auto recording = openRecording(file(false, [](const Hdf5Editor& editor) {
        editor.remove(kGroup + "/angles");
        editor.enumAttribute(kGroup, "subtype", 0);
        editor.numbers(kGroup + "/data/real", {16, 16, 10}, countedUp<double>(2560));
    }));
    EXPECT_EQ(recording->info().frame.acquisition->transmits[3].wave, Wave::Element);
    EXPECT_NEAR(recording->info().frame.acquisition->transmits[3].source.x, uffElements()[3], 1e-9);
}

TEST_F(Picmus, DatasetsAreTracks) {
    const auto path = file(true, [](const Hdf5Editor& editor) {
        addPicmus(editor, false, {0.0, 0.1}, "US/US_DATASET0001");
        editor.textAttribute("US/US_DATASET0001", "name", "second");
    });
    EXPECT_THAT(openRecording(path)->info().tracks,
                ElementsAre("US_DATASET0000", "US_DATASET0001: second"));
    EXPECT_EQ(openRecording(path, {.track = 1})->info().frame.sizeOf(AxisName::Transmit), 2);
    EXPECT_THAT(refusalOf(path, {.track = 2}), HasSubstr("2 'US_DATASET0001: second'"));
}

TEST_F(Picmus, OtherFilesOfTheSameLayoutAreNamed) {
    const auto refused = [&](auto change) { return refusalOf(file(false, change)); };
    const auto withoutData = [](const Hdf5Editor& editor) { editor.remove(kGroup + "/data"); };
    EXPECT_THAT(refused([&](const Hdf5Editor& editor) {
                    withoutData(editor);
                    editor.numbers(kGroup + "/scatterers_positions", {3, 1}, {0, 0, 0.01});
                }),
                HasSubstr("a phantom"));
    EXPECT_THAT(refused([&](const Hdf5Editor& editor) {
                    withoutData(editor);
                    editor.numbers(kGroup + "/x_axis", {2}, {0, 1});
                }),
                HasSubstr("a grid of pixels"));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) { editor.enumAttribute(kGroup, "type", 1); }),
                HasSubstr("a reconstructed image"));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) { editor.remove(kGroup); }),
                HasSubstr("holds no dataset"));
}

TEST_F(Picmus, WhatDoesNotFitIsRefused) {
    const auto refused = [&](auto change) { return refusalOf(file(true, change)); };
    EXPECT_THAT(refused([](const Hdf5Editor& editor) {
                    editor.numbers(kGroup + "/angles", {2}, {0.0, 0.1});
                }),
                AllOf(HasSubstr("2 entries"), HasSubstr("data 3")));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) { editor.remove(kGroup + "/angles"); }),
                HasSubstr("nobody knows what was sent"));
    EXPECT_THAT(
        refused([](const Hdf5Editor& editor) {
            editor.numbers(kGroup + "/probe_geometry", {3, 8}, std::vector<double>(24, 0.0));
        }),
        AllOf(HasSubstr("8 elements"), HasSubstr("data 16")));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) { editor.remove(kGroup + "/data/imag"); }),
                HasSubstr("lacks 'US/US_DATASET0000/data/imag'"));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) {
                    editor.numbers(kGroup + "/data/imag", {2}, {1, 2});
                }),
                HasSubstr("one type and shape"));
    EXPECT_THAT(refused([](const Hdf5Editor& editor) {
                    editor.numbers(kGroup + "/sound_speed", {1}, {NAN});
                }),
                HasSubstr("sound_speed' is nan"));
}

} // namespace
} // namespace echolux::test
