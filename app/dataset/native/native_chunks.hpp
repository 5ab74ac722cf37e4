// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes stored chunks of a native recording without the HDF5 library, because only one thread at
// a time may call that library.
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

/// Chunks [frame][a part of the first axis][all of the other axes]. They may be shuffled (bytes
/// sorted by their position in the sample), deflated, both, or neither. Must not outlive the
/// dataset.
class NativeChunks {
public:
    /// Of a dataset with chunks of the extent `chunk`; a frame has `rows` on its first axis. Empty
    /// where the dataset is stored in another way, or where reading converts its samples.
    static std::optional<NativeChunks> of(hid_t dataset, hid_t memoryType,
                                          std::vector<hsize_t> chunk, hsize_t rows,
                                          std::size_t frameBytes);

    /// Called on the thread that calls HDF5. Reads the stored bytes of a frame and returns parts
    /// that decode them. The parts must not outlive this object. `damaged` makes the error for
    /// chunks that are missing or damaged.
    std::vector<FramePart> partsOf(std::int64_t frame, std::function<Error()> damaged) const;

private:
    bool decode(std::span<const std::byte> stored, std::uint32_t skipped,
                std::span<std::byte> out) const;

    hid_t m_dataset = H5I_INVALID_HID;
    std::vector<hsize_t> m_chunk;
    std::size_t m_perFrame = 1; ///< chunks per frame
    std::size_t m_chunkBytes = 0;
    std::size_t m_sampleBytes = 1;
    std::optional<unsigned> m_shuffle; ///< position in the pipeline of filters
    std::optional<unsigned> m_deflate;
};

} // namespace echolux
