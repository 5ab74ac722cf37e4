// SPDX-License-Identifier: GPL-3.0-or-later
// Encoded datatypes, as HDF5 writes them and damaged.
#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_type_check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace echolux {
namespace {

using Bytes = std::vector<std::byte>;

/// The datatype message.
Bytes encoded(hid_t type) {
    constexpr std::size_t kPreface = 2; // of H5Tencode: kind of object, version
    std::size_t size = 0;
    H5Tencode(type, nullptr, &size);
    Bytes bytes(size);
    H5Tencode(type, bytes.data(), &size);
    bytes.resize(size);
    return {bytes.begin() + kPreface, bytes.end()};
}

Hdf5Handle enumeration() {
    Hdf5Handle type(H5Tenum_create(H5T_STD_I16LE));
    for (std::int16_t value = 0; value < 3; ++value)
        H5Tenum_insert(type.get(), ("name " + std::to_string(value)).c_str(), &value);
    return type;
}

/// A compound of an array, an enumeration and numbers of variable count.
Hdf5Handle compound() {
    const hsize_t extents[] = {3, 5};
    const Hdf5Handle array(H5Tarray_create2(H5T_IEEE_F32LE, 2, extents));
    const Hdf5Handle numbers(H5Tvlen_create(H5T_STD_U8LE));
    const Hdf5Handle choice = enumeration();
    Hdf5Handle type(H5Tcreate(H5T_COMPOUND, 60 + 2 + 16));
    H5Tinsert(type.get(), "array", 0, array.get());
    H5Tinsert(type.get(), "choice", 60, choice.get());
    H5Tinsert(type.get(), "numbers", 62, numbers.get());
    return type;
}

TEST(DatatypeFits, TypesThatHdf5Writes) {
    for (const hid_t type : {H5T_STD_I32LE, H5T_IEEE_F64BE, H5T_C_S1, H5T_STD_B8LE, H5T_STD_REF_OBJ,
                             H5T_STD_REF_DSETREG})
        EXPECT_TRUE(datatypeFits(encoded(type)));
    const Hdf5Handle opaque(H5Tcreate(H5T_OPAQUE, 12));
    H5Tset_tag(opaque.get(), "a tag");
    EXPECT_TRUE(datatypeFits(encoded(opaque.get())));
    EXPECT_TRUE(datatypeFits(encoded(enumeration().get())));
    EXPECT_TRUE(datatypeFits(encoded(compound().get())));
}

TEST(DatatypeFits, NoTypeThatEndsBeforeItsEnd) {
    for (const Bytes& whole : {encoded(enumeration().get()), encoded(compound().get())}) {
        const std::size_t padding = 8;
        for (std::size_t size = 0; size + padding < whole.size(); ++size)
            EXPECT_FALSE(datatypeFits(std::span(whole).first(size))) << size;
    }
}

TEST(DatatypeFits, NoEnumerationWhoseValuesAreLargerThanItIs) {
    Bytes bytes = encoded(enumeration().get());
    bytes[8 + 4] = std::byte{0xF8}; // size of the base type
    bytes[8 + 5] = std::byte{0x7F};
    EXPECT_FALSE(datatypeFits(bytes));
    bytes[4] = bytes[8 + 4]; // and of the enumeration
    bytes[5] = bytes[8 + 5];
    EXPECT_FALSE(datatypeFits(bytes));
}

TEST(DatatypeFits, NoEnumerationOfMoreMembersThanItNames) {
    Bytes bytes = encoded(enumeration().get());
    bytes[1] = std::byte{200};
    EXPECT_FALSE(datatypeFits(bytes));
}

TEST(DatatypeFits, NoMemberBeyondItsCompound) {
    Bytes bytes = encoded(compound().get());
    bytes[4] = std::byte{70};
    EXPECT_FALSE(datatypeFits(bytes));
}

TEST(DatatypeFits, NoTypesNestedWithoutEnd) {
    Bytes nested;
    for (int depth = 0; depth < 1000; ++depth) {
        const unsigned char head[] = {0x19, 0, 0, 0, 16, 0, 0, 0}; // sequences of sequences
        for (const unsigned char byte : head) nested.push_back(static_cast<std::byte>(byte));
    }
    const Bytes last = encoded(H5T_STD_U8LE);
    nested.insert(nested.end(), last.begin(), last.end());
    EXPECT_FALSE(datatypeFits(nested));
}

} // namespace
} // namespace echolux
