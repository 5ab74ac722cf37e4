// SPDX-License-Identifier: GPL-3.0-or-later
// Sidecars: which of several describes a recording.
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>

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

TEST_F(SidecarTest, TheExampleOfTheReadmeOpens) {
    const std::string readme =
        readFile(std::filesystem::path(ECHOLUX_SOURCE_DIR) / "app/dataset/README.md");
    const std::string fence = "```toml\n";
    const std::size_t begin = readme.find(fence) + fence.size();
    writeFile(m_folder / "cine.toml", readme.substr(begin, readme.find("```", begin) - begin));
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
