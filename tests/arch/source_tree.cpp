// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the folders and picks the includes out of the text.
#include "tests/arch/source_tree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace echolux::arch {
namespace {

namespace fs = std::filesystem;

template <std::size_t N>
bool oneOf(std::string_view value, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, value) != list.end();
}

/// The plain patterns that .gitignore is kept to: NAME, /NAME, NAME/ and *SUFFIX.
bool matches(std::string_view name, std::string_view pattern) {
    if (pattern.starts_with('*')) return name.ends_with(pattern.substr(1));
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (pattern.ends_with('/')) pattern.remove_suffix(1);
    return name == pattern;
}

} // namespace

std::string contentsOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

SourceTree readTree(const fs::path& root) {
    const std::string ignoreText = contentsOf(root / ".gitignore");
    const auto patterns = linesOf(ignoreText);
    SourceTree tree;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
        const std::string name = at->path().filename().string();
        const bool ignored = name == ".git" || std::ranges::any_of(patterns, [&](auto pattern) {
                                 return matches(name, pattern);
                             });
        if (ignored) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file()) {
            const std::string path = at->path().lexically_relative(root).generic_string();
            tree.push_back({path, isSource(path) ? contentsOf(at->path()) : ""});
        }
    }
    return tree;
}

std::string_view extensionOf(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? "" : name.substr(dot);
}

std::string_view firstPart(std::string_view path) { return path.substr(0, path.find('/')); }

std::string_view folderOf(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

bool isBelow(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

bool isCpp(std::string_view path) {
    return oneOf(extensionOf(path),
                 std::array<std::string_view, 5>{".cpp", ".hpp", ".cu", ".cuh", ".h"});
}

bool isSource(std::string_view path) {
    return isCpp(path) || path.ends_with("CMakeLists.txt") || path == ".ci/run" ||
           oneOf(extensionOf(path),
                 std::array<std::string_view, 8>{".py", ".sh", ".cmake", ".def", ".vert", ".frag",
                                                 ".glsl", ".comp"});
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<Include> includesOf(std::string_view text) {
    std::vector<Include> includes;
    for (std::string_view line : linesOf(text)) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (!line.starts_with('#')) continue;
        line.remove_prefix(std::min(line.find_first_not_of(" \t", 1), line.size()));
        if (!line.starts_with("include")) continue;
        const auto open = line.find_first_of("<\"");
        if (open == std::string_view::npos) continue;
        const bool quoted = line[open] == '"';
        const auto close = line.find(quoted ? '"' : '>', open + 1);
        if (close == std::string_view::npos) continue;
        includes.push_back({std::string(line.substr(open + 1, close - open - 1)), quoted});
    }
    return includes;
}

} // namespace echolux::arch
