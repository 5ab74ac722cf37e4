// SPDX-License-Identifier: GPL-3.0-or-later
// Which file may include what.
#include "tests/arch/rules.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <regex>

namespace echolux::arch {
namespace {

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
        {"toml", {}},
        {"dataset", {"toml"}},
        {"pipeline", {"toml"}},
        {"prediction", {"toml", "pipeline"}},
        {"measure", {"toml"}},
        {"library", {"dataset", "pipeline"}},
        {"source", {"dataset"}},
        {"network", {}},
        {"live", {"dataset", "source", "network"}},
        {"lab", {}},
        {"sound", {}},
        {"calibration", {"pipeline", "measure"}},
        {"session", {"dataset", "live", "network", "pipeline", "calibration"}},
        {"sweep", {"dataset", "pipeline", "measure", "session"}},
        {"replay", {"dataset", "live", "pipeline", "session", "export"}},
        {"export", {"live", "dataset", "pipeline", "session", "sound"}},
        {"pairs", {"dataset", "source", "pipeline", "measure", "session", "sweep", "export"}},
        {"paper", {"dataset", "pipeline", "measure", "session", "export"}},
        {"aberration", {"dataset", "pipeline", "session", "export"}},
        {"desktop",
         {"dataset", "network", "live", "pipeline", "lab", "calibration", "session", "replay",
          "export", "aberration"}},
        {"tools",
         {"dataset", "live", "pipeline", "prediction", "lab", "measure", "calibration", "session",
          "sweep", "paper", "export", "aberration", "sound", "desktop"}},
        {"command_line", {"dataset", "pipeline", "session"}},
        {"commands",
         {"dataset", "source", "live", "lab", "measure", "pipeline", "prediction", "calibration",
          "session", "sweep", "replay", "export", "pairs", "paper", "aberration", "desktop",
          "command_line"}},
        {"bench",
         {"dataset", "source", "lab", "pipeline", "prediction", "session", "command_line"}},
    };
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const std::string from = unitOf(file);
        const std::string to = unitOf(include.path);
        if (!isBelow(from, "app") || !isBelow(to, "app") || from == to) return "";
        const auto known = kUses.find(std::string_view(from).substr(4));
        if (known == kUses.end()) return from + " is no folder of the plan.";
        if (known->second.contains(std::string_view(to).substr(4))) return "";
        return "toml <- dataset, pipeline, measure, prediction, dataset <- session, pipeline <- "
               "calibration <- session <- desktop <- commands, "
               "dataset <- source <- commands, pipeline <- prediction <- tools, commands, "
               "dataset, pipeline <- library, measure <- calibration, "
               "measure, session <- sweep <- tools, commands, export <- replay <- desktop, "
               "commands, measure, export <- paper <- "
               "commands, lab <- desktop, sound <- export, tools, session <- export <- "
               "aberration <- "
               "desktop <- tools, source, sweep, export <- pairs <- commands, session <- "
               "command_line <- commands, bench; source, lab, prediction <- bench.";
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
          {"model", {}},
          {"exec", {"core"}},
          {"memory", {"core", "exec"}},
          {"fft", {"core", "exec", "memory", "model"}},
          {"volume", {"core", "exec"}},
          {"image", {"core", "exec", "memory"}},
          {"dsp", {"core"}},
          {"oct", {"core", "exec", "fft", "stage"}},
          {"beamform", {"core", "exec", "memory", "dsp", "stage", "model"}},
          {"aberration", {"core", "exec", "memory", "beamform", "stage"}},
          {"ladder", {"core", "exec", "memory"}},
          {"microbench", {"core", "exec", "memory", "model"}},
          {"check", {"core", "exec", "memory", "flow", "stage"}},
          {"decoding", {"core", "exec"}},
          {"sound_speed", {"core", "exec", "memory", "beamform"}},
          {"echoes", {"core", "exec", "memory", "stage"}},
          {"flow", {"core", "exec"}},
          {"stage", {"core", "exec", "memory", "model"}},
          {"stages",
           {"core", "exec", "memory", "fft", "dsp", "oct", "beamform", "aberration", "decoding",
            "echoes", "flow", "image", "stage", "model"}},
          {"fused", {"core", "exec", "memory", "oct", "stage", "stages", "model"}}}},
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
          {"views/overlay", {"theme", "controls"}},
          {"views", {"theme", "controls", "parameters", "views/overlay"}},
          {"window",
           {"theme", "controls", "plots", "dialogs", "graph", "parameters", "performance", "lab",
            "aberration"}}}},
        {"app/dataset",
         {{"facts", {}},
          {"recording", {"facts"}},
          {"transmit", {}},
          {"container", {"recording"}},
          {"frames", {"recording", "transmit", "container"}},
          {"formats", {"recording", "transmit", "container", "frames"}},
          {"formats/pictures", {"recording", "container", "frames"}},
          {"sidecar", {"facts", "recording", "transmit", "container", "frames"}},
          {"native", {"facts", "recording", "transmit", "container", "frames"}},
          {"calibration", {"recording", "container", "frames"}},
          {"carried", {"recording", "container", "formats"}},
          {"plugins", {"recording", "frames"}},
          {"guarded", {"recording", "container", "frames", "sidecar", "carried"}},
          {"",
           {"recording", "container", "formats", "formats/pictures", "sidecar", "native",
            "calibration", "plugins", "carried", "guarded"}}}},
        {"app/session",
         {{"stream", {}},
          {"volume", {"stream"}},
          {"look", {"stream"}},
          {"column", {"stream", "look"}},
          {"offline", {"column"}},
          {"publish", {"stream"}},
          {"", {"stream", "volume", "look", "column", "offline"}}}}};
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const std::string from(folderOf(file));
        const std::string to(folderOf(include.path));
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
        const std::string from(folderOf(file.path));
        if (!isCpp(file.path) || from.empty() || isBelow(from, "tests")) continue;
        for (const Include& include : includesOf(file.text)) {
            const std::string to(folderOf(include.path));
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
        // Nothing but gpu/core lies below both ui/ and app/, which write files in the same way.
        const bool writes = file.starts_with("gpu/core/whole_file.");
        return files && !writes ? "gpu/ uses no files." : "";
    });
}

Violations laddersStayInBenches(const SourceTree& tree) {
    return forEachInclude(tree, [](std::string_view file, const Include& include) -> std::string {
        const bool allowed =
            isBelow(file, "gpu/ladder") || isBelow(file, "tests") || file.starts_with("app/bench/");
        return include.path.starts_with("gpu/ladder/") && !allowed
                   ? "published kernels are for benches and tests alone."
                   : "";
    });
}

} // namespace echolux::arch
