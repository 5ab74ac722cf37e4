// SPDX-License-Identifier: GPL-3.0-or-later
// Carried facts as datasets of an HDF5 file, with their unit and description as attributes.
#pragma once

#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/hdf5_file.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace echolux {

/// Collects facts of one file. Facts that cannot be read, and those beyond 64 MiB in all, go to
/// `left`.
class FactCollector {
public:
    using IsUsed = std::function<bool(const std::string& name)>;
    /// Leaves out facts whose names are `used`.
    FactCollector(std::shared_ptr<Hdf5File> tree, std::string family, IsUsed used);

    /// The text of an attribute of the file.
    void addAttribute(const std::string& name);
    /// The dataset at `where`; does nothing where it is missing.
    void add(const std::string& where, const std::string& name);
    /// All datasets below the group `where`, as `name`/..., or by their own names where it is
    /// empty.
    void addBelow(const std::string& where, const std::string& name);
    CarriedFacts take() { return std::move(m_found); }

private:
    bool read(const std::string& where, CarriedFact& fact);

    std::shared_ptr<Hdf5File> m_tree;
    IsUsed m_used;
    CarriedFacts m_found;
    std::uint64_t m_bytes = 0;
};

/// Writes a fact at the path `where` below `at`, with the groups on the way. It replaces what is
/// there. Throws std::runtime_error where HDF5 fails.
void writeFact(hid_t at, const std::string& where, const CarriedFact& fact);

/// Writes a text of variable length as an attribute. Throws std::runtime_error where HDF5 fails.
void writeVariableText(hid_t at, const char* name, const std::string& text);

} // namespace echolux
