// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a line of TOML into parts for colouring.
#pragma once

#include <QStringView>

#include <vector>

namespace echolux {

struct TomlSpan {
    enum class Kind { Section, Key, String, Number, Comment };
    Kind kind = Kind::Key;
    qsizetype start = 0; ///< characters from the start of the line
    qsizetype length = 0;
    bool operator==(const TomlSpan&) const = default;
};

/// What a line leaves open for the next one.
struct TomlState {
    enum class Quote { None, Basic, Literal };
    Quote quote = Quote::None; ///< an open string in triple quotes
    int depth = 0;             ///< number of open brackets of values
    int toInt() const { return static_cast<int>(quote) + 4 * depth; }
    static TomlState fromInt(int value);
    bool operator==(const TomlState&) const = default;
};

/// Spans in order. Text of no kind is left out. Accepts any text, also invalid TOML.
std::vector<TomlSpan> tomlSpans(QStringView line, TomlState& state);

} // namespace echolux
