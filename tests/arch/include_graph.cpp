// SPDX-License-Identifier: GPL-3.0-or-later
// Follows includes, and splits lines into words.
#include "tests/arch/include_graph.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace echolux::arch {
namespace {

std::string nameOf(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

bool ofName(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

} // namespace

Includes includesWithin(const SourceTree& tree, bool project) {
    Includes includes;
    for (const SourceFile& file : tree) {
        if (project && !isCpp(file.path)) continue;
        std::vector<std::string>& to = includes[file.path];
        for (const Include& include : includesOf(file.text))
            to.push_back(project && include.quoted ? include.path : nameOf(include.path));
    }
    return includes;
}

std::set<std::string> reached(const Includes& includes, std::vector<std::string> start) {
    std::set<std::string> seen;
    while (!start.empty()) {
        const std::string at = std::move(start.back());
        start.pop_back();
        if (!seen.insert(at).second) continue;
        const auto further = includes.find(at);
        if (further != includes.end())
            start.insert(start.end(), further->second.begin(), further->second.end());
    }
    return seen;
}

std::string codeOf(std::string_view line) {
    std::string code;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quoted && line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && line.substr(i, 2) == "//") {
            break;
        } else if (!quoted) {
            code += line[i];
        }
    }
    return code;
}

std::vector<Word> wordsOf(std::string_view code) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < code.size();) {
        const auto first =
            std::find_if(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), ofName);
        const auto end = std::find_if_not(first, code.end(), ofName);
        if (first == end) break;
        const auto from = static_cast<std::size_t>(first - code.begin());
        at = static_cast<std::size_t>(end - code.begin());
        words.push_back({code.substr(from, at - from), code.substr(0, from), code.substr(at)});
    }
    return words;
}

} // namespace echolux::arch
