// SPDX-License-Identifier: GPL-3.0-or-later
// Small files of foreign formats, written by the tests themselves, and the sentences that refuse
// them.
#pragma once

#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/dataset/native_samples.hpp"

#include <hdf5.h>
#include <matio.h>
#include <zip.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

inline void writeFile(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

template <class T> std::string bytesOfValues(const std::vector<T>& values, bool swapped = false) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    if (swapped)
        for (std::size_t at = 0; at < bytes.size(); at += sizeof(T))
            std::reverse(bytes.begin() + static_cast<long>(at),
                         bytes.begin() + static_cast<long>(at + sizeof(T)));
    return bytes;
}

/// 0, 1, 2, ... as samples whose place can be told from their value.
template <class T> std::vector<T> countedUp(std::size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T{});
    return values;
}

inline std::string npyBytes(const std::string& dictionary, const std::string& data, int major = 1) {
    std::string text = dictionary + "\n";
    std::string head("\x93NUMPY", 6);
    head += static_cast<char>(major);
    head += '\0';
    const auto length = static_cast<std::uint32_t>(text.size());
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
        head += static_cast<char>(length >> (8 * i) & 0xFFU);
    return head + text + data;
}

inline std::string npyDictionary(const std::string& descr, const std::string& shape,
                                 bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }";
}

inline void writeZip(const std::filesystem::path& path,
                     const std::vector<std::pair<std::string, std::string>>& members,
                     bool deflate) {
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, data] : members) {
        zip_source_t* source = zip_source_buffer(archive, data.data(), data.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
        zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                                 deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    zip_close(archive);
}

/// A new HDF5 file to which tests add datasets; closed by its destructor.
class Hdf5Builder {
public:
    explicit Hdf5Builder(const std::filesystem::path& path)
        : m_file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~Hdf5Builder() { H5Fclose(m_file); }
    hid_t id() const { return m_file; }

    template <class T> void add(const std::string& where, const std::vector<hsize_t>& shape,
                                const std::vector<T>& values, bool deflate = false) {
        const hid_t type = typeOf(T{});
        const hid_t links = H5Pcreate(H5P_LINK_CREATE);
        H5Pset_create_intermediate_group(links, 1);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        if (deflate) {
            std::vector<hsize_t> chunk = shape;
            chunk[0] = 1;
            H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
            H5Pset_shuffle(creation);
            H5Pset_deflate(creation, 4);
        }
        const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
        const hid_t dataset =
            H5Dcreate2(m_file, where.c_str(), type, space, links, creation, H5P_DEFAULT);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(dataset);
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(links);
    }

private:
    static hid_t typeOf(double) { return H5T_NATIVE_DOUBLE; }
    static hid_t typeOf(float) { return H5T_NATIVE_FLOAT; }
    static hid_t typeOf(std::int16_t) { return H5T_NATIVE_INT16; }
    hid_t m_file;
};

/// Writes MATLAB variables: arrays and one level of structs.
class MatBuilder {
public:
    explicit MatBuilder(const std::filesystem::path& path, mat_ft version = MAT_FT_MAT5,
                        matio_compression compression = MAT_COMPRESSION_ZLIB)
        : m_mat(Mat_CreateVer(path.c_str(), nullptr, version)), m_compression(compression) {}
    MatBuilder(const MatBuilder&) = delete;
    MatBuilder& operator=(const MatBuilder&) = delete;
    ~MatBuilder() { Mat_Close(m_mat); }

    template <class T>
    static matvar_t* array(const char* name, std::vector<std::size_t> dims, std::vector<T> values) {
        const auto [type, storage] = classOf(T{});
        return Mat_VarCreate(name, type, storage, static_cast<int>(dims.size()), dims.data(),
                             values.data(), 0);
    }
    static matvar_t* number(double value) { return array<double>(nullptr, {1, 1}, {value}); }
    static matvar_t* row(const std::vector<double>& values) {
        return array<double>(nullptr, {1, values.size()}, values);
    }
    static matvar_t* complexArray(const char* name, std::vector<std::size_t> dims,
                                  std::vector<float> re, std::vector<float> im) {
        mat_complex_split_t split{re.data(), im.data()};
        return Mat_VarCreate(name, MAT_C_SINGLE, MAT_T_SINGLE, static_cast<int>(dims.size()),
                             dims.data(), &split, MAT_F_COMPLEX);
    }

    /// A row of any values.
    static matvar_t* cells(const char* name, const std::vector<matvar_t*>& values) {
        std::size_t dims[2] = {1, values.size()};
        matvar_t* result = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dims, nullptr, 0);
        for (std::size_t i = 0; i < values.size(); ++i)
            Mat_VarSetCell(result, static_cast<int>(i), values[i]);
        return result;
    }

    using Fields = std::vector<std::pair<std::string, matvar_t*>>;
    static matvar_t* structure(const char* name, const Fields& fields) {
        std::vector<const char*> names;
        for (const auto& field : fields) names.push_back(field.first.c_str());
        std::size_t dims[2] = {1, 1};
        matvar_t* result =
            Mat_VarCreateStruct(name, 2, dims, names.data(), static_cast<unsigned>(names.size()));
        for (const auto& [field, value] : fields)
            Mat_VarSetStructFieldByName(result, field.c_str(), 0, value);
        return result;
    }
    void add(matvar_t* variable) {
        Mat_VarWrite(m_mat, variable, m_compression);
        Mat_VarFree(variable);
    }

private:
    static std::pair<matio_classes, matio_types> classOf(double) {
        return {MAT_C_DOUBLE, MAT_T_DOUBLE};
    }
    static std::pair<matio_classes, matio_types> classOf(float) {
        return {MAT_C_SINGLE, MAT_T_SINGLE};
    }
    static std::pair<matio_classes, matio_types> classOf(std::int16_t) {
        return {MAT_C_INT16, MAT_T_INT16};
    }
    static std::pair<matio_classes, matio_types> classOf(std::uint8_t) {
        return {MAT_C_UINT8, MAT_T_UINT8};
    }

    mat_t* m_mat;
    matio_compression m_compression;
};

/// The sentence that refuses a file; empty where it opens.
inline std::string refusalOf(const std::filesystem::path& path, const OpenOptions& options = {}) {
    try {
        openRecording(path, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// One frame, converted to double; complex samples as pairs.
inline std::vector<double> frameOf(Recording& recording, std::int64_t index = 0) {
    const FrameSpec& spec = recording.info().frame;
    std::vector<std::byte> bytes(spec.bytes());
    recording.readFrame(index, bytes);
    const auto convert = [&](auto zero) {
        using T = decltype(zero);
        std::vector<double> values(bytes.size() / sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i) {
            T value;
            std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
            values[i] = static_cast<double>(value);
        }
        return values;
    };
    switch (spec.dtype) {
    case DType::U8: return convert(std::uint8_t{});
    case DType::U16: return convert(std::uint16_t{});
    case DType::I16:
    case DType::ComplexI16: return convert(std::int16_t{});
    default: return convert(float{});
    }
}

} // namespace echolux::test
