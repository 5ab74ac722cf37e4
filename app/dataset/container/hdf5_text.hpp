// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of variable length in HDF5 files, read without HDF5.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <hdf5.h>

#include <optional>
#include <string>

namespace echolux {

/// NOTE: HDF5 1.10 copies as many bytes as the heap of a file says into a buffer as long as the
/// attribute says, so that a damaged file would write outside. These read the same bytes within
/// bounds. Nothing where a text is damaged, longer than 1 MiB, or stored in another way than other
/// programs store theirs: attributes in the header of their object, datasets contiguous.
class Hdf5Texts {
public:
    /// `file` is open in HDF5, `bytes` are the same file.
    Hdf5Texts(hid_t file, const InputFile& bytes);
    std::optional<std::string> ofDataset(hid_t dataset) const;
    /// Do the attributes and the datatype of the object at `where` lie in its header? HDF5 1.10
    /// reads beyond it for those that do not.
    bool isHeaderSound(hid_t file, const std::string& where) const;
    /// The same of `where` and of all that lies below it, `levels` deep, through hard links.
    bool isTreeSound(hid_t file, const std::string& where, int levels) const;
    /// The attribute `name` of the object at `where`.
    std::optional<std::string> ofAttribute(hid_t file, const std::string& where,
                                           const std::string& name) const;

private:
    const InputFile& m_bytes;
    std::uint64_t m_base = 0; ///< what addresses in the file count from
    bool m_known = false;     ///< addresses and lengths have 8 bytes
};

} // namespace echolux
