// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a container by name, counted and checked.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "gpu/core/error.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace echolux {

class NamedNumbers {
public:
    NamedNumbers(std::filesystem::path path, std::shared_ptr<ArrayContainer> container,
                 bool reversed)
        : m_path(std::move(path)), m_container(std::move(container)), m_reversed(reversed) {}

    const std::filesystem::path& path() const { return m_path; }
    ArrayContainer& container() const { return *m_container; }
    /// Whether a table of rows lies column by column, as MATLAB's does.
    bool isReversed() const { return m_reversed; }
    Error error(const std::string& what) const;

    bool has(const std::string& name) const { return m_container->has(name); }
    bool knows(const std::string& name) const; ///< it is there, and no single 0
    std::vector<double> list(const std::string& name) const;
    double one(const std::string& name) const;
    double positive(const std::string& name) const;
    double positiveOr(const std::string& name, double otherwise) const;
    /// One value for each of `count` things, or one for all.
    std::vector<double> each(const std::string& name, std::size_t count,
                             const std::string& things) const;
    /// [row][column], whichever way it lies; throws where it is another table.
    std::vector<double> table(const std::string& name, std::size_t rows, std::size_t columns,
                              const std::string& meaning) const;

private:
    std::filesystem::path m_path;
    std::shared_ptr<ArrayContainer> m_container;
    bool m_reversed;
};

} // namespace echolux
