// SPDX-License-Identifier: GPL-3.0-or-later
// Inflates and unshuffles chunks.
#include "app/dataset/native/native_chunks.hpp"

#include "app/dataset/container/hdf5_chunk_check.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace echolux {

namespace {

bool inflateTo(std::span<const std::byte> stored, std::span<std::byte> out) {
    auto length = static_cast<uLongf>(out.size());
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                  reinterpret_cast<const Bytef*>(stored.data()),
                                  static_cast<uLong>(stored.size()));
    return status == Z_OK && length == out.size();
}

template <std::size_t kBytes>
void unshuffle(const std::byte* in, std::byte* out, std::size_t samples) {
    for (std::size_t i = 0; i < samples; ++i) {
        for (std::size_t b = 0; b < kBytes; ++b) out[i * kBytes + b] = in[b * samples + i];
    }
}

/// Bytes at the end that form no whole sample are copied unchanged.
void unshuffle(std::span<const std::byte> in, std::span<std::byte> out, std::size_t sampleBytes) {
    const std::size_t samples = out.size() / sampleBytes;
    switch (sampleBytes) {
    case 2: unshuffle<2>(in.data(), out.data(), samples); break;
    case 4: unshuffle<4>(in.data(), out.data(), samples); break;
    case 8: unshuffle<8>(in.data(), out.data(), samples); break;
    default: std::ranges::copy(in, out.begin()); return; // samples of one byte are not shuffled
    }
    const std::size_t done = samples * sampleBytes;
    std::ranges::copy(in.subspan(done), out.begin() + static_cast<std::ptrdiff_t>(done));
}

bool isSkipped(std::uint32_t mask, unsigned place) { return (mask >> place & 1U) != 0; }

} // namespace

std::optional<NativeChunks> NativeChunks::of(hid_t dataset, hid_t memoryType,
                                             std::vector<hsize_t> chunk, hsize_t rows,
                                             std::size_t frameBytes) {
    const Hdf5Handle type(H5Dget_type(dataset));
    if (H5Tequal(type.get(), memoryType) <= 0) return std::nullopt;
    NativeChunks chunks;
    chunks.m_dataset = dataset;
    chunks.m_sampleBytes = H5Tget_size(type.get());
    if (chunks.m_sampleBytes == 0) return std::nullopt; // HDF5 failed
    const Hdf5Handle layout(H5Dget_create_plist(dataset));
    if (rows % chunk[1] != 0) return std::nullopt;
    chunks.m_perFrame = rows / chunk[1];
    chunks.m_chunk = std::move(chunk);
    chunks.m_chunkBytes = frameBytes / chunks.m_perFrame;
    const int filters = H5Pget_nfilters(layout.get());
    for (int i = 0; i < filters; ++i) {
        std::size_t values = 0;
        unsigned flags = 0;
        const auto place = static_cast<unsigned>(i);
        const H5Z_filter_t filter =
            H5Pget_filter2(layout.get(), place, &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter == H5Z_FILTER_SHUFFLE && !chunks.m_shuffle && !chunks.m_deflate) {
            chunks.m_shuffle = place;
        } else if (filter == H5Z_FILTER_DEFLATE && !chunks.m_deflate) {
            chunks.m_deflate = place;
        } else {
            return std::nullopt;
        }
    }
    return chunks;
}

std::vector<FramePart> NativeChunks::partsOf(std::int64_t frame,
                                             std::function<Error()> damaged) const {
    std::vector<FramePart> parts;
    std::vector<hsize_t> at(m_chunk.size(), 0);
    at[0] = static_cast<hsize_t>(frame);
    for (std::size_t i = 0; i < m_perFrame; ++i, at[1] += m_chunk[1]) {
        hsize_t size = 0;
        H5Dget_chunk_storage_size(m_dataset, at.data(), &size);
        if (size == 0 || size > mostStored(m_chunkBytes)) throw damaged();
        auto stored = std::make_shared<std::vector<std::byte>>(size);
        std::uint32_t skipped = 0;
        if (H5Dread_chunk(m_dataset, H5P_DEFAULT, at.data(), &skipped, stored->data()) < 0)
            throw damaged();
        parts.push_back({i * m_chunkBytes, m_chunkBytes,
                         [this, stored, skipped, damaged](std::span<std::byte> out) {
                             if (!decode(*stored, skipped, out)) throw damaged();
                         }});
    }
    return parts;
}

/// False where the bytes are damaged or give another length than `out`. `skipped`: HDF5's mask of
/// filters that were not applied to this chunk.
bool NativeChunks::decode(std::span<const std::byte> stored, std::uint32_t skipped,
                          std::span<std::byte> out) const {
    const bool deflated = m_deflate && !isSkipped(skipped, *m_deflate);
    const bool shuffled = m_shuffle && !isSkipped(skipped, *m_shuffle);
    if (!deflated && stored.size() != out.size()) return false;
    if (!shuffled) {
        if (deflated) return inflateTo(stored, out);
        std::ranges::copy(stored, out.begin());
        return true;
    }
    if (!deflated) {
        unshuffle(stored, out, m_sampleBytes);
        return true;
    }
    // Kept per thread. The system would map a new block of this size page by page for every chunk.
    thread_local std::vector<std::byte> sorted;
    sorted.resize(out.size());
    if (!inflateTo(stored, sorted)) return false;
    unshuffle(sorted, out, m_sampleBytes);
    return true;
}

} // namespace echolux
