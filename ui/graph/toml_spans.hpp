// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a line of TOML are, for colouring it.
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
    Quote quote = Quote::None; ///< a string in three quotes
    int depth = 0;             ///< brackets of values
    int toInt() const { return static_cast<int>(quote) + 4 * depth; }
    static TomlState fromInt(int value);
    bool operator==(const TomlState&) const = default;
};

/// Spans in order; words that are none of these are left out. Takes anything, also what is no TOML.
std::vector<TomlSpan> tomlSpans(QStringView line, TomlState& state);

} // namespace echolux
