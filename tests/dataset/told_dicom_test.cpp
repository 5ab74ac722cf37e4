// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of DICOM files element by element, of regions in every relation to each other, of
// palettes, and of compressed frames that end early.
#include "app/dataset/formats/pictures/dicom_frame_check.hpp"
#include "app/dataset/formats/pictures/dicom_palette.hpp"
#include "app/dataset/formats/pictures/dicom_regions.hpp"
#include "tests/dataset/crafted_dicom.hpp"
#include "tests/dataset/told_of_files.hpp"

#include <map>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct DicomValue {
    std::string vr, value;
};
using DicomValues = std::map<std::uint32_t, DicomValue>;

std::string shortValue(unsigned value) { return dicom::number(value, 2); }

/// Two pictures of 4 x 4 grey pixels.
DicomValues greyCine() {
    return {{0x00280002, {"US", shortValue(1)}}, {0x00280004, {"CS", "MONOCHROME2 "}},
            {0x00280008, {"IS", "2 "}},          {0x00280010, {"US", shortValue(4)}},
            {0x00280011, {"US", shortValue(4)}}, {0x00280100, {"US", shortValue(8)}},
            {0x00280101, {"US", shortValue(8)}}, {0x00280102, {"US", shortValue(7)}},
            {0x00280103, {"US", shortValue(0)}}};
}
std::string toldOfDicom(const DicomValues& changes, std::size_t bytes = 32,
                        const std::string& syntax = dicom::kExplicit, std::string pixels = {}) {
    DicomValues all = greyCine();
    for (const auto& [tag, value] : changes) all[tag] = value;
    std::string text;
    for (const auto& [tag, each] : all) text += dicom::element(tag, each.vr, each.value);
    if (pixels.empty()) {
        const std::string data(bytes, '\5');
        pixels = dicom::pixels(static_cast<std::uint32_t>(data.size()), data);
    }
    const TemporaryFolder folder;
    writeFile(folder / "told.dcm", dicom::file(syntax, text + pixels));
    return toldOf(folder / "told.dcm");
}

class ToldDicom : public testing::Test {
protected:
    void SetUp() override {
        if (toldOfDicom({}).find("libdcmtk-dev") != std::string::npos)
            GTEST_SKIP() << "built without DCMTK";
    }
};

TEST_F(ToldDicom, SizesTimesAndPlaces) {
    constexpr std::uint32_t kSpacing = 0x00280030;
    EXPECT_THAT(toldOfDicom({}), HasSubstr("2 x u8 [depth 4][lateral 4] at 0 Hz"));
    EXPECT_THAT(
        toldOfDicom({{kSpacing, {"DS", "0.2\\0.3 "}}}),
        AllOf(HasSubstr("depth 4 from 0 by 0.0002 m"), HasSubstr("lateral 4 from 0 by 0.0003 m")));
    for (const char* wrong : {"0.2 ", "0\\0.3 ", "0.2\\0 ", "nan\\0.3 ", "inf\\0.3 "})
        EXPECT_THAT(toldOfDicom({{kSpacing, {"DS", wrong}}}), HasSubstr("depth 4 from 0 by 1 \n"))
            << wrong;
    const DicomValues placed{{0x00200032, {"DS", "1\\2\\3 "}},
                             {0x00200037, {"DS", "1\\0\\0\\0\\1\\0 "}},
                             {kSpacing, {"DS", "0.2\\0.3 "}}};
    EXPECT_THAT(toldOfDicom(placed), HasSubstr("posed in LPS"));
    DicomValues nowhere = placed;
    nowhere[0x00200032].value = "1\\2 ";
    EXPECT_THAT(toldOfDicom(nowhere), Not(HasSubstr("posed")));
    const auto times = [](const std::string& list, const std::string& frames) {
        return toldOfDicom({{0x00181065, {"DS", list}}, {0x00280008, {"IS", frames}}}, 64);
    };
    EXPECT_THAT(times("0\\40\\40\\40", "4 "), HasSubstr("at 25 Hz"));
    EXPECT_THAT(times("0\\40\\40\\49", "4 "), HasSubstr("taken 40 to 49 ms apart"));
    EXPECT_THAT(times("0\\40\\30\\40", "4 "), HasSubstr("taken 30 to 40 ms apart"));
    EXPECT_THAT(times("0\\0\\0\\0 ", "4 "), HasSubstr("at 0 Hz"));
    EXPECT_THAT(toldOfDicom({{0x00180040, {"IS", "30"}}}), HasSubstr("at 30 Hz"));
    EXPECT_THAT(toldOfDicom({{0x00082144, {"IS", "20"}}}), HasSubstr("at 20 Hz"));
    EXPECT_THAT(toldOfDicom({{0x00081090, {"LO", "\tcaf\x7f 7 "}}}), HasSubstr("Device: caf 7"));
}

TEST_F(ToldDicom, Pixels) {
    const DicomValues sixteen{{0x00280100, {"US", shortValue(16)}}};
    EXPECT_THAT(toldOfDicom(sixteen, 64), HasSubstr("2 x u16 [depth 4][lateral 4]"));
    DicomValues white = sixteen;
    white[0x00280004] = {"CS", "MONOCHROME1 "};
    EXPECT_THAT(toldOfDicom(white, 64), HasSubstr("range"));
    DicomValues colours = sixteen;
    colours[0x00280004] = {"CS", "RGB "};
    colours[0x00280002] = {"US", shortValue(3)};
    EXPECT_THAT(toldOfDicom(colours, 192), HasSubstr("16 bits and 3 values of 'RGB'"));
    colours.erase(0x00280100);
    for (const unsigned planar : {0U, 1U}) {
        colours[0x00280006] = {"US", shortValue(planar)};
        EXPECT_THAT(toldOfDicom(colours, 96), HasSubstr("2 x u8 [depth 4][lateral 4]"));
    }
    colours[0x00280004] = {"CS", "YBR_FULL"};
    EXPECT_THAT(toldOfDicom(colours, 96), HasSubstr("2 x u8 [depth 4][lateral 4]"));
    EXPECT_THAT(toldOfDicom({}, 32, dicom::kExplicit, dicom::element(0x7FE00010, "FL", "abcd")),
                HasSubstr("told.dcm"));
    EXPECT_THAT(toldOfDicom({}, 32, dicom::kExplicit, dicom::element(0x7FE00020, "US", "ab")),
                HasSubstr("it holds no pictures"));
    EXPECT_THAT(toldOfDicom({{0x00280010, {"US", shortValue(2000)}},
                             {0x00280011, {"US", shortValue(2000)}}},
                            0, dicom::kRunLengths, dicom::compressed("abcd")),
                HasSubstr("more than its"));
    EXPECT_THAT(toldOfDicom({{0x00280008, {"IS", "2000000 "}}}, 0, dicom::kRunLengths,
                            dicom::compressed("abcd")),
                HasSubstr("it claims 2000000 frames of 4 by 4 pixels, more than its"));
}

TEST_F(ToldDicom, BrightnessOfPixelsThatShareTheirColours) {
    // Two brightnesses, then the blue and the red of both; 4 x 4 pixels, each frame 16 brighter.
    std::string text;
    DicomValues all = greyCine();
    all[0x00280002] = {"US", shortValue(3)};
    all[0x00280004] = {"CS", "YBR_FULL_422"};
    all[0x00280006] = {"US", shortValue(0)};
    for (const auto& [tag, each] : all) text += dicom::element(tag, each.vr, each.value);
    std::string pixels;
    for (int i = 0; i < 32; i += 2) {
        pixels += static_cast<char>(i);
        pixels += static_cast<char>(i + 1);
        pixels += "\x20\x60";
    }
    const TemporaryFolder folder;
    writeFile(folder / "told.dcm",
              dicom::file(dicom::kExplicit,
                          text + dicom::pixels(static_cast<std::uint32_t>(pixels.size()), pixels)));
    const auto recording = openHere(folder / "told.dcm", {});
    ASSERT_EQ(recording->info().frameCount, 2);
    for (const int frame : {1, 0}) {
        std::vector<double> brightness = countedUp<double>(16);
        for (double& each : brightness) each += 16.0 * frame;
        EXPECT_EQ(frameOf(*recording, frame), brightness);
    }
}

TEST_F(ToldDicom, Palettes) {
    const auto told = [](unsigned entries, unsigned bits, std::size_t words, unsigned allocated) {
        DicomValues values{{0x00280004, {"CS", "PALETTE COLOR "}},
                           {0x00280100, {"US", shortValue(allocated)}}};
        for (const std::uint32_t colour : {0U, 1U, 2U}) {
            values[0x00281101 + colour] = {"US",
                                           shortValue(entries) + shortValue(0) + shortValue(bits)};
            values[0x00281201 + colour] = {"OW", ""};
        }
        DicomValues all = greyCine();
        for (const auto& [tag, value] : values) all[tag] = value;
        std::string text;
        for (const auto& [tag, each] : all)
            text += each.vr == "OW"
                        ? dicom::longElement(tag, "OW", static_cast<std::uint32_t>(2 * words),
                                             std::string(2 * words, '\x40'))
                        : dicom::element(tag, each.vr, each.value);
        const std::string data(4U * allocated, '\0');
        const TemporaryFolder folder;
        writeFile(folder / "told.dcm",
                  dicom::file(dicom::kExplicit,
                              text + dicom::pixels(static_cast<std::uint32_t>(data.size()), data)));
        return toldOf(folder / "told.dcm");
    };
    const auto opens = HasSubstr("2 x u8 [depth 4][lateral 4]");
    EXPECT_THAT(told(4, 16, 4, 8), opens);
    EXPECT_THAT(told(4, 8, 2, 8), opens);
    EXPECT_THAT(told(4, 8, 4, 8), opens);
    EXPECT_THAT(told(4, 16, 4, 16), opens);
    EXPECT_THAT(told(8, 16, 4, 8), HasSubstr("its palette is cut off"));
}

TEST(DicomPalettes, CountTheirEntries) {
    DicomPalette::Colour colour;
    EXPECT_EQ(colour.at(3), 0U) << "a palette without entries";
    colour.describe(0, 0, 16);
    std::vector<std::uint16_t> words(65536, 7);
    words.back() = 9;
    EXPECT_FALSE(colour.take({words.data(), 65535}));
    ASSERT_TRUE(colour.take(words)) << "0 entries are 65536";
    EXPECT_EQ(colour.at(65535), 9U);
    colour.describe(3, 2, 8);
    const std::vector<std::uint16_t> pairs{0x0201, 0x0003};
    ASSERT_TRUE(colour.take(pairs)) << "two values in a word";
    EXPECT_EQ(colour.at(0), 0x100U) << "before the first index";
    EXPECT_EQ(colour.at(3), 0x200U);
    EXPECT_EQ(colour.at(99), 0x300U);
    const std::vector<std::uint16_t> single{1, 2, 3};
    ASSERT_TRUE(colour.take(single)) << "one value in a word";
    EXPECT_EQ(colour.at(4), 0x300U);
}

DicomRegion regionAt(double left, double top, double right, double bottom,
                     DicomRegion::Kind kind = DicomRegion::Kind::Tissue) {
    return {.kind = kind,
            .metricAcross = true,
            .metricDown = true,
            .left = left,
            .top = top,
            .right = right,
            .bottom = bottom,
            .stepX = 0.02,
            .stepY = 0.02};
}
std::vector<std::string> partNames(const std::vector<DicomRegion>& regions) {
    std::vector<std::string> names;
    for (const DicomPart& part : partsOf(regions, 100, 100)) names.push_back(part.name);
    return names;
}

TEST(DicomRegions, AreNamedByKindAndScale) {
    using Kind = DicomRegion::Kind;
    DicomRegion wide = regionAt(0, 0, 49, 49);
    wide.stepX = 0.03;
    DicomRegion timed = regionAt(50, 0, 99, 49, Kind::MMode);
    timed.metricAcross = false;
    DicomRegion wave = regionAt(0, 50, 49, 99, Kind::Waveform);
    wave.metricDown = false;
    EXPECT_THAT(partNames({wide, timed, wave, regionAt(50, 50, 99, 99, Kind::Spectrum)}),
                ElementsAre("region 1 (tissue, 0.3 x 0.2 mm per pixel)", "region 2 (M-mode)",
                            "region 3 (waveform)", "region 4 (spectrum, 0.2 mm per pixel)",
                            "whole picture without a scale"));
    EXPECT_THAT(partNames({}), ElementsAre("whole picture"));
}

TEST(DicomRegions, ThatAreNoneAreLeftOut) {
    const auto changed = [](void (*change)(DicomRegion&)) {
        DicomRegion region = regionAt(0, 0, 49, 49);
        change(region);
        return partsOf({region}, 100, 100).front().scale.has_value();
    };
    EXPECT_TRUE(changed([](DicomRegion&) {}));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.kind = DicomRegion::Kind::Other; }));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.stepX = 0; }));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.stepY = 0; }));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.right = 0; }));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.bottom = 0; }));
    EXPECT_FALSE(changed([](DicomRegion& r) { r.right = r.bottom = 2e6; }));
}

TEST(DicomRegions, WithinOthersOfTheirScaleAreNoParts) {
    const DicomRegion outer = regionAt(20, 20, 79, 79);
    const auto parts = [&](const DicomRegion& inner, void (*change)(DicomRegion&)) {
        DicomRegion other = inner;
        change(other);
        // A third one of another scale keeps the regions apart.
        DicomRegion third = regionAt(0, 0, 1, 1);
        third.stepX = third.stepY = 0.5;
        return partNames({outer, other, third}).size();
    };
    const auto as = [](DicomRegion&) {};
    EXPECT_EQ(parts(regionAt(30, 30, 60, 60), as), 3U);
    for (const DicomRegion& beside : {regionAt(10, 30, 60, 60), regionAt(30, 10, 60, 60),
                                      regionAt(30, 30, 90, 60), regionAt(30, 30, 60, 90)})
        EXPECT_EQ(parts(beside, as), 4U);
    const DicomRegion inner = regionAt(30, 30, 60, 60);
    EXPECT_EQ(parts(inner, [](DicomRegion& r) { r.kind = DicomRegion::Kind::MMode; }), 4U);
    EXPECT_EQ(parts(inner, [](DicomRegion& r) { r.metricAcross = false; }), 4U);
    EXPECT_EQ(parts(inner, [](DicomRegion& r) { r.metricDown = false; }), 4U);
    EXPECT_EQ(parts(inner, [](DicomRegion& r) { r.stepX = 0.03; }), 4U);
    EXPECT_EQ(parts(inner, [](DicomRegion& r) { r.stepY = 0.03; }), 4U);
}

std::string faultIn(const std::string& frame) {
    const std::vector<std::uint8_t> bytes(frame.begin(), frame.end());
    return faultOfJpeg(bytes, {.rows = 64, .columns = 64, .components = 1});
}

TEST(DicomFrames, ThatEndEarlyAreNamed) {
    const std::string whole = dicom::jpegPicture(64, 64, 1);
    EXPECT_THAT(faultIn(whole), IsEmpty());
    const std::string start("\xFF\xD8", 2);
    const std::string rest = whole.substr(2);
    const auto segment = [](char marker, const std::string& data) {
        return std::string("\xFF") + marker + dicom::number(data.size() + 2, 2, true) + data;
    };
    for (const char marker : {'\xC4', '\xC8', '\xCC', '\xAF', '\xE0'})
        EXPECT_THAT(faultIn(start + segment(marker, "ab") + rest), IsEmpty()) << int(marker);
    for (const char marker : {'\x01', '\xD0', '\xD7'})
        EXPECT_THAT(faultIn(start + "\xFF" + marker + rest), IsEmpty()) << int(marker);
    EXPECT_THAT(faultIn(start + std::string("\xFF\x00\x07\xFF", 4) + rest), IsEmpty());
    EXPECT_EQ(faultIn(start + segment('\xC0', "abc")), "its JPEG header is cut off");
    EXPECT_EQ(faultIn(start + "\xFF\xE0" + dicom::number(1, 2, true)), "its JPEG data is cut off");
    EXPECT_EQ(faultIn(start + "\xFF\xE0" + dicom::number(9, 2, true)), "its JPEG data is cut off");
    EXPECT_EQ(faultIn(start + "\xFF\xE0\x01"), "its JPEG data does not say its size");
    EXPECT_EQ(faultIn(start + "\xFF\xD9"), "its JPEG data does not say its size");
    for (const auto& [rows, columns] : {std::pair{65, 64}, {64, 65}})
        EXPECT_THAT(faultIn(dicom::jpegPicture(std::uint64_t(rows), std::uint64_t(columns), 1)),
                    HasSubstr("but the file says 64 by 64 pixels of 1"));
    const std::vector<std::uint8_t> grey(whole.begin(), whole.end());
    EXPECT_THAT(faultOfJpeg(grey, {.rows = 64, .columns = 64, .components = 3}),
                HasSubstr("64 by 64 pixels of 1 values"));
    EXPECT_EQ(faultOfRunLengths(std::vector<std::uint8_t>(63), 1), "its run lengths are cut off");
}

} // namespace
} // namespace echolux::test
