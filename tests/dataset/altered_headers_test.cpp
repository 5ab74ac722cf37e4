// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of pictures of which one value after the other is replaced: NRRD and MetaImage line by
// line, NIfTI field by field. The file opens with facts that agree or a sentence names it.
#include "tests/dataset/altered_hdf5.hpp"
#include "tests/dataset/crafted_dicom.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace echolux::test {
namespace {

/// What may stand behind a key.
const std::vector<std::string>& valuesOfHeaders() {
    static const std::vector<std::string> kValues{"",
                                                  "none",
                                                  "nan",
                                                  "inf",
                                                  "-1",
                                                  "0",
                                                  "1",
                                                  "2",
                                                  "3",
                                                  "1e30",
                                                  "0.5",
                                                  "4 5",
                                                  "4 5 2",
                                                  "1 1 1",
                                                  "3 4 5",
                                                  "nan nan nan",
                                                  "-1 -1 -1",
                                                  "0 0 0",
                                                  "2 2 2 2 2",
                                                  "1e10 1 1",
                                                  "a b c",
                                                  "100%",
                                                  "LIST",
                                                  "LOCAL",
                                                  "Local",
                                                  "local",
                                                  "missing.raw",
                                                  "T",
                                                  "true",
                                                  "False",
                                                  "gz",
                                                  "gzip",
                                                  "raw",
                                                  "ras",
                                                  "las",
                                                  "lps",
                                                  "right-anterior-superior",
                                                  "scanner-xyz",
                                                  "double",
                                                  "float",
                                                  "MET_FLOAT",
                                                  "MET_SHORT_ARRAY",
                                                  "MET_UCHAR",
                                                  "unsigned char",
                                                  "domain domain time",
                                                  "domain domain list",
                                                  "complex domain domain",
                                                  "scalar domain domain",
                                                  "RGB-color domain domain",
                                                  "vector domain domain",
                                                  "time domain domain",
                                                  "\"lateral\" \"depth\" \"frame\"",
                                                  "\"time\" \"depth\" \"lateral\"",
                                                  "\"frame\" \"lateral\" \"depth\"",
                                                  "\"elevation\" \"lateral\" \"depth\"",
                                                  "\"deg\" \"mm\" \"mm\"",
                                                  "\"mm\" \"mm\" \"deg\"",
                                                  "(1,0,0) (0,1,0) (0,0,1)",
                                                  "(1,0,0) (0,0,1) (0,1,0)",
                                                  "(2,0,0) (0,0,3) (0,4,0)",
                                                  "(1,0) (0,1) none",
                                                  "none (1,0,0) (0,1,0)",
                                                  "(1,0,0) (0,1,0) none",
                                                  "(1,2",
                                                  "(nan,0,0)",
                                                  "(1,0,0) (0,1,0)",
                                                  "(1,2,3)",
                                                  "(1,2,3,4)",
                                                  "()",
                                                  "1 0 0 0 1 0 0 0 1",
                                                  "0 1 0 0 0 1 1 0 0",
                                                  "envelope",
                                                  "decibels",
                                                  "picture",
                                                  "beamformed",
                                                  "-60 to 0 dB",
                                                  "-60 to 0",
                                                  "0 to -60 dB",
                                                  "50 Hz",
                                                  "-50 Hz",
                                                  "50 50",
                                                  "apex 0 +1 mm, radius 40 mm",
                                                  "apex 0 mm",
                                                  "0 0 -5 1 0 0 2 0 5",
                                                  "0 0 -5 1 0 0 2 0 5 1",
                                                  "0 0 0 0",
                                                  "BRIGHTNESS",
                                                  "RGB_COLOR",
                                                  "RF_REAL",
                                                  "RF_IQ_LINE",
                                                  "RF_I_LINE_Q_LINE",
                                                  "MF",
                                                  "UN",
                                                  "FM",
                                                  "NU",
                                                  "AF",
                                                  "MDF",
                                                  "DFM",
                                                  "XX",
                                                  "MM",
                                                  "0.1s",
                                                  "0.1",
                                                  "mm",
                                                  "dB",
                                                  std::string(400, 'x')};
    return kValues;
}

/// Replaces what follows `between` in each of `lines`, by every second value; `data` follows.
void alterLines(const std::string& name, const std::string& lines, const std::string& between,
                const std::string& data) {
    const TemporaryFolder folder;
    const auto path = folder / name;
    std::vector<std::string> all;
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    const auto write = [&](std::size_t changed, const std::string& line) {
        std::string text;
        for (std::size_t i = 0; i < all.size(); ++i) text += (i == changed ? line : all[i]) + "\n";
        writeFile(path, text + data);
    };
    write(all.size(), "");
    EXPECT_TRUE(opensOrSaysWhy(path)) << "unaltered " << lines;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t at = all[i].find(between);
        if (at == std::string::npos) continue;
        for (std::size_t v = i % 2; v < valuesOfHeaders().size(); v += 2) {
            const std::string line = all[i].substr(0, at + between.size()) + valuesOfHeaders()[v];
            SCOPED_TRACE(line);
            write(i, line);
            opensOrSaysWhy(path);
        }
    }
}

const std::string kVoxels = bytesOfValues(countedUp<std::int16_t>(60)); // 3 x 4 x 5

TEST(AlteredHeaders, OfNrrd) {
    const std::string head = "NRRD0005\ntype: int16\ndimension: 3\nsizes: 3 4 5\nendian: little\n"
                             "encoding: raw\n";
    alterLines("a.nrrd",
               head + "spacings: 0.1 0.2 0.3\naxis mins: 0 0 0\nunits: \"mm\" \"mm\" \"mm\"\n"
                      "kinds: domain domain list\nlabels: \"\" \"\" \"\"\n"
                      "sample units: dB\nbyte skip: 0\n\n",
               ": ", kVoxels);
    alterLines("a.nrrd",
               head + "space: left-posterior-superior\nspace units: \"mm\" \"mm\" \"mm\"\n"
                      "space directions: (0.1,0,0) (0,0.2,0) (0,0,0.3)\n"
                      "space origin: (0,0,0)\nkinds: domain domain domain\n\n",
               ": ", kVoxels);
    alterLines("a.nrrd",
               head + "space dimension: 3\nspace units: \"mm\" \"mm\" \"mm\"\n"
                      "space directions: (0.1,0,0) (0,0,0.2) (0,0.3,0)\n"
                      "labels: \"lateral\" \"depth\" \"elevation\"\n\n",
               ": ", kVoxels);
}

TEST(AlteredHeaders, OfKeysThatEcholuxWritesInNrrd) {
    const std::string head = "NRRD0005\ntype: int16\ndimension: 3\nsizes: 3 4 5\nendian: little\n"
                             "encoding: raw\nlabels: \"lateral\" \"depth\" \"frame\"\n"
                             "space dimension: 2\nspace units: \"deg\" \"mm\"\n"
                             "space directions: (1,0) (0,0.2) none\nspace origin: (-1,0)\n";
    alterLines("a.nrrd",
               head + "echolux_content:=envelope\necholux_range:=0 to 60\n"
                      "echolux_frame_rate:=50 Hz\necholux_description:=none\necholux_space:=own\n"
                      "echolux_sector:=apex 0 -12.5 mm, radius 40 mm\n"
                      "echolux_lines:=0 0 -5 1 0 0 2 0 5 (mm, deg)\n\n",
               ":=", kVoxels);
    alterLines("a.nrrd",
               "NRRD0005\ntype: int16\ndimension: 3\nsizes: 3 4 5\nendian: little\nencoding: raw\n"
               "kinds: domain domain list\nUltrasoundImageType:=RF_REAL\n"
               "UltrasoundImageOrientation:=FM\nSeq_Frame0000_Timestamp:=0\n"
               "Seq_Frame0001_Timestamp:=0.1\nSeq_Frame0002_Timestamp:=0.2\n"
               "Seq_Frame0003_Timestamp:=0.3\nSeq_Frame0004_Timestamp:=0.5\n\n",
               ":=", kVoxels);
}

TEST(AlteredHeaders, OfMetaImage) {
    const std::string head = "ObjectType = Image\nNDims = 3\nBinaryData = True\n"
                             "BinaryDataByteOrderMSB = False\nCompressedData = False\n";
    alterLines("a.mha",
               head + "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\n"
                      "ElementSpacing = 0.1 0.2 0.3\nDimSize = 3 4 5\n"
                      "ElementNumberOfChannels = 1\nHeaderSize = 0\necholux_space = own\n"
                      "echolux_content = envelope\necholux_range = 0 to 60\n"
                      "echolux_frame_rate = 50 Hz\necholux_units = mm mm mm\n"
                      "Kinds = domain domain domain\nElementType = MET_SHORT\n"
                      "ElementDataFile = LOCAL\n",
               " = ", kVoxels);
    alterLines("a.mha",
               head + "DimSize = 4 3 5\nKinds = domain domain list\n"
                      "UltrasoundImageType = RF_IQ_LINE\nUltrasoundImageOrientation = FM\n"
                      "Seq_Frame0000_Timestamp = 0\nSeq_Frame0001_Timestamp = 0.1\n"
                      "Seq_Frame0002_Timestamp = 0.2\nSeq_Frame0003_Timestamp = 0.3\n"
                      "Seq_Frame0004_Timestamp = 0.5\nElementType = MET_SHORT\n"
                      "ElementDataFile = LOCAL\n",
               " = ", kVoxels);
}

/// A field of a NIfTI head: where it begins, and whether it is a short, a float or a byte.
struct NiftiField {
    std::size_t place;
    char kind;
};

TEST(AlteredHeaders, OfNifti) {
    std::string whole(352, '\0');
    const auto put = [](std::string& bytes, std::size_t place, const auto value) {
        std::memcpy(bytes.data() + place, &value, sizeof value);
    };
    put(whole, 0, std::int32_t{348});
    const std::int16_t sizes[] = {4, 3, 4, 5, 2, 1, 1, 1};
    for (std::size_t i = 0; i < 8; ++i) put(whole, 40 + 2 * i, sizes[i]);
    put(whole, 70, std::int16_t{2});
    for (std::size_t i = 0; i < 5; ++i) put(whole, 76 + 4 * i, 1.0F);
    put(whole, 108, 352.0F);
    put(whole, 123, std::uint8_t{10}); // mm and s
    put(whole, 252, std::int16_t{1});
    put(whole, 254, std::int16_t{1});
    for (std::size_t row = 0; row < 3; ++row) put(whole, 280 + 20 * row, 0.1F);
    whole.replace(328, 8, "envelope");
    whole.replace(344, 4, std::string("n+1\0", 4));
    whole += std::string(4 * 120, '\7');
    const TemporaryFolder folder;
    const auto path = folder / "a.nii";
    writeFile(path, whole);
    EXPECT_TRUE(opensOrSaysWhy(path)) << "unaltered";
    const std::vector<NiftiField> fields{{40, 's'},  {42, 's'},  {44, 's'},  {46, 's'},  {48, 's'},
                                         {50, 's'},  {70, 's'},  {76, 'f'},  {80, 'f'},  {92, 'f'},
                                         {108, 'f'}, {112, 'f'}, {116, 'f'}, {123, 'b'}, {124, 'f'},
                                         {128, 'f'}, {148, 'b'}, {252, 's'}, {254, 's'}, {256, 'f'},
                                         {280, 'f'}, {328, 'b'}};
    const std::vector<double> values{-1,   0,    1,    2,    3,   4,   5,   7,   8,
                                     16,   18,   26,   32,   64,  128, 256, 512, 768,
                                     1024, 1280, 1792, 2304, 0.5, 1e9, NAN, 200, 0.001};
    for (const NiftiField& field : fields)
        for (const double value : values) {
            SCOPED_TRACE(std::to_string(field.place) + " is " + std::to_string(value));
            std::string altered = whole;
            if (field.kind == 'f') put(altered, field.place, static_cast<float>(value));
            const double near = std::isfinite(value) ? std::clamp(value, -1e4, 3e4) : 0.0;
            if (field.kind == 's') put(altered, field.place, static_cast<std::int16_t>(near));
            if (field.kind == 'b')
                put(altered, field.place, static_cast<std::uint8_t>(static_cast<int>(near) & 255));
            writeFile(path, altered);
            opensOrSaysWhy(path);
        }
    for (const char* form : {"decibels", "picture", "beamformed", "other"}) {
        std::string altered = whole;
        altered.replace(328, 16, std::string(form) + std::string(16 - std::strlen(form), '\0'));
        put(altered, 124, 60.0F);
        writeFile(path, altered);
        opensOrSaysWhy(path);
        put(altered, 254, std::int16_t{0}); // by the quaternion
        put(altered, 76, -1.0F);
        writeFile(path, altered);
        opensOrSaysWhy(path);
    }
}

struct DicomElement {
    std::uint32_t tag;
    std::string vr, value;
};

std::string elementsOf(const std::vector<DicomElement>& all) {
    std::string text;
    for (const DicomElement& each : all) text += dicom::element(each.tag, each.vr, each.value);
    return text;
}

/// Other values of an element.
std::vector<std::string> otherValues(const std::string& vr) {
    std::vector<std::string> values{""};
    for (const int value : {0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 255, 65535}) {
        if (vr == "US") values.push_back(dicom::number(static_cast<unsigned>(value), 2));
        if (vr == "UL") values.push_back(dicom::number(static_cast<unsigned>(value), 4));
    }
    if (vr == "FD")
        for (const double value : {0.0, -1.0, 0.02, 1e-9, 1e300, std::nan(""), HUGE_VAL})
            values.push_back(bytesOfValues(std::vector{value}));
    if (vr == "DS" || vr == "IS" || vr == "CS")
        for (const char* value : {"0 ", "-1", "nan ", "abc ", "2 ", "3 ", "40", "1e300 ",
                                  "0.1\\0.1 ", "0.1\\0.2 ", "1\\2\\3 ", "0\\40", "0\\40\\90\\1",
                                  "MONOCHROME1 ", "RGB ", "YBR_FULL", "PALETTE COLOR "})
            values.emplace_back(value);
    return values;
}

TEST(AlteredHeaders, OfDicom) {
    const auto two = [](unsigned value) { return dicom::number(value, 2); };
    const auto four = [](unsigned value) { return dicom::number(value, 4); };
    const std::string tenth = bytesOfValues(std::vector{0.01});
    std::vector<DicomElement> region{
        {0x00186012, "US", two(1)},  {0x00186014, "US", two(1)},  {0x00186016, "UL", four(0)},
        {0x00186018, "UL", four(0)}, {0x0018601A, "UL", four(0)}, {0x0018601C, "UL", four(3)},
        {0x0018601E, "UL", four(3)}, {0x00186024, "US", two(3)},  {0x00186026, "US", two(3)},
        {0x0018602C, "FD", tenth},   {0x0018602E, "FD", tenth}};
    std::vector<DicomElement> image{
        {0x00180040, "IS", "25"},           {0x00181063, "DS", "40"},
        {0x00181065, "DS", "0\\40\\40 "},   {0x00280002, "US", two(1)},
        {0x00280004, "CS", "MONOCHROME2 "}, {0x00280006, "US", two(0)},
        {0x00280008, "IS", "2 "},           {0x00280010, "US", two(4)},
        {0x00280011, "US", two(4)},         {0x00280030, "DS", "0.1\\0.1 "},
        {0x00280100, "US", two(8)},         {0x00280101, "US", two(8)},
        {0x00280102, "US", two(7)},         {0x00280103, "US", two(0)}};
    const TemporaryFolder folder;
    const auto path = folder / "a.dcm";
    const auto open = [&] {
        const std::string item = elementsOf(region);
        const std::string second = // a smaller one within the first
            elementsOf({{0x00186012, "US", two(2)},
                        {0x00186014, "US", two(3)},
                        {0x00186018, "UL", four(1)},
                        {0x0018601A, "UL", four(1)},
                        {0x0018601C, "UL", four(2)},
                        {0x0018601E, "UL", four(2)}});
        const auto itemOf = [](const std::string& text) {
            return dicom::plain(dicom::kItem, static_cast<std::uint32_t>(text.size()), text);
        };
        const std::string items = itemOf(item) + itemOf(second);
        std::vector<DicomElement> front;
        std::vector<DicomElement> back;
        for (const DicomElement& each : image)
            (each.tag < 0x00186011 ? front : back).push_back(each);
        writeFile(
            path,
            dicom::file(dicom::kExplicit,
                        elementsOf(front) +
                            dicom::longElement(0x00186011, "SQ",
                                               static_cast<std::uint32_t>(items.size()), items) +
                            elementsOf(back) + dicom::pixels(96, std::string(96, '\5'))));
        return opensOrSaysWhy(path);
    };
    int opened = open() ? 1 : 0;
    for (std::vector<DicomElement>* elements : {&region, &image})
        for (DicomElement& element : *elements) {
            const std::string was = element.value;
            for (const std::string& value : otherValues(element.vr)) {
                SCOPED_TRACE(element.vr + " " + std::to_string(element.tag & 0xFFFFU) + ": " +
                             value);
                element.value = value;
                opened += open() ? 1 : 0;
            }
            element.value = was;
        }
    if (opened == 0) GTEST_SKIP() << "built without DCMTK";
    EXPECT_GT(opened, 50);
}

} // namespace
} // namespace echolux::test
