// SPDX-License-Identifier: GPL-3.0-or-later
// Walks brackets, dots, strings and comments before the parser, which recurses.
#include "app/toml/toml_text.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace echolux {
namespace {

/// The position behind the string that begins at `at` with a quote. Strings with three quotes may
/// span lines, and up to two quotes more may stand before the three that end them.
std::size_t endOfString(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = text.substr(at, 3);
    const bool spans = three.size() == 3 && three[1] == quote && three[2] == quote;
    at += spans ? 3 : 1;
    for (; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (!spans) {
            if (text[at] == '\n') return at;
            if (text[at] == quote) return at + 1;
        } else if (text.substr(at).starts_with(three)) {
            at += 3;
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
            return at;
        }
    }
    return text.size();
}

/// The line, from 1, in which a text first nests too deep; empty where it never does. It does not
/// recurse, so any text is safe. For a text that is no TOML the answer has no meaning.
std::optional<std::ptrdiff_t> lineNestedTooDeep(std::string_view toml) {
    std::vector<int> dotsBefore; // of each open bracket: dots of the key that it belongs to
    int depth = 0;               // brackets, and dots before them
    int dots = 0;                // of the key that is being read
    for (std::size_t at = 0; at < toml.size();) {
        const char c = toml[at];
        if (c == '"' || c == '\'') {
            at = endOfString(toml, at);
            continue;
        }
        if (c == '#') {
            at = std::min(toml.find('\n', at), toml.size());
            continue;
        }
        if (c == '.') {
            ++dots;
        } else if (c == '[' || c == '{') {
            dotsBefore.push_back(dots);
            depth += 1 + dots;
            dots = 0;
        } else if ((c == ']' || c == '}') && !dotsBefore.empty()) {
            dots = dotsBefore.back();
            dotsBefore.pop_back();
            depth -= 1 + dots;
        } else if (c == ',' || c == '\n') {
            dots = 0;
        }
        if (depth + dots > kMostTomlDepth) return 1 + std::ranges::count(toml.substr(0, at), '\n');
        ++at;
    }
    return std::nullopt;
}

} // namespace

toml::table tomlOf(std::string_view text, const std::string& origin, std::string_view kind) {
    if (const auto line = lineNestedTooDeep(text))
        throw Error(fmt::format("{} is no {}: in line {} its tables or lists lie more than {} deep "
                                "within each other; correct it there.",
                                origin, kind, *line, kMostTomlDepth));
    try {
        return toml::parse(text, origin);
    } catch (const toml::parse_error& error) {
        throw Error(
            fmt::format("{} is no {}: line {}, column {} is not valid TOML; correct it there.",
                        origin, kind, error.source().begin.line, error.source().begin.column));
    } catch (const std::exception&) {
        throw Error(fmt::format("{} is no {}: it is not valid TOML text; write it in UTF-8.",
                                origin, kind));
    }
}

} // namespace echolux
