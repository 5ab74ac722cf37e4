// SPDX-License-Identifier: GPL-3.0-or-later
// What files hold, where they lie, and which of them are listed.
#include "tests/arch/rules.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace echolux::arch {
namespace {

constexpr std::size_t kMostLines = 800;

/// Ids of a table's lines "MACRO(id)".
std::set<std::string> idsOf(const SourceFile& table, const std::regex& line) {
    std::set<std::string> ids;
    for (const std::string_view each : linesOf(table.text)) {
        std::cmatch match;
        if (std::regex_match(each.begin(), each.end(), match, line)) ids.insert(match[1].str());
    }
    return ids;
}

Violations differencesOf(const std::set<std::string>& listed, const std::set<std::string>& present,
                         const std::string& table) {
    Violations found;
    for (const std::string& id : listed)
        if (!present.contains(id))
            found.push_back(table + " names " + id + ", which is not there.");
    for (const std::string& id : present)
        if (!listed.contains(id)) found.push_back(id + " is not in " + table + ".");
    return found;
}

} // namespace

Violations sourcesNameTheirLicence(const SourceTree& tree) {
    constexpr std::string_view kLine = "SPDX-License-Identifier: GPL-3.0-or-later";
    constexpr std::size_t kFirstLines = 3;
    Violations found;
    for (const SourceFile& file : tree) {
        // NOTE: stages.def is included by the preprocessor in several places; it starts with what
        // it is.
        if (!isSource(file.path) || extensionOf(file.path) == ".def") continue;
        auto lines = linesOf(file.text);
        lines.resize(std::min(lines.size(), kFirstLines));
        const bool named = std::ranges::any_of(
            lines, [&](auto line) { return line.find(kLine) != std::string_view::npos; });
        if (!named) found.push_back(file.path + " does not start with its SPDX line.");
    }
    return found;
}

Violations sourcesAreShort(const SourceTree& tree) {
    Violations found;
    for (const SourceFile& file : tree) {
        const std::size_t lines = linesOf(file.text).size();
        if (lines > kMostLines)
            found.push_back(file.path + " has " + std::to_string(lines) + " lines: split it.");
    }
    return found;
}

Violations testsShareNoFolder(const SourceTree& tree) {
    static const std::regex kShared("\\b(TempDir|tempPath|temp_directory_path)\\(|\"/t"
                                    "mp\\b");
    Violations found;
    for (const SourceFile& file : tree) {
        if (!file.path.starts_with("tests/") || file.path == "tests/support/temporary_folder.hpp")
            continue;
        if (std::regex_search(file.text, kShared))
            found.push_back(file.path + " writes where other tests do: use TemporaryFolder.");
    }
    return found;
}

Violations libraryCallsAreThreadSafe(const SourceTree& tree) {
    static const std::regex kCalls("\\b(cyl_bessel_\\w+|lgammaf?|strtok|asctime|ctime)\\(");
    Violations found;
    for (const SourceFile& file : tree) {
        if (!isCpp(file.path) || isBelow(file.path, "tests/arch")) continue;
        if (std::smatch call; std::regex_search(file.text, call, kCalls))
            found.push_back(file.path + " calls " + call[1].str() +
                            ", which writes a variable that all threads share.");
    }
    return found;
}

Violations oneRoomEach(const SourceTree& tree) {
    static const std::regex kCalls("(toml::parse|toml::parse_file)\\(|\\bQSaveFile\\b");
    Violations found;
    for (const SourceFile& file : tree) {
        if (!isCpp(file.path) || isBelow(file.path, "tests") || isBelow(file.path, "app/toml"))
            continue;
        if (std::smatch call; std::regex_search(file.text, call, kCalls))
            found.push_back(file.path + " uses " + call[0].str() +
                            ": take tomlOf or writeWhole, which bear what this does not.");
    }
    return found;
}

Violations promisesAreTested(const SourceTree& tree, std::string_view page) {
    std::string tests; // all of them, and the list of those that are programs
    for (const SourceFile& file : tree)
        if (isBelow(file.path, "tests") && !isBelow(file.path, "tests/arch")) tests += file.text;
    const auto exists = [&](const std::string& suite, const std::string& name) {
        return std::regex_search(tests, std::regex("TEST(_F|_P)?\\(" + suite + ",\\s*" + name +
                                                   "\\)|NAME " + suite + "\\." + name + " "));
    };
    static const std::regex kTest("`(\\w+)\\.(\\w+)`");
    Violations found;
    int rows = 0;
    for (const std::string_view line : linesOf(page)) {
        if (!line.starts_with("| ") || line.starts_with("| promise")) continue;
        ++rows;
        std::vector<std::string> cells;
        std::istringstream text{std::string(line.substr(1))};
        for (std::string cell; std::getline(text, cell, '|');) {
            const auto first = cell.find_first_not_of(' ');
            cells.push_back(first == std::string::npos ? "" : cell.substr(first));
        }
        if (cells.size() != 3 || std::ranges::count(cells, "") > 0)
            found.push_back("an empty cell: " + std::string(line));
        const std::string& named = cells.size() > 1 ? cells[1] : cells[0];
        int known = 0;
        for (std::sregex_iterator each(named.begin(), named.end(), kTest), end; each != end;
             ++each) {
            ++known;
            if (!exists((*each)[1], (*each)[2]))
                found.push_back("there is no test " + each->str() + ": " + std::string(line));
        }
        if (known == 0) found.push_back("no test: " + std::string(line));
    }
    if (rows == 0) found.emplace_back("there is no table.");
    return found;
}

Violations nothingIsLeftForLater(const SourceTree& tree) {
    // Written in two halves, or this file would be the first to be found.
    static const std::regex kMarks("\\b(TO"
                                   "DO|FIX"
                                   "ME|X"
                                   "XX)\\b");
    Violations found;
    for (const SourceFile& file : tree) {
        if (std::regex_search(file.text, kMarks))
            found.push_back(file.path + " leaves something for later: do it or take it out.");
    }
    return found;
}

Violations topLevelIsFixed(const SourceTree& tree) {
    static const std::set<std::string_view> kEntries{"CMakeLists.txt",
                                                     "CMakePresets.json",
                                                     "README.md",
                                                     "LICENSE",
                                                     "CHANGELOG.md",
                                                     "CITATION.cff",
                                                     "CODE_OF_CONDUCT.md",
                                                     "CONTRIBUTING.md",
                                                     "SECURITY.md",
                                                     "pyproject.toml",
                                                     "app",
                                                     "gpu",
                                                     "manual",
                                                     "render",
                                                     "ui",
                                                     "resources",
                                                     "testdata",
                                                     "tests"};
    std::set<std::string_view> present;
    for (const SourceFile& file : tree) present.insert(firstPart(file.path));
    Violations found;
    for (const std::string_view entry : present) {
        if (!entry.starts_with('.') && !kEntries.contains(entry))
            found.push_back(std::string(entry) + " does not belong at the top level.");
    }
    for (const std::string_view entry : kEntries) {
        if (!present.contains(entry))
            found.push_back(std::string(entry) + " is missing at the top level.");
    }
    return found;
}

Violations foldersHaveReadmes(const SourceTree& tree) {
    static const std::array<std::string_view, 61> kFolders{"",
                                                           "gpu",
                                                           "gpu/dsp",
                                                           "gpu/oct",
                                                           "gpu/aberration",
                                                           "gpu/beamform",
                                                           "gpu/ladder",
                                                           "gpu/model",
                                                           "gpu/microbench",
                                                           "gpu/check",
                                                           "gpu/decoding",
                                                           "gpu/echoes",
                                                           "render",
                                                           "ui",
                                                           "ui/theme",
                                                           "ui/controls",
                                                           "ui/plots",
                                                           "ui/dialogs",
                                                           "ui/graph",
                                                           "ui/parameters",
                                                           "ui/performance",
                                                           "ui/views",
                                                           "ui/views/overlay",
                                                           "ui/window",
                                                           "app",
                                                           "app/library",
                                                           "app/dataset",
                                                           "app/dataset/facts",
                                                           "app/dataset/recording",
                                                           "app/dataset/transmit",
                                                           "app/dataset/container",
                                                           "app/dataset/frames",
                                                           "app/dataset/formats",
                                                           "app/dataset/sidecar",
                                                           "app/dataset/native",
                                                           "app/dataset/calibration",
                                                           "app/dataset/carried",
                                                           "app/dataset/guarded",
                                                           "app/source",
                                                           "app/pipeline",
                                                           "app/prediction",
                                                           "app/pairs",
                                                           "app/calibration",
                                                           "app/session",
                                                           "app/session/stream",
                                                           "app/session/volume",
                                                           "app/session/column",
                                                           "app/session/look",
                                                           "app/session/offline",
                                                           "app/export",
                                                           "app/aberration",
                                                           "app/desktop",
                                                           "app/desktop/workbench",
                                                           "app/tools",
                                                           "app/command_line",
                                                           "app/commands",
                                                           "app/bench",
                                                           "manual",
                                                           "resources",
                                                           "testdata",
                                                           "tests"};
    Violations found;
    for (const std::string_view folder : kFolders) {
        const std::string readme =
            folder.empty() ? "README.md" : std::string(folder) + "/README.md";
        if (std::ranges::find(tree, readme, &SourceFile::path) == tree.end())
            found.push_back(readme + " is missing.");
    }
    return found;
}

Violations stagesAreListed(const SourceTree& tree) {
    constexpr std::string_view kFolder = "gpu/stages";
    static const std::regex kLine("^ECHOLUX_STAGE\\((\\w+)\\)$");
    std::set<std::string> listed;
    std::set<std::string> present;
    for (const SourceFile& file : tree) {
        if (folderOf(file.path) != kFolder) continue;
        if (file.path.ends_with("/stages.def")) {
            listed = idsOf(file, kLine);
        } else if (extensionOf(file.path) == ".cu") {
            const std::string name = file.path.substr(kFolder.size() + 1);
            present.insert(name.substr(0, name.size() - 3));
        }
    }
    return differencesOf(listed, present, "stages.def");
}

Violations stagesAreNotNamed(const SourceTree& tree) {
    static const std::regex kLine("^ECHOLUX_STAGE\\((\\w+)\\)$");
    static const std::regex kLookUp("\\bstageType\\(\\s*\"");
    static const std::regex kCompared(
        "(?:[!=]=|\\bstd::string\\(|\\bstarts_with\\()\\s*\"(\\w+)\"");
    std::set<std::string> ids;
    for (const SourceFile& file : tree)
        if (file.path == "gpu/stages/stages.def") ids = idsOf(file, kLine);
    Violations found;
    for (const SourceFile& file : tree) {
        const bool mayName = isBelow(file.path, "gpu") || isBelow(file.path, "app/pipeline") ||
                             isBelow(file.path, "tests");
        if (!isCpp(file.path) || mayName) continue;
        if (std::smatch call; std::regex_search(file.text, call, kLookUp))
            found.push_back(file.path + " looks a stage up by " + call[0].str() +
                            "...: ask for its role or its parameters.");
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kCompared), end; at != end;
             ++at)
            if (const std::string id = (*at)[1].str(); ids.contains(id))
                found.push_back(file.path + " compares with the stage " + id +
                                ": ask for its role or its parameters.");
    }
    return found;
}

Violations windowAsksNoParameters(const SourceTree& tree) {
    static const std::regex kAsked(
        R"(\b(?:has|findWith|stageTypeWith|isOf)<[^>]*>|\bas<[\w:]*Params>)");
    // Coarsens the grid of a shipped pipeline for a preview, before there is a pipeline to ask.
    static const std::set<std::string_view> kMay{"app/desktop/import_preview.cpp"};
    Violations found;
    for (const SourceFile& file : tree) {
        const bool ofWindow = isBelow(file.path, "app/desktop") ||
                              isBelow(file.path, "app/tools") || isBelow(file.path, "ui");
        if (!ofWindow || !isCpp(file.path) || kMay.contains(file.path)) continue;
        if (std::smatch call; std::regex_search(file.text, call, kAsked))
            found.push_back(file.path + " asks for parameters by " + call[0].str() +
                            ": look for a role or ShownParts, and read values by their keys.");
    }
    return found;
}

Violations desksTakeParts(const SourceTree& tree) {
    static const std::regex kWhole(
        R"(\bMainWindow\b|main_window\.hpp|\bengine\(\)|\bshared\(\)->)");
    // They make the window, and open it.
    static const std::set<std::string_view> kMay{
        "app/desktop/desktop.hpp", "app/desktop/desktop.cpp", "app/desktop/run_window.cpp"};
    Violations found;
    for (const SourceFile& file : tree) {
        const bool takes = isBelow(file.path, "app/desktop") || isBelow(file.path, "app/tools");
        if (!takes || !isCpp(file.path) || kMay.contains(file.path)) continue;
        if (std::smatch whole; std::regex_search(file.text, whole, kWhole))
            found.push_back(file.path + " names " + whole[0].str() +
                            ": take the panel or the part of Session that is used.");
    }
    return found;
}

Violations toolsAreListed(const SourceTree& tree) {
    constexpr std::string_view kFolder = "app/tools/";
    static const std::regex kLine("^ECHOLUX_TOOL\\((\\w+)\\)$");
    std::set<std::string> listed;
    std::set<std::string> present;
    for (const SourceFile& file : tree) {
        if (file.path == "app/tools/tools.def") listed = idsOf(file, kLine);
        const std::string_view folder = folderOf(file.path);
        if (folder.starts_with(kFolder)) present.emplace(folder.substr(kFolder.size()));
    }
    return differencesOf(listed, present, "tools.def");
}

Violations toolsAreNamedOnce(const SourceTree& tree) {
    static const std::regex kNamed(R"(\btools(?:/|::)(\w+))");
    std::set<std::string> tools;
    for (const SourceFile& file : tree)
        if (const std::string_view folder = folderOf(file.path); folder.starts_with("app/tools/"))
            tools.emplace(folder.substr(folder.rfind('/') + 1));
    Violations found;
    for (const SourceFile& file : tree) {
        if (isBelow(file.path, "tests")) continue;
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kNamed), end; at != end;
             ++at) {
            const std::string tool = (*at)[1].str();
            if (tools.contains(tool) && !isBelow(file.path, "app/tools/" + tool))
                found.push_back(file.path + " names the tool " + tool +
                                ": what others need of it moves to the workbench or to ui/.");
        }
    }
    return found;
}

} // namespace echolux::arch
