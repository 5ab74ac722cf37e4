// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a source tree, real or made up, as the rules read them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::arch {

struct SourceFile {
    std::string path; ///< from the root, with slashes
    std::string text; ///< empty for files that are no source
};

using SourceTree = std::vector<SourceFile>;

std::string contentsOf(const std::filesystem::path& file); ///< empty where it cannot be read

/// Everything below `root` but the repository's own folder and what .gitignore names.
SourceTree readTree(const std::filesystem::path& root);

bool isSource(std::string_view path); ///< program text, scripts and shaders, but no data, no prose
bool isCpp(std::string_view path);    ///< C++ or CUDA
std::string_view extensionOf(std::string_view path); ///< ".hpp", or ""
std::string_view firstPart(std::string_view path);   ///< "app", or all where there is no folder
std::string_view folderOf(std::string_view path);    ///< "app/dataset", or "" at the root
bool isBelow(std::string_view path, std::string_view folder);

struct Include {
    std::string path;
    bool quoted = false; ///< "..." rather than <...>
};
std::vector<Include> includesOf(std::string_view text);
std::vector<std::string_view> linesOf(std::string_view text);

} // namespace echolux::arch
