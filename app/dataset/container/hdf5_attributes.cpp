// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes and small tables of HDF5 files.
#include "app/dataset/container/hdf5_attributes.hpp"

#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_texts.hpp"
#include "app/dataset/container/hdf5_whole.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace echolux::hdf5 {

namespace {

constexpr std::size_t kMaxAttributeBytes = std::size_t{1} << 16;
constexpr std::size_t kMostAttributes = 4096; ///< of one object

void writeAttribute(hid_t at, const std::string& name, hid_t stored, hid_t memory,
                    std::optional<hsize_t> count, const void* data) {
    const Hdf5Handle space(count ? H5Screate_simple(1, &*count, nullptr) : H5Screate(H5S_SCALAR));
    const Hdf5Handle attribute(
        require(H5Acreate2(at, name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                "making an attribute"));
    require(H5Awrite(attribute.get(), memory, data), "writing an attribute");
}

Hdf5Handle textType(std::size_t bytes) {
    Hdf5Handle type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), std::max<std::size_t>(bytes, 1));
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    return type;
}

struct OpenAttribute {
    Hdf5Handle id;
    Hdf5Handle type;
    std::size_t count = 0;
    std::size_t width = 0; ///< bytes of each
};

struct Cells {
    Hdf5Handle type;
    std::string bytes;
};

/// Texts one after the other, each padded with zeros to the width of the longest.
Cells cellsOf(const std::vector<std::string>& texts) {
    std::size_t width = 1;
    for (const std::string& text : texts) width = std::max(width, text.size());
    Cells cells{textType(width), {}};
    for (const std::string& text : texts) {
        cells.bytes += text;
        cells.bytes.append(width - text.size(), '\0');
    }
    return cells;
}

/// Empty where there is no attribute of that class, or one larger than this program would write.
std::optional<OpenAttribute> openAttribute(hid_t at, const std::string& name, H5T_class_t kind) {
    quietHdf5();
    if (H5Aexists(at, name.c_str()) <= 0) return std::nullopt;
    OpenAttribute found;
    found.id = Hdf5Handle(H5Aopen(at, name.c_str(), H5P_DEFAULT));
    if (!found.id) return std::nullopt;
    found.type = Hdf5Handle(H5Aget_type(found.id.get()));
    const Hdf5Handle space(H5Aget_space(found.id.get()));
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (H5Tget_class(found.type.get()) != kind || count < 1) return std::nullopt;
    found.width = H5Tget_size(found.type.get());
    found.count = static_cast<std::size_t>(count);
    if (found.width == 0 || found.count > kMaxAttributeBytes / found.width) return std::nullopt;
    return found;
}

template <class T> std::optional<std::vector<T>> readNumbers(hid_t at, const std::string& name,
                                                             H5T_class_t kind, hid_t memory) {
    const auto attribute = openAttribute(at, name, kind);
    if (!attribute) return std::nullopt;
    std::vector<T> values(attribute->count);
    if (H5Aread(attribute->id.get(), memory, values.data()) < 0) return std::nullopt;
    return values;
}

template <class T> std::optional<T> only(const std::optional<std::vector<T>>& values) {
    if (!values || values->size() != 1) return std::nullopt;
    return values->front();
}

Hdf5Handle openTable(hid_t at, const std::string& name, std::span<const hsize_t> extent) {
    quietHdf5();
    if (H5Lexists(at, name.c_str(), H5P_DEFAULT) <= 0) return {};
    Hdf5Handle dataset(H5Dopen2(at, name.c_str(), H5P_DEFAULT));
    if (dataset && !dataObstacle(dataset.get()) &&
        std::ranges::equal(extentOf(dataset.get()), extent))
        return dataset;
    return {};
}

} // namespace

hid_t require(hid_t status, const char* what) {
    if (status < 0) throw std::runtime_error(what);
    return status;
}

Hdf5Handle creation(hid_t kind) {
    Hdf5Handle layout(require(H5Pcreate(kind), "preparing the file"));
    require(H5Pset_obj_track_times(layout.get(), false), "choosing no times");
    return layout;
}

Hdf5Handle simpleSpace(std::span<const hsize_t> extent) {
    return Hdf5Handle(
        require(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                "describing an extent"));
}

std::vector<hsize_t> extentOf(hid_t dataset) {
    const Hdf5Handle space(H5Dget_space(dataset));
    const int rank = H5Sget_simple_extent_ndims(space.get());
    std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(rank, 0)));
    if (!extent.empty()) H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
    return extent;
}

void writeText(hid_t at, const std::string& name, const std::string& text) {
    const Hdf5Handle type = textType(text.size());
    writeAttribute(at, name, type.get(), type.get(), std::nullopt, text.c_str());
}

void writeTexts(hid_t at, const std::string& name, const std::vector<std::string>& texts) {
    const Cells cells = cellsOf(texts);
    writeAttribute(at, name, cells.type.get(), cells.type.get(), texts.size(), cells.bytes.data());
}

void writeNames(hid_t at, const std::string& name, const std::vector<std::string>& names) {
    const Cells cells = cellsOf(names);
    const Hdf5Handle space = simpleSpace(std::vector<hsize_t>{names.size()});
    const Hdf5Handle layout = creation(H5P_DATASET_CREATE);
    const Hdf5Handle dataset(require(H5Dcreate2(at, name.c_str(), cells.type.get(), space.get(),
                                                H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                                     "making a list of names"));
    require(H5Dwrite(dataset.get(), cells.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     cells.bytes.data()),
            "writing a list of names");
}

void writeReal(hid_t at, const std::string& name, double value) {
    writeAttribute(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, std::nullopt, &value);
}

void writeReals(hid_t at, const std::string& name, std::span<const double> values) {
    writeAttribute(at, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void writeInteger(hid_t at, const std::string& name, std::int64_t value) {
    writeAttribute(at, name, H5T_STD_I64LE, H5T_NATIVE_INT64, std::nullopt, &value);
}

void writeIntegers(hid_t at, const std::string& name, std::span<const std::int64_t> values) {
    writeAttribute(at, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.size(), values.data());
}

std::optional<std::vector<std::string>> readTexts(hid_t at, const std::string& name) {
    const auto attribute = openAttribute(at, name, H5T_STRING);
    if (!attribute || H5Tis_variable_str(attribute->type.get()) > 0) return std::nullopt;
    std::string cells(attribute->width * attribute->count, '\0');
    if (H5Aread(attribute->id.get(), attribute->type.get(), cells.data()) < 0) return std::nullopt;
    return textsIn(cells, attribute->width);
}

std::optional<std::string> readText(hid_t at, const std::string& name) {
    return only(readTexts(at, name));
}

std::optional<std::vector<std::string>> readNames(hid_t at, const std::string& name,
                                                  std::size_t count) {
    constexpr std::size_t kMaxWidth = 64;
    const Hdf5Handle dataset = openTable(at, name, std::vector<hsize_t>{count});
    if (!dataset) return std::nullopt;
    const Hdf5Whole whole(dataset.get());
    const Hdf5Handle type(H5Dget_type(dataset.get()));
    const std::size_t width = H5Tget_size(type.get());
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0 ||
        width - 1 >= kMaxWidth || !whole.count()) // width 0: HDF5 failed
        return std::nullopt;
    std::string cells(count * width, '\0');
    if (!whole.read(type.get(), cells.data())) return std::nullopt;
    return textsIn(cells, width);
}

std::optional<std::vector<double>> readReals(hid_t at, const std::string& name) {
    return readNumbers<double>(at, name, H5T_FLOAT, H5T_NATIVE_DOUBLE);
}

std::optional<double> readReal(hid_t at, const std::string& name) {
    return only(readReals(at, name));
}

std::optional<std::vector<std::int64_t>> readIntegers(hid_t at, const std::string& name) {
    return readNumbers<std::int64_t>(at, name, H5T_INTEGER, H5T_NATIVE_INT64);
}

std::optional<std::int64_t> readInteger(hid_t at, const std::string& name) {
    return only(readIntegers(at, name));
}

std::vector<std::pair<std::string, std::string>> readAllTexts(hid_t at) {
    std::vector<std::pair<std::string, std::string>> texts;
    const auto visit = [](hid_t where, const char* name, const H5A_info_t*, void* found) -> herr_t {
        auto& all = *static_cast<decltype(texts)*>(found);
        if (auto text = readText(where, name)) all.emplace_back(name, std::move(*text));
        return all.size() < kMostAttributes ? 0 : 1;
    };
    hsize_t position = 0;
    if (H5Aiterate2(at, H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, visit, &texts) < 0) {
        position = 0;
        texts.clear();
        H5Aiterate2(at, H5_INDEX_NAME, H5_ITER_INC, &position, visit, &texts);
    }
    return texts;
}

void writeTable(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                std::span<const double> values) {
    const Hdf5Handle space = simpleSpace(extent);
    const Hdf5Handle layout = creation(H5P_DATASET_CREATE);
    const Hdf5Handle dataset(require(H5Dcreate2(at, name.c_str(), H5T_IEEE_F64LE, space.get(),
                                                H5P_DEFAULT, layout.get(), H5P_DEFAULT),
                                     "making a table"));
    require(
        H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "writing a table");
}

std::optional<std::vector<double>> readTable(hid_t at, const std::string& name,
                                             std::span<const hsize_t> extent) {
    const Hdf5Handle dataset = openTable(at, name, extent);
    if (!dataset) return std::nullopt;
    return readWhole<double>(dataset.get(), H5T_NATIVE_DOUBLE);
}

} // namespace echolux::hdf5
