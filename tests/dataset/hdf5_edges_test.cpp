// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 trees at the edges of what Echolux reads: types, links, references, texts, and what filters
// make of chunks.
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/container/mat_value.hpp"
#include "tests/dataset/crafted_hdf5.hpp"
#include "tests/dataset/uff_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace echolux::test {
namespace {

using hdf5_crafts::Shape;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Change = std::function<void(hid_t file)>;

/// A new HDF5 file.
std::shared_ptr<Hdf5File> treeOf(const TemporaryFolder& folder, const Change& change) {
    quietHdf5();
    const auto path = folder / "tree.h5";
    std::filesystem::remove(path);
    {
        const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        change(file.get());
    }
    return Hdf5File::openReadOnly(path);
}

std::string refusalBy(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string readRefused(Hdf5File& tree, const std::string& where) {
    return refusalBy([&] {
        const auto array = tree.open(where);
        std::vector<std::byte> all(array->layout().bytes());
        array->read(all);
    });
}

template <class... Each> std::vector<std::byte> bytesOf(Each... each) {
    return {static_cast<std::byte>(each)...};
}

/// HDF5 gets no more from a decoder than the limit of this thread.
TEST(Hdf5Filters, DecodeWithinTheirLimit) {
    const TemporaryFolder folder;
    guardHdf5();
    H5Zunregister(kFilterLzf); // HDF5 makes no dataset with a filter that only decodes
    const auto tree = treeOf(folder, [](hid_t file) {
        const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
        const hsize_t four = 4;
        H5Pset_chunk(plist.get(), 1, &four);
        H5Pset_filter(plist.get(), kFilterLzf, H5Z_FLAG_OPTIONAL, 0, nullptr);
        const Hdf5Handle space(H5Screate_simple(1, &four, nullptr));
        for (const auto& [name, stored] :
             {std::pair("whole", bytesOf(0, 'a', 0x20, 0)),
              std::pair("damaged", bytesOf(0, 'a', 0x20, 7)), std::pair("none", bytesOf())}) {
            const Hdf5Handle data(H5Dcreate2(file, name, H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT,
                                             plist.get(), H5P_DEFAULT));
            const hsize_t first = 0;
            H5Dwrite_chunk(data.get(), H5P_DEFAULT, 0, &first, stored.size(), stored.data());
        }
    });
    registerDecoders();
    const auto read = [&](const char* name, std::size_t limit) {
        const ChunkLimit most(limit);
        const Hdf5Handle data(H5Dopen2(tree->id(), name, H5P_DEFAULT));
        std::string text(4, ' ');
        return H5Dread(data.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0
                   ? "failed"
                   : text;
    };
    EXPECT_EQ(read("whole", 3), "failed");
    EXPECT_EQ(read("damaged", 4), "failed");
    EXPECT_EQ(read("whole", 4), "aaaa");
    EXPECT_THAT(readRefused(*tree, "damaged"), HasSubstr("cannot be read"));
}

TEST(Hdf5Chunks, ThatCannotBeWholeAreRefused) {
    const TemporaryFolder folder;
    using Filters = std::vector<H5Z_filter_t>;
    // Two chunks of 8 bytes; the second one holds more than it needs.
    const auto make = [](hid_t file, const char* name, const Filters& filters,
                         const std::string& stored) {
        const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
        const hsize_t eight = 8;
        const hsize_t extent = 16;
        const unsigned level = 1;
        H5Pset_chunk(plist.get(), 1, &eight);
        for (const H5Z_filter_t filter : filters)
            H5Pset_filter(plist.get(), filter, H5Z_FLAG_MANDATORY,
                          filter == H5Z_FILTER_DEFLATE ? 1 : 0, &level);
        const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr));
        const Hdf5Handle data(H5Dcreate2(file, name, H5T_NATIVE_UINT8, space.get(), H5P_DEFAULT,
                                         plist.get(), H5P_DEFAULT));
        const hsize_t first = 0;
        EXPECT_GE(H5Dwrite_chunk(data.get(), H5P_DEFAULT, 0, &first, stored.size(), stored.data()),
                  0);
        const std::string plain(99, 'x');
        EXPECT_GE(H5Dwrite_chunk(data.get(), H5P_DEFAULT, 3, &eight, plain.size(), plain.data()),
                  0);
    };
    const Filters deflate{H5Z_FILTER_DEFLATE};
    struct Case {
        const char* name;
        Filters filters;
        std::string stored;
        const char* refusal; ///< empty: it is read
    };
    constexpr const char* kDamaged = "cannot be read";
    const std::vector<Case> cases{
        {"whole", deflate, deflated("12345678"), ""},
        {"vast", deflate, deflated("12345678") + std::string(2000, 'x'), kDamaged},
        {"more", deflate, deflated(std::string(5000, 'x')), kDamaged},
        {"less", deflate, deflated("1234567"), kDamaged},
        {"short", {H5Z_FILTER_FLETCHER32}, "123", kDamaged},
        {"twice", {H5Z_FILTER_DEFLATE, H5Z_FILTER_DEFLATE}, "x", "compressed more than once"},
        {"turned", {H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE}, "x", "after it was compressed"}};
    const auto tree = treeOf(folder, [&](hid_t file) {
        for (const Case& each : cases) make(file, each.name, each.filters, each.stored);
    });
    for (const Case& each : cases) {
        const std::string said = readRefused(*tree, each.name);
        EXPECT_THAT(said, HasSubstr(each.refusal)) << each.name;
        EXPECT_EQ(said.empty(), *each.refusal == '\0') << each.name;
    }
}

TEST(Hdf5Types, AreNumbersOrPairsOfEqualOnes) {
    const TemporaryFolder folder;
    const auto pair = [](hid_t first, hid_t second, std::size_t bytes) {
        Hdf5Handle type(H5Tcreate(H5T_COMPOUND, bytes));
        H5Tinsert(type.get(), "r", 0, first);
        H5Tinsert(type.get(), "i", 8, second);
        return type;
    };
    const Hdf5Handle wide(H5Tcopy(H5T_STD_I64LE));
    H5Tset_size(wide.get(), 16);
    const Hdf5Handle letters(H5Tcopy(H5T_C_S1));
    const auto tree = treeOf(folder, [&](hid_t file) {
        using hdf5_crafts::dataset;
        dataset(file, "wide", wide.get(), {2});
        dataset(file, "unequal", pair(H5T_IEEE_F64LE, H5T_IEEE_F32LE, 16).get(), {2});
        dataset(file, "text_first", pair(letters.get(), H5T_IEEE_F32LE, 16).get(), {2});
        dataset(file, "text_last", pair(H5T_IEEE_F32LE, letters.get(), 16).get(), {2});
        dataset(file, "equal", pair(H5T_IEEE_F32LE, H5T_IEEE_F32LE, 16).get(), {2});
        dataset(file, "padded", pair(H5T_IEEE_F32LE, H5T_IEEE_F32LE, 65536).get(),
                {hsize_t{1} << 50U}, {1});
    });
    for (const char* name : {"wide", "unequal", "text_first", "text_last"}) {
        EXPECT_FALSE(tree->isNumeric(name)) << name;
        EXPECT_THAT(readRefused(*tree, name), HasSubstr("holds no plain numbers")) << name;
    }
    EXPECT_TRUE(tree->isNumeric("equal"));
    EXPECT_THAT(readRefused(*tree, "padded"), HasSubstr("claims 18446744073709551615 bytes"));
}

/// More than 4 GiB are read in parts along any axis; the file has a hole in their place.
TEST(Hdf5Types, VastArraysAreSlicedAlongEveryAxis) {
    const TemporaryFolder folder;
    const auto tree = treeOf(folder, [&](hid_t file) {
        const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_alloc_time(plist.get(), H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(plist.get(), H5D_FILL_TIME_NEVER);
        for (const hsize_t rows : {hsize_t{2}, (hsize_t{1} << 31U) + 1}) {
            const hsize_t extent[]{rows, 2};
            const Hdf5Handle space(H5Screate_simple(2, extent, nullptr));
            Hdf5Handle(H5Dcreate2(file, rows == 2 ? "small" : "vast", H5T_NATIVE_UINT8, space.get(),
                                  H5P_DEFAULT, plist.get(), H5P_DEFAULT));
        }
    });
    EXPECT_FALSE(tree->open("small")->canSlice(1));
    const auto vast = tree->open("vast");
    EXPECT_TRUE(vast->canSlice(1));
    std::vector<std::byte> row(2, std::byte{1});
    vast->readSlice(0, std::int64_t{1} << 31U, row);
    EXPECT_EQ(row, bytesOf(0, 0));
}

TEST(Hdf5Links, OfUnknownKindsAreNotFollowed) {
    const TemporaryFolder folder;
    const auto tree = treeOf(folder, [](hid_t file) {
        const H5L_class_t kind{.version = H5L_LINK_CLASS_T_VERS,
                               .id = static_cast<H5L_type_t>(200),
                               .comment = "of another program",
                               .create_func = nullptr,
                               .move_func = nullptr,
                               .copy_func = nullptr,
                               .trav_func = [](const char*, hid_t, const void*, std::size_t, hid_t,
                                               hid_t) { return hid_t{-1}; },
                               .del_func = nullptr,
                               .query_func = nullptr};
        H5Lregister(&kind);
        H5Lcreate_ud(file, "strange", kind.id, "x", 1, H5P_DEFAULT, H5P_DEFAULT);
        H5Lunregister(kind.id);
        for (const char* name : {"a", "b", "c"}) hdf5_crafts::number(file, name, 1);
    });
    EXPECT_THAT(refusalBy([&] { tree->has("strange"); }),
                HasSubstr("a link of a kind that Echolux does not know"));
    EXPECT_THAT(tree->children("", 2), testing::SizeIs(2));
    EXPECT_THAT(tree->children("a"), IsEmpty());
    for (const char* root : {"", "/"}) {
        EXPECT_TRUE(tree->has(root));
        EXPECT_TRUE(tree->isGroup(root));
        EXPECT_THAT(readRefused(*tree, root), HasSubstr("it holds no dataset"));
    }
    EXPECT_TRUE(tree->has("/a"));
    EXPECT_FALSE(tree->has("/absent"));
}

void storeReferences(hid_t file, const char* name, const std::vector<std::string>& targets,
                     bool deflate) {
    const hsize_t count = targets.size();
    const Hdf5Handle plist(H5Pcreate(H5P_DATASET_CREATE));
    if (deflate) {
        H5Pset_chunk(plist.get(), 1, &count);
        H5Pset_deflate(plist.get(), 1);
    }
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr));
    const Hdf5Handle data(H5Dcreate2(file, name, H5T_STD_REF_OBJ, space.get(), H5P_DEFAULT,
                                     plist.get(), H5P_DEFAULT));
    std::vector<hobj_ref_t> places(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (!targets[i].empty()) H5Rcreate(&places[i], file, targets[i].c_str(), H5R_OBJECT, -1);
    H5Dwrite(data.get(), H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, places.data());
}

TEST(Hdf5References, NameWhatTheyReferTo) {
    const TemporaryFolder folder;
    const std::string longName(1100, 'n');
    const auto tree = treeOf(folder, [&](hid_t file) {
        for (const std::string& name : {std::string("a"), longName})
            hdf5_crafts::number(file, name, 1);
        storeReferences(file, "all", {"a", "", longName}, false);
        storeReferences(file, "deflated", {"a", "a"}, true);
        storeReferences(file, "none", {}, false);
        Hdf5Handle(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    });
    EXPECT_THAT(tree->references("all", 9).targets, ElementsAre("/a", "", ""));
    EXPECT_THAT(tree->references("deflated", 9).targets, ElementsAre("/a", "/a"));
    EXPECT_THAT(tree->references("all", 2).targets, IsEmpty());
    for (const char* name : {"none", "a", "group", "absent"})
        EXPECT_THAT(tree->references(name, 9).targets, IsEmpty()) << name;
    EXPECT_TRUE(tree->isReferences("all"));
    for (const char* name : {"a", "group", "absent"}) EXPECT_FALSE(tree->isReferences(name));
}

TEST(Hdf5Texts, HaveALimitAndMayBeNull) {
    const TemporaryFolder folder;
    const auto tree = treeOf(folder, [](hid_t file) {
        const auto text = [&](const char* name, std::size_t width, hid_t space) {
            const Hdf5Handle type(H5Tcopy(H5T_C_S1));
            H5Tset_size(type.get(), width);
            const Hdf5Handle owned(space);
            Hdf5Handle(
                H5Dcreate2(file, name, type.get(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        };
        const auto row = [](hsize_t count) { return H5Screate_simple(1, &count, nullptr); };
        text("no_space", 4, H5Screate(H5S_NULL));
        text("many", 1, row(5000));
        text("long", (std::size_t{1} << 20U) + 1, row(1));
        text("none", 4, row(0));
        text("null", H5T_VARIABLE, row(1));
        const Hdf5Handle null(H5Dopen2(file, "null", H5P_DEFAULT));
        const Hdf5Handle type(H5Dget_type(null.get()));
        const char* const nothing = nullptr;
        H5Dwrite(null.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &nothing);
    });
    EXPECT_EQ(tree->text("null"), "");
    for (const char* name : {"no_space", "many", "long", "none"})
        EXPECT_FALSE(tree->text(name)) << name;
}

TEST(Hdf5Numbers, OfGeometryHaveALimit) {
    const TemporaryFolder folder;
    const auto tree = treeOf(folder, [](hid_t file) {
        hdf5_crafts::zeros(file, "many", (hsize_t{1} << 21U) + 1);
        hdf5_crafts::number(file, "beyond", 0xE9E9);
        const Hdf5Handle wide(H5Tcopy(H5T_STD_I64LE));
        H5Tset_size(wide.get(), 16);
        const Hdf5Handle space(H5Screate(H5S_SCALAR));
        Hdf5Handle(H5Acreate2(file, "wide", wide.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
    });
    const Hdf5Values values(tree);
    EXPECT_THAT(refusalBy([&] { values.numbers("many"); }), HasSubstr("far more than geometry"));
    EXPECT_EQ(values.text("beyond"), "\xEE\xA7\xA9"); // U+E9E9 in UTF-8
    EXPECT_FALSE(values.numberAttribute("wide"));
}

TEST(Hdf5Parts, AreRealAndSlicedWhereBothAre) {
    const TemporaryFolder folder;
    const auto path = folder / "parts.h5";
    {
        const Hdf5Editor file(path);
        for (const char* name : {"re", "im"}) file.numbers(name, {2, 3}, {1, 2, 3, 4, 5, 6});
        for (const char* name : {"zre", "zim"}) file.complexZeros(name, {2});
    }
    const auto tree = Hdf5File::openReadOnly(path);
    const auto parts = openParts(*tree, "re", "im");
    EXPECT_TRUE(parts->canSlice(0));
    EXPECT_TRUE(parts->canSlice(1));
    EXPECT_FALSE(parts->canSlice(2));
    std::vector<float> row(6);
    parts->readSlice(1, 1, std::as_writable_bytes(std::span(row)));
    EXPECT_THAT(row, ElementsAre(4, 5, 6, 4, 5, 6));
    parts->readSlice(0, 1, std::as_writable_bytes(std::span(row)));
    EXPECT_THAT(row, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(refusalBy([&] { openParts(*tree, "zre", "zim"); }),
                HasSubstr("complex numbers where real parts are expected"));
}

TEST(Mat73Files, HaveEveryKindOfValue) {
    const TemporaryFolder folder;
    const auto path = folder / "kinds.mat";
    {
        const Hdf5Editor file(path);
        const auto add = [&](const char* name, const char* kind, const Shape& shape,
                             const std::vector<double>& values) {
            file.numbers(name, shape, values);
            file.textAttribute(name, "MATLAB_class", kind);
        };
        add("flag", "logical", {1, 1}, {1});
        add("alone", "double", {}, {7});
        add("odd", "function_handle", {1, 1}, {1});
        add("letters", "char", {3}, {0x61, 300, 0x62});
        add("no_letters", "char", {2}, {0, 0});
        file.numberAttribute("no_letters", "MATLAB_empty", 1);
        add("nothing", "double", {2}, {0, 0});
        file.numberAttribute("nothing", "MATLAB_empty", 1);
        add("novel", "char", {70000}, std::vector<double>(70000, 0x61));
        file.text("string", "abc");
        file.textAttribute("string", "MATLAB_class", "char");
        file.text("strung", "abc");
        file.textAttribute("strung", "MATLAB_class", "double");
    }
    const MatVariables variables = readMat73(path);
    const auto value = [&](std::string_view name) {
        for (const auto& [key, found] : variables)
            if (key == name) return found;
        return MatValue{};
    };
    EXPECT_THAT(value("flag").numbers(), ElementsAre(1));
    EXPECT_THAT(value("alone").numbers(), ElementsAre(7));
    EXPECT_THAT(value("alone").dims, ElementsAre(1, 1));
    EXPECT_EQ(value("letters").text, "a?b");
    for (const char* empty : {"no_letters", "novel", "string"}) {
        EXPECT_EQ(value(empty).kind, MatValue::Kind::Text) << empty;
        EXPECT_EQ(value(empty).text, "") << empty;
    }
    for (const char* other : {"odd", "nothing", "strung"})
        EXPECT_EQ(value(other).kind, MatValue::Kind::Other) << other;
}

TEST(Mat73Files, StructArraysHaveFieldsOfOneLength) {
    const TemporaryFolder folder;
    const auto structs = [&](const std::vector<std::string>& a, const std::vector<std::string>& b) {
        treeOf(folder, [&](hid_t file) {
            hdf5_crafts::number(file, "x", 5);
            Hdf5Handle(H5Gcreate2(file, "s", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
            storeReferences(file, "s/a", a, false);
            storeReferences(file, "s/b", b, false);
        });
        std::size_t count = 0;
        const std::string said = refusalBy([&] {
            for (const auto& [name, value] : readMat73(folder / "tree.h5"))
                if (name == "s") count = value.structs();
        });
        return said.empty() ? std::to_string(count) : said;
    };
    EXPECT_EQ(structs({"x", "x"}, {"x", ""}), "2");
    EXPECT_EQ(structs({"x"}, {"x"}), "1");
    EXPECT_THAT(structs({"x", "x"}, {"x"}), HasSubstr("are not equally long"));
    EXPECT_THAT(structs({}, {}), HasSubstr("are not equally long"));
}

} // namespace
} // namespace echolux::test
