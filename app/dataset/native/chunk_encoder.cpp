// SPDX-License-Identifier: GPL-3.0-or-later
// Shuffles and deflates chunks, or stores them in a deflate stream.
#include "app/dataset/native/chunk_encoder.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace echolux {
namespace {

/// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4), each of at most 65535 bytes.
void store(std::span<const std::byte> samples, std::vector<std::byte>& out) {
    constexpr std::size_t kMostInBlock = 65535;
    constexpr std::size_t kBlockHeader = 5;
    const std::size_t blocks =
        std::max<std::size_t>((samples.size() + kMostInBlock - 1) / kMostInBlock, 1);
    out.resize(2 + samples.size() + blocks * kBlockHeader + 4);
    std::byte* to = out.data();
    *to++ = std::byte{0x78};
    *to++ = std::byte{0x01};
    for (std::size_t block = 0; block < blocks; ++block) {
        const auto part = samples.subspan(block * kMostInBlock)
                              .first(std::min(kMostInBlock, samples.size() - block * kMostInBlock));
        const auto length = static_cast<std::uint16_t>(part.size());
        const auto inverse = static_cast<std::uint16_t>(~length);
        *to++ = std::byte{block + 1 == blocks ? std::uint8_t{1} : std::uint8_t{0}};
        for (const std::uint16_t word : {length, inverse}) {
            *to++ = std::byte(word & 0xffU);
            *to++ = std::byte(word >> 8U);
        }
        to = std::copy(part.begin(), part.end(), to);
    }
    const uLong sum = adler32_z(adler32_z(0, nullptr, 0),
                                reinterpret_cast<const Bytef*>(samples.data()), samples.size());
    for (const unsigned shift : {24U, 16U, 8U, 0U}) *to++ = std::byte(sum >> shift & 0xffU);
}

/// Bytes sorted by their place in the sample. Bytes at the end that form no whole sample stay.
void shuffle(std::span<const std::byte> in, std::size_t sampleBytes, std::vector<std::byte>& out) {
    out.assign(in.begin(), in.end());
    const std::size_t samples = in.size() / sampleBytes;
    for (std::size_t b = 0; b < sampleBytes; ++b)
        for (std::size_t i = 0; i < samples; ++i) out[b * samples + i] = in[i * sampleBytes + b];
}

} // namespace

void ChunkEncoder::encode(std::span<const std::byte> samples, std::vector<std::byte>& out) const {
    if (m_level == 0) return store(samples, out);
    thread_local std::vector<std::byte> sorted;
    shuffle(samples, m_sampleBytes, sorted);
    uLong length = compressBound(static_cast<uLong>(sorted.size()));
    out.resize(length);
    const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &length,
                                 reinterpret_cast<const Bytef*>(sorted.data()),
                                 static_cast<uLong>(sorted.size()), m_level);
    if (status != Z_OK) throw std::runtime_error("compressing samples");
    out.resize(length);
}

} // namespace echolux
