// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that filtered HDF5 chunks decode to the size of a chunk.
#pragma once

#include "app/dataset/container/hdf5_storage.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace echolux {

/// Most bytes of a stored chunk. Filters add a few bytes where they do not compress.
constexpr std::uint64_t mostStored(std::uint64_t chunkBytes) { return 2 * chunkBytes + 1024; }

/// NOTE: HDF5 1.10 reads beyond a chunk that decodes to less than its extent, and inflates one that
/// decodes to more without a limit. So such chunks must be found before H5Dread. Each chunk is
/// checked once.
class Hdf5ChunkCheck {
public:
    /// Throws Error where a compressed chunk exceeds what the current opening may keep in memory.
    explicit Hdf5ChunkCheck(Hdf5Storage storage);
    /// True where all chunks that overlap the box from `start` with the size `count` are complete.
    /// Chunks that were never written count as complete: they read as fill values.
    bool areWhole(hid_t dataset, const std::vector<hsize_t>& start,
                  const std::vector<hsize_t>& count);
    /// Most bytes that a chunk's decoder may return, checksums included.
    std::size_t mostBytes() const { return m_chunkBytes + m_checksumBytes; }

private:
    bool isWhole(hid_t dataset, const std::vector<hsize_t>& offset);
    bool givesEnough(std::span<const std::byte> stored, unsigned skipped) const;

    Hdf5Storage m_storage;
    std::size_t m_chunkBytes = 0;
    std::size_t m_checksumBytes = 0;
    std::set<std::vector<hsize_t>> m_seen;
    std::vector<std::byte> m_stored; ///< one chunk as stored in the file
};

} // namespace echolux
