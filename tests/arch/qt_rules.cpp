// SPDX-License-Identifier: GPL-3.0-or-later
// Follows includes through the project's files and through Qt's headers.
#include "tests/arch/qt_rules.hpp"

#include "tests/arch/include_graph.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace echolux::arch {
namespace {

struct QtNames {
    std::set<std::string> used;
    std::set<std::string> declared; ///< by "class QLabel;"
};

QtNames qtNamesIn(std::string_view text) {
    QtNames names;
    for (const std::string_view line : linesOf(text)) {
        if (line.starts_with('#')) continue;
        const std::string code = codeOf(line);
        for (const Word& word : wordsOf(code)) {
            if (!word.text.starts_with('Q')) continue;
            const bool declares =
                (word.before.ends_with("class ") || word.before.ends_with("struct ")) &&
                word.after.starts_with(';');
            (declares ? names.declared : names.used).insert(std::string(word.text));
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
