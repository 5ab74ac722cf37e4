// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders of compressed HDF5 chunks that are part of this program: Blosc 1 (filter 32001) and LZF
// (32000). They decode at most the size of a chunk. They cannot encode.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <span>

namespace echolux {

constexpr H5Z_filter_t kFilterLzf = 32000;
constexpr H5Z_filter_t kFilterBlosc = 32001;

/// Most bytes that one stored byte can decode to. For Blosc it is that of zstd, whose blocks of 128
/// KiB may take 4 bytes. For LZF it is 264 bytes from 3.
constexpr std::size_t kDeflateRatio = 1032;
constexpr std::size_t kBloscRatio = 32768;
constexpr std::size_t kLzfRatio = 88;

/// Number of bytes that a stored Blosc chunk decodes to. Empty where its header is not sound: sizes
/// must fit the chunk, and blocks must be inside it.
std::optional<std::size_t> bloscSize(std::span<const std::byte> stored);

/// Number of bytes that a stored LZF chunk decodes to. Empty where that exceeds `most`, where a
/// reference does not point to earlier bytes, or where the chunk ends too early.
std::optional<std::size_t> lzfSize(std::span<const std::byte> stored, std::size_t most);

/// Allows the decoders this number of bytes on this thread while the object lives. Without such an
/// object they decode nothing.
class ChunkLimit {
public:
    explicit ChunkLimit(std::size_t bytes);
    ChunkLimit(const ChunkLimit&) = delete;
    ChunkLimit& operator=(const ChunkLimit&) = delete;
    ~ChunkLimit();
};

void registerDecoders();

} // namespace echolux
