// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the sources in the order in which their plugins were loaded.
#include "app/live/plugin_sources.hpp"

#include "app/dataset/plugins/guarded_recording.hpp"
#include "app/live/guarded_source.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>

namespace echolux {
namespace {

constexpr std::array<std::string_view, 6> kOwnSources{"simulator", "shared", "replay",
                                                      "camera",    "igtl",   "zmq"};

/// Copies of what the type says, and the path of its plugin.
struct PluginSource {
    std::string name;
    std::string options;
    std::string help;
    SourceOpener open = nullptr;
    std::string plugin;
};

struct PluginSources {
    std::mutex mutex;
    std::vector<PluginSource> list;
};

PluginSources& pluginSources() {
    static PluginSources kSources;
    return kSources;
}

std::vector<PluginSource> sourcesNow() {
    const std::scoped_lock lock(pluginSources().mutex);
    return pluginSources().list;
}

void put(const std::vector<PluginSource>& taken, const std::string& plugin) noexcept {
    const std::scoped_lock lock(pluginSources().mutex);
    std::vector<PluginSource>& list = pluginSources().list;
    std::erase_if(list, [&](const PluginSource& each) { return each.plugin == plugin; });
    list.insert(list.end(), taken.begin(), taken.end());
}

std::optional<PluginSource> sourceNamed(std::string_view name) {
    for (const PluginSource& each : sourcesNow())
        if (each.name == name) return each;
    return std::nullopt;
}

} // namespace

std::function<void()> takeSources(std::span<const LiveSourceType* const> sources,
                                  const std::string& plugin) {
    std::vector<PluginSource> taken;
    for (const LiveSourceType* type : sources) {
        if (type == nullptr || type->open == nullptr || !isPluginKey(type->name))
            throw Error(fmt::format("The plugin {} brings a live source without code, or with a "
                                    "name that is not made of small letters, digits and '_'; "
                                    "correct it and build it again.",
                                    plugin));
        const auto other = sourceNamed(type->name);
        const bool known = std::ranges::find(kOwnSources, type->name) != kOwnSources.end() ||
                           (other && other->plugin != plugin) ||
                           std::ranges::find(taken, type->name, &PluginSource::name) != taken.end();
        if (known)
            throw Error(fmt::format(
                "The plugin {} brings the live source '{}', but another source "
                "{}has that name already; one of them must change.",
                plugin, type->name,
                other && other->plugin != plugin ? "of the plugin " + other->plugin + " " : ""));
        taken.push_back({std::string(type->name), std::string(type->options),
                         std::string(type->help), type->open, plugin});
    }
    return [taken, plugin] { put(taken, plugin); };
}

bool isPluginAddress(std::string_view address) {
    const auto colon = address.find(':');
    return colon != address.npos && sourceNamed(address.substr(0, colon)).has_value();
}

std::unique_ptr<LiveSource> pluginSource(const std::string& address) {
    const auto colon = address.find(':');
    const std::optional<PluginSource> type = sourceNamed(address.substr(0, colon));
    if (!type) throw Error(fmt::format("'{}' names no live source.", address));
    return std::make_unique<GuardedSource>(
        type->open, address,
        fmt::format("the source '{}' of the plugin {}", type->name, type->plugin));
}

std::vector<std::pair<std::string, std::string>> pluginAddressKinds() {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const PluginSource& each : sourcesNow())
        kinds.emplace_back(each.name + ":" + each.options, each.help);
    return kinds;
}

} // namespace echolux
