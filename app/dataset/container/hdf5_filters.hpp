// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders of compressed HDF5 chunks that this program brings itself: Blosc 1 (filter 32001) and
// LZF (32000). They decode into as many bytes as a chunk may have, and encode nothing.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <span>

namespace echolux {

constexpr H5Z_filter_t kFilterLzf = 32000;
constexpr H5Z_filter_t kFilterBlosc = 32001;

/// Most bytes that one stored byte can give. Of Blosc: zstd, whose blocks of 128 KiB take 4 bytes;
/// of LZF: 264 bytes in 3.
constexpr std::size_t kDeflateRatio = 1032;
constexpr std::size_t kBloscRatio = 32768;
constexpr std::size_t kLzfRatio = 88;

/// Bytes that a stored Blosc chunk gives, where its header is sound: sizes that fit the chunk,
/// blocks that lie in it. Nothing otherwise.
std::optional<std::size_t> bloscSize(std::span<const std::byte> stored);

/// Bytes that a stored LZF chunk gives, where that is at most `most` and every reference points
/// to what came before. Nothing otherwise.
std::optional<std::size_t> lzfSize(std::span<const std::byte> stored, std::size_t most);

/// How many bytes the decoders may give on this thread, as long as this lives; none otherwise.
class ChunkLimit {
public:
    explicit ChunkLimit(std::size_t bytes);
    ChunkLimit(const ChunkLimit&) = delete;
    ChunkLimit& operator=(const ChunkLimit&) = delete;
    ~ChunkLimit();
};

void registerDecoders();

} // namespace echolux
