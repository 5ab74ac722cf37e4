// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes stored chunks of the native recording outside the HDF5 library, which one thread at a
// time may call.
#pragma once

#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/recording/frame_part.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace echolux {

/// Chunks [frame][some of the first axis][whole other axes] whose bytes were sorted by their place
/// in the sample (shuffle), then deflated, or either, or stored as they are. Lives as long as the
/// dataset.
class NativeChunks {
public:
    /// Nothing where the dataset is stored otherwise or converts its samples when read.
    static std::optional<NativeChunks> of(hid_t dataset, hid_t memoryType, std::size_t frameBytes);

    /// The thread that calls HDF5: reads the stored bytes of a frame, which its parts decode; they
    /// live as long as this. `damaged` makes the error for chunks that are missing or damaged.
    std::vector<FramePart> partsOf(std::int64_t frame, std::function<Error()> damaged) const;

private:
    bool decode(std::span<const std::byte> stored, std::uint32_t skipped,
                std::span<std::byte> out) const;

    hid_t m_dataset = H5I_INVALID_HID;
    std::vector<hsize_t> m_chunk;
    std::size_t m_perFrame = 1; ///< chunks
    std::size_t m_chunkBytes = 0;
    std::size_t m_sampleBytes = 1;
    std::optional<unsigned> m_shuffle; ///< place in the pipeline
    std::optional<unsigned> m_deflate;
};

} // namespace echolux
