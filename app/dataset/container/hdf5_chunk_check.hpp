// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that filtered HDF5 chunks give as many bytes as a chunk has.
#pragma once

#include "app/dataset/container/hdf5_storage.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace echolux {

/// Most bytes that the file may hold of a chunk: filters add a little where they gain nothing.
constexpr std::uint64_t mostStored(std::uint64_t chunkBytes) { return 2 * chunkBytes + 1024; }

/// NOTE: HDF5 1.10 reads beyond a chunk that gives less than its extent, and inflates without end
/// one that gives more, so such a chunk must be found before H5Dread. Each chunk is looked at once.
class Hdf5ChunkCheck {
public:
    /// Throws Error where a compressed chunk is more than the opening in progress may keep.
    explicit Hdf5ChunkCheck(Hdf5Storage storage);
    /// Are all chunks that the box from `start`, `count` long, touches whole? Those never written
    /// are: they read as fill values.
    bool areWhole(hid_t dataset, const std::vector<hsize_t>& start,
                  const std::vector<hsize_t>& count);
    /// Most bytes that a decoder of a chunk may give, checksums included.
    std::size_t mostBytes() const { return m_chunkBytes + m_checksumBytes; }

private:
    bool isWhole(hid_t dataset, const std::vector<hsize_t>& offset);
    bool givesEnough(std::span<const std::byte> stored, unsigned skipped) const;

    Hdf5Storage m_storage;
    std::size_t m_chunkBytes = 0;
    std::size_t m_checksumBytes = 0;
    std::set<std::vector<hsize_t>> m_seen;
    std::vector<std::byte> m_stored; ///< one chunk as it lies in the file
};

} // namespace echolux
