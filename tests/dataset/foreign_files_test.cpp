// SPDX-License-Identifier: GPL-3.0-or-later
// Files as other programs write them: known and named, or opened with a sidecar.
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/// Without the root attribute `version` that USTB's own files have.
TEST(ForeignFiles, UffOfPyuffOpens) {
    const auto path =
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/pyuff_ustb.uff";
    EXPECT_EQ(openRecording(path)->info().frame.describe(),
              "f32 [transmit 1][channel 4][sample 8]");
}

/// HDF5 1.10 would read elsewhere, or never end.
TEST(ForeignFiles, DamagedHeapsOfTextsAreRefused) {
    const ReadsThroughAProcess apart;
    const TemporaryFolder folder;
    const std::string whole = readFile(std::filesystem::path(ECHOLUX_SOURCE_DIR) /
                                       "tests/dataset/vectors/pyuff_ustb.uff");
    const std::size_t heap = whole.find("GCOL");
    ASSERT_NE(heap, std::string::npos);
    for (const std::size_t at : {heap + 8, heap + 16 + 8, heap + 16 + 14}) {
        std::string changed = whole;
        changed[at] = '\x7F';
        changed[at + 1] = '\x7F';
        writeFile(folder / "damaged.uff", changed);
        EXPECT_THAT(refusalOf(folder / "damaged.uff"), HasSubstr("damaged")) << at;
    }
}

TEST(ForeignFiles, ThorlabsIsNamedByItsHeader) {
    const TemporaryFolder folder;
    const std::string header = "<?xml version=\"1.0\"?>\n<Ocity>\n</Ocity>\n";
    writeZip(folder / "scan.oct", {{"data\\Spectral0.data", "12"}, {"Header.xml", header}}, true);
    EXPECT_THAT(refusalOf(folder / "scan.oct"),
                AllOf(HasSubstr("0 pixels by its Header.xml"), HasSubstr("copy it again")));
    writeZip(folder / "other.zip", {{"Header.xml", "<Other/>"}}, true);
    EXPECT_THAT(refusalOf(folder / "other.zip"),
                AllOf(HasSubstr("ZIP archive that holds 'Header.xml'"), HasSubstr(".npz")));
}

class Mat73 : public SidecarTest {
protected:
    /// MATLAB's 40 samples x 6 elements: HDF5 has 6 x 40.
    Mat73() {
        MatBuilder mat(m_file, MAT_FT_MAT73, MAT_COMPRESSION_NONE);
        mat.add(MatBuilder::array("echoes", {40, 6}, countedUp<std::int16_t>(240)));
    }
    std::filesystem::path describe(const std::string& axes, const std::string& probe = "") {
        Parts parts;
        parts.data = "array = \"echoes\"\naxes = " + axes + "\n";
        if (!probe.empty()) parts.probe = probe;
        parts.transmit = "";
        writeFile(m_folder / "echoes.mat.toml", parts.text());
        return m_file;
    }
    std::filesystem::path m_file = m_folder / "echoes.mat";
};

TEST_F(Mat73, AxesOfHdf5OpenSilently) {
    const auto recording = openRecording(describe("[\"channel\", \"sample\"]"));
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 1][channel 6][sample 40]");
    EXPECT_THAT(recording->info().warnings, testing::IsEmpty());
    EXPECT_EQ(frameOf(*recording)[41], 41.0);
}

TEST_F(Mat73, AxesInMatlabsOrderAreDoubted) {
    const auto recording = openRecording(describe("[\"sample\", \"channel\"]"));
    EXPECT_THAT(recording->info().warnings,
                Contains(AllOf(HasSubstr("6 samples of 40 channels"),
                               HasSubstr("[\"channel\", \"sample\"]"))));
    EXPECT_THAT(refusalOf(describe("[\"sample\", \"channel\"]", "x = [0, 1e-3, 2e-3]\n")),
                AllOf(HasSubstr("40 channels"), HasSubstr("[\"channel\", \"sample\"]")));
}

TEST_F(Mat73, ARefusalSaysThatASidecarHelps) {
    EXPECT_THAT(refusalOf(m_file), AllOf(HasSubstr("'echoes'"), HasSubstr("help sidecar")));
    {
        MatBuilder mat(m_file, MAT_FT_MAT73, MAT_COMPRESSION_NONE);
        mat.add(MatBuilder::array("RF", {40, 6}, countedUp<std::int16_t>(240)));
    }
    EXPECT_THAT(refusalOf(m_file), AllOf(HasSubstr("no struct 'param'"), HasSubstr("sidecar")));
}

class AxisNamedNone : public SidecarTest {};

TEST_F(AxisNamedNone, IsLeftOut) {
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [-1, 2, 4, 1, 3, 1]\n"
                 "axes = [\"frame\", \"transmit\", \"sample\", \"none\", \"channel\", \"none\"]\n";
    const auto recording = open(parts);
    EXPECT_EQ(recording->info().frameCount, 1);
    EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 3][sample 4]");
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[1], 3.0);
    EXPECT_EQ(values[12], 12.0);
}

TEST_F(AxisNamedNone, OpensRfOfFiveAxes) {
    const auto path = m_folder / "raw_data.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("tracks/track_0/data/raw_data", {2, 2, 4, 3, 1}, countedUp<float>(48));
    }
    Parts parts;
    parts.data = "array = \"tracks/track_0/data/raw_data\"\n"
                 "axes = [\"frame\", \"transmit\", \"sample\", \"channel\", \"none\"]\n";
    writeFile(m_folder / "raw_data.toml", parts.text());
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().frameCount, 2);
    EXPECT_EQ(frameOf(*recording, 1)[1], 27.0);
}

TEST_F(AxisNamedNone, WithMoreEntriesIsRefused) {
    Parts parts;
    parts.data = "dtype = \"<i2\"\nshape = [2, 3, 4]\naxes = [\"none\", \"channel\", \"sample\"]\n";
    EXPECT_THAT(refusal(parts), AllOf(HasSubstr("axis 1"), HasSubstr("has 2 entries")));
    parts.data = "dtype = \"<i2\"\nshape = [6, 4]\naxes = [\"channel\", \"sample\", \"none\"]\n";
    EXPECT_THAT(refusal(parts), HasSubstr("no such axis"));
}

} // namespace
} // namespace echolux::test
