// SPDX-License-Identifier: GPL-3.0-or-later
// Writes HDF5 files for other programs: numbers, texts, and frames one after the other. Throws
// std::runtime_error where HDF5 fails. Where a function takes the extent of a chunk, no extent
// means a dataset in one piece.
#pragma once

#include "app/dataset/container/hdf5_attributes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux::hdf5 {

/// Creates a new file and replaces `path`. `userBlock` bytes at its beginning stay free.
Hdf5Handle createFile(const std::filesystem::path& path, hsize_t userBlock = 0);
void closeFile(Hdf5Handle& file);
Hdf5Handle createGroup(hid_t at, const std::string& name);

/// Writes numbers as a dataset of type `stored`, row-major. An empty extent means a single number.
/// The returned handle is for attributes.
Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const double> values,
                        std::span<const hsize_t> chunk = {});
Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const float> values);
/// Writes a text of variable length as a dataset.
Hdf5Handle writeString(hid_t at, const std::string& name, const std::string& text);
/// Writes a text as an attribute of exactly its length, as MATLAB and h5py expect it.
void writeFixedText(hid_t at, const std::string& name, const std::string& text);

/// Frames along the first axis of a dataset.
class FrameRows {
public:
    FrameRows() = default;
    /// `extent` begins with the number of frames. With `lone` the dataset is a single frame and has
    /// no such axis.
    FrameRows(hid_t at, const std::string& name, const Hdf5Handle& stored, Hdf5Handle memory,
              std::vector<hsize_t> extent, bool lone = false, std::span<const hsize_t> chunk = {});
    void append(const void* frame);
    hid_t get() const { return m_dataset.get(); }
    bool close() { return m_dataset.close(); }

private:
    Hdf5Handle m_dataset;
    Hdf5Handle m_memory;
    std::vector<hsize_t> m_extent;
    bool m_lone = false;
    hsize_t m_frames = 0;
};

/// A compound type of two parts of type `part` with these names.
Hdf5Handle pairType(hid_t part, const char* real, const char* imaginary);
Hdf5Handle copied(hid_t type);

} // namespace echolux::hdf5
