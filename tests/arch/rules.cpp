// SPDX-License-Identifier: GPL-3.0-or-later
// The rules, each a plain look at paths, includes and lines.
#include "tests/arch/rules.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <regex>

namespace echolux::arch {
namespace {

constexpr std::size_t kMostLines = 800;

template <class Check>
Violations forEachInclude(const SourceTree& tree, const Check& wrongBecause) {
    Violations found;
    for (const SourceFile& file : tree) {
        if (!isCpp(file.path)) continue;
        for (const Include& include : includesOf(file.text)) {
            const std::string reason = wrongBecause(file.path, include);
            if (!reason.empty())
                found.push_back(file.path + " includes " + include.path + ": " + reason);
        }
    }
    return found;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](auto prefix) { return text.starts_with(prefix); });
}

std::string_view firstPart(std::string_view path) { return path.substr(0, path.find('/')); }

std::optional<int> layerOf(std::string_view path) {
    constexpr std::array<std::string_view, 5> kLayers{"gpu", "render", "ui", "app", "tests"};
    const auto at = std::ranges::find(kLayers, firstPart(path));
    if (at == kLayers.end()) return std::nullopt;
    return static_cast<int>(at - kLayers.begin());
}

/// "app/dataset" of all files below it; empty for files that lie higher.
std::string unitOf(std::string_view path) {
    const auto first = path.find('/');
    if (first == std::string_view::npos) return "";
    const auto second = path.find('/', first + 1);
    return second == std::string_view::npos ? "" : std::string(path.substr(0, second));
}

/// The folder that a file lies in.
std::string roomOf(std::string_view path) {
    const auto last = path.rfind('/');
    return last == std::string_view::npos ? "" : std::string(path.substr(0, last));
}

bool isCudaHeader(std::string_view path) {
    return startsWithAny(path, {"cuda", "cufft", "cupti", "nvtx", "cub/", "thrust/", "nvml",
                                "cooperative_groups", "device_launch", "math_constants"});
}

bool isOpenGlHeader(std::string_view path) {
    return startsWithAny(path, {"GL/", "GLES", "EGL/", "KHR/", "QOpenGL", "QtOpenGL", "qopengl"});
}

bool isQtHeader(std::string_view path) {
    static const std::regex kQt("(Q[A-Z].*|Qt.*|q[a-z]+\\.h)");
    return std::regex_match(path.begin(), path.end(), kQt);
}

} // namespace

Violations layersPointDown(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        if (include.path.starts_with("../")) return "paths start at the root.";
        const auto from = layerOf(file);
        const auto to = layerOf(include.path);
        if (!include.quoted || !from || !to || *to <= *from) return "";
        return "gpu <- render <- ui <- app.";
    });
}

Violations appFoldersPointDown(const SourceTree& tree) {
    static const std::map<std::string_view, std::set<std::string_view>> kUses{
        {"dataset", {}},
        {"pipeline", {}},
        {"source", {"dataset"}},
        {"lab", {}},
        {"calibration", {"pipeline"}},
        {"session", {"dataset", "pipeline", "calibration"}},
        {"export", {"dataset", "pipeline", "session"}},
        {"aberration", {"dataset", "pipeline", "session", "export"}},
        {"desktop",
         {"dataset", "pipeline", "lab", "calibration", "session", "export", "aberration"}},
        {"tools",
         {"dataset", "pipeline", "lab", "calibration", "session", "export", "aberration",
          "desktop"}},
        {"commands",
         {"dataset", "source", "lab", "pipeline", "calibration", "session", "export", "aberration",
          "desktop"}},
    };
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const std::string from = unitOf(file);
        const std::string to = unitOf(include.path);
        if (!isBelow(from, "app") || !isBelow(to, "app") || from == to) return "";
        const auto known = kUses.find(std::string_view(from).substr(4));
        if (known == kUses.end()) return from + " is no folder of the plan.";
        if (known->second.contains(std::string_view(to).substr(4))) return "";
        return "dataset <- session, pipeline <- calibration <- session <- desktop <- commands, "
               "dataset <- source <- commands, lab <- desktop, session <- export <- aberration <- "
               "desktop <- tools.";
    });
}

Violations toolsSeeTheWorkbench(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const std::string_view tool = folderOf(file);
        if (!tool.starts_with("app/tools/")) return "";
        const std::string_view to = folderOf(include.path);
        const bool anotherTool = to.starts_with("app/tools/") && to != tool;
        const bool desk = to == "app/desktop";
        const bool window = to == "ui/window";
        const bool engine =
            include.path == "app/session/engine.hpp" || include.path == "app/session/session.hpp";
        if (!anotherTool && !desk && !window && !engine) return "";
        return "a tool sees the workbench and ui/, no desk, window, engine or other tool.";
    });
}

Violations roomsUseWhatIsListed(const SourceTree& tree) {
    using Rooms = std::map<std::string_view, std::set<std::string_view>>;
    static const std::map<std::string_view, Rooms> kHouses{
        {"gpu",
         {{"core", {}},
          {"exec", {"core"}},
          {"memory", {"core", "exec"}},
          {"fft", {"core", "exec", "memory"}},
          {"volume", {"core", "exec"}},
          {"dsp", {"core"}},
          {"oct", {"core", "exec", "fft"}},
          {"beamform", {"core", "exec", "memory", "dsp"}},
          {"aberration", {"core", "exec", "memory", "beamform", "stage"}},
          {"ladder", {"core", "exec"}},
          {"echoes", {"core", "exec", "stage"}},
          {"stage", {"core", "exec", "memory"}},
          {"stages",
           {"core", "exec", "memory", "fft", "dsp", "oct", "beamform", "aberration", "echoes",
            "stage"}},
          {"fused", {"core", "exec", "memory", "oct", "stage", "stages"}}}},
        {"render", {{"gl", {}}, {"interop", {"gl"}}, {"view", {"gl", "interop"}}}},
        {"ui",
         {{"theme", {}},
          {"controls", {"theme"}},
          {"plots", {"theme", "controls"}},
          {"dialogs", {"theme", "controls", "plots"}},
          {"graph", {"theme", "controls"}},
          {"parameters", {"theme", "controls", "plots", "dialogs"}},
          {"performance", {"theme", "controls", "plots"}},
          {"lab", {"theme", "controls", "plots"}},
          {"aberration", {"theme", "controls", "plots"}},
          {"views", {"theme", "controls", "parameters"}},
          {"window",
           {"theme", "controls", "plots", "dialogs", "graph", "parameters", "performance", "lab",
            "aberration"}}}},
        {"app/dataset",
         {{"recording", {}},
          {"transmit", {}},
          {"container", {"recording"}},
          {"frames", {"recording", "transmit", "container"}},
          {"formats", {"recording", "transmit", "container", "frames"}},
          {"formats/pictures", {"recording", "container", "frames"}},
          {"sidecar", {"recording", "transmit", "container", "frames"}},
          {"native", {"recording", "transmit", "container", "frames"}},
          {"calibration", {"recording", "container", "frames"}},
          {"",
           {"recording", "container", "formats", "formats/pictures", "sidecar", "native",
            "calibration"}}}},
        {"app/session",
         {{"stream", {}},
          {"volume", {"stream"}},
          {"column", {"stream"}},
          {"offline", {"column"}},
          {"", {"stream", "volume", "column", "offline"}}}}};
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const std::string from = roomOf(file);
        const std::string to = roomOf(include.path);
        const bool list = extensionOf(include.path) == ".def"; // names, not code
        if (!include.quoted || list || from == to) return "";
        for (const auto& [house, rooms] : kHouses) {
            if ((from != house && !isBelow(from, house)) || !isBelow(to, house)) continue;
            const std::size_t prefix = house.size() + 1;
            const auto nameOf = [&](const std::string& room) {
                return std::string_view(room).substr(std::min(room.size(), prefix));
            };
            const auto known = rooms.find(nameOf(from));
            if (known == rooms.end()) return from + " is no room of the plan.";
            return known->second.contains(nameOf(to)) ? "" : "the plan has no such arrow.";
        }
        return "";
    });
}

Violations foldersHaveNoCycle(const SourceTree& tree) {
    std::map<std::string, std::set<std::string>> uses;
    for (const SourceFile& file : tree) {
        const std::string from = roomOf(file.path);
        if (!isCpp(file.path) || from.empty() || isBelow(from, "tests")) continue;
        for (const Include& include : includesOf(file.text)) {
            const std::string to = roomOf(include.path);
            const bool list = extensionOf(include.path) == ".def"; // names, not code
            if (include.quoted && !list && !to.empty() && to != from) uses[from].insert(to);
        }
    }
    Violations found;
    std::set<std::string> done;
    std::vector<std::string> way;
    const std::function<void(const std::string&)> follow = [&](const std::string& folder) {
        const auto again = std::ranges::find(way, folder);
        if (again != way.end()) {
            std::string cycle;
            for (auto at = again; at != way.end(); ++at) cycle += *at + " -> ";
            found.push_back(cycle + folder + " is a cycle of includes.");
            return;
        }
        if (done.contains(folder)) return;
        way.push_back(folder);
        for (const std::string& next : uses[folder]) follow(next);
        way.pop_back();
        done.insert(folder);
    };
    std::vector<std::string> folders;
    for (const auto& [folder, others] : uses) folders.push_back(folder);
    for (const std::string& folder : folders) follow(folder);
    return found;
}

Violations cudaStaysInside(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        if (!isCudaHeader(include.path) || isBelow(file, "tests")) return "";
        if (!isBelow(file, "gpu") && !isBelow(file, "render/interop"))
            return "CUDA headers belong in gpu/ and render/interop/.";
        return file.ends_with(".hpp") ? "a .hpp compiles without CUDA." : "";
    });
}

Violations openGlStaysInside(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const bool allowed = isBelow(file, "render") || isBelow(file, "tests") ||
                             file.starts_with("ui/views/gl_surface.");
        return isOpenGlHeader(include.path) && !allowed
                   ? "OpenGL belongs in render/ and the one widget that hosts it, "
                     "ui/views/gl_surface."
                   : "";
    });
}

Violations widgetsStayInside(const SourceTree& tree, const std::set<std::string>& widgetHeaders) {
    return forEachInclude(tree, [&](std::string_view file, const Include& include) -> std::string {
        const bool widget = include.path.starts_with("QtWidgets") ||
                            include.path.starts_with("qcustomplot") ||
                            widgetHeaders.contains(include.path);
        const bool allowed = isBelow(file, "ui") || isBelow(file, "app/desktop") ||
                             isBelow(file, "app/tools") || isBelow(file, "tests");
        return widget && !allowed
                   ? "Qt Widgets and QCustomPlot belong in ui/, app/desktop/ and app/tools/."
                   : "";
    });
}

Violations gpuIsPureCompute(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        if (!isBelow(file, "gpu")) return "";
        if (isQtHeader(include.path)) return "gpu/ uses no Qt.";
        const bool files = startsWithAny(
            include.path, {"fstream", "filesystem", "H5", "hdf5", "matio", "zip", "toml"});
        return files ? "gpu/ uses no files." : "";
    });
}

Violations laddersStayInBenches(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const bool allowed = isBelow(file, "gpu/ladder") || isBelow(file, "tests") ||
                             file.starts_with("app/commands/bench_");
        return include.path.starts_with("gpu/ladder/") && !allowed
                   ? "published kernels are for benches and tests alone."
                   : "";
    });
}

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
                                                     "app",
                                                     "gpu",
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
    static const std::array<std::string_view, 46> kFolders{"",
                                                           "gpu",
                                                           "gpu/dsp",
                                                           "gpu/oct",
                                                           "gpu/aberration",
                                                           "gpu/beamform",
                                                           "gpu/ladder",
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
                                                           "ui/window",
                                                           "app",
                                                           "app/dataset",
                                                           "app/dataset/recording",
                                                           "app/dataset/transmit",
                                                           "app/dataset/container",
                                                           "app/dataset/frames",
                                                           "app/dataset/formats",
                                                           "app/dataset/sidecar",
                                                           "app/dataset/native",
                                                           "app/dataset/calibration",
                                                           "app/source",
                                                           "app/pipeline",
                                                           "app/calibration",
                                                           "app/session",
                                                           "app/session/stream",
                                                           "app/session/volume",
                                                           "app/session/column",
                                                           "app/session/offline",
                                                           "app/export",
                                                           "app/aberration",
                                                           "app/desktop",
                                                           "app/desktop/workbench",
                                                           "app/tools",
                                                           "app/commands",
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

namespace {

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

} // namespace echolux::arch
