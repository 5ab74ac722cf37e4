// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files for other programs: numbers, texts, and frames one after the other. Throws
// std::runtime_error where HDF5 fails.
#pragma once

#include "app/dataset/container/hdf5_attributes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux::hdf5 {

/// A new file in the place of `path`; `userBlock` bytes stay free at its begin.
Hdf5Handle createFile(const std::filesystem::path& path, hsize_t userBlock = 0);
void closeFile(Hdf5Handle& file);
Hdf5Handle createGroup(hid_t at, const std::string& name);

/// A dataset of such numbers, row-major; no extent: one number. The handle is for its attributes.
Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const double> values);
Hdf5Handle writeNumbers(hid_t at, const std::string& name, std::span<const hsize_t> extent,
                        hid_t stored, std::span<const float> values);
/// A text of variable length as a dataset.
Hdf5Handle writeString(hid_t at, const std::string& name, const std::string& text);
/// An attribute of a text as long as it is, as MATLAB and h5py take it.
void writeFixedText(hid_t at, const std::string& name, const std::string& text);

/// Frames along the first axis of a contiguous dataset.
class FrameRows {
public:
    FrameRows() = default;
    /// `extent` begins with the number of frames, unless `lone`, a dataset that is one frame.
    FrameRows(hid_t at, const std::string& name, const Hdf5Handle& stored, Hdf5Handle memory,
              std::vector<hsize_t> extent, bool lone = false);
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

/// (re, im) of that type under these names.
Hdf5Handle pairType(hid_t part, const char* real, const char* imaginary);
Hdf5Handle copied(hid_t type);

} // namespace echolux::hdf5
