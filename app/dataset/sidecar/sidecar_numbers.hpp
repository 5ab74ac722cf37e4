// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that a sidecar gives or points to in its data file, counted and checked.
#pragma once

#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/acquisition.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// `text` with `number` in the place of `mark`.
std::string withNumber(std::string text, const std::string& mark, std::int64_t number);

/// Every function throws Error that names `key`, the data file and the sidecar.
class SidecarNumbers {
public:
    /// `container` is null for headerless binary; it outlives this.
    SidecarNumbers(std::filesystem::path path, ArrayContainer* container, const Sidecar& sidecar)
        : m_path(std::move(path)), m_container(container), m_origin(sidecar.origin),
          m_firstIndex(sidecar.firstIndex) {}

    Error error(const std::string& what) const;
    /// How the axes may have been meant instead; added to every error.
    void setDoubt(std::string doubt) { m_doubt = std::move(doubt); }
    const std::string& doubt() const { return m_doubt; }

    std::vector<double> all(const std::string& key, const NumberSource& source) const;
    double one(const std::string& key, const NumberSource& source, double fallback) const;
    /// The same, of at least 0.
    double length(const std::string& key, const NumberSource& source) const;
    /// A whole number between the two.
    std::int64_t whole(const std::string& key, const NumberSource& source, std::int64_t fallback,
                       std::int64_t least, std::int64_t most) const;
    /// One number for all transmits, or one for each of `count`.
    std::vector<double> perTransmit(const std::string& key, const NumberSource& source,
                                    double fallback, std::size_t count) const;
    /// Three numbers per point; arrays in the file may also be stored as three rows.
    std::vector<Point> points(const std::string& key, const NumberSource& source,
                              std::size_t count) const;
    /// Of `rows` lists of one length, or an array of so many rows in the file; row by row.
    std::vector<double> table(const std::string& key, const NumberSource& source,
                              std::size_t rows) const;
    /// Of the one array that `source` names; nothing where it names none or several.
    std::optional<std::vector<std::int64_t>> shapeOf(const NumberSource& source) const;
    /// From 0; refuses what is no number of an element, from `first` to first + count - 1.
    std::size_t index(const std::string& key, double value, std::size_t count, double first) const;

private:
    std::vector<std::string> namesIn(const std::string& key, const NumberSource& source) const;

    std::filesystem::path m_path;
    ArrayContainer* m_container = nullptr;
    std::string m_origin;
    std::int64_t m_firstIndex = 0;
    std::string m_doubt;
};

} // namespace echolux
