// SPDX-License-Identifier: GPL-3.0-or-later
// Blosc through c-blosc after our own checks; LZF without a library.
#include "app/dataset/container/hdf5_filters.hpp"

#include <blosc.h>

#include <cstdint>
#include <cstring>

namespace echolux {

namespace {

thread_local std::size_t mostBytes = 0;

std::uint32_t wordAt(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
        word |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8U * i;
    return word;
}

/// Walks LZF: runs of 1 to 32 plain bytes, or a length and a distance back. Calls `copy(plain,
/// from, to, length)` for each run. `to` is an index into the output. `from` is an index into the
/// input where `plain`, else into the output. Returns the length of the output. Empty where it
/// exceeds `most`, or where the input is damaged.
template <class Copy>
std::optional<std::size_t> walkLzf(std::span<const std::byte> in, std::size_t most, Copy copy) {
    std::size_t at = 0;
    std::size_t out = 0;
    const auto next = [&] { return std::to_integer<std::size_t>(in[at++]); };
    while (at < in.size()) {
        const std::size_t control = next();
        const bool plain = control < 32;
        std::size_t length = control + 1;
        std::size_t from = at;
        if (plain) {
            if (length > in.size() - at) return std::nullopt;
            at += length;
        } else {
            constexpr std::size_t kLongLength = 7;
            length = control >> 5U;
            if (in.size() - at < (length == kLongLength ? 2 : 1)) return std::nullopt;
            if (length == kLongLength) length += next();
            length += 2;
            const std::size_t distance = ((control & 0x1FU) << 8U) + next() + 1;
            if (distance > out) return std::nullopt;
            from = out - distance;
        }
        if (length > most - out) return std::nullopt;
        copy(plain, from, out, length);
        out += length;
    }
    return out;
}

/// Puts our buffer, allocated through HDF5, in place of the one that HDF5 passed.
std::size_t handBack(std::byte* decoded, std::size_t size, std::size_t* capacity, void** buffer) {
    H5free_memory(*buffer);
    *buffer = decoded;
    *capacity = size;
    return size;
}

/// HDF5's filter callback, which it never asks to encode. 0 means failure.
template <class Size, class Decode> std::size_t
decodeWith(std::size_t bytes, std::size_t* capacity, void** buffer, Size sizeOf, Decode decode) {
    const std::span<const std::byte> stored(static_cast<const std::byte*>(*buffer), bytes);
    const std::optional<std::size_t> size = sizeOf(stored);
    if (size.value_or(0) == 0 || *size > mostBytes) return 0;
    auto* decoded = static_cast<std::byte*>(H5allocate_memory(*size, false));
    if (decoded == nullptr) return 0;
    if (decode(stored, std::span(decoded, *size)))
        return handBack(decoded, *size, capacity, buffer);
    H5free_memory(decoded);
    return 0;
}

std::size_t undoBlosc(unsigned, std::size_t, const unsigned*, std::size_t bytes,
                      std::size_t* capacity, void** buffer) {
    return decodeWith(bytes, capacity, buffer, bloscSize,
                      [](std::span<const std::byte> stored, std::span<std::byte> out) {
                          return blosc_decompress_ctx(stored.data(), out.data(), out.size(), 1) ==
                                 static_cast<int>(out.size());
                      });
}

std::size_t undoLzf(unsigned, std::size_t, const unsigned*, std::size_t bytes,
                    std::size_t* capacity, void** buffer) {
    return decodeWith(
        bytes, capacity, buffer,
        [](std::span<const std::byte> stored) { return lzfSize(stored, mostBytes); },
        [](std::span<const std::byte> stored, std::span<std::byte> out) {
            const auto copy = [&](bool plain, std::size_t from, std::size_t to,
                                  std::size_t length) {
                if (plain)
                    std::memcpy(&out[to], &stored[from], length);
                else // NOTE: the ranges may overlap; a run repeats the bytes that it has just
                     // written.
                    for (std::size_t i = 0; i < length; ++i) out[to + i] = out[from + i];
            };
            return walkLzf(stored, out.size(), copy) == out.size();
        });
}

} // namespace

// Layout of the header: c-blosc, README_CHUNK_FORMAT.rst.
std::optional<std::size_t> bloscSize(std::span<const std::byte> stored) {
    constexpr std::size_t kHeader = BLOSC_MIN_HEADER_LENGTH;
    if (stored.size() < kHeader) return std::nullopt;
    const std::size_t size = wordAt(stored, 4);
    const std::size_t block = wordAt(stored, 8);
    const auto flags = std::to_integer<unsigned>(stored[2]);
    const bool typed = stored[3] != std::byte{0};
    if (!typed || size == 0 || block == 0 || wordAt(stored, 12) != stored.size())
        return std::nullopt;
    std::size_t validated = 0;
    if (blosc_cbuffer_validate(stored.data(), stored.size(), &validated) != 0) return std::nullopt;
    if ((flags & BLOSC_MEMCPYED) != 0)
        return size + kHeader == stored.size() ? std::optional(size) : std::nullopt;
    if (block > size || size / stored.size() > kBloscRatio) return std::nullopt;
    const std::size_t blocks = (size + block - 1) / block;
    const std::size_t firstBlock = kHeader + 4 * blocks;
    if (firstBlock > stored.size()) return std::nullopt;
    for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t start = wordAt(stored, kHeader + 4 * i);
        if (start < firstBlock || start + 4 > stored.size()) return std::nullopt;
    }
    return size;
}

std::optional<std::size_t> lzfSize(std::span<const std::byte> stored, std::size_t most) {
    return walkLzf(stored, most, [](bool, std::size_t, std::size_t, std::size_t) {});
}

ChunkLimit::ChunkLimit(std::size_t bytes) { mostBytes = bytes; }
ChunkLimit::~ChunkLimit() { mostBytes = 0; }

void registerDecoders() {
    constexpr unsigned kCannotEncode = 0;
    constexpr unsigned kCanDecode = 1;
    static const H5Z_class2_t kBlosc{H5Z_CLASS_T_VERS, kFilterBlosc, kCannotEncode, kCanDecode,
                                     "blosc",          nullptr,      nullptr,       undoBlosc};
    static const H5Z_class2_t kLzf{H5Z_CLASS_T_VERS, kFilterLzf, kCannotEncode, kCanDecode, "lzf",
                                   nullptr,          nullptr,    undoLzf};
    H5Zregister(&kBlosc);
    H5Zregister(&kLzf);
}

} // namespace echolux
