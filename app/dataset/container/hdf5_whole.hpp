// SPDX-License-Identifier: GPL-3.0-or-later
// A small HDF5 dataset read at once: tables, names, references.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_storage.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// NOTE: HDF5 1.10 trusts what a dataset says of its length and allocates it, and reads beyond
/// chunks that give less. This compares both with what is stored first.
class Hdf5Whole {
public:
    /// `dataset` stays open as long as this lives.
    explicit Hdf5Whole(hid_t dataset);
    /// How many elements there are; nothing where the stored bytes cannot give them, or where they
    /// lie in other files. Throws Error where they are more than the opening in progress may keep.
    std::optional<std::size_t> count() const { return m_count; }
    /// All count() elements as `memory` has them; false where they are damaged.
    bool read(hid_t memory, void* out) const;

private:
    hid_t m_dataset;
    std::vector<hsize_t> m_extent;
    Hdf5Storage m_storage;
    std::optional<std::size_t> m_count;
};

/// All elements, as `memory` has them in a T; nothing where they cannot be read.
template <class T> std::optional<std::vector<T>> readWhole(hid_t dataset, hid_t memory) {
    const Hdf5Whole whole(dataset);
    if (!whole.count()) return std::nullopt;
    std::vector<T> values(*whole.count());
    if (!whole.read(memory, values.data())) return std::nullopt;
    return values;
}

} // namespace echolux
