// SPDX-License-Identifier: GPL-3.0-or-later
// Reads numbers of a container by name, and checks their count and values.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "gpu/core/error.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

class NamedNumbers {
public:
    NamedNumbers(std::filesystem::path path, std::shared_ptr<ArrayContainer> container,
                 bool reversed)
        : m_path(std::move(path)), m_container(std::move(container)), m_reversed(reversed) {}

    const std::filesystem::path& path() const { return m_path; }
    ArrayContainer& container() const { return *m_container; }
    /// True where tables are stored column by column, as in MATLAB.
    bool isReversed() const { return m_reversed; }
    Error error(const std::string& what) const;

    bool has(const std::string& name) const { return m_container->has(name); }
    /// True where the array exists and is not a single 0.
    bool knows(const std::string& name) const;
    std::vector<double> list(const std::string& name) const;
    double one(const std::string& name) const;
    double positive(const std::string& name) const;
    double positiveOr(const std::string& name, double otherwise) const;
    /// The frequency at which the complex array `of` was demodulated. Where no name for it exists,
    /// `centreHz`, with a warning. Throws where two names have different values.
    double demodulationHz(const std::string& of, double centreHz,
                          std::vector<std::string>& warnings) const;
    /// The known value that goes by one of `names`, all of which mean `what`; 0 where there is
    /// none. Throws where two differ.
    double oneOf(std::span<const std::string_view> names, const std::string& what) const;
    double demodulationHz() const; ///< 0 where it is not known
    /// One value for each of `count` things. A single value counts for all.
    std::vector<double> each(const std::string& name, std::size_t count,
                             const std::string& things) const;
    /// Table as [row][column], whichever order it is stored in. Throws where its shape differs.
    std::vector<double> table(const std::string& name, std::size_t rows, std::size_t columns,
                              const std::string& meaning) const;

private:
    std::filesystem::path m_path;
    std::shared_ptr<ArrayContainer> m_container;
    bool m_reversed;
};

} // namespace echolux
