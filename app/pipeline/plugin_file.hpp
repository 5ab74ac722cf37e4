// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and examines the file of a plugin. Nothing of it runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct PluginFile {
    std::filesystem::path path; ///< absolute
    std::string sha256;         ///< of the bytes, 64 hexadecimal digits
    std::vector<char> bytes;
};

/// The absolute path of the library that a pipeline names. A name with a slash is a path, relative
/// to `folder`, which holds the pipeline's file (empty: the current folder). A plain name, with or
/// without "lib" and ".so" or ".py", is looked for in `folder`, then in the folders of the
/// environment variable ECHOLUX_PLUGIN_PATH. Throws Error that lists where it was looked for.
std::filesystem::path findPlugin(const std::string& library, const std::filesystem::path& folder);

/// Whether the plugin is a text with stages in Python.
bool isPython(const std::filesystem::path& plugin);

/// Reads the file. Throws Error where it cannot be read, is no plugin, or was built for another
/// Echolux.
PluginFile readPlugin(const std::filesystem::path& path);

} // namespace echolux
