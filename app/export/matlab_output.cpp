// SPDX-License-Identifier: GPL-3.0-or-later
// Variables in MATLAB's layout.
#include "app/export/matlab_output.hpp"

#include <fstream>
#include <span>
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
    std::vector<hsize_t> extent{1, 1};
    if (array.extent.size() == 1) extent[1] = static_cast<hsize_t>(array.extent[0]);
    if (array.extent.size() == 2) {
        extent = {static_cast<hsize_t>(array.extent[1]), static_cast<hsize_t>(array.extent[0])};
        const auto rows = static_cast<std::size_t>(array.extent[0]);
        const auto columns = static_cast<std::size_t>(array.extent[1]);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c)
                values[c * rows + r] = array.values[r * columns + c];
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
