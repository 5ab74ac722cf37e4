// SPDX-License-Identifier: GPL-3.0-or-later
// Inflates chunks only to count what they give.
#include "app/dataset/container/hdf5_chunk_check.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace echolux {

namespace {

/// Bytes that a zlib stream gives, counted up to `enough`.
std::size_t inflatedSize(std::vector<unsigned char>& stored, std::size_t enough) {
    z_stream zlib{};
    if (stored.size() > std::numeric_limits<uInt>::max() || inflateInit(&zlib) != Z_OK) return 0;
    zlib.next_in = stored.data();
    zlib.avail_in = static_cast<uInt>(stored.size());
    std::array<unsigned char, 16384> waste{};
    std::size_t size = 0;
    int status = Z_OK;
    while (status == Z_OK && size < enough) {
        zlib.next_out = waste.data();
        zlib.avail_out = static_cast<uInt>(waste.size());
        status = inflate(&zlib, Z_NO_FLUSH);
        size += waste.size() - zlib.avail_out;
    }
    inflateEnd(&zlib);
    return size;
}

/// Position of the deflate filter in the pipeline; -1 without one.
int deflatePosition(hid_t dataset) {
    const hid_t plist = H5Dget_create_plist(dataset);
    int position = -1;
    for (int i = 0; i < H5Pget_nfilters(plist); ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        unsigned config = 0;
        if (H5Pget_filter2(plist, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr,
                           &config) == H5Z_FILTER_DEFLATE)
            position = i;
    }
    H5Pclose(plist);
    return position;
}

} // namespace

Hdf5ChunkCheck::Hdf5ChunkCheck(std::vector<hsize_t> chunk, std::size_t elementBytes)
    : m_chunk(std::move(chunk)), m_chunkBytes(elementBytes) {
    for (const hsize_t extent : m_chunk) m_chunkBytes *= extent;
}

bool Hdf5ChunkCheck::areWhole(hid_t dataset, const std::vector<hsize_t>& start,
                              const std::vector<hsize_t>& count) {
    const std::size_t rank = m_chunk.size();
    if (rank == 0 || start.size() != rank) return true;
    std::vector<hsize_t> first(rank);
    for (std::size_t i = 0; i < rank; ++i) first[i] = start[i] / m_chunk[i] * m_chunk[i];
    std::vector<hsize_t> at = first;
    while (true) {
        if (!m_seen.contains(at)) {
            if (!isWhole(dataset, at)) return false;
            m_seen.insert(at);
        }
        std::size_t axis = rank;
        while (axis > 0) {
            --axis;
            at[axis] += m_chunk[axis];
            if (at[axis] < start[axis] + count[axis]) break;
            at[axis] = first[axis];
            if (axis == 0) return true;
        }
    }
}

bool Hdf5ChunkCheck::isWhole(hid_t dataset, const std::vector<hsize_t>& offset) {
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t stored = 0;
    if (H5Dget_chunk_info_by_coord(dataset, offset.data(), &skipped, &address, &stored) < 0)
        return false;
    if (address == HADDR_UNDEF) return true;
    const int deflate = deflatePosition(dataset);
    if (deflate < 0 || (skipped >> static_cast<unsigned>(deflate) & 1U) != 0)
        return stored >= m_chunkBytes;
    if (stored > H5Dget_storage_size(dataset)) return false;
    m_stored.resize(stored);
    std::uint32_t mask = 0;
    if (H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &mask, m_stored.data()) < 0)
        return false;
    return inflatedSize(m_stored, m_chunkBytes) >= m_chunkBytes;
}

} // namespace echolux
