// SPDX-License-Identifier: GPL-3.0-or-later
// Loads plugins that pipelines or users name. Nothing of a plugin runs before its tag fits and its
// user has allowed it. All functions may be called by any thread.
#pragma once

#include "app/pipeline/plugin_file.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace echolux {

struct PluginContents; ///< gpu/stage/plugin.hpp

struct Plugin {
    std::string name;    ///< as the plugin calls itself
    std::string version; ///< its own
    std::filesystem::path path;
    std::string sha256;
    std::vector<std::string> stages; ///< ids
    bool hasCuda = false;            ///< false: its stages run on the CPU
    std::size_t readers = 0;         ///< how many readers of files it brings
    std::size_t sources = 0;         ///< how many live sources
    std::size_t views = 0;           ///< how many views
};

/// Whether this file may run. Called by the thread that reads the pipeline.
using PluginConsent = std::function<bool(const PluginFile& file)>;
/// Allows what PluginConsents remembers and nothing else.
PluginConsent rememberedConsent();
/// Takes effect for later calls of usePlugin(). At first rememberedConsent() is in force.
void setPluginConsent(PluginConsent consent);

/// Takes up what a plugin brings besides stages. It checks the contents and changes nothing; the
/// function that it returns adds them, in place of those that `plugin` (its path) brought before,
/// and does not throw. Throws Error.
using PluginTaker =
    std::function<std::function<void()>(const PluginContents& contents, const std::string& plugin)>;
/// Takes effect for plugins that are loaded later. Without it, stages alone are taken up.
void setPluginTaker(PluginTaker taker);

/// Loads the library, unless it was loaded before from this path or is a copy of one that was. Its
/// stages are known from then on and until the program ends. A file that has changed since is not
/// loaded again: reloadPlugins() does that. Throws Error, and changes nothing, where the file is
/// missing, damaged, built for another Echolux or not allowed, where it brings the id of another
/// stage, or where it throws.
Plugin usePlugin(const std::filesystem::path& path);

/// Loads the library as usePlugin() does, on the word of the caller.
Plugin allowPlugin(const std::filesystem::path& path);

/// Loads those plugins anew whose files have changed. Whoever calls this has allowed them: consent
/// is remembered. Snapshots keep the former stages; instantiate() takes the new ones. Returns the
/// plugins that were loaded anew. Throws Error as usePlugin() does; the former stages then stay.
std::vector<Plugin> reloadPlugins();

std::vector<Plugin> pluginsInUse(); ///< in the order in which they were loaded

} // namespace echolux
