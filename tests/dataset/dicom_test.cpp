// SPDX-License-Identifier: GPL-3.0-or-later
// Ultrasound cines that pydicom wrote (vectors/make_dicom.py): the grey of frame t at column x and
// row y is 3 x + 5 y + 40 t.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
