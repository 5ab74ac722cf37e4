// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric HDF5 datasets as arrays. Every size in the file is checked before memory is allocated.
#include "app/dataset/container/hdf5_array.hpp"

#include "app/dataset/container/hdf5_chunk_check.hpp"
#include "app/dataset/container/hdf5_file.hpp"
#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/container/hdf5_storage.hpp"
#include "app/dataset/recording/opening_warnings.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace echolux {

namespace {

std::optional<ElementType> realElement(hid_t type) {
    ElementType element;
    const std::size_t size = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        element.kind = H5Tget_sign(type) == H5T_SGN_NONE ? ElementType::Kind::Unsigned
                                                         : ElementType::Kind::Signed;
        if (size > 8) return std::nullopt;
        element.bytes = size <= 1 ? 1 : size <= 2 ? 2 : size <= 4 ? 4 : 8;
        return element;
    case H5T_FLOAT:
        element.kind = ElementType::Kind::Real;
        if (size > 16) return std::nullopt;
        element.bytes = size <= 4 ? 4 : 8;
        return element;
    default: return std::nullopt;
    }
}

hid_t nativeOf(std::uint8_t) { return H5T_NATIVE_UINT8; }
hid_t nativeOf(std::uint16_t) { return H5T_NATIVE_UINT16; }
hid_t nativeOf(std::uint32_t) { return H5T_NATIVE_UINT32; }
hid_t nativeOf(std::uint64_t) { return H5T_NATIVE_UINT64; }
hid_t nativeOf(std::int8_t) { return H5T_NATIVE_INT8; }
hid_t nativeOf(std::int16_t) { return H5T_NATIVE_INT16; }
hid_t nativeOf(std::int32_t) { return H5T_NATIVE_INT32; }
hid_t nativeOf(std::int64_t) { return H5T_NATIVE_INT64; }
hid_t nativeOf(float) { return H5T_NATIVE_FLOAT; }
hid_t nativeOf(double) { return H5T_NATIVE_DOUBLE; }

hid_t nativeType(const ElementType& element) {
    return visitComponent(element, [](auto zero) { return nativeOf(zero); });
}

/// A value's type in memory: a number, or a compound of two equal numbers for complex values.
struct MemoryType {
    ElementType element;
    Hdf5Handle handle;
};

std::optional<MemoryType> memoryType(hid_t stored) {
    if (const auto element = realElement(stored))
        return MemoryType{*element, Hdf5Handle(H5Tcopy(nativeType(*element)))};
    // NOTE: h5py stores booleans as an enumeration of one byte, and so they are read unconverted.
    if (H5Tget_class(stored) == H5T_ENUM && H5Tget_size(stored) == 1)
        return MemoryType{{.kind = ElementType::Kind::Unsigned, .bytes = 1},
                          Hdf5Handle(H5Tcopy(stored))};
    if (H5Tget_class(stored) != H5T_COMPOUND || H5Tget_nmembers(stored) != 2) return std::nullopt;
    const Hdf5Handle first(H5Tget_member_type(stored, 0));
    const Hdf5Handle second(H5Tget_member_type(stored, 1));
    const auto real = realElement(first.get());
    const auto imaginary = realElement(second.get());
    if (!real || real != imaginary) return std::nullopt;
    MemoryType type{*real, {}};
    type.element.components = 2;
    type.handle = Hdf5Handle(H5Tcreate(H5T_COMPOUND, type.element.size()));
    for (unsigned i = 0; i < 2; ++i) {
        char* name = H5Tget_member_name(stored, i);
        if (name == nullptr) return std::nullopt;
        H5Tinsert(type.handle.get(), name, i * static_cast<std::size_t>(real->bytes),
                  nativeType(*real));
        H5free_memory(name);
    }
    return type;
}

class Hdf5Array : public ArraySource {
public:
    Hdf5Array(std::shared_ptr<const Hdf5File> file, std::string where, Hdf5Handle dataset)
        : m_file(std::move(file)), m_where(std::move(where)), m_dataset(std::move(dataset)) {
        const Hdf5Handle stored(H5Dget_type(m_dataset.get()));
        auto memory = memoryType(stored.get());
        if (!memory)
            throw fileError(m_file->path(), fmt::format("'{}' holds no plain numbers; name a "
                                                        "numeric dataset",
                                                        m_where));
        m_memory = std::move(memory->handle);
        m_layout.type = memory->element;
        const Hdf5Handle space(H5Dget_space(m_dataset.get()));
        const int rank = H5Sget_simple_extent_ndims(space.get());
        if (rank < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL)
            throw fileError(m_file->path(),
                            fmt::format("'{}' has no extent; the file is damaged or "
                                        "was never finished",
                                        m_where));
        std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
        H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
        for (const hsize_t extent : extents)
            m_layout.shape.push_back(static_cast<std::int64_t>(extent));
        m_layout.check(m_file->path(), fmt::format("'{}'", m_where));
        leaveOutUnwritten(H5Tget_size(stored.get()));
        m_storage = checkedStorage(m_file->path(), m_where, m_dataset.get(), m_layout,
                                   H5Tget_size(stored.get()));
        if (!m_storage.filters.empty()) m_chunks.emplace(m_storage);
    }

    /// NOTE: a chunk that spans several indices would be decompressed again for each of them.
    bool canSlice(std::size_t axis) const override {
        if (m_layout.bytes() > kMaxLoadBytes) return true;
        return m_storage.chunk.empty() ? axis == 0 : m_storage.chunk[axis] == 1;
    }
    void read(std::span<std::byte> out) override {
        const std::vector<hsize_t> start(m_layout.shape.size(), 0);
        const std::vector<hsize_t> count(m_layout.shape.begin(), m_layout.shape.end());
        checkChunks(start, count);
        if (m_isWhole)
            transfer(H5S_ALL, H5S_ALL, out);
        else
            transferPart(start, count, out);
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        std::vector<hsize_t> start(m_layout.shape.size(), 0);
        std::vector<hsize_t> count(m_layout.shape.begin(), m_layout.shape.end());
        start[axis] = static_cast<hsize_t>(index);
        count[axis] = 1;
        checkChunks(start, count);
        transferPart(start, count, out);
    }

private:
    /// Leaves out entries of the first axis from the first one that was never written, as in a file
    /// whose recording was stopped.
    void leaveOutUnwritten(std::size_t elementBytes) {
        const std::int64_t written = writtenEntries(m_dataset.get(), m_layout, elementBytes);
        if (m_layout.shape.empty() || written < 1 || written == m_layout.shape.front()) return;
        warnOfOpening(fmt::format("'{}' was never finished: of {} entries the first {} are stored; "
                                  "the others are left out.",
                                  m_where, m_layout.shape.front(), written));
        m_layout.shape.front() = written;
        m_isWhole = false;
    }
    void transferPart(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
                      std::span<std::byte> out) {
        const Hdf5Handle fileSpace(H5Dget_space(m_dataset.get()));
        H5Sselect_hyperslab(fileSpace.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr);
        const hsize_t elements = out.size() / m_layout.type.size();
        const Hdf5Handle memorySpace(H5Screate_simple(1, &elements, nullptr));
        transfer(memorySpace.get(), fileSpace.get(), out);
    }
    void checkChunks(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
        guardHdf5();
        if (m_chunks && !m_chunks->areWhole(m_dataset.get(), start, count)) throw unreadable();
    }
    void transfer(hid_t memorySpace, hid_t fileSpace, std::span<std::byte> out) {
        guardHdf5();
        const ChunkLimit limit(m_chunks ? m_chunks->mostBytes() : 0);
        if (H5Dread(m_dataset.get(), m_memory.get(), memorySpace, fileSpace, H5P_DEFAULT,
                    out.data()) < 0)
            throw unreadable();
    }
    Error unreadable() const {
        return fileError(m_file->path(), fmt::format("the samples of '{}' cannot be read; the file "
                                                     "is damaged, copy it again",
                                                     m_where));
    }

    std::shared_ptr<const Hdf5File> m_file;
    std::string m_where;
    Hdf5Handle m_dataset;
    Hdf5Handle m_memory;
    Hdf5Storage m_storage;
    std::optional<Hdf5ChunkCheck> m_chunks; ///< for datasets with filters
    bool m_isWhole = true;                  ///< false: entries at the end were never written
};

} // namespace

bool isNumericHdf5(hid_t type) { return memoryType(type).has_value(); }

Hdf5Handle hdf5TypeOf(const ElementType& type) {
    if (type.components == 1) return Hdf5Handle(H5Tcopy(nativeType(type)));
    Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, type.size()));
    const std::array<const char*, 2> names{"r", "i"}; // as h5py names them
    for (std::size_t i = 0; i < names.size(); ++i)
        H5Tinsert(pair.get(), names[i], i * static_cast<std::size_t>(type.bytes), nativeType(type));
    return pair;
}

std::unique_ptr<ArraySource> openHdf5Array(std::shared_ptr<const Hdf5File> file, std::string where,
                                           Hdf5Handle dataset) {
    return std::make_unique<Hdf5Array>(std::move(file), std::move(where), std::move(dataset));
}

} // namespace echolux
