// SPDX-License-Identifier: GPL-3.0-or-later
// How an HDF5 dataset is stored, and whether it can hold what it claims.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/hdf5_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

struct Hdf5Storage {
    std::vector<hsize_t> chunk;        ///< empty: contiguous or compact
    std::vector<H5Z_filter_t> filters; ///< in the order of their application
    std::size_t elementBytes = 0;      ///< bytes of a stored element
};

/// Why `count` elements of a dataset cannot be read: a filter other than deflate, shuffle,
/// fletcher32, LZF and Blosc, or too few stored bytes. A text that begins with "is ..."; empty
/// where they can be read. The caller sets storage.elementBytes; the function fills in chunk and
/// filters.
std::optional<std::string> storageObstacle(hid_t dataset, std::uint64_t count,
                                           Hdf5Storage& storage);

/// How many entries of the first axis are stored before the first one that was never written, where
/// `layout` claims more than is stored and the dataset has uncompressed chunks. Otherwise all.
std::int64_t writtenEntries(hid_t dataset, const ArrayLayout& layout, std::size_t elementBytes);

/// Throws where a filter is not one of deflate, shuffle, fletcher32, LZF and Blosc (the error names
/// it), where numbers are in other files, and where the stored bytes cannot fill `layout`.
Hdf5Storage checkedStorage(const std::filesystem::path& path, const std::string& where,
                           hid_t dataset, const ArrayLayout& layout, std::size_t elementBytes);

} // namespace echolux
