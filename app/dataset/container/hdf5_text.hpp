// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of variable length in HDF5 files, read without HDF5.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <hdf5.h>

#include <optional>
#include <string>

namespace echolux {

/// NOTE: HDF5 1.10 takes the length of the buffer from the attribute and the number of copied bytes
/// from the file's heap, so a damaged file would write outside the buffer. This class reads the
/// same bytes within bounds. It returns nothing where a text is damaged, longer than 1 MiB, or
/// stored in an unusual way. Usual are attributes in the header of their object and contiguous
/// datasets.
class Hdf5Texts {
public:
    /// `file` is open in HDF5. `bytes` is the same file.
    Hdf5Texts(hid_t file, const InputFile& bytes);
    std::optional<std::string> ofDataset(hid_t dataset) const;
    /// True where the attributes and the datatype of the object at `where` are inside its header.
    /// HDF5 1.10 reads beyond the header of other objects.
    bool isHeaderSound(hid_t file, const std::string& where) const;
    /// The same for `where` and everything below it, `levels` deep, through hard links.
    bool isTreeSound(hid_t file, const std::string& where, int levels) const;
    /// The attribute `name` of the object at `where`.
    std::optional<std::string> ofAttribute(hid_t file, const std::string& where,
                                           const std::string& name) const;

private:
    const InputFile& m_bytes;
    std::uint64_t m_base = 0; ///< origin of addresses in the file
    bool m_known = false;     ///< addresses and lengths have 8 bytes
};

} // namespace echolux
