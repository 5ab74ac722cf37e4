// SPDX-License-Identifier: GPL-3.0-or-later
// How TIFF stores its pixels: whole and real numbers, pairs, colours in planes; and what is no
// pixel.
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/crafted_tiff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

class TiffForms : public testing::Test {
protected:
    std::filesystem::path written(const std::string& bytes) const {
        writeFile(m_path, bytes);
        return m_path;
    }
    /// A page of 4 by 4 pixels that hold 0, 1, 2, ... as T.
    template <class T> std::unique_ptr<Recording> counted(std::uint16_t format) const {
        const std::string data = bytesOfValues(countedUp<T>(16));
        return openRecording(
            written(tiff::page({.bits = 8 * sizeof(T),
                                .format = format,
                                .stripBytes = static_cast<std::uint32_t>(data.size())},
                               data)));
    }
    std::string refusal(std::uint16_t bits, std::uint16_t format) const {
        return refusalOf(written(tiff::page({.bits = bits, .format = format, .stripBytes = 256},
                                            std::string(256, '\1'))));
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "page.tif";
};

TEST_F(TiffForms, WholeAndRealNumbersOfAllSizes) {
    const auto pixels = countedUp<double>(16);
    for (const std::uint16_t format : {1, 4}) // 4: of no stated form
        EXPECT_THAT(frameOf(*counted<std::uint8_t>(format)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<std::uint16_t>(1)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<std::uint32_t>(1)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<std::int8_t>(2)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<std::int16_t>(2)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<std::int32_t>(2)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<float>(3)), ElementsAreArray(pixels));
    EXPECT_THAT(frameOf(*counted<double>(3)), ElementsAreArray(pixels));
}

TEST_F(TiffForms, PairsOfRealNumbersAreASignal) {
    const std::string data = bytesOfValues(countedUp<float>(32));
    const auto recording =
        openRecording(written(tiff::page({.bits = 64, .format = 6, .stripBytes = 128}, data)));
    EXPECT_EQ(recording->info().frame.describe(), "complex_f32 [depth 4][lateral 4]");
    EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Beamformed);
    EXPECT_THAT(frameOf(*recording), ElementsAreArray(countedUp<double>(32)));
}

TEST_F(TiffForms, OtherFormsAreRefused) {
    for (const auto& [bits, format] : std::vector<std::pair<std::uint16_t, std::uint16_t>>{
             {12, 1}, {12, 2}, {16, 3}, {32, 6}, {32, 5}})
        EXPECT_THAT(refusal(bits, format),
                    HasSubstr("values of " + std::to_string(bits) + " bits in a form"))
            << format;
    auto entries = tiff::Page{}.entries();
    std::ranges::find(entries, 262, &tiff::Entry::tag)->value = 3;
    entries.insert(entries.end() - 1, {320, tiff::kShort, 3 * 256, 1024 + 16});
    std::string coloured = tiff::file(tiff::kFirst, tiff::directory(entries, 0));
    coloured.resize(1024, '\0');
    coloured += std::string(16 + 2 * 3 * 256, '\1');
    EXPECT_THAT(refusalOf(written(coloured)), HasSubstr("numbers of colours in a table"));
}

TEST_F(TiffForms, ColoursMayLieInPlanes) {
    constexpr std::uint32_t kTables = 1024;
    constexpr std::uint32_t kPlanes = kTables + 32;
    const std::vector<tiff::Entry> entries{
        {256, tiff::kLong, 1, 4},  {257, tiff::kLong, 1, 4},  {258, tiff::kShort, 3, kTables + 24},
        {259, tiff::kShort, 1, 1}, {262, tiff::kShort, 1, 2}, {273, tiff::kLong, 3, kTables},
        {277, tiff::kShort, 1, 3}, {278, tiff::kLong, 1, 4},  {279, tiff::kLong, 3, kTables + 12},
        {284, tiff::kShort, 1, 2}};
    std::string bytes = tiff::file(tiff::kFirst, tiff::directory(entries, 0));
    bytes.resize(kTables, '\0');
    bytes +=
        bytesOfValues(std::vector<std::uint32_t>{kPlanes, kPlanes + 16, kPlanes + 32, 16, 16, 16});
    bytes += bytesOfValues(std::vector<std::uint16_t>{8, 8, 8, 0});
    const std::string plane = bytesOfValues(countedUp<std::uint8_t>(16));
    const auto grey = openRecording(written(bytes + plane + plane + plane));
    EXPECT_EQ(grey->info().frame.describe(), "u8 [depth 4][lateral 4]");
    EXPECT_THAT(frameOf(*grey), ElementsAreArray(countedUp<double>(16)));
}

/// A page of 16 bit codes that a text describes.
std::string describedCodes(const std::string& text) {
    return tiff::page({.bits = 16,
                       .stripBytes = 32,
                       .textAt = 1056,
                       .textBytes = static_cast<std::uint32_t>(text.size() + 1)},
                      bytesOfValues(countedUp<std::uint16_t>(16)) + text + '\0');
}

TEST_F(TiffForms, TextsThatEcholuxWroteGiveTheValues) {
    const auto range = [&](const std::string& text) {
        return openRecording(written(describedCodes(text)))->info().frame.valueRange;
    };
    const auto levels = range("echolux_content=decibels; echolux_range=-60:0");
    ASSERT_TRUE(levels);
    EXPECT_EQ(levels->min, -60.0);
    EXPECT_EQ(levels->unit, "dB");
    EXPECT_EQ(range("echolux_content=picture; echolux_range=0:9")->max, 9.0);
    for (const char* wrong : {"1", "1:1", "1:2:3", "0:1e300", "a:b"}) {
        const auto recording = openRecording(written(
            describedCodes(std::string("echolux_content=envelope; echolux_range=") + wrong)));
        EXPECT_THAT(recording->info().warnings, testing::Contains(HasSubstr("no two numbers")))
            << wrong;
        EXPECT_EQ(recording->info().frame.recordedForm, RecordedForm::Picture);
    }
    EXPECT_EQ(openRecording(written(describedCodes("echolux_content=envelope")))
                  ->info()
                  .frame.recordedForm,
              RecordedForm::Picture)
        << "nothing says which values the codes have";
}

TEST_F(TiffForms, AlteredTextsOpenOrSayWhy) {
    const std::vector<std::string> values{
        "",    "0",     "-1",    "1",     "2",        "3",       "nan",
        "inf", "1e300", "0.1",   "mm",    "\\u00B5m", "furlong", "s",
        "ms",  "min",   "XYZTC", "XZYCT", "XYCC",     "XYZCC",   "99999999999999999999"};
    const auto alter = [&](const std::string& before, const std::string& after) {
        for (const std::string& value : values) {
            SCOPED_TRACE(before + value);
            opensOrSaysWhy(written(describedCodes(before + value + after)));
        }
    };
    const std::string ome = "<OME><Image><Description>echolux_content=envelope; "
                            "echolux_range=0:1</Description><Pixels DimensionOrder=\"XYZCT\" "
                            "SizeZ=\"1\" SizeT=\"1\" SizeC=\"1\" PhysicalSizeX=\"0.1\" "
                            "PhysicalSizeXUnit=\"mm\" PhysicalSizeY=\"0.1\" TimeIncrement=\"0.1\">"
                            "<Plane PositionX=\"0\" PositionXUnit=\"mm\"/></Pixels></Image></OME>";
    EXPECT_TRUE(opensOrSaysWhy(written(describedCodes(ome))));
    for (std::size_t at = ome.find("=\""); at != std::string::npos; at = ome.find("=\"", at + 2))
        alter(ome.substr(0, at + 2), ome.substr(ome.find('"', at + 2)));
    for (const char* damaged : {"<OME></OME>", "<OME><Image/></OME>", "<OME"})
        opensOrSaysWhy(written(describedCodes(damaged)));
    const std::string imageJ = "ImageJ=1.53\nchannels=1\nslices=1\nframes=1\nunit=mm\n"
                               "spacing=0.2\nfinterval=0.1\ntunit=ms\n";
    EXPECT_TRUE(opensOrSaysWhy(written(describedCodes(imageJ))));
    for (std::size_t at = imageJ.find('=', 8); at != std::string::npos;
         at = imageJ.find('=', at + 1))
        alter(imageJ.substr(0, at + 1), imageJ.substr(imageJ.find('\n', at)));
}

} // namespace
} // namespace echolux::test
