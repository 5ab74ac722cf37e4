// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the views in the order in which their plugins were loaded.
#include "app/session/plugin_views.hpp"

#include "app/dataset/plugins/guarded_recording.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

namespace echolux {
namespace {

struct PluginViews {
    std::mutex mutex;
    std::vector<KnownView> list;
    std::uint64_t made = 0;

    std::mutex watching; ///< held while watches are called
    std::vector<const std::function<void()>*> watches;
};

PluginViews& known() {
    static PluginViews kViews;
    return kViews;
}

/// Replaces the views of the plugin where they stand, or adds them at the end.
void put(std::vector<KnownView> taken, const std::string& plugin) noexcept {
    {
        const std::scoped_lock lock(known().mutex);
        std::vector<KnownView>& list = known().list;
        const auto first = std::ranges::find(list, plugin, &KnownView::plugin);
        if (first == list.end() && taken.empty()) return;
        const auto at = first - list.begin();
        for (KnownView& each : taken) each.make = ++known().made;
        std::erase_if(list, [&](const KnownView& each) { return each.plugin == plugin; });
        list.insert(list.begin() + at, std::make_move_iterator(taken.begin()),
                    std::make_move_iterator(taken.end()));
    }
    const std::scoped_lock lock(known().watching);
    for (const auto* changed : known().watches) (*changed)();
}

} // namespace

std::string KnownView::who() const {
    return fmt::format("The view '{}' of the plugin {}", name, plugin);
}

std::function<void()> takeViews(std::span<const ViewType* const> views, const std::string& plugin) {
    std::vector<KnownView> taken;
    std::vector<KnownView> others = pluginViews();
    std::erase_if(others, [&](const KnownView& each) { return each.plugin == plugin; });
    for (const ViewType* type : views) {
        if (type == nullptr || type->open == nullptr || !isPluginKey(type->name)) {
            throw Error(fmt::format("The plugin {} brings a view without code, or with a name that "
                                    "is not made of small letters, digits and '_'; correct it and "
                                    "build it again.",
                                    plugin));
        }
        for (const auto* list : {&others, &taken}) {
            const auto same = std::ranges::find(*list, type->name, &KnownView::name);
            if (same != list->end()) {
                throw Error(fmt::format("The plugin {} brings the view '{}', but the plugin {} has "
                                        "a view of that name already; one of them must change.",
                                        plugin, type->name, same->plugin));
            }
        }
        taken.push_back({std::string(type->name),
                         std::string(type->label.empty() ? type->name : type->label),
                         std::string(type->help), std::string(type->output), type->open, plugin});
    }
    return [taken, plugin] { put(taken, plugin); };
}

std::vector<KnownView> pluginViews() {
    const std::scoped_lock lock(known().mutex);
    return known().list;
}

PluginViewsWatch::PluginViewsWatch(std::function<void()> changed) : m_changed(std::move(changed)) {
    const std::scoped_lock lock(known().watching);
    known().watches.push_back(&m_changed);
}

PluginViewsWatch::~PluginViewsWatch() {
    const std::scoped_lock lock(known().watching);
    std::erase(known().watches, &m_changed);
}

} // namespace echolux
