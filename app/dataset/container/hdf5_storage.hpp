// SPDX-License-Identifier: GPL-3.0-or-later
// How an HDF5 dataset lies in its file, and whether it can hold what it claims.
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
    std::vector<H5Z_filter_t> filters; ///< in the order in which they were applied
    std::size_t elementBytes = 0;      ///< of a stored element
};

/// What keeps `count` elements of a dataset from being read: a filter that is not one of deflate,
/// shuffle, fletcher32, LZF and Blosc, or too few stored bytes. As "is ..."; nothing where they can
/// be read. `storage` knows the bytes of an element; chunk and filters are filled in.
std::optional<std::string> storageObstacle(hid_t dataset, std::uint64_t count,
                                           Hdf5Storage& storage);

/// Throws where a filter is not one of deflate, shuffle, fletcher32, LZF and Blosc, by name; where
/// numbers lie in other files; and where the stored bytes cannot fill `layout`.
Hdf5Storage checkedStorage(const std::filesystem::path& path, const std::string& where,
                           hid_t dataset, const ArrayLayout& layout, std::size_t elementBytes);

} // namespace echolux
