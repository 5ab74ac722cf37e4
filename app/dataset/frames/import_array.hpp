// SPDX-License-Identifier: GPL-3.0-or-later
// The array of a description: how it is stored, what its axes count, and whether its sizes fit.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/array_recording.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// One axis of the array. Nothing for the role: an axis of one entry that means nothing.
struct ImportAxis {
    std::optional<ArrayAxis> role;
    std::int64_t size = 1; ///< -1, once and of headerless data: as many as the file holds

    bool operator==(const ImportAxis&) const = default;
};
std::string_view nameOf(const ImportAxis& axis); ///< "frame", ..., "none"

struct ImportArray {
    std::string name;                ///< in its file; empty: the only one, or headerless data
    std::optional<ElementType> type; ///< of headerless data alone: other files say it
    std::vector<ImportAxis> axes;    ///< in index order
    std::uint64_t headerBytes = 0;   ///< of headerless data alone, like the next
    std::uint64_t trailerBytes = 0;
    double codeOffset = 0.0;      ///< the code of silence
    bool conjugate = false;       ///< I/Q pairs: Q is stored negated
    bool complexElements = false; ///< elements are I/Q pairs by themselves

    bool headerless() const { return type.has_value(); }
    bool pairs() const;
    bool operator==(const ImportArray&) const = default;
};

/// The axes that data of one kind may have, in the order of headerless data, and those they need.
struct ImportRoles {
    std::vector<ArrayAxis> all;
    std::vector<ArrayAxis> needed;
};
/// "frame", ..., "none"; nothing for other words.
std::optional<std::optional<ArrayAxis>> parseImportAxis(std::string_view word,
                                                        const ImportRoles& roles);

const ImportAxis* axisOf(const ImportArray& array, ArrayAxis role); ///< null: none
/// What is wrong with the axes, whatever the file; empty where nothing is.
std::string wrongAxes(const ImportArray& array, const ImportRoles& roles);

/// The open extent, or 1 where none is open; with the sentence that says why it is none.
struct OpenExtent {
    std::int64_t open = 1;
    std::string problem;
};
OpenExtent openExtent(const ImportArray& array, std::uint64_t fileBytes);
/// Of an axis that may be missing, 1, or open.
std::int64_t sizeOf(const ImportArray& array, ArrayAxis role, std::int64_t open);

/// Headerless data: one frame of it, of slower axes less until the rest is in the file, and the
/// trailer what is left. False where not two entries of the needed axes are.
bool cutToFrame(ImportArray& array, const ImportRoles& roles, std::uint64_t fileBytes);

/// `name`, or where it is empty that of the largest array of two axes or more. Throws Error where
/// there is none. Defined with the guesses.
std::string chosenArray(const std::filesystem::path& path, ArrayContainer& container,
                        const std::string& name);

/// The table [data] of the sidecar, whose last lines may follow.
std::string dataTable(const ImportArray& array);
/// As a TOML string.
std::string inQuotes(const std::string& text);
/// As a TOML number, or a list where there are several, in units of `unit`.
std::string tomlNumbers(const std::vector<double>& values, double unit = 1.0);

/// "1, 2.5, 4" or first:last:step, times `unit`; nothing for anything else or for more than 4096.
std::optional<std::vector<double>> parseNumbers(std::string_view text, double unit = 1.0);
/// The shortest text that parseNumbers() takes back to `values`, in units of `unit`, to 9 digits.
std::string numbersText(const std::vector<double>& values, double unit = 1.0);

} // namespace echolux
