// SPDX-License-Identifier: GPL-3.0-or-later
// Variables in MATLAB's layout.
#include "app/export/matlab_output.hpp"

#include <cstdint>
#include <fstream>
#include <span>
#include <utility>
#include <vector>

namespace echolux {

namespace matlab {
namespace {

constexpr hsize_t kUserBlock = 512;

/// 116 characters, 8 unused bytes, version 2.0, byte order.
std::string userBlock(const std::string& program) {
    std::string head = "MATLAB 7.3 MAT-file, written by " + program + ", HDF5 schema 1.00 .";
    head.resize(116, ' ');
    head.append(8, '\0');
    head += std::string("\x00\x02IM", 4);
    head.resize(kUserBlock, '\0');
    return head;
}

} // namespace

Hdf5Handle createFile(const OutputFiles& files) {
    return hdf5::createFile(files.partial(), kUserBlock);
}

void put(hid_t file, const NumberFact& array) {
    std::vector<double> values = array.values;
    std::vector<hsize_t> extent(array.extent.rbegin(), array.extent.rend());
    if (extent.size() < 2) extent.resize(2, 1);
    if (array.extent.size() == 1) std::swap(extent[0], extent[1]);
    // MATLAB counts the first index fastest. `at` are the indices of one value, the last fastest.
    std::vector<std::int64_t> at(array.extent.size(), 0);
    for (std::size_t from = 0; array.extent.size() > 1 && from < values.size(); ++from) {
        std::int64_t to = 0;
        for (std::size_t axis = at.size(); axis-- > 0;) to = to * array.extent[axis] + at[axis];
        values[static_cast<std::size_t>(to)] = array.values[from];
        for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == array.extent[axis];)
            at[axis] = 0;
    }
    const Hdf5Handle dataset = hdf5::writeNumbers(file, array.name, extent, H5T_IEEE_F64LE, values);
    hdf5::writeFixedText(dataset.get(), "MATLAB_class", "double");
}

void put(hid_t file, const TextFact& text) {
    const bool empty = text.text.empty();
    std::vector<double> codes;
    for (const char c : text.text) codes.push_back(static_cast<unsigned char>(c));
    if (empty) codes = {0.0, 0.0}; // an empty variable stores its size
    const std::vector<hsize_t> extent =
        empty ? std::vector<hsize_t>{2} : std::vector<hsize_t>{text.text.size(), 1};
    const Hdf5Handle dataset =
        hdf5::writeNumbers(file, text.name, extent, empty ? H5T_STD_U64LE : H5T_STD_U16LE,
                           std::span<const double>(codes));
    hdf5::writeFixedText(dataset.get(), "MATLAB_class", "char");
    const int code = 2;
    const Hdf5Handle space(H5Screate(H5S_SCALAR));
    const auto attribute = [&](const char* name, hid_t stored, int value) {
        const Hdf5Handle made(hdf5::require(
            H5Acreate2(dataset.get(), name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT),
            "making an attribute"));
        hdf5::require(H5Awrite(made.get(), H5T_NATIVE_INT, &value), "writing an attribute");
    };
    attribute("MATLAB_int_decode", H5T_STD_I32LE, code);
    if (empty) attribute("MATLAB_empty", H5T_STD_U8LE, 1);
}

void finish(Hdf5Handle& file, const OutputFiles& files, const std::string& program) {
    hdf5::closeFile(file);
    std::fstream head(files.partial(), std::ios::binary | std::ios::in | std::ios::out);
    const std::string block = userBlock(program);
    head.write(block.data(), static_cast<std::streamsize>(block.size()));
    head.close();
    if (!head) files.refuse();
}

} // namespace matlab

} // namespace echolux
