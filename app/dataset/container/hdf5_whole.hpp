// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a small HDF5 dataset at once: tables, names, references.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_storage.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {

/// NOTE: HDF5 1.10 allocates the length that a dataset states, and reads beyond chunks that decode
/// to less. This class first compares both with what is stored.
class Hdf5Whole {
public:
    /// `dataset` must stay open while this lives.
    explicit Hdf5Whole(hid_t dataset);
    /// Number of elements. Empty where the stored bytes cannot contain them, or where they are in
    /// other files. The constructor throws Error where they exceed what the current opening may
    /// keep in memory.
    std::optional<std::size_t> count() const { return m_count; }
    /// Reads all count() elements in the type `memory`. Returns false where they are damaged.
    bool read(hid_t memory, void* out) const;

private:
    hid_t m_dataset;
    std::vector<hsize_t> m_extent;
    Hdf5Storage m_storage;
    std::optional<std::size_t> m_count;
};

/// Reads all elements as T, whose HDF5 type is `memory`. Empty where they are in other files,
/// missing or damaged. Throws Error where they exceed what the current opening may keep in memory.
template <class T> std::optional<std::vector<T>> readWhole(hid_t dataset, hid_t memory) {
    const Hdf5Whole whole(dataset);
    if (!whole.count()) return std::nullopt;
    std::vector<T> values(*whole.count());
    if (!whole.read(memory, values.data())) return std::nullopt;
    return values;
}

} // namespace echolux
