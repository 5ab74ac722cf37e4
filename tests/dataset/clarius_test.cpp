// SPDX-License-Identifier: GPL-3.0-or-later
// Clarius' raw data, made here and real: a carotid artery in vivo.
#include "app/dataset/formats/clarius_facts.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Clarius : public testing::Test {
protected:
    static std::string header(std::uint32_t frames, std::uint32_t lines, std::uint32_t samples,
                              std::uint32_t bytes) {
        return bytesOfValues(std::vector<std::uint32_t>{1, frames, lines, samples, bytes});
    }
    static std::string time(std::uint64_t ns) {
        return bytesOfValues(std::vector<std::uint64_t>{ns});
    }
    std::unique_ptr<Recording> opened(const std::string& bytes) {
        writeFile(m_path, bytes);
        return openRecording(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "scan.raw";
};

TEST_F(Clarius, GreyLinesWithTheirText) {
    std::string bytes = header(2, 3, 4, 1) + time(1'000'000'000) +
                        bytesOfValues(countedUp<std::uint8_t>(12)) + time(1'050'000'000) +
                        std::string(12, '\x7f');
    auto recording = opened(bytes);
    EXPECT_EQ(recording->info().format, "Clarius raw");
    EXPECT_EQ(recording->info().frame.describe(), "u8 [depth 4][lateral 3]");
    EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Picture);
    EXPECT_EQ(recording->info().frame.axes[0].unit, "");
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr(".yml")));
    EXPECT_NEAR(recording->info().frameRateHz, 20.0, 1e-9);
    EXPECT_THAT(frameOf(*recording), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
    EXPECT_EQ(frameOf(*recording, 1)[5], 127);

    writeFile(m_folder / "scan.yml", "frames: 2\nframe rate: 20 Hz\ntransmit frequency: 10 MHz\n"
                                     "sampling rate: 15 MHz\ndelay samples: 116\nlines:\n"
                                     "  - {rx element: 0, tx element: 0.9, angle: 0 °}\n"
                                     "  - {rx element: 0.63, tx element: 0.9, angle: 0 °}\n"
                                     "  - {rx element: 1.26, tx element: 1.5, angle: 0 °}\n");
    recording = openRecording(m_path);
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.axes[0].unit, "m");
    EXPECT_NEAR(frame.axes[0].spacing, 1540 / 30e6, 1e-12);
    EXPECT_NEAR(frame.axes[0].origin, 100 * 1540 / 30e6, 30e-6);
    EXPECT_EQ(frame.axes[1].unit, "");
    EXPECT_EQ(frame.centreFrequencyHz, 10e6);
}

TEST_F(Clarius, PacketsAreToldFromTheirSamples) {
    constexpr int kPacketLines = 8;
    constexpr int kPacketSamples = 40;
    constexpr int kPulses = 6;
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    std::vector<std::int16_t> values;
    for (int i = 0; i < kPacketLines * kPacketSamples; ++i) {
        const double re = 1000 * noise(random);
        const double im = 1000 * noise(random);
        for (int p = 0; p < kPulses; ++p) {
            values.push_back(static_cast<std::int16_t>(re + 5 * noise(random)));
            values.push_back(static_cast<std::int16_t>(im + 5 * noise(random)));
        }
    }
    EXPECT_EQ(packetSize(values, kPacketLines * kPulses), kPulses);
    const auto recording = opened(header(1, kPacketLines * kPulses, kPacketSamples, 4) + time(1) +
                                  bytesOfValues(values));
    EXPECT_EQ(recording->info().frame.describe(), "complex_i16 [depth 40][lateral 8]");
    EXPECT_EQ(recording->info().frameCount, kPulses);
    // Line 3, sample 7, pulse 2.
    const std::vector<double> third = frameOf(*recording, 2);
    const std::size_t stored = 2 * ((3 * kPacketSamples + 7) * kPulses + 2);
    EXPECT_EQ(third[2 * (7 * kPacketLines + 3)], values[stored]);
    EXPECT_EQ(third[2 * (7 * kPacketLines + 3) + 1], values[stored + 1]);
    for (auto& value : values) value = static_cast<std::int16_t>(1000 * noise(random));
    EXPECT_EQ(packetSize(values, kPacketLines * kPulses), 1);
}

TEST_F(Clarius, OtherSizesAndCompressedFiles) {
    const std::string bytes = header(1, 3, 4, 1) + time(1) + std::string(12, '\1');
    EXPECT_EQ(opened(bytes)->info().frameCount, 1);
    for (const std::string& wrong : {bytes + "x", bytes.substr(0, bytes.size() - 1),
                                     header(1, 3, 4, 3) + time(1) + std::string(36, '\1'),
                                     header(0, 3, 4, 1) + time(1) + std::string(12, '\1')}) {
        writeFile(m_path, wrong);
        EXPECT_THAT(refusalOf(m_path), HasSubstr("no format that Echolux knows"));
    }
    writeFile(m_path, std::string("\x89LZO\0\r\n\x1a\n", 9) + bytes);
    EXPECT_THAT(refusalOf(m_path), HasSubstr("lzop -d"));
}

TEST_F(Clarius, CarotidArtery) {
    const auto folder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "data/us";
    if (!std::filesystem::exists(folder / "carotid_iq.raw")) GTEST_SKIP() << folder;
    const auto iq = openRecording(folder / "carotid_iq.raw");
    EXPECT_EQ(iq->info().frame.describe(), "complex_i16 [depth 352][lateral 104]");
    EXPECT_EQ(iq->info().frameCount, 12);
    EXPECT_EQ(iq->info().frame.recordedForm, RecordedForm::Beamformed);
    const auto grey = openRecording(folder / "carotid_env.raw");
    EXPECT_EQ(grey->info().frame.describe(), "u8 [depth 592][lateral 304]");
    EXPECT_EQ(grey->info().frameCount, 1);
}

} // namespace
} // namespace echolux::test
