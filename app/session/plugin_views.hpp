// SPDX-License-Identifier: GPL-3.0-or-later
// The views that plugins bring. All functions may be called by any thread.
#pragma once

#include "app/session/view_type.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {

using ViewOpener = std::unique_ptr<PluginView> (*)();

/// Copies of what a ViewType says.
struct KnownView {
    std::string name;
    std::string label; ///< not empty
    std::string help;
    std::string output;
    ViewOpener open = nullptr;
    std::string plugin;     ///< path
    std::uint64_t make = 0; ///< another number where the plugin was loaded anew

    std::string who() const; ///< "The view 'x' of the plugin /path/y.so"
};

/// Checks the views of a plugin and changes nothing. The function that it returns adds them, in
/// place of those that `plugin` (its path) brought before, and does not throw. Throws Error where a
/// view has no code, or no name or the name of another one.
std::function<void()> takeViews(std::span<const ViewType* const> views, const std::string& plugin);

std::vector<KnownView> pluginViews(); ///< in the order in which their plugins were loaded

/// While it lives, `changed` is called after pluginViews() has changed, by the thread that loads
/// the plugin. `changed` must not load plugins.
class PluginViewsWatch {
public:
    explicit PluginViewsWatch(std::function<void()> changed);
    ~PluginViewsWatch(); ///< waits for a call in progress
    PluginViewsWatch(const PluginViewsWatch&) = delete;
    PluginViewsWatch& operator=(const PluginViewsWatch&) = delete;

private:
    std::function<void()> m_changed;
};

} // namespace echolux
