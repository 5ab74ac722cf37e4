// SPDX-License-Identifier: GPL-3.0-or-later
// The small datasets and attributes of one HDF5 group as numbers and texts. Also arrays whose real
// and imaginary parts are separate datasets.
#pragma once

#include "app/dataset/container/hdf5_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// One group of a tree; names are relative to it. Getters return nothing where the object is
/// missing or of another kind. They throw Error where it is damaged or unreasonably large.
class Hdf5Values {
public:
    explicit Hdf5Values(std::shared_ptr<Hdf5File> tree, std::string group = {})
        : m_tree(std::move(tree)), m_group(std::move(group)) {}

    const std::filesystem::path& path() const { return m_tree->path(); }
    const std::string& where() const { return m_group; }
    const std::shared_ptr<Hdf5File>& tree() const { return m_tree; }
    std::string at(const std::string& name) const;
    Hdf5Values below(const std::string& name) const { return Hdf5Values(m_tree, at(name)); }

    bool has(const std::string& name) const { return m_tree->has(at(name)); }
    bool isGroup(const std::string& name) const { return m_tree->isGroup(at(name)); }
    bool isNumeric(const std::string& name) const { return m_tree->isNumeric(at(name)); }
    std::vector<std::string> children(std::size_t most = 4096) const {
        return m_tree->children(m_group, most);
    }

    /// All numbers of a dataset, in the order of its indices.
    std::optional<std::vector<double>> numbers(const std::string& name) const;
    std::optional<double> number(const std::string& name) const; ///< throws where there is not
                                                                 ///< exactly one
    /// Extents of a numeric dataset; empty for a single number and where there is no dataset.
    std::vector<std::int64_t> shape(const std::string& name) const;
    /// A text, stored as a string, as single letters, or as codes of letters.
    std::optional<std::string> text(const std::string& name) const;
    /// The first number of an attribute of this group: an integer, a real one or an enumeration.
    std::optional<double> numberAttribute(const std::string& name) const;
    std::optional<std::string> textAttribute(const std::string& name) const {
        return m_tree->textAttribute(m_group, name);
    }
    Error error(const std::string& what) const; ///< fileError() for this file

private:
    std::shared_ptr<Hdf5File> m_tree;
    std::string m_group;
};

/// `real` and `imaginary`, which have the same type and shape, as one array. An axis of size two
/// stands before their axes.
std::unique_ptr<ArraySource> openParts(Hdf5File& tree, const std::string& real,
                                       const std::string& imaginary);

} // namespace echolux
