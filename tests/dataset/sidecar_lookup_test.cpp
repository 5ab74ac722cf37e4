// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: which of several describes a recording.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace echolux::test {
namespace {

using testing::HasSubstr;

TEST_F(SidecarTest, LookUpOrder) {
    Parts parts;
    parts.top = "title = \"beside\"\nsound_speed = 1500\n";
    writeFile(m_folder / "data.toml", parts.text());
    EXPECT_THAT(openRecording(m_path)->info().notes,
                testing::Contains(testing::Pair("Title", "beside")));
    parts.top = "title = \"full name\"\nsound_speed = 1500\n";
    EXPECT_THAT(open(parts)->info().notes, testing::Contains(testing::Pair("Title", "full name")));
    parts.top = "title = \"given\"\nsound_speed = 1500\n";
    const auto given = m_folder / "elsewhere.txt";
    writeFile(given, parts.text());
    EXPECT_THAT(openRecording(m_path, {.sidecar = given})->info().notes,
                testing::Contains(testing::Pair("Title", "given")));
    EXPECT_THAT(refusalOf(m_path, {.sidecar = m_folder / "missing.toml"}),
                HasSubstr("missing.toml"));
    EXPECT_THAT(refusalOf(m_path, {.sidecar = m_folder / ""}), HasSubstr("folder"));
}

/// Example `number`, from 0, of the help page.
std::string exampleOfHelp(int number) {
    const std::string page =
        readFile(std::filesystem::path(ECHOLUX_SOURCE_DIR) / "resources/help/sidecar.md");
    const std::string fence = "```toml\n";
    std::size_t begin = page.find(fence);
    for (int i = 0; i < number; ++i) begin = page.find(fence, begin + 1);
    begin += fence.size();
    return page.substr(begin, page.find("```", begin) - begin);
}

TEST_F(SidecarTest, TheExampleForRfOfZeaOpens) {
    const std::string scan = "tracks/track_0/scan/";
    {
        Hdf5Builder file(m_folder / "zea.hdf5");
        file.add<float>("tracks/track_0/data/raw_data", {2, 2, 6, 3, 1}, countedUp<float>(72));
        file.add<float>("probe/probe_geometry", {3, 3}, {-1e-3F, 0, 0, 0, 0, 0, 1e-3F, 0, 0});
        file.add<float>(scan + "sampling_frequency", {1}, {20e6F});
        file.add<float>(scan + "center_frequency", {1}, {5e6F});
        file.add<float>(scan + "initial_times", {2}, {1e-6F, 2e-6F});
        file.add<float>(scan + "polar_angles", {2}, {-0.1F, 0.1F});
    }
    writeFile(m_folder / "zea.toml", exampleOfHelp(2));
    const auto recording = openRecording(m_folder / "zea.hdf5");
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(recording->info().frame.describe(), "f32 [transmit 2][channel 3][sample 6]");
    const double lead = 1e-3 * std::sin(0.1) / 1540;
    EXPECT_NEAR(recording->info().frame.acquisition->transmits[1].firstSampleS, 2e-6 - lead, 1e-12);
    EXPECT_EQ(frameOf(*recording, 1)[1], 39.0);
}

TEST_F(SidecarTest, TheExampleForImagesOpens) {
    writeFile(m_folder / "levels.toml", exampleOfHelp(1));
    writeFile(m_folder / "levels.bin", std::string(std::size_t{2} * 512 * 400, '\xFF'));
    const auto recording = openRecording(m_folder / "levels.bin");
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "u8 [depth 512][lateral 400]");
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ((frameOf(*recording, 1)[7] - frame.codeOffset) * frame.codeScale, 0.0);
}

/// As k-Wave writes sensor data: single precision.
TEST_F(SidecarTest, TheExampleForKWaveOpens) {
    {
        Hdf5Builder file(m_folder / "kwave.h5");
        file.add<float>("p", {1, 8, 4}, countedUp<float>(32));
        file.add<float>("dt", {1, 1, 1}, {5e-8F});
    }
    writeFile(m_folder / "kwave.toml", exampleOfHelp(3));
    const auto recording = openRecording(m_folder / "kwave.h5");
    EXPECT_EQ(recording->info().frame.describe(), "f32 [transmit 1][channel 4][sample 8]");
    EXPECT_NEAR(recording->info().frame.samplingFrequencyHz(), 20e6, 1.0);
    EXPECT_EQ(frameOf(*recording)[1], 4.0);
}

TEST_F(SidecarTest, TheExampleOfTheHelpPageOpens) {
    writeFile(m_folder / "cine.toml", exampleOfHelp(0));
    writeFile(m_folder / "cine.raw", std::string(512 + 2 * 11 * 128 * 2048 * 2, '\1'));
    const auto recording = openRecording(m_folder / "cine.raw");
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 11][channel 128][sample 2048]");
    EXPECT_EQ(recording->info().frameRateHz, 50.0);
    EXPECT_EQ(frameOf(*recording, 1)[0], 257.0);
}

TEST_F(SidecarTest, AnotherTomlWithTheSameStemIsLeftAlone) {
    const auto path = m_folder / "other.npy";
    writeFile(path, npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                             bytesOfValues(countedUp<std::int16_t>(24))));
    writeFile(m_folder / "other.toml", "[pipeline]\nname = \"mine\"\n");
    EXPECT_THAT(refusalOf(path), HasSubstr("other.npy.toml"));
}

} // namespace
} // namespace echolux::test
