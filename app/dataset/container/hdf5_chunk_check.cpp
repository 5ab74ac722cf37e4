// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the size of a chunk back through its filters. It inflates only to count bytes.
#include "app/dataset/container/hdf5_chunk_check.hpp"

#include "app/dataset/container/hdf5_filters.hpp"
#include "app/dataset/recording/opening.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kChecksum = 4; // of fletcher32

/// Number of bytes that a zlib stream inflates to; nothing where it exceeds `most`.
std::optional<std::size_t> inflatedSize(std::span<const std::byte> stored, std::size_t most) {
    z_stream zlib{};
    if (stored.size() > std::numeric_limits<uInt>::max() || inflateInit(&zlib) != Z_OK)
        return std::nullopt;
    // NOTE: zlib's interface lacks a const; zlib does not write to its input.
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stored.data()));
    zlib.avail_in = static_cast<uInt>(stored.size());
    std::array<unsigned char, 16384> waste{};
    std::size_t size = 0;
    int status = Z_OK;
    while (status == Z_OK && size <= most) {
        zlib.next_out = waste.data();
        zlib.avail_out = static_cast<uInt>(waste.size());
        status = inflate(&zlib, Z_NO_FLUSH);
        size += waste.size() - zlib.avail_out;
    }
    inflateEnd(&zlib);
    return size <= most ? std::optional(size) : std::nullopt;
}

} // namespace

Hdf5ChunkCheck::Hdf5ChunkCheck(Hdf5Storage storage)
    : m_storage(std::move(storage)), m_chunkBytes(m_storage.elementBytes) {
    for (const hsize_t extent : m_storage.chunk) m_chunkBytes *= extent;
    if (!m_storage.filters.empty()) Opening::keep("one chunk of an array", m_chunkBytes);
    m_checksumBytes = kChecksum * static_cast<std::size_t>(
                                      std::ranges::count(m_storage.filters, H5Z_FILTER_FLETCHER32));
}

bool Hdf5ChunkCheck::areWhole(hid_t dataset, const std::vector<hsize_t>& start,
                              const std::vector<hsize_t>& count) {
    const std::vector<hsize_t>& chunk = m_storage.chunk;
    const std::size_t rank = chunk.size();
    if (rank == 0 || start.size() != rank) return true;
    std::vector<hsize_t> first(rank);
    for (std::size_t i = 0; i < rank; ++i) first[i] = start[i] / chunk[i] * chunk[i];
    std::vector<hsize_t> at = first;
    while (true) {
        if (!m_seen.contains(at)) {
            Opening::checkTime();
            if (!isWhole(dataset, at)) return false;
            m_seen.insert(at);
        }
        std::size_t axis = rank - 1;
        while ((at[axis] += chunk[axis]) >= start[axis] + count[axis]) {
            if (axis == 0) return true;
            at[axis] = first[axis];
            --axis;
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
    if (m_storage.filters.empty()) return stored >= m_chunkBytes;
    const Hdf5Handle file(H5Iget_file_id(dataset));
    hsize_t fileSize = 0;
    if (!file || H5Fget_filesize(file.get(), &fileSize) < 0 || stored > fileSize ||
        stored > mostStored(m_chunkBytes))
        return false;
    m_stored.resize(stored);
    std::uint32_t mask = 0;
    if (H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &mask, m_stored.data()) < 0)
        return false;
    return givesEnough(m_stored, mask);
}

bool Hdf5ChunkCheck::givesEnough(std::span<const std::byte> stored, unsigned skipped) const {
    const std::size_t most = mostBytes();
    std::size_t size = stored.size();
    for (std::size_t i = m_storage.filters.size(); i-- > 0;) {
        if ((skipped >> i & 1U) != 0) continue;
        const auto bytes = stored.first(std::min(size, stored.size()));
        std::optional<std::size_t> given;
        switch (m_storage.filters[i]) {
        case H5Z_FILTER_SHUFFLE: continue;
        case H5Z_FILTER_FLETCHER32:
            if (size < kChecksum) return false;
            size -= kChecksum;
            continue;
        // NOTE: HDF5 writes up to twice the chunk before it notices that a stream is too long.
        case H5Z_FILTER_DEFLATE: given = inflatedSize(bytes, 2 * most + kChecksum); break;
        case kFilterLzf: given = lzfSize(bytes, most); break;
        default: given = bloscSize(bytes); break; // the last that is read
        }
        if (!given) return false;
        size = *given;
    }
    return size >= m_chunkBytes;
}

} // namespace echolux
