// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of the Plus toolkit: which way their axes run, lines of echoes, and times of frames.
// The sample at (x, y, t) of the picture as it is shown is x + 10 y + 100 t.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kWide = 4;
constexpr int kDeep = 3;
constexpr int kTimes = 2;

/// The samples as a sequence of this orientation stores them.
std::vector<std::int16_t> stored(const std::string& orientation) {
    const bool linesFirst = orientation[0] == 'F' || orientation[0] == 'N';
    const bool reversedWide = orientation.find('U') != std::string::npos;
    const bool reversedDeep = orientation.find('N') != std::string::npos;
    std::vector<std::int16_t> samples;
    for (int t = 0; t < kTimes; ++t)
        for (int slow = 0; slow < (linesFirst ? kWide : kDeep); ++slow)
            for (int fast = 0; fast < (linesFirst ? kDeep : kWide); ++fast) {
                int x = linesFirst ? slow : fast;
                int y = linesFirst ? fast : slow;
                if (reversedWide) x = kWide - 1 - x;
                if (reversedDeep) y = kDeep - 1 - y;
                samples.push_back(static_cast<std::int16_t>(x + 10 * y + 100 * t));
            }
    return samples;
}

class PlusSequences : public testing::Test {
protected:
    template <class T>
    std::unique_ptr<Recording> opened(const std::string& lines, const std::vector<T>& samples) {
        writeFile(m_path, "ObjectType = Image\nNDims = 3\nAnatomicalOrientation = RAI\n"
                          "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\n"
                          "Kinds = domain domain list\n" +
                              lines + "ElementDataFile = LOCAL\n" + bytesOfValues(samples));
        return openRecording(m_path);
    }
    static std::string times(const std::vector<double>& seconds) {
        std::string lines;
        for (std::size_t i = 0; i < seconds.size(); ++i)
            lines += fmt::format("Seq_Frame{:04}_Timestamp = {}\nSeq_Frame{:04}_ImageStatus = OK\n",
                                 i, seconds[i], i);
        return lines;
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "sequence.igs.mha";
};

TEST_F(PlusSequences, OrientationsAreTurnedAsPicturesAreShown) {
    for (const std::string orientation : {"MF", "UF", "MN", "UN", "FM", "FU", "NM", "NU"}) {
        SCOPED_TRACE(orientation);
        const bool linesFirst = orientation[0] == 'F' || orientation[0] == 'N';
        const auto recording = opened(
            fmt::format("DimSize = {} {} 2\nElementSpacing = 1 1 1\nElementType = MET_SHORT\n"
                        "UltrasoundImageType = BRIGHTNESS\n"
                        "UltrasoundImageOrientation = {}\n",
                        linesFirst ? kDeep : kWide, linesFirst ? kWide : kDeep, orientation),
            stored(orientation));
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "i16 [depth 3][lateral 4]");
        EXPECT_EQ(frame.recordedForm, RecordedForm::Picture);
        EXPECT_EQ(frame.pose, nullptr);
        EXPECT_EQ(frame.axes[0].unit, "") << "a spacing of 1 is no length";
        EXPECT_EQ(frame.axes[1].unit, "");
        for (int t = 0; t < kTimes; ++t)
            EXPECT_THAT(frameOf(*recording, t),
                        ElementsAre(100 * t, 100 * t + 1, 100 * t + 2, 100 * t + 3, 100 * t + 10,
                                    100 * t + 11, 100 * t + 12, 100 * t + 13, 100 * t + 20,
                                    100 * t + 21, 100 * t + 22, 100 * t + 23));
    }
}

TEST_F(PlusSequences, ReversedAxesKeepTheirLengths) {
    const auto recording = opened("DimSize = 4 3 2\nElementSpacing = 0.1 0.2 1\n"
                                  "ElementType = MET_SHORT\nUltrasoundImageOrientation = UF\n",
                                  stored("UF"));
    const Axis& lateral = recording->info().frame.axes[1];
    EXPECT_NEAR(lateral.spacing, 0.1e-3, 1e-12);
    EXPECT_NEAR(lateral.origin, -0.3e-3, 1e-12); // the file's 0 is the last one now
    EXPECT_NEAR(recording->info().frame.axes[0].spacing, 0.2e-3, 1e-12);
}

TEST_F(PlusSequences, LinesOfEchoes) {
    const std::string lines = "DimSize = 3 4 2\nElementSpacing = 1 1 1\nElementType = MET_SHORT\n" +
                              times({1.0, 1.04}) + "UltrasoundImageType = ";
    for (const char* orientation : {"UltrasoundImageOrientation = FM\n", ""}) {
        const auto recording = opened(lines + "RF_REAL\n" + orientation, stored("FM"));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.describe(), "i16 [depth 3][lateral 4]");
        EXPECT_EQ(info.frame.recordedForm, RecordedForm::Beamformed);
        EXPECT_NEAR(info.frameRateHz, 25.0, 1e-9);
        ASSERT_EQ(info.warnings.size(), 1U);
        EXPECT_THAT(info.warnings[0], HasSubstr("lines of echoes"));
        EXPECT_EQ(frameOf(*recording, 1)[2 * 4 + 3], 123.0); // x 3, y 2, t 1
    }
}

TEST_F(PlusSequences, IAndQAlongALineOrLineByLine) {
    std::vector<float> byLine;
    std::vector<float> bySample;
    for (int x = 0; x < kWide; ++x) {
        for (const float part : {1.0F, -1.0F})
            for (int y = 0; y < kDeep; ++y)
                byLine.push_back(part * static_cast<float>(x + 10 * y + 1));
        for (int y = 0; y < kDeep; ++y)
            for (const float part : {1.0F, -1.0F})
                bySample.push_back(part * static_cast<float>(x + 10 * y + 1));
    }
    const auto check = [&](const std::string& lines, const std::vector<float>& samples) {
        const auto recording =
            opened("ElementSpacing = 1 1 1\nElementType = MET_FLOAT\n" + lines, samples);
        EXPECT_EQ(recording->info().frame.describe(), "complex_f32 [depth 3][lateral 4]");
        EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Beamformed);
        const std::vector<double> pairs = frameOf(*recording, 0);
        ASSERT_EQ(pairs.size(), 24U);
        for (int y = 0; y < kDeep; ++y)
            for (int x = 0; x < kWide; ++x) {
                const auto at = static_cast<std::size_t>(2 * (y * kWide + x));
                EXPECT_EQ(pairs[at], x + 10 * y + 1);
                EXPECT_EQ(pairs[at + 1], -(x + 10 * y + 1));
            }
    };
    check("DimSize = 6 4 1\nUltrasoundImageType = RF_IQ_LINE\n", bySample);
    check("DimSize = 3 8 1\nUltrasoundImageType = RF_I_LINE_Q_LINE\n", byLine);
}

TEST_F(PlusSequences, TimesOfFrames) {
    const std::string head = "DimSize = 2 2 3\nElementSpacing = 1 1 1\nElementType = MET_UCHAR\n";
    const std::vector<std::uint8_t> samples = countedUp<std::uint8_t>(12);
    auto recording = opened(head + times({5.0, 5.019, 5.04}), samples);
    EXPECT_NEAR(recording->info().frameRateHz, 50.0, 1e-9);
    EXPECT_THAT(recording->info().warnings, IsEmpty());
    recording = opened(head + times({0.0, 0.1, 0.4}), samples);
    EXPECT_NEAR(recording->info().frameRateHz, 5.0, 1e-9);
    ASSERT_EQ(recording->info().warnings.size(), 1U);
    EXPECT_THAT(recording->info().warnings[0], HasSubstr("100 to 300 ms"));
    recording = opened(head + times({0.0, 0.1}), samples); // the last one is not said
    EXPECT_EQ(recording->info().frameRateHz, 0.0);
}

/// What a sidecar beside the file says of its lines of echoes.
const std::string kLinesSidecar = "sound_speed = 1500\n"
                                  "image = { form = \"beamformed\", sampling_frequency = 30e6, "
                                  "lateral_step = 0.2e-3, centre_frequency = 5e6 }\n"
                                  "[data]\naxes = [\"frame\", \"lateral\", \"depth\"]\n";

TEST_F(PlusSequences, ASidecarGivesTheScaleOfLines) {
    writeFile(m_path.string() + ".toml", kLinesSidecar);
    for (const char* orientation : {"FM", "NU"}) {
        const auto recording = opened("DimSize = 3 4 2\nElementSpacing = 1 1 1\n"
                                      "ElementType = MET_SHORT\nUltrasoundImageType = RF_REAL\n"
                                      "UltrasoundImageOrientation = " +
                                          std::string(orientation) + "\n" + times({1.0, 1.04}),
                                      stored(orientation));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.format, "MetaImage + sidecar");
        EXPECT_EQ(info.frame.describe(), "i16 [depth 3][lateral 4]");
        EXPECT_NEAR(info.frame.axes[0].spacing, 1500.0 / (2 * 30e6), 1e-12);
        EXPECT_NEAR(info.frame.axes[1].spacing, 0.2e-3, 1e-12);
        EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
        EXPECT_NEAR(info.frameRateHz, 25.0, 1e-9) << "the file says it";
        EXPECT_THAT(info.warnings, IsEmpty());
        EXPECT_EQ(frameOf(*recording, 1)[2 * 4 + 3], 123.0) << orientation; // x 3, y 2, t 1
    }
}

TEST_F(PlusSequences, ASidecarMakesChannelDataOfThem) {
    writeFile(m_path.string() + ".toml",
              "sound_speed = 1540\nprobe.pitch = 0.3e-3\n"
              "signal = { sampling_frequency = 25e6, centre_frequency = 6e6, frame_rate = 7 }\n"
              "[data]\naxes = [\"frame\", \"channel\", \"sample\"]\n");
    const auto recording =
        opened("DimSize = 3 4 2\nElementSpacing = 1 1 1\nElementType = MET_SHORT\n"
               "UltrasoundImageType = RF_REAL\n",
               stored("FM"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [transmit 1][channel 4][sample 3]");
    EXPECT_NEAR(info.frame.axes[2].spacing, 1.0 / 25e6, 1e-15);
    EXPECT_EQ(info.frameRateHz, 7.0);
    EXPECT_EQ(frameOf(*recording, 1)[3 * 3 + 2], 123.0); // x 3, y 2, t 1
}

TEST_F(PlusSequences, NrrdSequencesAreReadAlike) {
    const std::filesystem::path path = m_folder / "sequence.seq.nrrd";
    std::string head = "NRRD0005\ntype: short\ndimension: 3\nspace: right-anterior-superior\n"
                       "sizes: 3 4 2\nspace directions: (1,0,0) (0,1,0) none\n"
                       "kinds: domain domain list\nendian: little\nencoding: raw\n"
                       "space origin: (0,0,0)\nUltrasoundImageOrientation:=NU\n"
                       "UltrasoundImageType:=RF_REAL\nSeq_Frame0000_Timestamp:=1.0\n"
                       "Seq_Frame0001_Timestamp:=1.04\n\n";
    writeFile(path, head + bytesOfValues(stored("NU")));
    const auto lines = openRecording(path);
    EXPECT_EQ(lines->info().frame.recordedForm, RecordedForm::Beamformed);
    EXPECT_EQ(lines->info().frame.axes[0].unit, "") << "a spacing of 1 is no length";
    EXPECT_EQ(frameOf(*lines, 1)[2 * 4 + 3], 123.0);
    writeFile(path.string() + ".toml", kLinesSidecar);
    const auto told = openRecording(path);
    EXPECT_EQ(told->info().format, "NRRD + sidecar");
    EXPECT_NEAR(told->info().frame.axes[1].spacing, 0.2e-3, 1e-12);
    EXPECT_NEAR(told->info().frameRateHz, 25.0, 1e-9);
    EXPECT_EQ(frameOf(*told, 1)[2 * 4 + 3], 123.0);
}

TEST_F(PlusSequences, Refusals) {
    const auto refusedWith = [&](const std::string& lines) {
        writeFile(m_path,
                  "ObjectType = Image\nNDims = 3\nDimSize = 3 4 2\nElementType = MET_UCHAR\n" +
                      lines + "ElementDataFile = LOCAL\n" + std::string(24, '\1'));
        return refusalOf(m_path);
    };
    EXPECT_EQ(refusedWith("UltrasoundImageType = BRIGHTNESS\n"), "");
    EXPECT_THAT(refusedWith("UltrasoundImageType = RF_COLOR\n"), HasSubstr("'RF_COLOR'"));
    EXPECT_THAT(refusedWith("UltrasoundImageOrientation = MM\n"), HasSubstr("'MM'"));
    EXPECT_THAT(refusedWith("UltrasoundImageType = RF_IQ_LINE\n"), HasSubstr("in pairs"));
}

} // namespace
} // namespace echolux::test
