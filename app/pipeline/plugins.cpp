// SPDX-License-Identifier: GPL-3.0-or-later
// Opens libraries. NOTE: a library stays open until the program ends, because snapshots hold
// pointers to its stages.
#include "app/pipeline/plugins.hpp"

#include "app/pipeline/plugin_consents.hpp"
#include "app/pipeline/python/python_stages.hpp"
#include "gpu/core/error.hpp"
#include "gpu/stage/plugin.hpp"
#include "gpu/stage/registry.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace echolux {
namespace {

namespace fs = std::filesystem;

struct Loaded {
    std::mutex mutex;
    std::vector<Plugin> plugins;
    PluginConsent consent = rememberedConsent();
    PluginTaker taker;
};

Loaded& loaded() {
    static Loaded kLoaded;
    return kLoaded;
}

/// A nameless file in memory. What was examined is what is opened, and a library that was built
/// anew is another file for the dynamic linker. NOTE: the linker knows libraries by their paths,
/// and this path holds a descriptor. So the descriptor of an opened library must stay taken.
class MemoryFile {
public:
    explicit MemoryFile(const PluginFile& file) : m_file(memfd_create("plugin", MFD_CLOEXEC)) {
        std::size_t written = 0;
        while (m_file >= 0 && written < file.bytes.size()) {
            const auto more =
                ::write(m_file, file.bytes.data() + written, file.bytes.size() - written);
            if (more <= 0) break;
            written += static_cast<std::size_t>(more);
        }
        if (written < file.bytes.size()) {
            throw OutOfMemory(fmt::format("There is not enough memory to load the plugin {}; close "
                                          "other programs.",
                                          file.path.string()));
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        if (m_file >= 0) ::close(m_file);
    }
    void keep() { m_file = -1; } ///< taken until the program ends
    std::string path() const { return fmt::format("/proc/self/fd/{}", m_file); }

private:
    int m_file;
};

/// Opens the library. Throws Error where it cannot be opened, throws, or offers nothing.
const PluginContents& opened(const PluginFile& file) {
    const auto refuse = [&](const std::string& reason) {
        return Error(fmt::format("The plugin {} cannot be used: {}; correct it and build it again.",
                                 file.path.string(), reason));
    };
    MemoryFile copy(file);
    const PluginContents* contents = nullptr;
    try {
        void* library = dlopen(copy.path().c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            std::string reason = dlerror(); // NOLINT: of this thread
            const std::string prefix = copy.path() + ": ";
            if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
            throw refuse(reason);
        }
        copy.keep();
        using Function = const PluginContents* (*)();
        const auto function = reinterpret_cast<Function>(dlsym(library, ECHOLUX_PLUGIN_FUNCTION));
        if (function == nullptr)
            throw refuse("it has no function " ECHOLUX_PLUGIN_FUNCTION ", as the macro "
                         "ECHOLUX_PLUGIN makes it");
        contents = function();
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw refuse(fmt::format("it failed while it started: {}", error.what()));
    } catch (...) {
        throw refuse("it failed while it started");
    }
    const bool isComplete = contents != nullptr && contents->name != nullptr &&
                            contents->version != nullptr &&
                            (contents->stageCount == 0 || contents->stages != nullptr) &&
                            (contents->stageCount > 0 || !contents->readers.empty() ||
                             !contents->sources.empty() || !contents->views.empty());
    if (!isComplete) throw refuse("it brings no stage, no reader, no live source and no view");
    return *contents;
}

struct Brought {
    Plugin plugin;
    std::vector<StageType> types;
    const PluginContents* contents = nullptr; ///< null: a file in Python, which brings stages alone
};

/// What a library or a file in Python brings.
Brought broughtBy(const PluginFile& file) {
    if (isPython(file.path)) {
        // NOTE: not within the braces below: where it throws there, GCC 12 frees the plugin twice.
        std::vector<StageType> types =
            pythonStages(file.path, {file.bytes.begin(), file.bytes.end()});
        const bool hasCuda = std::ranges::any_of(types, &StageType::hasCuda);
        Plugin plugin{file.path.stem().string(), "in Python", file.path, file.sha256, {}, hasCuda};
        return {std::move(plugin), std::move(types)};
    }
    const PluginContents& contents = opened(file);
    std::vector<StageType> types;
    for (std::size_t i = 0; i < contents.stageCount; ++i) {
        if (contents.stages[i] == nullptr)
            throw Error(fmt::format("The plugin {} names a stage that does not exist.",
                                    file.path.string()));
        types.push_back(*contents.stages[i]);
        types.back().hasCuda = types.back().hasCuda && contents.hasCuda;
    }
    Plugin plugin{contents.name,
                  contents.version,
                  file.path,
                  file.sha256,
                  {},
                  contents.hasCuda,
                  contents.readers.size(),
                  contents.sources.size(),
                  contents.views.size()};
    return {std::move(plugin), std::move(types), &contents};
}

/// Checks and adds what the file brings. Called with the mutex held.
Plugin load(const PluginFile& file) {
    auto [plugin, types, contents] = broughtBy(file);
    for (const StageType& type : types) {
        if (type.inputs.empty() || type.outputs.empty() || type.code.plan == nullptr ||
            type.code.create == nullptr ||
            plugin.stages.end() != std::ranges::find(plugin.stages, type.id)) {
            throw Error(fmt::format("The plugin {} brings the stage '{}' without ports or without "
                                    "code, or twice; correct it and build it again.",
                                    file.path.string(), type.id));
        }
        plugin.stages.push_back(type.id);
    }
    std::function<void()> takeOthers;
    if (contents != nullptr && loaded().taker)
        takeOthers = loaded().taker(*contents, file.path.string());
    addStages(file.path.string(), std::move(types));
    if (takeOthers) takeOthers();
    spdlog::debug("Plugin {} {} loaded from {}", plugin.name, plugin.version, file.path.string());
    return std::move(plugin);
}

Plugin loadOnce(const PluginFile& file) {
    const std::scoped_lock lock(loaded().mutex);
    const auto known = std::ranges::find_if(loaded().plugins, [&](const Plugin& each) {
        return each.path == file.path || each.sha256 == file.sha256;
    });
    if (known != loaded().plugins.end()) return *known;
    loaded().plugins.push_back(load(file));
    return loaded().plugins.back();
}

} // namespace

PluginConsent rememberedConsent() {
    return [](const PluginFile& file) { return PluginConsents().allows({file.sha256, file.path}); };
}

void setPluginConsent(PluginConsent consent) {
    const std::scoped_lock lock(loaded().mutex);
    loaded().consent = std::move(consent);
}

void setPluginTaker(PluginTaker taker) {
    const std::scoped_lock lock(loaded().mutex);
    loaded().taker = std::move(taker);
}

Plugin usePlugin(const fs::path& path) {
    PluginConsent consent;
    {
        const std::scoped_lock lock(loaded().mutex);
        const auto known = std::ranges::find(loaded().plugins, path, &Plugin::path);
        if (known != loaded().plugins.end()) return *known;
        consent = loaded().consent;
    }
    const PluginFile file = readPlugin(path);
    if (!consent(file)) { // NOTE: without the lock, because it may ask the user
        throw Error(
            fmt::format("The code of the plugin {} (SHA-256 {}) has not been allowed to run "
                        "here; if you trust its author, run 'echolux plugins allow {}'.",
                        path.string(), file.sha256, path.string()));
    }
    return loadOnce(file);
}

Plugin allowPlugin(const fs::path& path) { return loadOnce(readPlugin(path)); }

std::vector<Plugin> reloadPlugins() {
    std::vector<Plugin> renewed;
    const std::scoped_lock lock(loaded().mutex);
    for (Plugin& plugin : loaded().plugins) {
        const PluginFile file = readPlugin(plugin.path);
        if (file.sha256 == plugin.sha256) continue;
        plugin = load(file);
        PluginConsents().allow({file.sha256, file.path});
        renewed.push_back(plugin);
    }
    return renewed;
}

std::vector<Plugin> pluginsInUse() {
    const std::scoped_lock lock(loaded().mutex);
    return loaded().plugins;
}

} // namespace echolux
