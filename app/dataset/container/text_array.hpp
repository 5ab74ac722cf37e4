// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in a text file: one row per line, with columns separated by semicolons, commas, blanks or
// tabs.
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

    /// The only column, or the second of two columns where the first counts rows from 0 or 1.
    /// Throws Error for other tables and for fewer than two rows.
    std::vector<double> series(const std::filesystem::path& path) const;
};

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// True where the file begins like text and not like binary data.
bool looksLikeText(const InputFile& file);

/// A first line that does not begin with a number is a heading. Empty lines and lines that begin
/// with '#' are skipped. Where semicolons separate columns, a decimal comma is accepted. Throws
/// Error that names the line for anything else, for rows of unequal length and for files of more
/// than 64 MiB.
TextTable readTextTable(const InputFile& file);

/// The table as a container with one f64 array, whose name is empty: [row][column], or [row] for a
/// single column.
std::unique_ptr<ArrayContainer> openText(const InputFile& file);

} // namespace echolux
