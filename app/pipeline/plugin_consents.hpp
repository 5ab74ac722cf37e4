// SPDX-License-Identifier: GPL-3.0-or-later
// Which plugins the user has allowed to run: by path and by content. The list is a file in the
// user's settings, in the form of sha256sum.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace echolux {

struct PluginConsentEntry {
    std::string sha256;
    std::filesystem::path path; ///< absolute
    bool operator==(const PluginConsentEntry&) const = default;
};

/// $XDG_CONFIG_HOME/Echolux/plugins.sha256, or that below ~/.config.
std::filesystem::path usualConsentFile();

class PluginConsents {
public:
    explicit PluginConsents(std::filesystem::path file = usualConsentFile());

    bool allows(const PluginConsentEntry& plugin) const;
    /// Replaces what was allowed at this path. Throws Error where the file cannot be written.
    void allow(const PluginConsentEntry& plugin) const;
    /// Returns false where nothing was allowed at this path.
    bool forget(const std::filesystem::path& path) const;
    std::vector<PluginConsentEntry> all() const; ///< empty where there is no file

private:
    void write(const std::vector<PluginConsentEntry>& entries) const;
    std::filesystem::path m_file;
};

} // namespace echolux
