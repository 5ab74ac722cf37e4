// SPDX-License-Identifier: GPL-3.0-or-later
// The array in a description: how it is stored, what its axes count, and whether its sizes fit.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "gpu/core/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {

/// One axis of the array. Without a role the axis has one entry and no meaning.
struct ImportAxis {
    std::optional<ArrayAxis> role;
    std::int64_t size = 1; ///< -1: as many as the file contains; allowed once, for headerless data

    bool operator==(const ImportAxis&) const = default;
};
std::string_view nameOf(const ImportAxis& axis); ///< "frame", ..., "none"

struct ImportArray {
    std::string name;                ///< name in its file; empty: the only array, or headerless
                                     ///< data
    std::optional<ElementType> type; ///< for headerless data only; other files tell it
    std::vector<ImportAxis> axes;    ///< in index order
    std::uint64_t headerBytes = 0;   ///< for headerless data only, like the next member
    std::uint64_t trailerBytes = 0;
    double codeOffset = 0.0;      ///< the code for silence
    bool conjugate = false;       ///< I/Q pairs: Q is stored negated
    bool complexElements = false; ///< each element is an I/Q pair

    bool headerless() const { return type.has_value(); }
    bool pairs() const;
    bool operator==(const ImportArray&) const = default;
};

/// The axes that one kind of data may have, in the order of headerless data, and the axes that it
/// needs.
struct ImportRoles {
    std::vector<ArrayAxis> all;
    std::vector<ArrayAxis> needed;
};
/// The axis for "frame", ..., "none"; empty for other words.
std::optional<std::optional<ArrayAxis>> parseImportAxis(std::string_view word,
                                                        const ImportRoles& roles);

const ImportAxis* axisOf(const ImportArray& array, ArrayAxis role); ///< null where the array has no
                                                                    ///< such axis
/// What is wrong with the axes, whatever the size of the file; empty where nothing is wrong.
std::string wrongAxes(const ImportArray& array, const ImportRoles& roles);

/// The size of the axis whose size is -1; 1 where there is no such axis. Or the sentence that says
/// why the size is impossible.
struct OpenExtent {
    std::int64_t open = 1;
    std::string problem;
};
OpenExtent openExtent(const ImportArray& array, std::uint64_t fileBytes);
/// Size of an axis. 1 where it is missing; the value of `open` where its size is -1.
std::int64_t sizeOf(const ImportArray& array, ArrayAxis role, std::int64_t open);

/// For headerless data: reduces the description to one frame, and shortens axes, the slowest first,
/// until the frame fits into the file. The rest becomes the trailer. False where the frame does not
/// fit, or where the first of the needed axes has fewer than two entries.
bool cutToFrame(ImportArray& array, const ImportRoles& roles, std::uint64_t fileBytes);

/// `name`; where it is empty, the name of the largest array with two axes or more. Throws Error
/// where there is none. Defined with the guesses.
std::string chosenArray(const std::filesystem::path& path, ArrayContainer& container,
                        const std::string& name);

/// `text` as a TOML string.
std::string inQuotes(const std::string& text);

/// The shortest text that readQuantities() reads as `values`, to 9 digits, in the shown unit.
std::string numbersText(const std::vector<double>& values, const QuantityUnit& unit = {});

} // namespace echolux
