// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays in MAT, NumPy, ZIP and text files: what each holds, and sentences about what none can
// hold.
#include "app/dataset/container/archive_array.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/mat5_arrays.hpp"
#include "app/dataset/container/mat_value.hpp"
#include "app/dataset/container/npy.hpp"
#include "app/dataset/container/shaped_array.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/container/xml_text.hpp"
#include "app/dataset/recording/opening.hpp"
#include "tests/dataset/crafted_mat5.hpp"

#include <blosc.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace echolux::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string refusalOfCall(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// A float64 array in memory.
std::unique_ptr<ArraySource> inMemory(const std::vector<double>& values,
                                      std::vector<std::int64_t> shape, bool columnMajor = false,
                                      int components = 1) {
    ElementType type{.kind = ElementType::Kind::Real, .bytes = 8};
    type.components = components;
    std::vector<std::byte> bytes(values.size() * sizeof(double));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return std::make_unique<MemoryArray>(std::move(bytes),
                                         ArrayLayout{type, std::move(shape), columnMajor});
}

TEST(ElementTypes, AreWrittenAsNumPyDoes) {
    for (const auto& [text, name] :
         std::initializer_list<std::pair<const char*, const char*>>{{"u1", "|u1"},
                                                                    {">u1", "|u1"},
                                                                    {">i2", ">i2"},
                                                                    {"=f8", "<f8"},
                                                                    {"c8", "<c8"},
                                                                    {">c16", ">c16"},
                                                                    {"complex128", "<c16"}})
        EXPECT_EQ(nameOf(parseElementType(text).value()), name) << text;
    for (const char* none : {"", "u", "u3", "i16", "f2", "c4", "c32", "x4", "f4f4", "<"})
        EXPECT_FALSE(parseElementType(none)) << none;
    EXPECT_FALSE(isStoredAs(*parseElementType("u1"), DType::Packed12));
}

TEST(StackedArrays, HaveOneTypeShapeAndOrder) {
    const auto stack = [](std::unique_ptr<ArraySource> first, std::unique_ptr<ArraySource> second) {
        return refusalOfCall([&] {
            std::vector<std::unique_ptr<ArraySource>> parts;
            parts.push_back(std::move(first));
            parts.push_back(std::move(second));
            const StackedArray stacked("a.h5", {2}, std::move(parts));
            EXPECT_THAT(stacked.layout().shape, ElementsAre(2, 2, 1));
        });
    };
    const auto part = [] { return inMemory({1, 2}, {2, 1}); };
    const auto differ = HasSubstr("describe only arrays of one type and shape");
    EXPECT_THAT(stack(part(), part()), IsEmpty());
    EXPECT_THAT(stack(part(), inMemory({1, 2}, {1, 2})), differ);
    EXPECT_THAT(stack(part(), inMemory({1, 2, 3, 4}, {2, 1}, false, 2)), differ);
    EXPECT_THAT(stack(part(), inMemory({1, 2}, {2, 1}, true)), differ);
    EXPECT_THAT(stack(inMemory({1, 2}, {2, 1}, true), inMemory({1, 2}, {2, 1}, true)),
                HasSubstr("save them in C order"));
}

TEST(ArrayNumbers, ComeInTheOrderOfTheirIndices) {
    const auto read = [](const std::unique_ptr<ArraySource>& source) {
        return readNumbers("a.mat", *source, "x");
    };
    EXPECT_THAT(read(inMemory({1, 2, 3, 4}, {2, 2}, true)), ElementsAre(1, 3, 2, 4));
    EXPECT_THAT(read(inMemory({1, 2, 3, 4}, {2, 2})), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(read(inMemory({1, 2, 3, 4}, {2, 2, 1}, true)), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(read(inMemory({1, 2, 3, 4}, {2, 1}, true, 2)), ElementsAre(1, 2, 3, 4));
    const auto many = inMemory(std::vector<double>((1U << 21U) + 1), {(1 << 21) + 1});
    EXPECT_THAT(refusalOfCall([&] { read(many); }), HasSubstr("far more than geometry"));
}

TEST(ReshapedArrays, AreSlicedAlongTheAxisThatStays) {
    const auto reshape = [](std::optional<KeptAxis> kept) {
        return reshaped(inMemory({1, 2, 3, 4}, {2, 2}), {2, 1, 2}, kept);
    };
    EXPECT_FALSE(reshape(std::nullopt)->canSlice(0));
    EXPECT_TRUE(reshape(KeptAxis{0, 0})->canSlice(0));
    EXPECT_FALSE(reshape(KeptAxis{0, 0})->canSlice(1));
    EXPECT_FALSE(reshape(KeptAxis{1, 2})->canSlice(2)) << "its source cannot be sliced there";
    std::vector<std::byte> row(16);
    reshape(KeptAxis{0, 0})->readSlice(0, 1, row);
    EXPECT_THAT(toDoubles(*parseElementType("f8"), row), ElementsAre(3, 4));
}

/// A member is read on from where the last call ended; more than 16 MiB are skipped where it is
/// stored, and inflated where it is not.
TEST(Archives, ReachPlacesFarBehindTheBeginning) {
    const TemporaryFolder folder;
    constexpr std::size_t kFar = std::size_t{17} << 20U;
    for (const bool deflate : {false, true}) {
        const auto path = folder / "far.zip";
        writeZip(path, {{"far", std::string(kFar, '\0') + "abcdefgh"}, {"near", "12345678"}},
                 deflate);
        const auto archive = std::make_shared<Archive>(path);
        const auto* far = archive->find("FAR");
        ASSERT_NE(far, nullptr);
        std::string text(4, ' ');
        archive->read(*far, kFar + 2, std::as_writable_bytes(std::span(text)));
        EXPECT_EQ(text, "cdef");
        const ArrayLayout layout{*parseElementType("u1"), {2, 4}, false};
        ArchiveArray array(archive, layout, {{archive->find("near"), 4}, {far, kFar}});
        std::string all(8, ' ');
        array.read(std::as_writable_bytes(std::span(all)));
        EXPECT_EQ(all, "5678abcd");
        for (const std::uint64_t offset : {kFar + 5, kFar + 9}) {
            ArchiveArray beyond(archive, {*parseElementType("u1"), {1, 4}, false}, {{far, offset}});
            EXPECT_THAT(refusalOfCall([&] {
                            beyond.readSlice(0, 0, std::as_writable_bytes(std::span(text)));
                        }),
                        HasSubstr("4 from byte"));
        }
    }
}

std::shared_ptr<const InputFile> fileOf(const TemporaryFolder& folder, const std::string& name,
                                        const std::string& bytes) {
    writeFile(folder / name, bytes);
    return std::make_shared<const InputFile>(folder / name);
}

template <class... Each> std::vector<std::byte> storedBytes(Each... each) {
    return {static_cast<std::byte>(each)...};
}

TEST(Hdf5Filters, SizesOfLzf) {
    struct Case {
        std::vector<std::byte> stored;
        std::size_t most;
        std::optional<std::size_t> size;
    };
    // A control byte below 32 begins plain bytes, one more than it says. Others begin a copy of
    // their upper 3 bits + 2 bytes, where 7 takes the next byte, too, from that far back + 1.
    const std::vector<Case> cases{{{}, 9, 0},
                                  {storedBytes(0, 'a'), 9, 1},
                                  {storedBytes(2, 'a', 'b'), 9, {}},
                                  {storedBytes(0, 'a', 0x20, 0), 9, 4},
                                  {storedBytes(0, 'a', 0x20, 0), 3, {}},
                                  {storedBytes(0, 'a', 0x20), 9, {}},
                                  {storedBytes(0, 'a', 0x20, 1), 9, {}},
                                  {storedBytes(0, 'a', 0xE0, 5, 0), 99, 15},
                                  {storedBytes(0, 'a', 0xE0, 5), 99, {}}};
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_EQ(lzfSize(cases[i].stored, cases[i].most), cases[i].size) << "case " << i;
}

TEST(Hdf5Filters, SizesOfBlosc) {
    std::vector<std::byte> stored(64 + BLOSC_MAX_OVERHEAD);
    const std::vector<char> zeros(64);
    stored.resize(static_cast<std::size_t>(blosc_compress_ctx(
        5, 1, 2, zeros.size(), zeros.data(), stored.data(), stored.size(), "lz4", 0, 1)));
    EXPECT_EQ(bloscSize(stored), 64U);
    auto untyped = stored;
    untyped[3] = std::byte{0};
    EXPECT_FALSE(bloscSize(untyped));
    EXPECT_FALSE(bloscSize(std::span(stored).first(8)));
}

TEST(NumPyHeaders, HaveEveryEntryInEitherQuotes) {
    const TemporaryFolder folder;
    const auto open = [&](const std::string& dictionary, int major = 1) {
        const auto file = fileOf(folder, "a.npy", npyBytes(dictionary, "\1\2", major));
        return refusalOfCall([&] { openNpy(file); });
    };
    EXPECT_THAT(open(R"({"descr": "|u1", "fortran_order": False, "shape": (2,)})"), IsEmpty());
    EXPECT_THAT(open("{'descr': '|u1', 'fortran_order': False}"), HasSubstr("lacks descr"));
    EXPECT_THAT(open("{'descr': '|u1', 'shape': (2,)}"), HasSubstr("lacks descr"));
    EXPECT_THAT(open("{'fortran_order': False, 'shape': (2,)}"), HasSubstr("lacks descr"));
    EXPECT_THAT(open("{descr: 1}"), HasSubstr("no text at character"));
    EXPECT_THAT(open(std::string((1U << 20U) + 1, ' '), 2), HasSubstr("that are sensible"));
    const auto file = fileOf(folder, "b.npy", npyBytes(npyDictionary("|u1", "(2,)"), "\1\2"));
    const auto container = openContainerHere(file);
    EXPECT_TRUE(container->has(""));
    EXPECT_FALSE(container->has("x"));
    EXPECT_THAT(refusalOfCall([&] { container->open("x"); }), HasSubstr("there is no 'x'"));
}

TEST(TextTables, AreCurvesOfOneOrTwoColumns) {
    const TemporaryFolder folder;
    const auto file = fileOf(folder, "a.txt", "x y\n1 +2\n2 3\n");
    const auto container = openContainerHere(file);
    ASSERT_NE(container, nullptr);
    EXPECT_EQ(container->list(), "text of 2 rows and 2 columns");
    const auto array = container->open("");
    EXPECT_THAT(array->layout().shape, ElementsAre(2, 2));
    EXPECT_THAT(readNumbers(file->path(), *array, ""), ElementsAre(1, 2, 2, 3));
    EXPECT_THAT(readTextTable(*file).series(file->path()), ElementsAre(2, 3));
    const auto refusal = [&](const std::string& text) {
        const auto made = fileOf(folder, "b.txt", text);
        return refusalOfCall([&] { readTextTable(*made).series(made->path()); });
    };
    EXPECT_THAT(refusal("5 1\n6 2\n"), HasSubstr("must count its rows from 0 or 1"));
    EXPECT_THAT(refusal("0 1\n2 2\n"), HasSubstr("must count its rows from 0 or 1"));
    EXPECT_THAT(refusal("1,,2\n1,2,3\n"), HasSubstr("line 1 holds ''"));
    EXPECT_THAT(refusal("1 2 3\n1 2 3\n"), HasSubstr("are no curve"));
    const auto huge = fileOf(folder, "c.txt", "1\n");
    std::filesystem::resize_file(huge->path(), (std::uintmax_t{64} << 20U) + 1);
    EXPECT_THAT(refusalOfCall([&] { readTextTable(InputFile(huge->path())); }),
                HasSubstr("save it as .npy"));
}

TEST(XmlTexts, AreWalkedWhateverTheyLack) {
    const auto check = [](const std::string& xml) {
        return refusalOfCall([&] {
            const Opening opening("a.oct");
            checkXml("a.oct", "its Header.xml", xml);
        });
    };
    const std::string deep = repeated("<a>", 300);
    for (const char* end : {"", "<!-- never ends", "<![CDATA[", "<b c='>' d=\"'\"/>", "<", "</a"})
        EXPECT_THAT(check("<?xml?><a>" + std::string(end)), IsEmpty()) << end;
    EXPECT_THAT(check("<a b='\"'>" + deep), HasSubstr("deep within each other"));
    EXPECT_THAT(check("<a b='" + deep + "'>"), IsEmpty()) << "text within quotes is no element";
}

/// The words of a MAT-file in the order of the other kind of machine. Its data are words, too.
std::string bigEndianMat(const std::string& variables) {
    std::string bytes = mat5::file(variables);
    bytes.replace(124, 4, std::string("\1\0MI", 4));
    for (std::size_t at = 128; at + 4 <= bytes.size(); at += 4)
        std::reverse(bytes.begin() + static_cast<long>(at),
                     bytes.begin() + static_cast<long>(at) + 4);
    return bytes;
}

TEST(Mat5Files, OfOtherMachinesAreRead) {
    const TemporaryFolder folder;
    // -3 as int32. The name takes a small element, whose letters would be reversed with the words.
    const std::string value = mat5::matrix(
        mat5::element(6, mat5::words({12, 0})) + mat5::element(5, mat5::words({1, 1})) +
        mat5::words({1U | 4U << 16U, 0x61626364}) + mat5::element(5, mat5::words({0xFFFFFFFD})));
    const auto file = fileOf(folder, "big.mat", bigEndianMat(value));
    const MatVariables variables = readMat5(*file);
    ASSERT_EQ(variables.size(), 1U);
    EXPECT_EQ(variables.front().first, "abcd");
    EXPECT_THAT(variables.front().second.numbers(), ElementsAre(-3));
}

TEST(Mat5Files, ThatAreDamagedSayWhere) {
    using namespace mat5;
    const std::string flags = element(6, words({kDouble, 0}));
    struct Case {
        const char* name;
        std::string variable;
        const char* refusal; ///< empty: it passes
    };
    const std::string any = head(kCell, {1, 1}, "c");
    const std::string structure = head(kStruct, {1, 1}, "s");
    const std::vector<Case> cases{
        {"flags of 4 bytes", matrix(words({6U | 4U << 16U, 0})), "without array flags"},
        {"flags of another type", matrix(element(5, words({6, 0}))), "without array flags"},
        {"no dimensions", matrix(flags + element(5, "")), "a list of 0 bytes"},
        {"half a dimension", matrix(flags + element(5, "abcdef")), "a list of 6 bytes"},
        {"short dimensions", matrix(flags + words({5U | 4U << 16U, 1})), "without dimensions"},
        {"dimensions of another type", matrix(flags + element(6, words({1, 1}))),
         "without dimensions"},
        {"a width of 8 bytes", matrix(structure + element(5, words({8, 8}))),
         "without the width of its names"},
        {"a width of another type", matrix(structure + words({6U | 4U << 16U, 8})),
         "without the width of its names"},
        {"a short field", matrix(any + words({14U | 4U << 16U, 0})), "a field that is no variable"},
        {"a field of another type", matrix(any + element(9, "12345678")),
         "a field that is no variable"},
        {"a function of a short part",
         matrix(head(kFunction, {1, 1}, "f") + words({14U | 4U << 16U, 0})), ""},
        {"letters of 4 bytes",
         matrix(head(kChar, {1, 2}, "t") + element(18, words({0x61, 0x1F600}))), ""},
        {"letters of 3 of 2", matrix(head(kChar, {1, 2}, "t") + element(4, "abcdef")), ""},
        {"one letter of 2", matrix(head(kChar, {1, 2}, "t") + element(4, "ab")),
         "2 numbers of 2 bytes were announced"}};
    const TemporaryFolder folder;
    for (const Case& each : cases) {
        const auto path = fileOf(folder, "a.mat", file(each.variable));
        const std::string said = refusalOfCall([&] { checkMat5(*path); });
        EXPECT_THAT(said, each.refusal[0] != '\0'
                              ? testing::Matcher<std::string>(HasSubstr(each.refusal))
                              : testing::Matcher<std::string>(IsEmpty()))
            << each.name;
    }
}

matvar_t* matText(const char* name, std::vector<std::uint16_t> codes) {
    std::size_t dims[2] = {1, codes.size()};
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UINT16, 2, dims, codes.data(), 0);
}

matvar_t* matStructs(const char* name, std::size_t count, const std::vector<const char*>& fields) {
    std::size_t dims[2] = {1, count};
    matvar_t* all =
        Mat_VarCreateStruct(name, 2, dims, const_cast<const char**>(fields.data()), // NOLINT: C
                            static_cast<unsigned>(fields.size()));
    for (std::size_t i = 0; i < count; ++i)
        for (const char* field : fields)
            Mat_VarSetStructFieldByName(all, field, i, MatBuilder::number(static_cast<double>(i)));
    return all;
}

TEST(Mat5Arrays, AreFoundByTheirNames) {
    const TemporaryFolder folder;
    const auto path = folder / "names.mat";
    {
        MatBuilder file(path);
        file.add(MatBuilder::array<double>("empty", {0, 0}, {}));
        file.add(matText("text", {0x61, 0x20AC, 0x62}));
        file.add(matStructs("one", 1, {"a"}));
        file.add(matStructs("two", 2, {"a", "b"}));
        file.add(matStructs("none", 0, {"a"}));
        file.add(MatBuilder::cells("c", {MatBuilder::number(1), matStructs(nullptr, 1, {"d"})}));
    }
    const InputFile file(path);
    const MatVariables variables = readMat5(file);
    const auto value = [&](std::string_view name) {
        for (const auto& [key, found] : variables)
            if (key == name) return found;
        return MatValue{};
    };
    EXPECT_EQ(value("text").text, "a?b");
    EXPECT_EQ(value("one").describe(), "struct");
    EXPECT_EQ(value("two").describe(), "struct array of 2");
    EXPECT_EQ(value("none").structs(), 0U);
    const auto arrays = openMat5Arrays(file);
    EXPECT_EQ(arrays->list(), "'one.a', 'two(1).a', 'two(1).b', 'two(2).a', 'two(2).b', 'c{1}', "
                              "'c{2}.d'");
    for (const char* name : {"one.a", "one(1).a", "two(2).b", "c{1}", "c{2}.d"})
        EXPECT_TRUE(arrays->has(name)) << name;
    for (const char* name : {"", "empty", "text", "two", "two(0).a", "two(3).a", "two(1x).a",
                             "two(x).a", "two(2.a", "c{3}", "c{1}.d", "absent", "one.b"})
        EXPECT_FALSE(arrays->has(name)) << name;
}

TEST(Mat5Arrays, AreListedUpToALimit) {
    const TemporaryFolder folder;
    const auto path = folder / "many.mat";
    {
        std::vector<matvar_t*> cells;
        for (int i = 0; i < 4095; ++i) cells.push_back(MatBuilder::number(i));
        MatBuilder file(path);
        file.add(MatBuilder::cells("c", cells));
        file.add(matStructs("s", 3, {"a", "b"}));
        file.add(MatBuilder::array<double>("x", {1, 1}, {1}));
        file.add(MatBuilder::cells("d", {MatBuilder::number(1)}));
    }
    const auto arrays = openMat5Arrays(InputFile(path));
    EXPECT_THAT(arrays->list(), HasSubstr("'c{12}', ..."));
    const std::vector<std::string> names = arrays->names();
    EXPECT_EQ(names.size(), 4096U);
    EXPECT_EQ(names.back(), "s(1).a");
}

} // namespace
} // namespace echolux::test
