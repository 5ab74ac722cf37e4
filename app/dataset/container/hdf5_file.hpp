// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files: their tree, and their numeric datasets as arrays.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/container/hdf5_handle.hpp"

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
    /// Throws where the file is missing, is no HDF5 file, or is truncated.
    static std::shared_ptr<Hdf5File> openReadOnly(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    hid_t id() const { return m_file.get(); }
    /// Throws where a link on the way leads to another file, to nothing, or in a circle.
    bool has(const std::string& where) const override;
    bool isGroup(const std::string& where) const;
    bool isDataset(const std::string& where) const;
    bool isNumeric(const std::string& where) const; ///< true where open() accepts it
    /// Names in a group in alphabetic order, at most `most`.
    std::vector<std::string> children(const std::string& where, std::size_t most = 4096) const;
    std::optional<std::string> textAttribute(const std::string& where,
                                             const std::string& name) const;
    /// The text of a dataset. Empty where there is no such dataset, or where the text is longer
    /// than 1 MiB.
    std::optional<std::string> text(const std::string& where) const;
    bool hasAttribute(const std::string& where, const std::string& name) const;
    /// The objects that a dataset of references names; "" for a null or damaged reference. A
    /// dataset with more than `most` references gives none.
    struct References {
        std::vector<std::int64_t> shape;
        std::vector<std::string> targets;
    };
    References references(const std::string& where, std::size_t most) const;
    bool isReferences(const std::string& where) const; ///< true where references() accepts it
    /// Address in the file of the object at `where`. It is the same for all names of the object.
    std::uint64_t addressOf(const std::string& where) const;
    /// Opens a numeric or complex dataset. Throws where it is something else, where its data are in
    /// other files, and where a filter that cannot be read has compressed it; the error names the
    /// filter.
    std::unique_ptr<ArraySource> open(const std::string& where) override;
    std::string list() const override;
    std::vector<std::string> names() const override;

private:
    Hdf5File(std::filesystem::path path, Hdf5Handle file);
    Hdf5Handle openDataset(const std::string& where) const;

    std::string nameAt(hid_t dataset, const hobj_ref_t& target) const;

    std::filesystem::path m_path;
    Hdf5Handle m_file;
    mutable std::unordered_set<std::string> m_listed; ///< groups that have been counted in an
                                                      ///< opening
    /// Names in MATLAB's group "#refs#" by address. HDF5 itself would search all of them for each
    /// reference.
    mutable std::optional<std::unordered_map<haddr_t, std::string>> m_names;
};

} // namespace echolux
