// SPDX-License-Identifier: GPL-3.0-or-later
// Texts, numbers and parts as HDF5 files store them.
#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/hdf5_values.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace echolux::test {
namespace {

TEST(Hdf5Values, ReadTextsHoweverTheyAreStored) {
    const TemporaryFolder folder;
    const auto path = folder / "texts.h5";
    const auto strings = [](hid_t file, const char* where, std::size_t width, hsize_t count,
                            const void* cells) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, width);
        const hid_t space = H5Screate_simple(1, &count, nullptr);
        const hid_t made =
            H5Dcreate2(file, where, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (cells != nullptr) H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
        H5Dclose(made);
        H5Sclose(space);
        H5Tclose(type);
    };
    {
        Hdf5Builder file(path);
        file.add<double>("codes", {5}, {0x41, 0xE4, 0x20AC, 7, 0xD800});
        file.add<double>("negative", {1}, {-1});
        file.add<double>("fraction", {1}, {0.5});
        file.add<double>("beyond", {1}, {70000});
        file.add<double>("long", {5000}, std::vector<double>(5000, 65));
        strings(file.id(), "word", 6, 1, "words");
        strings(file.id(), "letters", 1, 3, "abc");
        strings(file.id(), "wide", 5000, 1, nullptr);
        strings(file.id(), "many", 1, 5000, nullptr);
        strings(file.id(), "nothing", 1, 0, nullptr);
        const char* const later = "later";
        strings(file.id(), "later", H5T_VARIABLE, 1, &later);
        H5Gclose(H5Gcreate2(file.id(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    const Hdf5Values values(Hdf5File::openReadOnly(path));
    EXPECT_EQ(values.text("codes"), "A\xC3\xA4\xE2\x82\xAC") << "control codes are left out";
    EXPECT_EQ(values.text("word"), "words");
    EXPECT_EQ(values.text("letters"), "abc");
    EXPECT_EQ(values.text("later"), "later");
    for (const char* none :
         {"negative", "fraction", "beyond", "long", "wide", "many", "nothing", "group", "absent"})
        EXPECT_FALSE(values.text(none)) << none;
}

TEST(Hdf5Values, ReadNumbersOfAttributes) {
    const TemporaryFolder folder;
    const auto path = folder / "attributes.h5";
    {
        const Hdf5Builder file(path);
        const hid_t group = H5Gcreate2(file.id(), "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const auto put = [&](hid_t at, const char* name, hid_t type, hsize_t count,
                             const void* all) {
            const hid_t space = H5Screate_simple(1, &count, nullptr);
            const hid_t made = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
            H5Awrite(made, type, all);
            H5Aclose(made);
            H5Sclose(space);
        };
        const double real = 2.5;
        const std::int16_t whole = -3;
        const std::vector<int> many(65, 1);
        put(file.id(), "root", H5T_NATIVE_DOUBLE, 1, &real);
        put(group, "real", H5T_NATIVE_DOUBLE, 1, &real);
        put(group, "whole", H5T_NATIVE_INT16, 1, &whole);
        put(group, "many", H5T_NATIVE_INT, many.size(), many.data());
        put(group, "none", H5T_NATIVE_INT, 0, many.data());
        put(group, "text", H5T_C_S1, 1, "a");
        const hid_t names = H5Tenum_create(H5T_NATIVE_INT16);
        H5Tenum_insert(names, "third", &whole);
        put(group, "named", names, 1, &whole);
        H5Tclose(names);
        H5Gclose(group);
    }
    const auto tree = Hdf5File::openReadOnly(path);
    EXPECT_EQ(Hdf5Values(tree).numberAttribute("root"), 2.5);
    const Hdf5Values group(tree, "g");
    EXPECT_EQ(group.numberAttribute("real"), 2.5);
    EXPECT_EQ(group.numberAttribute("whole"), -3.0);
    EXPECT_EQ(group.numberAttribute("named"), -3.0);
    for (const char* none : {"many", "none", "text", "absent"})
        EXPECT_FALSE(group.numberAttribute(none)) << none;
}

TEST(Hdf5Values, PartsHaveOneTypeAndShape) {
    const TemporaryFolder folder;
    const auto path = folder / "parts.h5";
    {
        Hdf5Builder file(path);
        file.add<float>("real", {2, 3}, countedUp<float>(6));
        file.add<float>("imaginary", {2, 3}, countedUp<float>(6));
        file.add<float>("longer", {2, 4}, countedUp<float>(8));
        file.add<double>("finer", {2, 3}, countedUp<double>(6));
    }
    const auto tree = Hdf5File::openReadOnly(path);
    const auto both = openParts(*tree, "real", "imaginary");
    EXPECT_EQ(both->layout().shape, (std::vector<std::int64_t>{2, 2, 3}));
    EXPECT_TRUE(both->canSlice(0));
    std::vector<float> row(6);
    both->readSlice(1, 1, std::as_writable_bytes(std::span(row)));
    EXPECT_EQ(row, (std::vector<float>{3, 4, 5, 3, 4, 5}));
    both->readSlice(0, 1, std::as_writable_bytes(std::span(row)));
    EXPECT_EQ(row, countedUp<float>(6));
    EXPECT_THROW(openParts(*tree, "real", "longer"), Error);
    EXPECT_THROW(openParts(*tree, "real", "finer"), Error);
}

TEST(Hdf5Kinds, AreToldByWhatATreeHolds) {
    const TemporaryFolder folder;
    const auto path = folder / "tree.h5";
    const auto nameWith = [&](const std::string& where) {
        std::filesystem::remove(path);
        {
            Hdf5Builder file(path);
            file.add<double>(where, {1}, {0.0});
        }
        return std::string(nameOf(detectTree(*Hdf5File::openReadOnly(path))));
    };
    EXPECT_EQ(nameWith("tracks/track_0/a"), "zea HDF5");
    EXPECT_EQ(nameWith("event_0/a"), "zea HDF5");
    for (const char* each : {"raw_data", "beamformed_data", "envelope_data", "image"})
        EXPECT_EQ(nameWith(std::string("data/") + each), "zea HDF5") << each;
    EXPECT_EQ(nameWith("US/a"), "PICMUS HDF5");
    EXPECT_EQ(nameWith("uff.channel_data/a"), "ultrasound file format (UFF task force)");
    EXPECT_EQ(nameWith("version/major"), "ultrasound file format (UFF task force)");
    EXPECT_EQ(nameWith("data/rf_data"), "pybf HDF5");
    EXPECT_EQ(nameWith("US"), "HDF5") << "an array, no group";
}

TEST(FileKinds, OthersFilesAreNamed) {
    using testing::HasSubstr;
    const TemporaryFolder folder;
    const auto path = folder / "file.bin";
    const auto refusal = [&](const std::string& bytes) {
        writeFile(path, bytes);
        try {
            detectKind(InputFile(path));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto words = [](std::int32_t type, std::int32_t imaginary, std::int32_t name) {
        return bytesOfValues(std::vector<std::int32_t>{type, 1, 1, imaginary, name});
    };
    const std::string rest(8, '\0');
    EXPECT_THAT(refusal(words(0, 0, 2) + "a" + rest), HasSubstr("level 4"));
    EXPECT_THAT(refusal(words(10, 1, 2) + "a" + rest), HasSubstr("level 4")) << "complex";
    for (const std::string& raw :
         {words(60, 0, 2) + "a" + rest, words(3, 0, 2) + "a" + rest, words(100, 0, 2) + "a" + rest,
          words(0, 2, 2) + "a" + rest, words(0, 0, 1) + "a" + rest, words(0, 0, 200) + "a" + rest,
          words(0, 0, 2) + "1" + rest, words(6000, 0, 2) + "a" + rest, words(0, 0, 2)})
        EXPECT_EQ(refusal(raw), "");
    for (const char* text : {"    -1\n   151\n", "    -1\r\n   151\r\n"})
        EXPECT_THAT(refusal(text), HasSubstr("Universal File Format"));
    const std::string head = "MATLAB 5.0 MAT-file" + std::string(105, ' ');
    EXPECT_EQ(refusal(head + std::string("\1\0MI", 4)), "") << "the other byte order";
    EXPECT_THAT(refusal(head + std::string("\3\0MI", 4)), HasSubstr("0x0300"));
    EXPECT_THAT(refusal(head + std::string("\0\2IM", 4)), HasSubstr("no HDF5 data follow"));
    EXPECT_THAT(refusal(head), HasSubstr("cut off or damaged"));
    for (const std::string& pickle :
         {std::string("\x80\x04\x95\0.", 5), std::string("\x80\x02}q.")})
        EXPECT_THAT(refusal(pickle), HasSubstr("pickle"));
    for (const std::string& raw :
         {std::string("\x80\x04\x94\0.", 5), std::string("\x80\x02") + "Aq.",
          std::string("\x80\x02}q,"), std::string("\x80\x07}q.")})
        EXPECT_EQ(refusal(raw), "");
}

} // namespace
} // namespace echolux::test
