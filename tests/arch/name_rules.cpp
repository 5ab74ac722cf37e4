// SPDX-License-Identifier: GPL-3.0-or-later
// Which header declares a name, and whether the files that use the name reach it.
#include "tests/arch/name_rules.hpp"

#include "tests/arch/include_graph.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace echolux::arch {
namespace {

using Names = std::set<std::string, std::less<>>;

/// What stands between the last space or bracket of `text` and its end; "" where it ends with one.
std::string_view lastPart(std::string_view text) {
    return text.substr(text.find_last_of(" <(,") + 1);
}

bool introducesType(std::string_view word) {
    constexpr std::array<std::string_view, 7> kKeywords{"class", "struct",   "enum",   "union",
                                                        "using", "typename", "concept"};
    return std::ranges::find(kKeywords, word) != kKeywords.end();
}

/// Another thing of the same name: an enumerator, a member of a class of Qt, a test.
bool isAnother(const Word& word, std::string_view line) {
    const std::string_view space = lastPart(word.before);
    return word.after.starts_with(',') || word.after.starts_with(" }") ||
           word.after.starts_with(" {") || line.ends_with(std::string("  ").append(word.text)) ||
           space.starts_with("testing::") || (space.starts_with('Q') && space.ends_with("::")) ||
           line.starts_with("TEST");
}

struct TypeNames {
    Names words;    ///< all that begin like a type
    Names declared; ///< in any scope, also as enumerators
    Names offered;  ///< at the left edge and defined
};

TypeNames typeNamesIn(std::string_view text) {
    TypeNames names;
    for (const std::string_view line : linesOf(text)) {
        if (line.starts_with('#')) continue;
        const std::string code = codeOf(line);
        const bool atEdge = !code.empty() && code.front() != ' ';
        for (const Word& word : wordsOf(code)) {
            const bool isType = std::isupper(static_cast<unsigned char>(word.text.front())) != 0;
            if (!isType || word.text.size() < 4) continue; // a template's A, B, C
            const std::string name(word.text);
            const std::string_view before =
                word.before.ends_with(' ') ? lastPart(word.before.substr(0, word.before.size() - 1))
                                           : std::string_view();
            const bool introduced = introducesType(before);
            names.words.insert(name);
            if (introduced || isAnother(word, code)) names.declared.insert(name);
            if (introduced && atEdge && before != "typename" && !word.after.starts_with(';'))
                names.offered.insert(name);
        }
    }
    return names;
}

bool isHeader(std::string_view path) {
    return extensionOf(path) == ".hpp" || extensionOf(path) == ".cuh";
}

/// The usual names of one header, as they stand behind "std::".
struct StandardHeader {
    std::string_view header;
    std::array<std::string_view, 8> names;
};

constexpr std::array kStandardHeaders{
    StandardHeader{
        "algorithm",
        {"sort", "transform", "copy", "fill", "clamp", "find_if", "max_element", "minmax_element"}},
    StandardHeader{"array", {"array"}},
    StandardHeader{"atomic", {"atomic"}},
    StandardHeader{"bit", {"bit_cast", "bit_ceil", "popcount"}},
    StandardHeader{"chrono", {"chrono"}},
    StandardHeader{"cmath", {"sqrt", "hypot", "lround", "llround", "sin", "cos", "pow"}},
    StandardHeader{"complex", {"complex"}},
    StandardHeader{"condition_variable", {"condition_variable"}},
    StandardHeader{"cstring", {"memcpy", "memcmp", "memset"}},
    StandardHeader{"deque", {"deque"}},
    StandardHeader{"filesystem", {"filesystem"}},
    StandardHeader{"fstream", {"ifstream", "ofstream"}},
    StandardHeader{"functional", {"function"}},
    StandardHeader{"future", {"future", "promise"}},
    StandardHeader{"limits", {"numeric_limits"}},
    StandardHeader{"map", {"map"}},
    StandardHeader{"memory",
                   {"unique_ptr", "shared_ptr", "make_unique", "make_shared", "weak_ptr"}},
    StandardHeader{"mutex", {"mutex", "lock_guard", "scoped_lock", "unique_lock"}},
    StandardHeader{"numbers", {"numbers"}},
    StandardHeader{"numeric", {"accumulate", "iota", "reduce", "lcm", "gcd"}},
    StandardHeader{"optional", {"optional"}},
    StandardHeader{"random", {"mt19937", "normal_distribution"}},
    StandardHeader{"set", {"set"}},
    StandardHeader{"span", {"span"}},
    StandardHeader{"sstream", {"ostringstream", "istringstream", "stringstream"}},
    StandardHeader{"thread", {"thread", "jthread", "this_thread"}},
    StandardHeader{"variant", {"variant", "visit", "get_if"}},
    StandardHeader{"vector", {"vector"}},
};

/// The names behind "std::" or "std::ranges::".
Names standardNamesIn(std::string_view text) {
    Names names;
    for (const std::string_view line : linesOf(text)) {
        const std::string code = codeOf(line);
        for (const Word& word : wordsOf(code))
            if (word.before.ends_with("std::") || word.before.ends_with("std::ranges::"))
                names.emplace(word.text);
    }
    return names;
}

/// The folder whose files one library or program holds: that of a test, app/FOLDER, or the top
/// level's.
std::string_view libraryOf(std::string_view path) {
    const std::string_view top = firstPart(path);
    if (top == "tests") return folderOf(path);
    if (top != "app") return top;
    return path.substr(0, std::min(path.find('/', top.size() + 1), path.size()));
}

/// Files of another kind are compiled apart; "": alone.
std::string_view kindOf(std::string_view path) {
    for (const std::string_view kind : {"_gpu_test.cpp", "_test.cpp"})
        if (path.ends_with(kind)) return kind;
    const std::string_view kind = extensionOf(path);
    return !isBelow(path, "tests") && (kind == ".cpp" || kind == ".cu") ? kind : "";
}

/// Constants and types at the left edge of unnamed namespaces, behind the namespaces around them.
Names unnamedIn(std::string_view text) {
    Names names;
    std::vector<std::string> spaces;
    for (const std::string_view line : linesOf(text)) {
        if (line.starts_with("namespace ") && line.ends_with('{')) {
            spaces.emplace_back(line.substr(0, line.size() - 1));
        } else if (line.starts_with("} // namespace") && !spaces.empty()) {
            spaces.pop_back();
        }
        if (spaces.empty() || std::ranges::find(spaces, "namespace ") == spaces.end()) continue;
        const bool constant = line.starts_with("const");
        const bool type = line.starts_with("struct ") || line.starts_with("class ") ||
                          line.starts_with("enum class ");
        if (!constant && (!type || line.ends_with(';'))) continue;
        const std::size_t end = constant ? line.find_first_of("={;") : line.find_first_of(":{");
        const std::string code = codeOf(line.substr(0, end));
        std::vector<Word> words = wordsOf(code);
        std::erase_if(words, [](const Word& word) { return word.text == "final"; });
        if (words.empty() || (constant && words.back().text.front() != 'k')) continue;
        std::string name;
        for (const std::string& space : spaces) name += space;
        names.insert(name.append(words.back().text));
    }
    return names;
}

} // namespace

Violations ownTypesAreIncluded(const SourceTree& tree) {
    const Includes includes = includesWithin(tree, true);
    std::map<std::string, TypeNames> files;
    for (const SourceFile& file : tree)
        if (isCpp(file.path)) files[file.path] = typeNamesIn(file.text);
    std::map<std::string, std::vector<std::string>> headersOf;
    for (const auto& [path, names] : files)
        if (isHeader(path))
            for (const std::string& name : names.offered) headersOf[name].push_back(path);

    Violations found;
    for (const auto& [path, names] : files) {
        if (extensionOf(path) == ".h") continue; // C
        std::set<std::string> others = reached(includes, {path});
        others.erase(path);
        for (const std::string& name : names.words) {
            const auto header = headersOf.find(name);
            if (header == headersOf.end() || header->second.size() > 1) continue;
            const std::string& offering = header->second.front();
            const bool itsOwn = offering == path || names.declared.contains(name);
            if (itsOwn || (isBelow(offering, "tests") && !isBelow(path, "tests"))) continue;
            const bool known = std::ranges::any_of(others, [&](const std::string& other) {
                const auto at = files.find(other);
                return at != files.end() && at->second.words.contains(name);
            });
            if (!known)
                found.push_back(path + " uses " + name + " and does not include " + offering + ".");
        }
    }
    return found;
}

Violations standardNamesAreIncluded(const SourceTree& tree) {
    const Includes includes = includesWithin(tree, true);
    Violations found;
    for (const SourceFile& file : tree) {
        if (!isCpp(file.path)) continue;
        const std::set<std::string> headers = reached(includes, {file.path});
        const Names used = standardNamesIn(file.text);
        for (const StandardHeader& each : kStandardHeaders) {
            if (headers.contains(std::string(each.header))) continue;
            const auto name = std::ranges::find_if(
                each.names, [&](std::string_view word) { return used.contains(word); });
            if (name != each.names.end())
                found.push_back(file.path + " uses std::" + std::string(*name) +
                                " and does not include <" + std::string(each.header) + ">.");
        }
    }
    return found;
}

Violations neighboursShareNoName(const SourceTree& tree) {
    // A group, and two files that one of its machines lacks.
    constexpr std::size_t kUnited = 34;
    constexpr std::size_t kUnitedTests = 18;
    std::map<std::pair<std::string_view, std::string_view>, std::set<std::string_view>> libraries;
    std::map<std::string_view, Names> names;
    for (const SourceFile& file : tree) {
        const std::string_view kind = kindOf(file.path);
        if (kind.empty()) continue;
        libraries[{libraryOf(file.path), kind}].insert(file.path);
        names[file.path] = unnamedIn(file.text);
    }
    Violations found;
    for (const auto& [library, paths] : libraries) {
        std::map<std::string_view, std::pair<std::size_t, std::string_view>> last;
        const std::size_t united = library.first.starts_with("tests") ? kUnitedTests : kUnited;
        std::size_t at = 0;
        for (const std::string_view path : paths) {
            ++at;
            for (const std::string& name : names[path]) {
                const auto [before, first] = last.try_emplace(name, at, path);
                if (!first && at - before->second.first < united)
                    found.push_back(std::string(path) + " has a name of " +
                                    std::string(before->second.second) + ": " + name + ".");
                before->second = {at, path};
            }
        }
    }
    return found;
}

} // namespace echolux::arch
