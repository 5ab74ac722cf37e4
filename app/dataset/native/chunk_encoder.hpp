// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes chunks of a native recording outside the HDF5 library, on several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace echolux {

/// The filters of `/frames`: shuffle, then deflate. At level 0 the bytes are not shuffled, and the
/// deflate stream stores them as they are, with their checksum.
class ChunkEncoder {
public:
    /// `level`: 0 to 9.
    ChunkEncoder(std::size_t sampleBytes, int level) : m_sampleBytes(sampleBytes), m_level(level) {}

    /// HDF5's mask of filters that encode() leaves out; bit 0 is shuffle.
    std::uint32_t skipped() const { return m_level == 0 ? 1U : 0U; }
    /// Any thread. Replaces `out`.
    void encode(std::span<const std::byte> samples, std::vector<std::byte>& out) const;

private:
    std::size_t m_sampleBytes;
    int m_level;
};

} // namespace echolux
