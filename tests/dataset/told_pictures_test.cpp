// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of pictures whose headers say unusual things: NRRD, MetaImage, NIfTI, TIFF and
// sequences of Plus; and arrays of colours, and those turned round. DICOM: told_dicom_test.cpp.
#include "app/dataset/formats/pictures/grey_array.hpp"
#include "app/dataset/formats/pictures/reversed_array.hpp"
#include "tests/dataset/crafted_tiff.hpp"
#include "tests/dataset/told_of_files.hpp"

#include <cstring>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string toldOfBytes(const std::string& name, const std::string& bytes) {
    const TemporaryFolder folder;
    writeFile(folder / name, bytes);
    return toldOf(folder / name);
}

/// A NRRD of bytes with so many axes of the named sizes.
std::string toldOfNrrd(const std::string& sizes, const std::string& lines, std::size_t bytes,
                       const std::string& encoding = "raw") {
    const auto axes = 1 + std::ranges::count(sizes, ' ');
    return toldOfBytes("told.nrrd",
                       fmt::format("NRRD0005\ntype: uint8\ndimension: {}\nsizes: {}\n"
                                   "encoding: {}\n{}\n\n{}",
                                   axes, sizes, encoding, lines, std::string(bytes, '\5')));
}

TEST(ToldNrrd, Spaces) {
    const auto placed = [](const std::string& space, const std::string& directions) {
        return toldOfNrrd("3 4 5",
                          space + "\nspace units: \"mm\" \"mm\" \"mm\"\nspace directions: " +
                              directions + "\nspace origin: (0,0,0)",
                          60);
    };
    const std::string own = "(0.1,0,0) (0,0.2,0) (0,0,0.3)";
    EXPECT_THAT(placed("space: ras", own), HasSubstr("posed in LPS"));
    EXPECT_THAT(placed("space dimension: 3", own), Not(HasSubstr("posed")));
    EXPECT_THAT(placed("space dimension: 3", "(0.1,0.1,0) (0,0.2,0) (0,0,0.3)"),
                Not(HasSubstr("posed in LPS")));
    for (const char* turned :
         {"(0.1,0,0) (0,0,0.2) (0,0.3,0)", "(0,0.1,0) (0.2,0,0) (0,0,0.3)",
          "(0.1,0,0.05) (0,0.2,0) (-0.05,0,0.3)", "(0.1,0,0) (0,0.2,0.1) (0,-0.1,0.3)",
          "(0.1,0,0) (0,0.2,0) (0,0,-0.3)"})
        EXPECT_THAT(placed("space dimension: 3", turned), HasSubstr("posed in unnamed")) << turned;
    EXPECT_THAT(placed("space dimension: 3\necholux_space:=bench", own),
                HasSubstr("posed in bench"));
    EXPECT_THAT(placed("space: scanner-xyz", own), HasSubstr("posed in scanner-xyz"));
    EXPECT_THAT(placed("space: ras", "(1,2,3,4) (0,1,0) (0,0,1)"), HasSubstr("is no vector"));
    EXPECT_THAT(placed("space: ras", "(1.7e308,1.7e308,0) (0,0.2,0) (0,0,0.3)"),
                HasSubstr("lateral 3 from 0 by 1 \n"));
    EXPECT_THAT(placed("space: ras\necholux_sector:=apex 0 -40 mm, radius 40 mm\n"
                       "echolux_lines:=0 0 -5 0 0 0 0 0 5 (mm, deg)",
                       own),
                AllOf(HasSubstr("sector from (0 -0.04), radius 0.04"), Not(HasSubstr("posed"))));
}

TEST(ToldNrrd, SectorsAndAxes) {
    const auto sector = [](const std::string& lines) { return toldOfNrrd("3 4", lines, 12); };
    EXPECT_THAT(sector("echolux_sector:=apex 1e-05 -40 mm, radius 40 mm\n"
                       "echolux_lines:=0 0 -5 0 0 0 0 0 5 (mm, deg)"),
                HasSubstr("sector from (1e-08 -0.04), radius 0.04, 0 starts"));
    EXPECT_THAT(sector("echolux_sector:=apex 0 -40 mm, radius 40 mm"), Not(HasSubstr("sector")))
        << "nothing says the angles of its lines";
    EXPECT_THAT(toldOfNrrd("2 2 2 2 2", "", 32),
                HasSubstr("it has more than four axes, but volumes over time have four; export"));
    EXPECT_THAT(toldOfNrrd("5 3 4", "kinds: vector domain domain", 60),
                HasSubstr("its pixels have 5 values each"));
    EXPECT_THAT(toldOfNrrd("5 3 4",
                           "space: ras\nspace units: \"mm\" \"mm\"\n"
                           "space directions: none (0.1,0,0) (0,0.2,0)",
                           60),
                HasSubstr("5 x u8 [depth 4][lateral 3]"))
        << "five entries without a place are no colours";
    EXPECT_THAT(toldOfNrrd("3 4", "echolux_content:=signals", 12), HasSubstr(", picture\n"));
}

TEST(ToldNrrd, EndsAndFiles) {
    const std::string head = "NRRD0005\ntype: uint8\ndimension: 2\nsizes: 3 4\nencoding: raw\n";
    EXPECT_THAT(toldOfBytes("told.nrrd", head + "   "), HasSubstr("its header has no end"));
    EXPECT_THAT(toldOfBytes("told.nrrd", head + "data file: a%03d.raw 1 2 1\n\n"),
                HasSubstr("its samples are in several files"));
    EXPECT_THAT(toldOfBytes("told.nrrd", head + "data file: LIST\n\n"),
                HasSubstr("its samples are in several files"));
    EXPECT_THAT(toldOfNrrd("3 4", "", 12, "gz"), HasSubstr("told.nrrd")) << "no deflated data";
    const TemporaryFolder folder;
    writeFile(folder / "told.raw", std::string(12, '\1'));
    writeFile(folder / "told.nhdr", head + "data file: told.raw\n");
    EXPECT_THAT(toldOf(folder / "told.nhdr"), HasSubstr("u8 [depth 4][lateral 3]"));
}

TEST(ToldPlus, LettersTimesAndColours) {
    const auto told = [](const std::string& keys, const std::string& sizes = "4 3 2",
                         std::size_t bytes = 24) { return toldOfNrrd(sizes, keys, bytes); };
    const std::string grey = "UltrasoundImageType:=BRIGHTNESS\n";
    EXPECT_THAT(told(grey + "UltrasoundImageOrientation:=MFA"),
                HasSubstr("[elevation 2][depth 3][lateral 4]"));
    EXPECT_THAT(told(grey + "UltrasoundImageOrientation:=MFD"),
                HasSubstr("[elevation 2][depth 3][lateral 4]"));
    EXPECT_THAT(told(grey + "UltrasoundImageOrientation:=MA"),
                HasSubstr("images have one of M, U and one of F, N"));
    EXPECT_THAT(told("UltrasoundImageType:=RF_IQ_LINE\nUltrasoundImageOrientation:=MF", "4 6", 24),
                HasSubstr("which do not lie in pairs along its lines"));
    EXPECT_THAT(told("UltrasoundImageType:=RF_IQ_LINE\nUltrasoundImageOrientation:=FM", "4 6", 24),
                HasSubstr("complex"));
    const std::string first = "Seq_Frame0000_Timestamp:=0\n";
    EXPECT_THAT(told(grey + first, "4 3", 12), HasSubstr("1 x u8 [depth 3][lateral 4]"));
    EXPECT_THAT(told(grey + first + "Seq_Frame0001_Timestamp:=0.5"),
                HasSubstr("2 x u8 [depth 3][lateral 4] at 2 Hz"));
    EXPECT_THAT(told(grey + first + "Seq_Frame0001_Timestamp:=inf"), HasSubstr("at 0 Hz"));
    EXPECT_THAT(told(grey + first + "Seq_Frame0001_Timestamp:=0"), HasSubstr("at 0 Hz"));
    const std::string times = first + "Seq_Frame0001_Timestamp:=1\nSeq_Frame0002_Timestamp:=2.05\n"
                                      "Seq_Frame0003_Timestamp:=3.05\nSeq_Frame0004_Timestamp:=4.2";
    EXPECT_THAT(told(grey + times, "4 3 5", 60),
                AllOf(HasSubstr("at 0.9524 Hz"), Not(HasSubstr("ms apart"))));
    EXPECT_THAT(told(grey + first +
                         "Seq_Frame0001_Timestamp:=1\nSeq_Frame0002_Timestamp:=2\n"
                         "Seq_Frame0003_Timestamp:=3\nSeq_Frame0004_Timestamp:=4.2",
                     "4 3 5", 60),
                HasSubstr("The frames were taken 1000 to 1200 ms apart"));
    EXPECT_THAT(told(grey + "kinds: RGB-color domain domain", "3 4 2", 24),
                HasSubstr("u8 [depth 2][lateral 4]"));
}

TEST(ToldMetaImage, VolumesWithoutSpacing) {
    const auto told = [](const std::string& spacing) {
        return toldOfBytes(
            "told.mha", "ObjectType = Image\nNDims = 3\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n" +
                            spacing +
                            "DimSize = 3 4 5\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
                            std::string(60, '\3'));
    };
    EXPECT_THAT(told(""),
                AllOf(HasSubstr("[elevation 5][depth 4][lateral 3]"), Not(HasSubstr("posed"))));
    EXPECT_THAT(told("ElementSpacing = 1 1 1\n"), HasSubstr("posed in LPS"));
}

/// A NIfTI head of bytes with sizes 3 x 4, changed by `change`.
std::string toldOfNifti(const std::function<void(std::string&)>& change, std::size_t bytes = 12) {
    std::string head(352, '\0');
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(head.data() + at, &value, sizeof value);
    };
    put(0, std::int32_t{348});
    for (const auto& [at, value] : {std::pair{40, 2},
                                    {42, 3},
                                    {44, 4},
                                    {46, 1},
                                    {48, 1},
                                    {50, 1},
                                    {52, 1},
                                    {54, 1},
                                    {70, 2},
                                    {72, 8},
                                    {254, 1}})
        put(static_cast<std::size_t>(at), static_cast<std::int16_t>(value));
    for (const std::size_t at : {80, 84, 88, 280, 300, 320}) put(at, 1.0F);
    put(108, 352.0F);
    head[123] = 2; // mm
    head.replace(344, 3, "n+1");
    change(head);
    return toldOfBytes("told.nii", head + std::string(bytes, '\2'));
}

TEST(ToldNifti, Heads) {
    const auto text = [](std::string words) {
        return [=](std::string& head) { head.replace(148, words.size(), words); };
    };
    EXPECT_THAT(toldOfNifti([](std::string&) {}), HasSubstr("posed in LPS"));
    EXPECT_THAT(toldOfNifti([](std::string& head) { head[254] = 0; }), Not(HasSubstr("posed")));
    EXPECT_THAT(toldOfNifti([](std::string& head) { head.replace(344, 3, "abc"); }),
                HasSubstr("no format that Echolux knows"));
    EXPECT_THAT(toldOfNifti(text("echolux; no pose")),
                AllOf(HasSubstr("Description: echolux; no pose"), Not(HasSubstr("posed"))));
    EXPECT_THAT(toldOfNifti(text("caf\x7f")), Not(HasSubstr("Description")));
    EXPECT_THAT(toldOfNifti(text("a\x01z")), Not(HasSubstr("Description")));
    const auto axes = [](std::int16_t last) {
        return [=](std::string& head) {
            head[40] = 5;
            std::memcpy(head.data() + 50, &last, sizeof last);
        };
    };
    EXPECT_THAT(toldOfNifti(axes(1)), HasSubstr("u8 [depth 4][lateral 3]"));
    EXPECT_THAT(toldOfNifti(axes(2), 24), HasSubstr("it has more than four axes"));
    EXPECT_THAT(toldOfNifti([](std::string& head) { head.replace(344, 3, "ni1"); }),
                HasSubstr("whose samples are in another file; export it as NIfTI-1"));
    std::string second(540, '\0');
    second[0] = '\x1c';
    second[1] = '\2';
    second.replace(4, 3, "n+2");
    EXPECT_THAT(toldOfBytes("told.nii", second + std::string(100, '\0')),
                HasSubstr("it is NIfTI-2"));
    second[6] = '9';
    EXPECT_THAT(toldOfBytes("told.nii", second), Not(HasSubstr("it is NIfTI-2")));
}

/// A page with so many values of so many bits in each pixel, and a text.
std::string toldOfTiff(tiff::Page page, const std::string& text, std::size_t bytes) {
    if (!text.empty()) {
        page.textAt = static_cast<std::uint32_t>(1024 + bytes);
        page.textBytes = static_cast<std::uint32_t>(text.size() + 1);
    }
    page.stripBytes = static_cast<std::uint32_t>(bytes);
    return toldOfBytes("told.tif", tiff::page(page, std::string(bytes, '\1') + text + '\0'));
}

TEST(ToldTiff, FormsAndTexts) {
    EXPECT_THAT(toldOfTiff({.bits = 128, .format = 6}, "", 256),
                HasSubstr("complex_f32 [depth 4]"));
    for (const std::uint16_t format : {1, 2}) // one byte without a sign, two with one
        EXPECT_THAT(toldOfTiff({.bits = static_cast<std::uint16_t>(8 * format), .format = format},
                               "echolux_content=envelope; echolux_range=0:9", 16U * format),
                    AllOf(HasSubstr(", envelope\n"), Not(HasSubstr("no two numbers"))));
    EXPECT_THAT(toldOfTiff({.bits = 16}, "echolux_content=envelope; echolux_range=1e:2", 32),
                HasSubstr("are no two numbers"));
    EXPECT_THAT(
        toldOfTiff({.perPixel = 3},
                   "<OME><Image><Pixels DimensionOrder=\"XYCZT\" SizeC=\"3\"/></Image></OME>", 48),
        HasSubstr("OME-TIFF\n1 x u8 [depth 4][lateral 4]"));
    // A first page, and two of another width.
    tiff::Page page{.next = 256};
    std::string bytes = tiff::file(tiff::kFirst, page.bytes());
    for (const std::uint32_t next : {512U, 0U}) {
        bytes.resize(page.next, '\0');
        page = {.width = 2, .stripBytes = 8, .next = next};
        bytes += page.bytes();
        if (next != 0) page.next = next;
    }
    bytes.resize(1024, '\0');
    EXPECT_THAT(toldOfBytes("told.tif", bytes + std::string(16, '\1')),
                HasSubstr("2 pages of another size than the first are left out"));
    // One of the same width but lower, and one of other numbers.
    tiff::Page low{.height = 2, .stripBytes = 8, .next = 512};
    tiff::Page wide{.bits = 16, .stripBytes = 32};
    bytes = tiff::file(tiff::kFirst, tiff::Page{.next = 256}.bytes());
    bytes.resize(256, '\0');
    bytes += low.bytes();
    bytes.resize(512, '\0');
    bytes += wide.bytes();
    bytes.resize(1024, '\0');
    EXPECT_THAT(toldOfBytes("told.tif", bytes + std::string(32, '\1')),
                HasSubstr("2 pages of another size than the first are left out"));
    low.next = 0;
    bytes.replace(256, low.bytes().size(), low.bytes());
    EXPECT_THAT(toldOfBytes("told.tif", bytes + std::string(32, '\1')),
                HasSubstr("1 page of another size than the first is left out"));
    // Three planes of a tile each.
    const std::vector<tiff::Entry> tiles{
        {256, tiff::kLong, 1, 4},    {257, tiff::kLong, 1, 4},   {258, tiff::kShort, 3, 1024},
        {259, tiff::kShort, 1, 1},   {262, tiff::kShort, 1, 2},  {277, tiff::kShort, 1, 3},
        {284, tiff::kShort, 1, 2},   {322, tiff::kShort, 1, 16}, {323, tiff::kShort, 1, 16},
        {324, tiff::kLong, 3, 1032}, {325, tiff::kLong, 3, 1044}};
    bytes = tiff::file(tiff::kFirst, tiff::directory(tiles, 0));
    bytes.resize(1024, '\0');
    bytes += bytesOfValues(std::vector<std::uint16_t>{8, 8, 8, 0}) +
             bytesOfValues(std::vector<std::uint32_t>{1056, 1312, 1568, 256, 256, 256});
    EXPECT_THAT(toldOfBytes("told.tif", bytes + std::string(768, '\1')),
                HasSubstr("u8 [depth 4][lateral 4]"));
    std::string damaged = bytes;
    damaged[static_cast<std::size_t>(tiff::kFirst) + 2 + 3 * 12 + 8] =
        8; // deflated, which it is not
    EXPECT_THAT(toldOfBytes("told.tif", damaged + std::string(768, '\1')),
                HasSubstr("a page is damaged at row 1"));
    auto entries = tiff::Page{}.entries();
    entries.insert(entries.begin() + 9, {282, 5, 1, 1040}); // of columns alone
    bytes = tiff::file(tiff::kFirst, tiff::directory(entries, 0));
    bytes.resize(1024, '\0');
    EXPECT_THAT(
        toldOfBytes("told.tif", bytes + std::string(16, '\1') + tiff::raw(10U) + tiff::raw(1U)),
        HasSubstr("lateral 4 from 0 by 1 \n"));
}

std::unique_ptr<MemoryArray> bytesOf(std::vector<std::int64_t> shape, bool columnMajor = false,
                                     int components = 1) {
    ArrayLayout layout{.type = {.kind = ElementType::Kind::Unsigned, .bytes = 1}, .shape = shape};
    layout.type.components = components;
    layout.columnMajor = columnMajor;
    std::vector<std::byte> bytes(layout.bytes());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    return std::make_unique<MemoryArray>(std::move(bytes), layout);
}

TEST(GreyArrays, TakeOneToFourValues) {
    const auto refused = [](std::unique_ptr<MemoryArray> colours) {
        try {
            GreyArray("grey.tif", std::move(colours));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused(bytesOf({2, 5})), HasSubstr("its pixels have 5 values each"));
    EXPECT_THAT(refused(bytesOf({2, 0})), HasSubstr("its pixels have 0 values each"));
    EXPECT_THAT(refused(bytesOf({2, 3}, true)), HasSubstr("neither grey nor colours"));
    EXPECT_THAT(refused(bytesOf({2, 3}, false, 2)), HasSubstr("neither grey nor colours"));
    GreyArray opaque("grey.tif", bytesOf({3, 2}));
    std::vector<std::byte> grey(3);
    opaque.read(grey);
    EXPECT_THAT(grey, ElementsAre(std::byte{0}, std::byte{2}, std::byte{4}));
}

/// Numbers that tell their place, of which any axis can be sliced.
class PlacesInArray : public ArraySource {
public:
    PlacesInArray() {
        m_layout = {.type = {.kind = ElementType::Kind::Unsigned, .bytes = 1}, .shape = {2, 2, 3}};
    }
    bool canSlice(std::size_t) const override { return true; }
    void read(std::span<std::byte> out) override {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(i);
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        std::size_t at = 0;
        for (std::int64_t i = 0; i < 12; ++i)
            if (std::array{i / 6, i / 3 % 2, i % 3}.at(axis) == index)
                out[at++] = static_cast<std::byte>(i);
    }
};

TEST(ReversedArrays, TurnSlicesToo) {
    ReversedArray turned(std::make_unique<PlacesInArray>(), {0, 2});
    const auto slice = [&](std::size_t axis, std::int64_t index, std::size_t size) {
        std::vector<std::byte> bytes(size);
        turned.readSlice(axis, index, bytes);
        std::vector<int> values;
        for (const std::byte each : bytes) values.push_back(std::to_integer<int>(each));
        return values;
    };
    EXPECT_THAT(slice(0, 0, 6), ElementsAre(8, 7, 6, 11, 10, 9));
    EXPECT_THAT(slice(1, 0, 6), ElementsAre(8, 7, 6, 2, 1, 0));
    EXPECT_THAT(slice(2, 0, 4), ElementsAre(8, 11, 2, 5));
    std::vector<std::byte> whole(12);
    turned.read(whole);
    EXPECT_EQ(std::to_integer<int>(whole[0]), 8);
}

} // namespace
} // namespace echolux::test
