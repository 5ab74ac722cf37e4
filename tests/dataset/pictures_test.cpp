// SPDX-License-Identifier: GPL-3.0-or-later
// Files of images and volumes that other software wrote (vectors/make_pictures.py), those of known
// truth, and such as are made here: the sample at (x, y, z, t) is x + 10 y + 100 z + 1000 t.
#include "tests/dataset/crafted_tiff.hpp"
#include "tests/dataset/sample_files.hpp"

#include "gpu/core/sector.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::filesystem::path made(const std::string& name) {
    return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/pictures" / name;
}

/// Steps and first places along an axis, in mm.
void expectAxis(const FrameSpec& frame, AxisName name, double first, double step) {
    const Axis* axis = frame.find(name);
    ASSERT_NE(axis, nullptr) << nameOf(name);
    EXPECT_EQ(axis->unit, "m") << nameOf(name);
    EXPECT_NEAR(axis->origin, 1e-3 * first, 1e-9) << nameOf(name);
    EXPECT_NEAR(axis->spacing, 1e-3 * step, 1e-9) << nameOf(name);
}

/// A frame of codes as physical values, each as its place says.
void expectPlaces(Recording& recording, std::int64_t frame, double offset = 0.0) {
    const FrameSpec& spec = recording.info().frame;
    const std::vector<double> values = frameOf(recording, frame);
    std::size_t at = 0;
    for (std::int64_t z = 0; z < spec.sizeOf(AxisName::Elevation); ++z)
        for (std::int64_t y = 0; y < spec.sizeOf(AxisName::Depth); ++y)
            for (std::int64_t x = 0; x < spec.sizeOf(AxisName::Lateral); ++x, ++at) {
                const double value = (values[at] - spec.codeOffset) * spec.codeScale;
                ASSERT_NEAR(value, offset + static_cast<double>(x + 10 * y + 100 * z), 1e-6) << at;
            }
    EXPECT_EQ(at, values.size());
}

TEST(Pictures, FlatOnesOfItk) {
    for (const char* name : {"itk_flat.mha", "itk_flat.nrrd", "itk_flat.nii"}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(made(name));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.describe(), "f32 [depth 5][lateral 6]");
        EXPECT_EQ(info.frame.recordedForm, RecordedForm::Picture);
        EXPECT_EQ(info.frameCount, 1);
        expectAxis(info.frame, AxisName::Lateral, -0.5, 0.2);
        expectAxis(info.frame, AxisName::Depth, 3.0, 0.1);
        EXPECT_EQ(info.frame.valueRange->min, 0.0);
        EXPECT_EQ(info.frame.valueRange->max, 45.0);
        expectPlaces(*recording, 0);
    }
}

TEST(Pictures, CompressedVolumesOfItk) {
    for (const char* name : {"itk_volume.mhd", "itk_volume.nrrd", "itk_volume.nii.gz"}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(made(name));
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "i16 [elevation 4][depth 5][lateral 6]");
        expectAxis(frame, AxisName::Lateral, -0.5, 0.2);
        expectAxis(frame, AxisName::Depth, 3.0, 0.1);
        // ITK's third axis keeps its sense in NIfTI, where it turns the first two.
        expectAxis(frame, AxisName::Elevation, -0.6, 0.4);
        expectPlaces(*recording, 0);
    }
}

TEST(Pictures, BigEndianNiftiOverTimeWithScale) {
    const auto recording = openRecording(made("nibabel_cine.nii"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "i16 [depth 5][lateral 6]");
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_NEAR(info.frameRateHz, 50.0, 1e-4);
    EXPECT_EQ(info.frame.codeScale, 2.0);
    expectAxis(info.frame, AxisName::Lateral, -1.0, 0.25);
    expectAxis(info.frame, AxisName::Depth, 2.0, 0.5);
    EXPECT_EQ(info.frame.codeOffset, -2.5);
    EXPECT_EQ(frameOf(*recording, 2)[7], 2011.0);
    EXPECT_EQ(info.frame.valueRange->max, 2 * 45.0 + 5.0);
}

TEST(Pictures, BigEndianNrrdWithSpacings) {
    const auto recording = openRecording(made("pynrrd_big.nrrd"));
    const FrameSpec& frame = recording->info().frame;
    EXPECT_EQ(frame.describe(), "i16 [elevation 4][depth 5][lateral 6]");
    expectAxis(frame, AxisName::Lateral, 0.0, 0.2);
    expectAxis(frame, AxisName::Elevation, 0.0, 0.4);
    expectPlaces(*recording, 0);
}

TEST(Pictures, OmeTiffOfVolumesOverTime) {
    const auto recording = openRecording(made("ome_volumes.ome.tif"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "OME-TIFF");
    EXPECT_EQ(info.frame.describe(), "u16 [elevation 4][depth 5][lateral 6]");
    EXPECT_EQ(info.frameCount, 3);
    EXPECT_NEAR(info.frameRateHz, 50.0, 1e-9);
    expectAxis(info.frame, AxisName::Lateral, 0.0, 0.2);
    expectAxis(info.frame, AxisName::Depth, 0.0, 0.1);
    expectAxis(info.frame, AxisName::Elevation, 0.0, 0.4);
    for (const int frame : {2, 0, 1}) expectPlaces(*recording, frame, 1000.0 * frame);
}

TEST(Pictures, OtherTiffs) {
    auto recording = openRecording(made("imagej.tif"));
    EXPECT_EQ(recording->info().frame.describe(), "u16 [elevation 4][depth 5][lateral 6]");
    expectAxis(recording->info().frame, AxisName::Lateral, 0.0, 0.2);
    expectAxis(recording->info().frame, AxisName::Depth, 0.0, 0.1);
    expectAxis(recording->info().frame, AxisName::Elevation, 0.0, 0.4);
    expectPlaces(*recording, 0);
    EXPECT_NEAR(openRecording(made("imagej_time.tif"))->info().frameRateHz, 2.5, 1e-12);
    recording = openRecording(made("big_endian_pages.tif"));
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_EQ(recording->info().frame.axes[0].unit, "");
    expectPlaces(*recording, 1, 1000.0);
    recording = openRecording(made("bigtiff.tif"));
    expectAxis(recording->info().frame, AxisName::Lateral, 0.0, 0.2);
    expectAxis(recording->info().frame, AxisName::Depth, 0.0, 0.1);
    expectPlaces(*recording, 0);
    recording = openRecording(made("tiles_rgb.tif"));
    EXPECT_EQ(recording->info().frame.describe(), "u8 [depth 35][lateral 40]");
    EXPECT_EQ(recording->info().frame.valueRange->max, 255.0);
    const std::vector<double> grey = frameOf(*recording);
    EXPECT_EQ(grey[34 * 40 + 39], (39 + 340) % 256);
    EXPECT_EQ(grey[17 * 40 + 20], 190);
}

class MadePictures : public testing::Test {
protected:
    std::unique_ptr<Recording> opened(const std::string& bytes) {
        writeFile(m_path, bytes);
        return openRecording(m_path);
    }
    std::string refused(const std::string& bytes) {
        writeFile(m_path, bytes);
        return refusalOf(m_path);
    }
    static std::string mha(const std::string& lines, const std::string& data) {
        return "ObjectType = Image\n" + lines + "ElementDataFile = LOCAL\n" + data;
    }
    static std::string nrrd(const std::string& lines, const std::string& data) {
        return "NRRD0005\n# made here\n" + lines + "\n" + data;
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "picture";
};

TEST_F(MadePictures, SequencesOfTrackedUltrasoundAreFrames) {
    const auto recording =
        opened(mha("NDims = 3\nDimSize = 2 3 2\nKinds = domain domain list\n"
                   "ElementSpacing = 0.1 0.2 1\nTransformMatrix = -1 0 0 0 1 0 0 0 1\n"
                   "Offset = 5 1 0\nElementType = MET_UCHAR\n",
                   bytesOfValues(countedUp<std::uint8_t>(12))));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.frame.describe(), "u8 [depth 3][lateral 2]");
    EXPECT_EQ(info.frameCount, 2);
    expectAxis(info.frame, AxisName::Lateral, -5.0, 0.1); // along its own sense
    expectAxis(info.frame, AxisName::Depth, 1.0, 0.2);
    EXPECT_THAT(frameOf(*recording, 1), ElementsAre(6, 7, 8, 9, 10, 11));
}

TEST_F(MadePictures, LevelsAndComplexSamplesOfEcholuxItself) {
    const std::string axes = "dimension: 3\nsizes: 2 3 1\nspace dimension: 3\n"
                             "space directions: (0.1,0,0) (0,0.2,0) (0,0,1)\n"
                             "space origin: (-1,4,0)\nspace units: \"mm\" \"mm\" \"mm\"\n"
                             "labels: \"lateral\" \"depth\" \"elevation\"\nencoding: raw\n"
                             "endian: little\n";
    const std::string values = bytesOfValues(std::vector<float>{-60, -50, -40, -30, -20, -0.5});
    auto recording = opened(nrrd("type: float\n" + axes + "echolux_content:=decibels\n", values));
    EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Decibels);
    EXPECT_EQ(recording->info().frame.valueRange->unit, "dB");
    EXPECT_EQ(recording->info().frame.valueRange->max, 0.0);
    EXPECT_EQ(recording->info().frame.valueRange->min, -60.0);
    expectAxis(recording->info().frame, AxisName::Depth, 4.0, 0.2);
    recording = opened(nrrd("type: float\n" + axes + "echolux_content:=envelope\n", values));
    EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Envelope);
    recording =
        opened(nrrd("type: float\ndimension: 3\nsizes: 2 3 1\nkinds: complex domain domain\n"
                    "space dimension: 2\nspace directions: none (0.1,0) (0,0.2)\n"
                    "encoding: raw\nendian: little\n",
                    values));
    EXPECT_EQ(recording->info().frame.describe(), "complex_f32 [depth 1][lateral 3]");
    EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Beamformed);
    recording = opened(nrrd("type: float\ndimension: 2\nsizes: 3 2\nspace dimension: 2\n"
                            "space directions: (10,0) (0,0.2)\nspace origin: (-10,0)\n"
                            "space units: \"deg\" \"mm\"\nlabels: \"lateral\" \"depth\"\n"
                            "encoding: raw\nendian: little\necholux_content:=decibels\n"
                            "echolux_sector:=apex 0 -10 mm, radius 12.5 mm\n",
                            values));
    const auto& sector = recording->info().frame.sector;
    ASSERT_NE(sector, nullptr);
    EXPECT_NEAR(sector->apexZM, -10e-3, 1e-12);
    EXPECT_NEAR(sector->radiusM, 12.5e-3, 1e-12);
    EXPECT_NEAR(sector->anglesRad.front(), -10 * std::numbers::pi / 180, 1e-12);
}

TEST_F(MadePictures, OnlyPlainWordsSayWhatValuesMean) {
    std::string nifti = readFile(made("itk_flat.nii"));
    const std::size_t intent = 328;
    nifti.replace(intent, 16, "echolux decibel" + std::string(1, '\0')); // cut at 15 letters
    EXPECT_EQ(opened(nifti)->info().frame.recordedForm, RecordedForm::Decibels);
    nifti.replace(intent, 16, std::string("an envelope\0\0\0\0\0", 16));
    EXPECT_EQ(opened(nifti)->info().frame.recordedForm, RecordedForm::Picture);
}

TEST_F(MadePictures, UnitsOfTimeAreThoseThatImageJWrites) {
    const auto warningsWith = [&](const std::string& unit) {
        writeFile(m_folder / "time.tif", tiff::described("ImageJ=1.53t\nimages=1\nfinterval=4\n" +
                                                         ("tunit=" + unit) + "\n"));
        return openRecording(m_folder / "time.tif")->info().warnings;
    };
    for (const char* unit : {"", "s", "sec", "msec", "us", "\xc2\xb5s", "\\u00B5s", "\\u00B5sec",
                             "microseconds", "ns", "min", "minutes", "h", "hours"})
        EXPECT_THAT(warningsWith(unit), testing::IsEmpty()) << unit;
    for (const char* unit : {"fortnights", "m", "second s", "\xc2\xb5"})
        EXPECT_THAT(warningsWith(unit), testing::Contains(HasSubstr("no unit of time"))) << unit;
}

TEST_F(MadePictures, MetaImagesMayKeepTheirSamplesBesideThem) {
    const std::string axes = "ObjectType = Image\nNDims = 2\nDimSize = 3 2\n"
                             "ElementType = MET_SHORT\n";
    const std::vector<std::int16_t> values{0, 1, 2, 10, 11, 12};
    writeFile(m_folder / "samples.raw", "some header" + bytesOfValues(values));
    const std::string beside = "ElementDataFile = samples.raw\n";
    expectPlaces(*opened(axes + "HeaderSize = 11\n" + beside), 0);
    expectPlaces(*opened(axes + "HeaderSize = -1\n" + beside), 0); // the last bytes
    writeFile(m_folder / "samples.raw", bytesOfValues(values, true));
    expectPlaces(*opened(axes + "BinaryDataByteOrderMSB = True\n" + beside), 0);
    writeFile(m_folder / "samples.raw", deflated(bytesOfValues(values)));
    expectPlaces(*opened(axes + "CompressedData = True\n" + beside), 0);
    const std::string skipped = axes + "CompressedData = True\nHeaderSize = -1\n" + beside;
    EXPECT_THAT(refused(skipped), HasSubstr("'HeaderSize' is -1"));
    EXPECT_THAT(refused(axes + "HeaderSize = 1e30\n" + beside), HasSubstr("'HeaderSize' is 1e+30"));
    writeFile(m_folder / "samples.raw", "short");
    EXPECT_THAT(refused(axes + "HeaderSize = -1\n" + beside), HasSubstr("12 bytes"));
}

TEST_F(MadePictures, HeadersOfMetaImageAreWholeOrRefused) {
    const std::string sizes = "NDims = 2\nDimSize = 4 3\nElementType = MET_SHORT\n";
    const std::string data(24, '\1');
    EXPECT_THAT(refused(mha("DimSize = 4 3\nElementType = MET_SHORT\n", data)),
                HasSubstr("fewer than two axes"));
    EXPECT_THAT(refused(mha("NDims = 5\nDimSize = 1 1 1 4 3\n", data)), HasSubstr("'NDims' is 5"));
    EXPECT_THAT(refused(mha("NDims = 2\nElementType = MET_SHORT\n", data)),
                HasSubstr("does not say 'DimSize'"));
    EXPECT_THAT(refused(mha(sizes + "ElementNumberOfChannels = 9\n", data)),
                HasSubstr("'ElementNumberOfChannels' is 9"));
    EXPECT_THAT(refused(mha(sizes + "BinaryData = False\n", data)), HasSubstr("samples are text"));
    EXPECT_EQ(refused(mha(sizes + "BinaryData = True\na line that says nothing\n", data)), "");
    for (const char* several : {"LIST", "slice%03d.raw"})
        EXPECT_THAT(refused("ObjectType = Image\n" + sizes + "ElementDataFile = " + several + "\n"),
                    HasSubstr("several files"));
}

TEST_F(MadePictures, Refusals) {
    const std::string data(24, '\1');
    const std::string sizes = "NDims = 2\nDimSize = 4 3\n";
    EXPECT_EQ(refused(mha(sizes + "ElementType = MET_SHORT\n", data)), "");
    EXPECT_THAT(refused(mha(sizes + "ElementType = MET_INT\n", data)),
                AllOf(HasSubstr("48 bytes"), HasSubstr("24 follow")));
    EXPECT_THAT(refused(mha(sizes + "ElementType = MET_STRING\n", data)), HasSubstr("MET_STRING"));
    EXPECT_THAT(refused(mha("NDims = 2\nDimSize = 4\nElementType = MET_SHORT\n", data)),
                HasSubstr("not 2 numbers"));
    EXPECT_THAT(refused(mha("NDims = 2\nDimSize = 4 -3\nElementType = MET_SHORT\n", data)),
                HasSubstr("-3 entries"));
    EXPECT_THAT(refused("ObjectType = Image\n" + sizes), HasSubstr("ElementDataFile"));
    EXPECT_THAT(refused(mha(sizes + "CompressedData = True\nElementType = MET_SHORT\n", data)),
                HasSubstr("compressed samples are damaged"));
    EXPECT_THAT(refused(mha("NDims = 2\nDimSize = 40000 30000\nCompressedData = True\n"
                            "ElementType = MET_SHORT\n",
                            data)),
                HasSubstr("impossible"));
    EXPECT_THAT(refused(mha("NDims = 3\nDimSize = 999999999 999999999 999999999\n"
                            "ElementType = MET_DOUBLE\n",
                            data)),
                HasSubstr("larger than any file"));
    EXPECT_THAT(refused("ObjectType = Image\n" + sizes +
                        "ElementType = MET_SHORT\n"
                        "ElementDataFile = ../../../etc/passwd\n"),
                AllOf(HasSubstr("'passwd'"), HasSubstr("beside it")));
    const std::string head = "type: short\ndimension: 2\nsizes: 4 3\nendian: little\n";
    EXPECT_EQ(refused(nrrd(head + "encoding: raw\n", data)), "");
    EXPECT_THAT(refused(nrrd(head + "encoding: bzip2\n", data)), HasSubstr("bzip2"));
    EXPECT_THAT(refused(nrrd(head + "encoding: gzip\n", data)), HasSubstr("damaged"));
    EXPECT_THAT(refused(nrrd("type: short\ndimension: 3\nsizes: 4 3\nencoding: raw\n", data)),
                HasSubstr("3 axes"));
    EXPECT_THAT(refused(nrrd("type: block\ndimension: 2\nsizes: 4 3\nencoding: raw\n", data)),
                HasSubstr("'block'"));
    EXPECT_THAT(refused(std::string("II*\0\xff\xff\xff\xff", 8)),
                HasSubstr("TIFF page is damaged"));
    EXPECT_THAT(refused("\x89PNG\r\n"), AllOf(HasSubstr("picture"), HasSubstr("no samples")));
    std::string nifti = readFile(made("itk_flat.nii"));
    nifti[70] = 1; // bits
    EXPECT_THAT(refused(nifti), HasSubstr("data type 1"));
    nifti = readFile(made("itk_flat.nii"));
    EXPECT_THAT(refused(nifti.substr(0, nifti.size() - 1)), HasSubstr("cut off"));
    nifti[344 + 1] = 'i';
    EXPECT_THAT(refused(nifti.replace(344, 3, "ni1")), HasSubstr("another file"));
}

TEST(Pictures, SamplesOfKnownTruth) {
    const auto folder = std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats";
    if (!std::filesystem::exists(folder / "truth.json")) GTEST_SKIP() << folder << " is not here";
    const auto truth = nlohmann::json::parse(readFile(folder / "truth.json"));
    for (const std::string name :
         {"export.mha", "export.mhd", "export.nrrd", "export_gzip.nrrd", "export.ome.tif"}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(folder / "samples" / name);
        const FrameSpec& frame = recording->info().frame;
        EXPECT_EQ(frame.describe(), "f32 [depth 121][lateral 161]");
        const bool placed = name != "export.ome.tif"; // which says spacing only
        expectAxis(frame, AxisName::Lateral, placed ? -8.0 : 0.0, 0.1);
        expectAxis(frame, AxisName::Depth, placed ? 7.0 : 0.0, 0.1);
        const std::vector<double> values = frameOf(*recording);
        for (const auto& target : truth["scene"]["targets"]) {
            const auto column = std::lround((target["x"].get<double>() + 8e-3) / 0.1e-3);
            const auto row = std::lround((target["z"].get<double>() - 7e-3) / 0.1e-3);
            EXPECT_NEAR(values[static_cast<std::size_t>(row * 161 + column)],
                        target["amplitude"].get<double>(), 1e-3);
        }
    }
}

} // namespace
} // namespace echolux::test
