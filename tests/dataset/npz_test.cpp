// SPDX-License-Identifier: GPL-3.0-or-later
// .npz archives written here through libzip: stored and deflated, numbers by reference, damage.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string scalar(double value) {
    return npyBytes(npyDictionary("<f8", "()"), bytesOfValues(std::vector<double>{value}));
}

class Npz : public testing::Test {
protected:
    std::vector<std::pair<std::string, std::string>> members() const {
        return {{"rf.npy", npyBytes(npyDictionary("<i2", "(2, 3, 4)"),
                                    bytesOfValues(countedUp<std::int16_t>(24)))},
                {"fs.npy", scalar(20e6)},
                {"pitch.npy", scalar(0.25e-3)},
                {"angles.npy", npyBytes(npyDictionary(">f4", "(2,)"),
                                        bytesOfValues(std::vector<float>{-0.1F, 0.1F}, true))},
                {"geometry.npy", npyBytes(npyDictionary("<f8", "(3, 3)", true),
                                          bytesOfValues(std::vector<double>{-1e-3, 0, 1e-3, 0, 0, 0,
                                                                            0, 1e-4, 0}))}};
    }
    void describe(const std::string& probe = "pitch = \"pitch\"") {
        writeFile(m_folder / "data.npz.toml",
                  "sound_speed = 1540\n[data]\narray = \"rf\"\n"
                  "axes = [\"transmit\", \"channel\", \"sample\"]\n[probe]\n" +
                      probe +
                      "\n[signal]\nsampling_frequency = \"fs\"\ncentre_frequency = 5e6\n"
                      "[transmit]\nangles = { from = \"angles\", scale = -1 }\n");
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.npz";
};

TEST_F(Npz, StoredAndDeflated) {
    describe();
    for (const bool deflate : {false, true}) {
        writeZip(m_path, members(), deflate);
        const auto recording = openRecording(m_path);
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.format, "NumPy .npz + sidecar");
        EXPECT_EQ(info.frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
        EXPECT_NEAR(info.frame.acquisition->probe.pitchM, 0.25e-3, 1e-12);
        EXPECT_NEAR(info.frame.acquisition->transmits[0].angleRad, 0.1, 1e-7);
        EXPECT_EQ(frameOf(*recording), countedUp<double>(24));
    }
}

TEST_F(Npz, PositionsInFortranOrder) {
    // Rows of (x, y, z) per element; Fortran order stores all x first.
    describe("elements = \"geometry\"");
    writeZip(m_path, members(), true);
    const auto elements = openRecording(m_path)->info().frame.acquisition->probe.elements;
    EXPECT_EQ(elements[0].x, -1e-3);
    EXPECT_EQ(elements[2].x, 1e-3);
    EXPECT_EQ(elements[1].z, 1e-4);
}

TEST_F(Npz, NamesThatAreNotThere) {
    describe("pitch = \"width\"");
    writeZip(m_path, members(), true);
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("'width'"), HasSubstr("'pitch'")));
}

TEST_F(Npz, WithoutSidecarListsTheArrays) {
    auto without = members();
    without.erase(without.begin() + 1); // fs
    writeZip(m_path, without, true);
    EXPECT_THAT(refusalOf(m_path),
                AllOf(HasSubstr("'rf'"), HasSubstr("'angles'"), HasSubstr("data.npz.toml")));
}

TEST_F(Npz, OtherArchives) {
    describe();
    writeZip(m_path, {{"Header.xml", "<Ocity/>"}}, false);
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("ZIP"), HasSubstr("Header.xml")));
    writeFile(m_path, std::string("PK\5\6", 4) + std::string(18, '\0'));
    EXPECT_THAT(refusalOf(m_path), HasSubstr("empty ZIP"));
    writeFile(m_path, std::string("PK\3\4", 4) + std::string(100, '\0'));
    EXPECT_THAT(refusalOf(m_path), HasSubstr("ZIP directory"));
}

TEST_F(Npz, DamagedSamplesAreNoticedByTheirChecksum) {
    describe();
    writeZip(m_path, members(), false);
    std::string bytes = readFile(m_path);
    const std::size_t at = bytes.find(bytesOfValues(countedUp<std::int16_t>(24)));
    ASSERT_NE(at, std::string::npos);
    bytes[at + 10] ^= 0x10;
    writeFile(m_path, bytes);
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("'rf.npy'"), HasSubstr("damaged")));
}

TEST_F(Npz, MemberShorterThanItsShape) {
    describe();
    auto short_ = members();
    short_[0].second.resize(short_[0].second.size() - 2);
    writeZip(m_path, short_, true);
    EXPECT_THAT(refusalOf(m_path),
                AllOf(HasSubstr("'rf.npy'"), HasSubstr("48 bytes"), HasSubstr("46")));
}

TEST_F(Npz, ClaimedSizesBeyondDeflateAreRefused) {
    describe();
    writeZip(m_path, members(), true);
    std::string bytes = readFile(m_path);
    // The central directory's entry of the first member: uncompressed size at byte 24.
    const std::size_t entry = bytes.find("PK\1\2");
    const std::uint32_t claim = 0x7FFFFFFF;
    std::memcpy(&bytes[entry + 24], &claim, 4);
    writeFile(m_path, bytes);
    EXPECT_THAT(refusalOf(m_path), testing::AnyOf(HasSubstr("impossible"), HasSubstr("damaged")));
}

} // namespace
} // namespace echolux::test
