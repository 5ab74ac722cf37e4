// SPDX-License-Identifier: GPL-3.0-or-later
// Names of filters, and the most bytes that stored bytes can expand to.
#include "app/dataset/container/hdf5_storage.hpp"

#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/container/hdf5_guard.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace echolux {

namespace {

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

/// NOTE: szip, nbit and scaleoffset of HDF5 trust sizes in the file, so they are not read.
bool isRead(H5Z_filter_t id) {
    constexpr std::array<H5Z_filter_t, 5> kRead{H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE,
                                                H5Z_FILTER_FLETCHER32, kFilterLzf, kFilterBlosc};
    return std::ranges::find(kRead, id) != kRead.end();
}

/// Most bytes that one stored byte can expand to through this filter.
std::uint64_t ratioOf(H5Z_filter_t id) {
    switch (id) {
    case H5Z_FILTER_DEFLATE: return kDeflateRatio;
    case kFilterBlosc: return kBloscRatio;
    case kFilterLzf: return kLzfRatio;
    default: return 1;
    }
}

std::uint64_t fileSizeOf(hid_t dataset) {
    const Hdf5Handle file(H5Iget_file_id(dataset));
    hsize_t size = 0;
    return H5Fget_filesize(file.get(), &size) >= 0 ? size : 0;
}

/// Why the stored bytes cannot fill so many elements; nothing where they can.
std::optional<std::string> shortage(hid_t dataset, std::uint64_t count,
                                    const Hdf5Storage& storage) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t stored =
        std::min<std::uint64_t>(H5Dget_storage_size(dataset), fileSizeOf(dataset));
    const std::uint64_t each = std::max<std::uint64_t>(storage.elementBytes, 1);
    const std::uint64_t needed = count > kMost / each ? kMost : count * each;
    std::uint64_t ratio = 1;
    for (const H5Z_filter_t id : storage.filters) ratio *= ratioOf(id);
    const std::uint64_t slack = storage.filters.empty() ? 0 : ratio;
    if (needed <= stored * ratio + slack) return std::nullopt;
    return fmt::format("claims {} bytes of samples but only {} bytes are stored; the file is "
                       "damaged or was never finished",
                       needed, stored);
}

/// Why a filter is not read; nothing where it is read.
std::optional<std::string> filterObstacle(H5Z_filter_t id) {
    if (isRead(id) && H5Zfilter_avail(id) > 0) return std::nullopt;
    return fmt::format("is compressed with HDF5 filter {} ({}), which Echolux does not read, and "
                       "it loads no plug-ins; rewrite the file with h5repack -f GZIP=4 where that "
                       "filter is installed",
                       id, filterName(id));
}

} // namespace

std::optional<std::string> storageObstacle(hid_t dataset, std::uint64_t count,
                                           Hdf5Storage& storage) {
    const Hdf5Handle plist(H5Dget_create_plist(dataset));
    if (!plist) return "is damaged; copy the file again";
    if (H5Pget_layout(plist.get()) == H5D_CHUNKED) {
        storage.chunk.resize(H5S_MAX_RANK);
        const int rank = H5Pget_chunk(plist.get(), H5S_MAX_RANK, storage.chunk.data());
        storage.chunk.resize(static_cast<std::size_t>(std::max(rank, 0)));
    }
    const int filters = H5Pget_nfilters(plist.get());
    int expanding = 0;
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        std::array<char, 64> name{};
        unsigned config = 0;
        const H5Z_filter_t id = H5Pget_filter2(plist.get(), static_cast<unsigned>(i), &flags,
                                               &values, nullptr, name.size(), name.data(), &config);
        if (auto obstacle = filterObstacle(id)) return obstacle;
        if (id == H5Z_FILTER_SHUFFLE && expanding > 0)
            return "is shuffled after it was compressed; rewrite the file with h5repack -f GZIP=4";
        if (ratioOf(id) > 1) ++expanding;
        storage.filters.push_back(id);
    }
    if (expanding > 1)
        return "is compressed more than once; rewrite the file with h5repack -f GZIP=4";
    return shortage(dataset, count, storage);
}

std::int64_t writtenEntries(hid_t dataset, const ArrayLayout& layout, std::size_t elementBytes) {
    if (layout.shape.empty()) return 0;
    const std::int64_t all = layout.shape.front();
    Hdf5Storage storage{.chunk = {}, .filters = {}, .elementBytes = elementBytes};
    const bool fits =
        !storageObstacle(dataset, static_cast<std::uint64_t>(layout.count()), storage);
    if (fits || storage.chunk.size() != layout.shape.size() || !storage.filters.empty()) return all;
    const std::uint64_t each = static_cast<std::uint64_t>(layout.count() / all) * elementBytes;
    const auto most = static_cast<std::int64_t>(
        std::min<std::uint64_t>(H5Dget_storage_size(dataset), fileSizeOf(dataset)) / each);
    std::vector<hsize_t> at(layout.shape.size(), 0);
    while (at[0] < static_cast<hsize_t>(std::min(most, all))) {
        hsize_t bytes = 0;
        H5Dget_chunk_storage_size(dataset, at.data(), &bytes);
        if (bytes == 0) break; // or it failed
        Opening::visit();
        std::size_t axis = layout.shape.size() - 1;
        while ((at[axis] += storage.chunk[axis]) >= static_cast<hsize_t>(layout.shape[axis]) &&
               axis > 0)
            at[axis--] = 0;
    }
    return std::min(static_cast<std::int64_t>(at[0]), all);
}

Hdf5Storage checkedStorage(const std::filesystem::path& path, const std::string& where,
                           hid_t dataset, const ArrayLayout& layout, std::size_t elementBytes) {
    Hdf5Storage storage{.chunk = {}, .filters = {}, .elementBytes = elementBytes};
    const auto count = static_cast<std::uint64_t>(layout.count());
    if (const auto obstacle = storageObstacle(dataset, count, storage))
        throw fileError(path, fmt::format("'{}' {}", where, *obstacle));
    return storage;
}

} // namespace echolux
