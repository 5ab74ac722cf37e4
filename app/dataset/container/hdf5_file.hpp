// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files: a look at the tree, and numeric datasets as arrays.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/hdf5_handle.hpp"
#include "app/dataset/container/hdf5_text.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace echolux {

/// Paths inside the file are written as "data/rf_data"; "" and "/" are the root.
class Hdf5File : public ArrayContainer, public std::enable_shared_from_this<Hdf5File> {
public:
    /// Throws where the file is missing, no HDF5, or cut off.
    static std::shared_ptr<Hdf5File> openReadOnly(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    hid_t id() const { return m_file.get(); }
    /// Throws where a link on the way leads to another file, nowhere, or in a circle.
    bool has(const std::string& where) const override;
    bool isGroup(const std::string& where) const;
    bool isDataset(const std::string& where) const;
    bool isNumeric(const std::string& where) const; ///< what open() takes
    /// Names below a group, in the order of names; at most `most`.
    std::vector<std::string> children(const std::string& where, std::size_t most = 4096) const;
    std::optional<std::string> textAttribute(const std::string& where,
                                             const std::string& name) const;
    /// A dataset of one text; nothing where there is no such dataset, or it is longer than 1 MiB.
    std::optional<std::string> text(const std::string& where) const;
    /// Throws Error where the attributes or the type of the object at `where` lie beyond its
    /// header: asked before HDF5 opens it, which would read there.
    void requireSoundHeader(const std::string& where) const;
    bool hasAttribute(const std::string& where, const std::string& name) const;
    /// The objects that a dataset of references names; "" where one is null or damaged. At most
    /// `most` are looked at: nothing of a larger one.
    struct References {
        std::vector<std::int64_t> shape;
        std::vector<std::string> targets;
    };
    References references(const std::string& where, std::size_t most) const;
    bool isReferences(const std::string& where) const; ///< what references() takes
    /// Where the object at `where` lies in the file, the same under all its names.
    std::uint64_t addressOf(const std::string& where) const;
    /// A numeric or complex dataset; throws where it is something else, compressed by a filter that
    /// is not read (which it names), or lies in other files.
    std::unique_ptr<ArraySource> open(const std::string& where) override;
    std::string list() const override;
    std::vector<std::string> names() const override;

private:
    Hdf5File(std::filesystem::path path, Hdf5Handle file);
    Hdf5Handle openDataset(const std::string& where) const;

    std::string nameAt(hid_t dataset, const hobj_ref_t& target) const;

    std::filesystem::path m_path;
    Hdf5Handle m_file;
    mutable std::unordered_set<std::string> m_listed; ///< groups that an opening has counted
    /// Names of MATLAB's "#refs#" by address: HDF5 itself looks through all of them for each one.
    mutable std::optional<std::unordered_map<haddr_t, std::string>> m_names;
    InputFile m_bytes;                               ///< the same file
    Hdf5Texts m_texts;                               ///< beside HDF5, of m_bytes
    mutable std::unordered_set<std::string> m_sound; ///< whose headers are
};

} // namespace echolux
