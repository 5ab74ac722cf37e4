// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the brackets, dots, strings and comments of TOML 1.0.
#include "gpu/core/nesting.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace echolux {

namespace {

/// The position behind the string that begins at `at` with a quote. Strings with three quotes may
/// span lines.
std::size_t endOfString(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = text.substr(at, 3);
    const bool spans = three.size() == 3 && three[1] == quote && three[2] == quote;
    at += spans ? 3 : 1;
    for (; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"')
            ++at;
        else if (!spans && text[at] == '\n')
            return at;
        else if (spans ? text.substr(at).starts_with(three) : text[at] == quote)
            return at + (spans ? 3 : 1);
    }
    return text.size();
}

} // namespace

std::optional<int> lineNestedTooDeep(std::string_view toml) {
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
        if (depth + dots > kMostDepth)
            return 1 + static_cast<int>(std::count(
                           toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        ++at;
    }
    return std::nullopt;
}

} // namespace echolux
