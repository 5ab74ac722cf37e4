// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that a sidecar contains or that its data file contains, with checks of their count and
// range.
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

/// `text` with `mark` replaced by `number`.
std::string withNumber(std::string text, const std::string& mark, std::int64_t number);

/// Numbers by the keys of a sidecar. Every function may throw Error, which names the key, the data
/// file and the sidecar.
class SidecarNumbers {
public:
    /// `container` is null for headerless binary. It and `sidecar` must outlive this.
    SidecarNumbers(std::filesystem::path path, ArrayContainer* container, const Sidecar& sidecar)
        : m_path(std::move(path)), m_container(container), m_sidecar(sidecar) {}

    Error error(const std::string& what) const;
    /// Sets a hint how the axes may have been meant; it is added to every error.
    void setDoubt(std::string doubt) { m_doubt = std::move(doubt); }
    const std::string& doubt() const { return m_doubt; }

    std::vector<double> all(const std::string& key) const;
    /// The same, where arrays may hold NaN.
    std::vector<double> allOrNaN(const std::string& key) const;
    double one(const std::string& key, double fallback) const;
    /// A length of at least 0 in m; 0 where it is not given.
    double length(const std::string& key) const;
    /// A whole number between the two limits.
    std::int64_t whole(const std::string& key, std::int64_t fallback, std::int64_t least,
                       std::int64_t most) const;
    /// `count` numbers, one per transmit; the sidecar may give one for all.
    std::vector<double> perTransmit(const std::string& key, double fallback,
                                    std::size_t count) const;
    /// Points of three numbers each. Arrays in the file may also have three rows.
    std::vector<Point> points(const std::string& key, std::size_t count) const;
    /// A table row by row: `rows` lists of the same length, or an array in the file with that many
    /// rows.
    std::vector<double> table(const std::string& key, std::size_t rows) const;
    /// Shape of the array that the sidecar names. Empty where it names no array or several.
    std::optional<std::vector<std::int64_t>> shapeOf(const std::string& key) const;
    /// Index from 0 of an element. Throws Error where `value` is no whole number from `first` to
    /// first + count - 1.
    std::size_t index(const std::string& key, double value, std::size_t count, double first) const;

private:
    std::vector<double> read(const std::string& key, bool mayBeNaN) const;
    std::vector<std::string> namesIn(const std::string& key, const NumberSource& source) const;

    std::filesystem::path m_path;
    ArrayContainer* m_container = nullptr;
    const Sidecar& m_sidecar;
    std::string m_doubt;
};

} // namespace echolux
