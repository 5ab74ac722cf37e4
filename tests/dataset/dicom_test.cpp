// SPDX-License-Identifier: GPL-3.0-or-later
// Ultrasound cines that pydicom wrote (vectors/make_dicom.py): the grey of frame t at column x and
// row y is 3 x + 5 y + 40 t.
#include "gpu/core/posed.hpp"
#include "tests/dataset/crafted_dicom.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Dicom : public testing::Test {
protected:
    static std::filesystem::path made(const std::string& name) {
        return std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/pictures" / name;
    }
    void SetUp() override {
        if (refusalOf(made("dicom_grey.dcm")).find("libdcmtk-dev") != std::string::npos)
            GTEST_SKIP() << "built without DCMTK";
    }
    static void expectGrey(Recording& recording, std::int64_t frame, double tolerance) {
        const std::vector<double> values = frameOf(recording, frame);
        ASSERT_EQ(values.size(), 16U * 24U);
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], 3.0 * (i % 24) + 5.0 * (i / 24) + 40.0 * frame, tolerance) << i;
    }
};

TEST_F(Dicom, CinesPlainRunLengthsAndJpeg) {
    for (const auto& [name, tolerance] : std::vector<std::pair<std::string, double>>{
             {"dicom_grey.dcm", 0.0}, {"dicom_rle.dcm", 0.0}, {"dicom_jpeg.dcm", 4.0}}) {
        SCOPED_TRACE(name);
        const auto recording = openRecording(made(name));
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.format, "DICOM");
        EXPECT_EQ(info.frame.describe(), "u8 [depth 16][lateral 24]");
        EXPECT_EQ(info.frame.recordedForm, RecordedForm::Picture);
        EXPECT_EQ(info.frameCount, 3);
        EXPECT_NEAR(info.frameRateHz, 40.0, 1e-9);
        EXPECT_NEAR(info.frame.axes[1].spacing, 0.5e-3, 1e-12);
        EXPECT_NEAR(info.frame.axes[1].origin, -12 * 0.5e-3, 1e-12); // the region's middle is 0
        EXPECT_NEAR(info.frame.axes[0].spacing, 0.2e-3, 1e-12);
        EXPECT_NEAR(info.frame.axes[0].origin, -2 * 0.2e-3, 1e-12); // its top
        for (const auto& [key, text] : info.notes)
            EXPECT_EQ(text.find("Nobody"), std::string::npos);
        for (const int frame : {2, 0, 1}) expectGrey(*recording, frame, tolerance);
    }
}

TEST_F(Dicom, RegionsOfDifferentScalesAreTracks) {
    const auto opened = [](std::size_t track) {
        return openRecording(made("dicom_regions.dcm"), {.track = track});
    };
    struct Expected {
        const char* name;
        int left, top, columns, rows;
        double step, firstX, firstZ; ///< mm
    };
    const Expected expected[] = {
        {"region 1 (tissue, 0.2 mm per pixel)", 0, 0, 12, 12, 0.2, -1.2, 0.0},
        {"region 2 (tissue, 0.4 mm per pixel)", 12, 0, 12, 10, 0.4, -2.4, -0.4}};
    for (std::size_t track = 0; track < 2; ++track) {
        const Expected& e = expected[track];
        SCOPED_TRACE(e.name);
        const auto recording = opened(track);
        const RecordingInfo& info = recording->info();
        ASSERT_EQ(info.tracks.size(), 4U);
        EXPECT_EQ(info.tracks[track], e.name);
        EXPECT_TRUE(info.warnings.empty()) << "it was chosen";
        EXPECT_NEAR(info.frameRateHz, 50.0, 1e-9);
        const Axis& depth = info.frame.axes[0];
        const Axis& lateral = info.frame.axes[1];
        EXPECT_EQ(depth.size, e.rows);
        EXPECT_EQ(lateral.size, e.columns);
        for (const Axis* axis : {&depth, &lateral}) {
            EXPECT_EQ(axis->unit, "m");
            EXPECT_NEAR(axis->spacing, 1e-3 * e.step, 1e-12);
        }
        EXPECT_NEAR(lateral.origin, 1e-3 * e.firstX, 1e-12);
        EXPECT_NEAR(depth.origin, 1e-3 * e.firstZ, 1e-12);
        for (const int frame : {1, 0}) {
            const std::vector<double> grey = frameOf(*recording, frame);
            for (int y = 0; y < e.rows; ++y)
                for (int x = 0; x < e.columns; ++x)
                    ASSERT_EQ(grey[static_cast<std::size_t>(y * e.columns + x)],
                              3 * (x + e.left) + 5 * (y + e.top) + 40 * frame);
        }
    }
    const auto first = openRecording(made("dicom_regions.dcm"));
    ASSERT_EQ(first->info().warnings.size(), 1U);
    EXPECT_THAT(first->info().warnings[0], HasSubstr("3 regions"));
    const auto spectrum = opened(2);
    EXPECT_EQ(spectrum->info().tracks[2], "region 3 (spectrum)");
    EXPECT_EQ(spectrum->info().frame.describe(), "u8 [depth 6][lateral 12]");
    const auto whole = opened(3);
    EXPECT_EQ(whole->info().frame.describe(), "u8 [depth 16][lateral 24]");
    expectGrey(*whole, 2, 0.0);
    for (const auto* frame : {&spectrum->info().frame, &whole->info().frame})
        for (const Axis& axis : frame->axes) EXPECT_EQ(axis.unit, "");
}

TEST_F(Dicom, LengthsOnlyWhereTheUnitIsOne) {
    const auto recording = openRecording(made("dicom_m_mode.dcm"));
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.tracks.size(), 1U);
    EXPECT_EQ(info.frame.axes[1].unit, "") << "columns are in seconds, whatever Pixel Spacing says";
    EXPECT_EQ(info.frame.axes[0].unit, "m");
    EXPECT_NEAR(info.frame.axes[0].spacing, 0.5e-3, 1e-12);
    EXPECT_NEAR(info.frameRateHz, 50.0, 1e-9);
    ASSERT_EQ(info.warnings.size(), 1U);
    EXPECT_THAT(info.warnings[0], HasSubstr("10 to 30 ms"));
    EXPECT_EQ(info.frame.pose, nullptr);
}

TEST_F(Dicom, PaletteColours) {
    auto recording = openRecording(made("dicom_palette.dcm"));
    EXPECT_EQ(recording->info().frame.describe(), "u8 [depth 16][lateral 24]");
    for (const int frame : {1, 0}) {
        const std::vector<double> grey = frameOf(*recording, frame);
        for (std::size_t i = 0; i < grey.size(); ++i)
            ASSERT_EQ(grey[i], 255.0 - (3.0 * (i % 24) + 5.0 * (i / 24) + 40.0 * frame)) << i;
    }
    recording = openRecording(made("dicom_palette_colours.dcm"));
    const std::vector<double> grey = frameOf(*recording, 0);
    for (std::size_t i = 0; i < grey.size(); ++i) {
        const int index = static_cast<int>(3 * (i % 24) + 5 * (i / 24));
        const int entry = std::clamp(index - 16, 0, 199); // beyond its ends the palette stays
        const int red = entry;
        const int green = 2 * entry % 256;
        const int blue = 3 * entry % 256;
        ASSERT_EQ(grey[i], (299 * red + 587 * green + 114 * blue) / 1000) << i;
    }
}

TEST_F(Dicom, PicturesLieInPatients) {
    const auto recording = openRecording(made("dicom_placed.dcm"));
    const FrameSpec& frame = recording->info().frame;
    ASSERT_NE(frame.pose, nullptr);
    const Point corner =
        placedBy(*frame.pose, {frame.axes[1].origin + 3 * frame.axes[1].spacing, 0.0,
                               frame.axes[0].origin + 5 * frame.axes[0].spacing});
    EXPECT_NEAR(corner.x, (-20 + 3 * 0.5) * 1e-3, 1e-12); // 0.5 and 0.2 mm per pixel
    EXPECT_NEAR(corner.y, 15e-3, 1e-12);
    EXPECT_NEAR(corner.z, (40 - 5 * 0.2) * 1e-3, 1e-12);
    EXPECT_EQ(sideOf(frame, AxisName::Lateral, false), "L");
    EXPECT_EQ(sideOf(frame, AxisName::Depth, false), "I");
}

TEST_F(Dicom, CompressionsAreRefusedByName) {
    const TemporaryFolder folder;
    const auto path = folder / "a.dcm";
    for (const auto& [syntax, name] : std::vector<std::pair<std::string, std::string>>{
             {"1.2.840.10008.1.2.4.90", "JPEG 2000"}, {"1.2.840.10008.1.2.4.80", "JPEG-LS"}}) {
        const std::string frame(64, '\2');
        writeFile(path,
                  dicom::file(syntax, dicom::pictures(2, 2, "1 ") +
                                          dicom::pixels(dicom::kOpen,
                                                        dicom::plain(dicom::kItem, 0, "") +
                                                            dicom::plain(dicom::kItem, 64, frame) +
                                                            dicom::plain(0xFFFEE0DD, 0, ""))));
        EXPECT_THAT(refusalOf(path), AllOf(HasSubstr(name), HasSubstr("does not decode")));
    }
}

TEST_F(Dicom, Refusals) {
    const TemporaryFolder folder;
    const auto path = folder / "a.dcm";
    const std::string whole = readFile(made("dicom_grey.dcm"));
    writeFile(path, whole.substr(0, whole.size() - 500));
    EXPECT_THAT(refusalOf(path), HasSubstr("again"));
    std::string many = whole;
    const std::size_t at = many.find(std::string("\x28\0\x08\0IS\2\0", 8)); // NumberOfFrames
    ASSERT_NE(at, std::string::npos);
    many.replace(at + 8, 2, "99");
    writeFile(path, many);
    EXPECT_THAT(refusalOf(path), AllOf(HasSubstr("99 frames"), HasSubstr("24 by 16 pixels")));
    writeFile(path, std::string(128, '\0') + "DICM");
    EXPECT_THAT(refusalOf(path), HasSubstr("again"));
}

} // namespace
} // namespace echolux::test
