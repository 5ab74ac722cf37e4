// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in text: one row per line, columns separated by semicolons, commas, blanks or tabs.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace echolux {

struct TextTable {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<double> values; ///< [row][column]

    /// The only column, or the second of two whose first counts rows from 0 or 1. At least two
    /// rows; throws Error otherwise.
    std::vector<double> series(const std::filesystem::path& path) const;
};

/// Without the blanks at either end.
std::string_view trimmed(std::string_view text);

/// Does the file begin like text rather than binary data?
bool looksLikeText(const InputFile& file);

/// A first line that begins with no number is a heading; lines that begin with '#' and empty ones
/// are skipped; where semicolons separate, a decimal comma is understood. Throws Error, naming the
/// line, for anything else, for rows of unequal length and for files of more than 64 MiB.
TextTable readTextTable(const InputFile& file);

/// The table as a container of one f64 array under the empty name: [row][column], or [row] where
/// there is one column.
std::unique_ptr<ArrayContainer> openText(const InputFile& file);

} // namespace echolux
