// SPDX-License-Identifier: GPL-3.0-or-later
// Follows includes through the project's files and through Qt's headers.
#include "tests/arch/qt_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace echolux::arch {
namespace {

std::string nameOf(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// What each file includes: quoted paths of the project as they are, others by their file names.
using Includes = std::map<std::string, std::vector<std::string>>;

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

/// `start` and all that is reached from it.
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

/// The line without its comment and without what stands in quotes.
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

struct QtNames {
    std::set<std::string> used;
    std::set<std::string> declared; ///< by "class QLabel;"
};

bool ofName(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

QtNames qtNamesIn(std::string_view text) {
    QtNames names;
    for (const std::string_view line : linesOf(text)) {
        if (line.starts_with('#')) continue;
        const std::string code = codeOf(line);
        for (std::size_t at = code.find('Q'); at != std::string::npos; at = code.find('Q', at)) {
            const auto end = std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(at),
                                              code.end(), ofName);
            const std::string name(code.begin() + static_cast<std::ptrdiff_t>(at), end);
            const bool begins = at == 0 || !ofName(code[at - 1]);
            const std::string_view before(code.data(), at);
            const bool declares = (before.ends_with("class ") || before.ends_with("struct ")) &&
                                  end != code.end() && *end == ';';
            if (begins) (declares ? names.declared : names.used).insert(name);
            at += name.size();
        }
    }
    return names;
}

} // namespace

SourceTree readQtHeaders(const std::filesystem::path& moduleFolder,
                         const std::filesystem::path& further) {
    constexpr std::array<const char*, 8> kModules{"QtCore",         "QtGui",    "QtWidgets",
                                                  "QtPrintSupport", "QtOpenGL", "QtOpenGLWidgets",
                                                  "QtSvg",          "QtTest"};
    SourceTree headers{{further.filename().string(), contentsOf(further)}};
    for (const char* module : kModules) {
        for (const auto& entry :
             std::filesystem::directory_iterator(moduleFolder.parent_path() / module)) {
            if (entry.is_regular_file())
                headers.push_back({entry.path().filename().string(), contentsOf(entry.path())});
        }
    }
    return headers;
}

Violations qtClassesAreIncluded(const SourceTree& tree, const SourceTree& qtHeaders) {
    constexpr std::array<std::string_view, 4> kRooms{"ui", "app/desktop", "app/tools",
                                                     "app/commands"};
    const Includes ofProject = includesWithin(tree, true);
    const Includes ofQt = includesWithin(qtHeaders, false);
    std::map<std::string, QtNames> names;
    for (const SourceFile& file : tree)
        if (isCpp(file.path)) names[file.path] = qtNamesIn(file.text);

    Violations found;
    for (const auto& [path, inFile] : names) {
        const bool checked =
            std::ranges::any_of(kRooms, [&](auto room) { return isBelow(path, room); });
        if (!checked) continue;
        const std::set<std::string> files = reached(ofProject, {path});
        const std::set<std::string> headers = reached(ofQt, {files.begin(), files.end()});
        const auto isDeclared = [&](const std::string& name) {
            return std::ranges::any_of(files, [&](const std::string& file) {
                const auto in = names.find(file);
                return in != names.end() && in->second.declared.contains(name);
            });
        };
        for (const std::string& name : inFile.used) {
            const auto header = ofQt.find(name); // QLabel includes qlabel.h
            if (header == ofQt.end() || headers.contains(name) || isDeclared(name)) continue;
            const bool included =
                std::ranges::any_of(header->second, [&](const std::string& declaring) {
                    return headers.contains(declaring);
                });
            if (!included && !header->second.empty())
                found.push_back(path + " uses " + name + " and does not include <" + name + ">.");
        }
    }
    return found;
}

} // namespace echolux::arch
