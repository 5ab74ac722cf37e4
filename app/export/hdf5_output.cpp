// SPDX-License-Identifier: GPL-3.0-or-later
// Datasets in HDF5 1.8's format, which every reader understands.
#include "app/export/hdf5_output.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace echolux::hdf5 {
namespace {

Hdf5Handle createDataset(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                         hid_t stored, std::span<const hsize_t> chunk = {}) {
    const Hdf5Handle space(extent.empty() ? Hdf5Handle(H5Screate(H5S_SCALAR))
                                          : simpleSpace(extent));
    const Hdf5Handle layout = creation(H5P_DATASET_CREATE);
    if (!chunk.empty())
        require(H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data()),
                "choosing chunks");
    // NOTE: HDF5 must fill texts of variable length before they are written.
    if (H5Tget_class(stored) != H5T_STRING)
        require(H5Pset_fill_time(layout.get(), H5D_FILL_TIME_NEVER), "choosing no fill");
    return Hdf5Handle(require(
        H5Dcreate2(at, name.c_str(), stored, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
        "making a dataset"));
}

template <class T>
Hdf5Handle write(hid_t at, const std::string& name, std::span<const hsize_t> extent, hid_t stored,
                 hid_t memory, std::span<const T> values, std::span<const hsize_t> chunk = {}) {
    Hdf5Handle dataset = createDataset(at, name, extent, stored, chunk);
    if (!values.empty())
        require(H5Dwrite(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                "writing a dataset");
    return dataset;
}

} // namespace

Hdf5Handle createFile(const std::filesystem::path& path, hsize_t userBlock) {
    quietHdf5();
    const Hdf5Handle layout(H5Pcreate(H5P_FILE_CREATE));
    if (userBlock > 0) require(H5Pset_userblock(layout.get(), userBlock), "preparing the file");
    return Hdf5Handle(
        require(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, layout.get(), H5P_DEFAULT), "making it"));
}

void closeFile(Hdf5Handle& file) {
    require(H5Fflush(file.get(), H5F_SCOPE_LOCAL), "writing the file");
    if (!file.close()) throw std::runtime_error("closing the file");
}

Hdf5Handle createGroup(hid_t at, const std::string& name) {
    return Hdf5Handle(require(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                              "making a group"));
}

Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const double> values,
                        std::span<const hsize_t> chunk) {
    return write(at, name, extent, stored, H5T_NATIVE_DOUBLE, values, chunk);
}

Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const float> values) {
    return write(at, name, extent, stored, H5T_NATIVE_FLOAT, values);
}

Hdf5Handle writeString(hid_t at, const std::string& name, const std::string& text) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1));
    require(H5Tset_size(type.get(), H5T_VARIABLE), "choosing a type");
    require(H5Tset_cset(type.get(), H5T_CSET_UTF8), "choosing a type");
    Hdf5Handle dataset = createDataset(at, name, {}, type.get());
    const char* characters = text.c_str();
    require(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters),
            "writing a text");
    return dataset;
}

void writeFixedText(hid_t at, const std::string& name, const std::string& text) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1));
    require(H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1)), "choosing a type");
    const Hdf5Handle space(H5Screate(H5S_SCALAR));
    const Hdf5Handle attribute(
        require(H5Acreate2(at, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                "making an attribute"));
    require(H5Awrite(attribute.get(), type.get(), text.data()), "writing an attribute");
}

FrameRows::FrameRows(hid_t at, const std::string& name, const Hdf5Handle& stored, Hdf5Handle memory,
                     std::vector<hsize_t> extent, bool lone, std::span<const hsize_t> chunk)
    : m_dataset(createDataset(at, name, extent, stored.get(), chunk)), m_memory(std::move(memory)),
      m_extent(std::move(extent)), m_lone(lone) {}

void FrameRows::append(const void* frame) {
    if (m_lone) {
        require(H5Dwrite(m_dataset.get(), m_memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, frame),
                "writing a frame");
        return;
    }
    std::vector<hsize_t> start(m_extent.size(), 0);
    std::vector<hsize_t> count = m_extent;
    start.front() = m_frames++;
    count.front() = 1;
    const Hdf5Handle space(require(H5Dget_space(m_dataset.get()), "reading the extent"));
    require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr),
            "selecting a frame");
    const Hdf5Handle memory(simpleSpace(count));
    require(
        H5Dwrite(m_dataset.get(), m_memory.get(), memory.get(), space.get(), H5P_DEFAULT, frame),
        "writing a frame");
}

Hdf5Handle pairType(hid_t part, const char* real, const char* imaginary) {
    const std::size_t bytes = H5Tget_size(part);
    Hdf5Handle type(require(H5Tcreate(H5T_COMPOUND, 2 * bytes), "choosing a type"));
    require(H5Tinsert(type.get(), real, 0, part), "choosing a type");
    require(H5Tinsert(type.get(), imaginary, bytes, part), "choosing a type");
    return type;
}

Hdf5Handle copied(hid_t type) { return Hdf5Handle(require(H5Tcopy(type), "choosing a type")); }

} // namespace echolux::hdf5
