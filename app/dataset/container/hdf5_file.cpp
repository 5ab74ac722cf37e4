// SPDX-License-Identifier: GPL-3.0-or-later
// Walks HDF5 trees with every claim of the file checked before memory is asked for.
#include "app/dataset/container/hdf5_file.hpp"

#include "app/dataset/container/hdf5_chunk_check.hpp"
#include "app/dataset/container/hdf5_heap_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace echolux {

namespace {

std::string rooted(const std::string& where) { return where.empty() ? "/" : where; }

std::string filterName(H5Z_filter_t id) {
    static constexpr std::array<std::pair<H5Z_filter_t, const char*>, 15> kNames{
        {{1, "deflate"},
         {2, "shuffle"},
         {3, "fletcher32"},
         {4, "szip"},
         {5, "nbit"},
         {6, "scaleoffset"},
         {307, "bzip2"},
         {32000, "LZF"},
         {32001, "Blosc"},
         {32004, "LZ4"},
         {32008, "bitshuffle"},
         {32013, "ZFP"},
         {32015, "Zstandard"},
         {32026, "Blosc2"},
         {32028, "delta"}}};
    for (const auto& [known, name] : kNames)
        if (known == id) return name;
    return "unknown";
}

struct Storage {
    std::vector<hsize_t> chunk; ///< empty: contiguous or compact
    bool filtered = false;
    bool deflateOnly = true; ///< no filter shrinks the data more than deflate can
};

/// Refuses filters that this HDF5 cannot undo, by name.
Storage checkFilters(const std::filesystem::path& path, const std::string& where, hid_t dataset) {
    Storage storage;
    const Hdf5Handle plist(H5Dget_create_plist(dataset));
    if (!plist) return storage;
    if (H5Pget_layout(plist.get()) == H5D_CHUNKED) {
        storage.chunk.resize(H5S_MAX_RANK);
        const int rank = H5Pget_chunk(plist.get(), H5S_MAX_RANK, storage.chunk.data());
        storage.chunk.resize(static_cast<std::size_t>(std::max(rank, 0)));
    }
    const int count = H5Pget_nfilters(plist.get());
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        std::array<char, 64> name{};
        unsigned config = 0;
        const H5Z_filter_t id = H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags,
                                               &values, nullptr, name.size(), name.data(), &config);
        if (H5Zfilter_avail(id) <= 0)
            throw fileError(path, fmt::format("'{}' is compressed with HDF5 filter {} ({}), which "
                                              "is not installed here; install its plug-in and set "
                                              "HDF5_PLUGIN_PATH, or rewrite the file with h5repack "
                                              "-f GZIP=4",
                                              where, id, filterName(id)));
        storage.filtered = true;
        if (id != H5Z_FILTER_DEFLATE && id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32)
            storage.deflateOnly = false;
    }
    return storage;
}

/// Refuses an extent that the stored bytes cannot fill.
void checkStorage(const std::filesystem::path& path, const std::string& where, hid_t dataset,
                  const ArrayLayout& layout, const Storage& storage, std::size_t storedElement) {
    constexpr std::uint64_t kMostRatio = 1032; // of deflate
    const std::uint64_t stored = H5Dget_storage_size(dataset);
    const std::uint64_t needed =
        static_cast<std::uint64_t>(layout.count()) * static_cast<std::uint64_t>(storedElement);
    const std::uint64_t most = !storage.filtered     ? stored
                               : storage.deflateOnly ? stored * kMostRatio + kMostRatio
                               : stored > 0          ? needed
                                                     : 0;
    if (needed <= most) return;
    throw fileError(path, fmt::format("'{}' claims {} bytes of samples but only {} bytes are "
                                      "stored; the file is damaged or was never finished",
                                      where, needed, stored));
}

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

hid_t nativeType(const ElementType& element) {
    return visitComponent(element, [](auto zero) -> hid_t {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, std::uint8_t>)
            return H5T_NATIVE_UINT8;
        else if constexpr (std::is_same_v<T, std::uint16_t>)
            return H5T_NATIVE_UINT16;
        else if constexpr (std::is_same_v<T, std::uint32_t>)
            return H5T_NATIVE_UINT32;
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            return H5T_NATIVE_UINT64;
        else if constexpr (std::is_same_v<T, std::int8_t>)
            return H5T_NATIVE_INT8;
        else if constexpr (std::is_same_v<T, std::int16_t>)
            return H5T_NATIVE_INT16;
        else if constexpr (std::is_same_v<T, std::int32_t>)
            return H5T_NATIVE_INT32;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return H5T_NATIVE_INT64;
        else if constexpr (std::is_same_v<T, float>)
            return H5T_NATIVE_FLOAT;
        else
            return H5T_NATIVE_DOUBLE;
    });
}

/// In memory: a number, or a compound of two equal numbers for complex values.
struct MemoryType {
    ElementType element;
    Hdf5Handle handle;
};

std::optional<MemoryType> memoryType(hid_t stored) {
    if (const auto element = realElement(stored))
        return MemoryType{*element, Hdf5Handle(H5Tcopy(nativeType(*element)))};
    if (H5Tget_class(stored) != H5T_COMPOUND || H5Tget_nmembers(stored) != 2) return std::nullopt;
    const Hdf5Handle first(H5Tget_member_type(stored, 0));
    const Hdf5Handle second(H5Tget_member_type(stored, 1));
    const auto real = realElement(first.get());
    const auto imaginary = realElement(second.get());
    if (!real || !imaginary || !(*real == *imaginary)) return std::nullopt;
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

} // namespace

class Hdf5Array : public ArraySource {
public:
    Hdf5Array(std::shared_ptr<const Hdf5File> file, std::string where)
        : m_file(std::move(file)), m_where(std::move(where)),
          m_dataset(m_file->openDataset(m_where)) {
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
        m_storage = checkFilters(m_file->path(), m_where, m_dataset.get());
        checkStorage(m_file->path(), m_where, m_dataset.get(), m_layout, m_storage,
                     H5Tget_size(stored.get()));
        if (m_storage.filtered && m_storage.deflateOnly)
            m_chunks.emplace(m_storage.chunk, H5Tget_size(stored.get()));
    }

    /// NOTE: a chunk that spans several indices would be decompressed again for each of them.
    bool canSlice(std::size_t axis) const override {
        if (m_layout.bytes() > kMaxLoadBytes) return true;
        return m_storage.chunk.empty() ? axis == 0 : m_storage.chunk[axis] == 1;
    }
    void read(std::span<std::byte> out) override {
        checkChunks(std::vector<hsize_t>(m_layout.shape.size(), 0),
                    {m_layout.shape.begin(), m_layout.shape.end()});
        transfer(H5S_ALL, H5S_ALL, out);
    }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        std::vector<hsize_t> start(m_layout.shape.size(), 0);
        std::vector<hsize_t> count(m_layout.shape.begin(), m_layout.shape.end());
        start[axis] = static_cast<hsize_t>(index);
        count[axis] = 1;
        checkChunks(start, count);
        const Hdf5Handle fileSpace(H5Dget_space(m_dataset.get()));
        H5Sselect_hyperslab(fileSpace.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr);
        const hsize_t elements = out.size() / m_layout.type.size();
        const Hdf5Handle memorySpace(H5Screate_simple(1, &elements, nullptr));
        transfer(memorySpace.get(), fileSpace.get(), out);
    }

private:
    void checkChunks(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count) {
        quietHdf5();
        if (m_chunks && !m_chunks->areWhole(m_dataset.get(), start, count)) throw unreadable();
    }
    void transfer(hid_t memorySpace, hid_t fileSpace, std::span<std::byte> out) {
        quietHdf5();
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
    Storage m_storage;
    std::optional<Hdf5ChunkCheck> m_chunks; ///< deflated ones
};

Hdf5File::Hdf5File(std::filesystem::path path, Hdf5Handle file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

std::shared_ptr<Hdf5File> Hdf5File::openReadOnly(const std::filesystem::path& path) {
    quietHdf5();
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file)
        throw fileError(path, "HDF5 cannot open it; the file was cut off, is damaged or is still "
                              "being written, copy it again");
    return std::shared_ptr<Hdf5File>(new Hdf5File(path, std::move(file)));
}

bool Hdf5File::has(const std::string& where) const {
    quietHdf5();
    std::size_t end = 0;
    while (end != std::string::npos) {
        end = where.find('/', end + 1);
        const std::string part = where.substr(0, end);
        if (part.empty() || part == "/") continue;
        if (H5Lexists(id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
        if (H5Oexists_by_name(id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

bool Hdf5File::isGroup(const std::string& where) const {
    if (!has(where)) return false;
    const Hdf5Handle object(H5Oopen(id(), rooted(where).c_str(), H5P_DEFAULT));
    return object && H5Iget_type(object.get()) == H5I_GROUP;
}

bool Hdf5File::isDataset(const std::string& where) const {
    if (!has(where)) return false;
    const Hdf5Handle object(H5Oopen(id(), rooted(where).c_str(), H5P_DEFAULT));
    return object && H5Iget_type(object.get()) == H5I_DATASET;
}

bool Hdf5File::isNumeric(const std::string& where) const {
    if (!isDataset(where)) return false;
    const Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(dataset ? H5Dget_type(dataset.get()) : -1);
    return type && memoryType(type.get()).has_value();
}

std::vector<std::string> Hdf5File::children(const std::string& where, std::size_t most) const {
    quietHdf5();
    std::vector<std::string> names;
    const Hdf5Handle group(H5Gopen2(id(), rooted(where).c_str(), H5P_DEFAULT));
    if (!group) return names;
    struct Collect {
        std::vector<std::string>& names;
        std::size_t most;
    } collect{names, most};
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
        auto& into = *static_cast<Collect*>(data);
        into.names.emplace_back(name);
        return into.names.size() < into.most ? 0 : 1;
    };
    // NOTE: in order, HDF5 1.10 first makes a table, and frees what it has not yet filled in where
    // the group is damaged.
    H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &collect);
    std::ranges::sort(names);
    return names;
}

bool Hdf5File::hasAttribute(const std::string& where, const std::string& name) const {
    quietHdf5();
    return H5Aexists_by_name(id(), rooted(where).c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::optional<std::string> Hdf5File::textAttribute(const std::string& where,
                                                   const std::string& name) const {
    if (!hasAttribute(where, name)) return std::nullopt;
    const Hdf5Handle attribute(
        H5Aopen_by_name(id(), rooted(where).c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
    const Hdf5Handle type(attribute ? H5Aget_type(attribute.get()) : -1);
    if (!type || H5Tget_class(type.get()) != H5T_STRING) return std::nullopt;
    const Hdf5Handle space(H5Aget_space(attribute.get()));
    if (H5Sget_simple_extent_npoints(space.get()) != 1) return std::nullopt;
    if (H5Tis_variable_str(type.get()) > 0) {
        checkTexts();
        char* text = nullptr;
        if (H5Aread(attribute.get(), type.get(), &text) < 0 || text == nullptr) return std::nullopt;
        std::string copy(text);
        H5free_memory(text);
        return copy;
    }
    constexpr std::size_t kMostText = std::size_t{1} << 20U;
    const std::size_t size = H5Tget_size(type.get());
    if (size > kMostText) return std::nullopt;
    std::string text(size, '\0');
    if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return std::nullopt;
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

void Hdf5File::checkTexts() const {
    if (!m_soundTexts) m_soundTexts = globalHeapsAreSound(m_path);
    if (!*m_soundTexts)
        throw fileError(m_path, "the texts that describe its contents are damaged; copy it again");
}

Hdf5File::References Hdf5File::references(const std::string& where, std::size_t most) const {
    quietHdf5();
    References result;
    if (!isDataset(where)) return result;
    const Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    const Hdf5Handle type(dataset ? H5Dget_type(dataset.get()) : -1);
    const Hdf5Handle space(dataset ? H5Dget_space(dataset.get()) : -1);
    if (!type || !space || H5Tequal(type.get(), H5T_STD_REF_OBJ) <= 0) return result;
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 1 || static_cast<std::size_t>(count) > most) return result;
    std::vector<hsize_t> extents(
        static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    result.shape.assign(extents.begin(), extents.end());
    std::vector<hobj_ref_t> targets(static_cast<std::size_t>(count));
    if (H5Dread(dataset.get(), H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, targets.data()) < 0)
        return {};
    for (const hobj_ref_t& target : targets) {
        std::array<char, 1024> name{};
        const ssize_t length =
            H5Rget_name(dataset.get(), H5R_OBJECT, &target, name.data(), name.size());
        const bool whole = length > 0 && static_cast<std::size_t>(length) < name.size();
        result.targets.emplace_back(whole ? name.data() : "");
    }
    return result;
}

Hdf5Handle Hdf5File::openDataset(const std::string& where) const {
    if (!isDataset(where))
        throw fileError(m_path, fmt::format("it holds no dataset '{}', but {}; correct the name in "
                                            "the sidecar",
                                            where, list()));
    Hdf5Handle dataset(H5Dopen2(id(), where.c_str(), H5P_DEFAULT));
    if (!dataset)
        throw fileError(m_path, fmt::format("the dataset '{}' cannot be opened; the file is "
                                            "damaged, copy it again",
                                            where));
    return dataset;
}

std::unique_ptr<ArraySource> Hdf5File::open(const std::string& where) {
    return std::make_unique<Hdf5Array>(shared_from_this(), where);
}

std::string Hdf5File::list() const {
    quietHdf5();
    constexpr std::size_t kMostListed = 12;
    struct Collect {
        std::vector<std::string> names;
    } collect;
    const auto visit = [](hid_t, const char* name, const auto* facts, void* data) -> herr_t {
        auto& names = static_cast<Collect*>(data)->names;
        if (facts->type == H5O_TYPE_DATASET) names.emplace_back(name);
        return names.size() > kMostListed ? 1 : 0;
    };
    // NOTE: what the name without a number takes differs between HDF5 1.10 and 1.12.
    H5Ovisit1(id(), H5_INDEX_NAME, H5_ITER_NATIVE, visit, &collect);
    if (collect.names.empty()) return "no dataset at all";
    std::string text;
    for (std::size_t i = 0; i < std::min(collect.names.size(), kMostListed); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : ", ", collect.names[i]);
    return collect.names.size() > kMostListed ? text + ", ..." : text;
}

} // namespace echolux
