// SPDX-License-Identifier: GPL-3.0-or-later
// What files include and which words their code holds, for rules that follow names to headers.
#pragma once

#include "tests/arch/source_tree.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace echolux::arch {

/// What each file includes: quoted paths of the project as they are, others by their file names.
using Includes = std::map<std::string, std::vector<std::string>>;

/// `project`: of C++ files alone; quoted paths are kept whole.
Includes includesWithin(const SourceTree& tree, bool project);

/// `start` and all that is reached from it.
std::set<std::string> reached(const Includes& includes, std::vector<std::string> start);

/// The line without its comment and without what stands in quotes.
std::string codeOf(std::string_view line);

struct Word {
    std::string_view text;
    std::string_view before; ///< of the line
    std::string_view after;  ///< of the line
};

/// The names and keywords of a line of code.
std::vector<Word> wordsOf(std::string_view code);

} // namespace echolux::arch
