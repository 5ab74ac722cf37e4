// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that deflated HDF5 chunks give as many bytes as a chunk has.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <set>
#include <vector>

namespace echolux {

/// NOTE: HDF5 1.10 reads beyond a chunk that inflates to less than its extent, so such a chunk must
/// be found before H5Dread. Each chunk is looked at once.
class Hdf5ChunkCheck {
public:
    /// `chunk` holds the extents of a chunk, `elementBytes` the size of a stored element.
    Hdf5ChunkCheck(std::vector<hsize_t> chunk, std::size_t elementBytes);
    /// Are all chunks that the box from `start`, `count` long, touches whole? Those never written
    /// are: they read as fill values.
    bool areWhole(hid_t dataset, const std::vector<hsize_t>& start,
                  const std::vector<hsize_t>& count);

private:
    bool isWhole(hid_t dataset, const std::vector<hsize_t>& offset);

    std::vector<hsize_t> m_chunk;
    std::size_t m_chunkBytes = 0;
    std::set<std::vector<hsize_t>> m_seen;
    std::vector<unsigned char> m_stored; ///< one chunk as it lies in the file
};

} // namespace echolux
